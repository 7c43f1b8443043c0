// Products of sequences of rows behind one another, whose ends are loaded as 64 bits: what a program stores ends where its
// sequence does. As a box it would begin before the end of the sequence, at a difference of numbers of which nothing is known.
// Once their intervals overflowed, the box was taken to begin at 0 or behind, and nothing of it existed. Sequence i of X gives
// the plane i of the result, X times Y, at most %most rows of it.
//
// So it is counted from that end, and moved away from 0 (ragged-boxes.mlir).
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(symbol-dce,tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=4}))' -o %t.mlir 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=BOX --input-file %t.mlir
// BOX: tile.func @sequences
// BOX-NOT: scf.if
// BOX: tile.desc_load %{{.*}}[%c67108864_i32
// BOX: tile.desc_store %{{.*}}[%c67108864_i32
// BOX-NOT: tile.store
// BOX: tile.return
//
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --check | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: in 1 comparison

tile.func @sequences(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %ends: !tile.ptr<i64>,
                     %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 64 : i32}, %most: i32,
                     %plane: i32 {tile.divisibility = 64 : i32}) {
  tile.grid() {
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    tile.yield %three, %two : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %across = tile.expr (%n + 63) div 64
  %first = tile.expr program_id(y) div %across * 64
  %column = tile.expr row(program_id(y) rem %across * 64 + arange(64))
  %p0 = tile.addptr %ends, %pid : !tile.ptr<i64>, i32
  %begin = tile.load %p0 : !tile.ptr<i64>
  %p1 = tile.expr %p0 + 1
  %end = tile.load %p1 : !tile.ptr<i64>
  %all = arith.subi %end, %begin : i64
  %limit = arith.extsi %most : i32 to i64
  %rows = arith.minsi %all, %limit : i64
  %first64 = arith.extsi %first : i32 to i64
  %none = arith.cmpi sge, %first64, %rows : i64
  scf.if %none {
  } else {
    %row = tile.expr col(%first + arange(64))
    %row64 = arith.extsi %row : tensor<64x1xi32> to tensor<64x1xi64>
    %bound = tile.splat %rows : i64 -> tensor<64x1xi64>
    %in = arith.cmpi slt, %row64, %bound : tensor<64x1xi64>
    %k64 = arith.extsi %k : i32 to i64
    %startx = arith.muli %begin, %k64 : i64
    %xs = tile.addptr %x, %startx : !tile.ptr<f16>, i64
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %px = tile.expr %xs + (%row * %k + row(%at + arange(64)))
      %py = tile.expr %y + (col(%at + arange(64)) * %n + %column)
      %inside = tile.broadcast %in : tensor<64x1xi1> -> tensor<64x64xi1>
      %none16 = arith.constant dense<0.0> : tensor<64x64xf16>
      %a = tile.load %px, %inside, %none16
      %b = tile.load %py
      %t = tile.dot %a, %b, %s
      scf.yield %t : tensor<64x64xf32>
    }
    %po = tile.expr %out + (%pid * %plane + %row * %n + %column)
    %exists = tile.expr %in and %column < %n
    tile.store %po, %sum, %exists
  }
  tile.return
}

// Sequences of 37, 100 and 23 rows, of which 90 count.
func.func @main() {
  %x = tile_host.random() seed 1 : () -> memref<160x128xf16>
  %y = tile_host.random() seed 2 : () -> memref<128x64xf16>
  %out = tile_host.alloc() : () -> memref<3x90x64xf32>
  %want = tile_host.alloc() : () -> memref<3x90x64xf32>
  %ends = tile_host.alloc() : () -> memref<4xi64>
  %n = arith.constant 64 : i32
  %k = arith.constant 128 : i32
  %most = arith.constant 90 : i32
  %plane = arith.constant 5760 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c90 = arith.constant 90 : index
  %c128 = arith.constant 128 : index
  %end1 = arith.constant 37 : i64
  %end2 = arith.constant 137 : i64
  %end3 = arith.constant 160 : i64
  memref.store %end1, %ends[%c1] : memref<4xi64>
  memref.store %end2, %ends[%c2] : memref<4xi64>
  memref.store %end3, %ends[%c3] : memref<4xi64>
  %nothing = arith.constant 0.0 : f32
  linalg.fill ins(%nothing : f32) outs(%out : memref<3x90x64xf32>)
  linalg.fill ins(%nothing : f32) outs(%want : memref<3x90x64xf32>)
  tile_host.launch @sequences(%x, %y, %out, %ends, %n, %k, %most, %plane) : memref<160x128xf16>, memref<128x64xf16>, memref<3x90x64xf32>, memref<4xi64>, i32, i32, i32, i32
  scf.for %s = %c0 to %c3 step %c1 {
    %next = arith.addi %s, %c1 : index
    %b64 = memref.load %ends[%s] : memref<4xi64>
    %e64 = memref.load %ends[%next] : memref<4xi64>
    %b = arith.index_cast %b64 : i64 to index
    %e = arith.index_cast %e64 : i64 to index
    %all = arith.subi %e, %b : index
    %rows = arith.minui %all, %c90 : index
    scf.for %i = %c0 to %rows step %c1 {
      %at = arith.addi %b, %i : index
      scf.for %j = %c0 to %c64 step %c1 {
        %zero = arith.constant 0.0 : f32
        %sum = scf.for %l = %c0 to %c128 step %c1 iter_args(%t = %zero) -> (f32) {
          %p16 = memref.load %x[%at, %l] : memref<160x128xf16>
          %q16 = memref.load %y[%l, %j] : memref<128x64xf16>
          %p = arith.extf %p16 : f16 to f32
          %q = arith.extf %q16 : f16 to f32
          %product = arith.mulf %p, %q : f32
          %u = arith.addf %t, %product : f32
          scf.yield %u : f32
        }
        memref.store %sum, %want[%s, %i, %j] : memref<3x90x64xf32>
      }
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 1.0e-3} : memref<3x90x64xf32>, memref<3x90x64xf32>
  return
}
