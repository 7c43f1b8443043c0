// Both versions copy the same: rows of 24 and of 21 numbers, on the CPU. The second's slow road warns nobody.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16},tile.func(tile-expand-ops,canonicalize,cse,tile-version-tails,canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=VERSIONS --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=rows -o %t.ptx 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
// VERSIONS: tile.func @rows
// VERSIONS: scf.if
// VERSIONS: } else {
// CHECK: largest error 0, relative 0, in 1 comparison
// PTX-DAG: ld.global.v2.b32
// PTX-DAG: st.global.v2.b32
tile.func @rows(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                %sizes: !tile.ptr<i32>) {
  tile.grid = 2
  %first = tile.expr program_id(x) * 512
  %sizes_ptr = tile.expr %sizes + program_id(x)
  %n = tile.load %sizes_ptr : !tile.ptr<i32>
  %m = arith.constant 13 : i32
  %pitch = arith.constant 32 : i64
  %c0 = arith.constant 0 : i32
  %from = tile.expr %x + %first
  %to = tile.expr %y + %first
  %d = tile.make_desc %from, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x32xf16>
  %e = tile.make_desc %to, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x32xf16>
  %a = tile.desc_load %d[%c0, %c0]
  tile.desc_store %e[%c0, %c0], %a
  tile.return
}

func.func @main() {
  %count = arith.constant 1024 : i32
  %two = arith.constant 2 : i32
  %x = tile_host.random(%count) seed 1 -> memref<?xf16>
  %y = tile_host.alloc(%count) -> memref<?xf16>
  %want = tile_host.alloc(%count) -> memref<?xf16>
  %sizes = tile_host.alloc(%two) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c13 = arith.constant 13 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %whole = arith.constant 24 : i32
  %odd = arith.constant 21 : i32
  memref.store %whole, %sizes[%c0] : memref<?xi32>
  memref.store %odd, %sizes[%c1] : memref<?xi32>
  tile_host.launch @rows(%x, %y, %sizes)
  scf.for %p = %c0 to %c2 step %c1 {
    %n = memref.load %sizes[%p] : memref<?xi32>
    %end = arith.index_cast %n : i32 to index
    scf.for %i = %c0 to %c13 step %c1 {
      scf.for %j = %c0 to %end step %c1 {
        %start = arith.muli %p, %c512 : index
        %above = arith.muli %i, %c32 : index
        %row = arith.addi %start, %above : index
        %at = arith.addi %row, %j : index
        %value = memref.load %x[%at] : memref<?xf16>
        memref.store %value, %want[%at] : memref<?xf16>
      }
    }
  }
  tile_host.expect_close %y, %want {atol = 0.0, rtol = 0.0}
  return
}
