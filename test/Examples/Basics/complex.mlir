// Multiplies complex numbers, whose parts alternate in memory: x[2 i] is the real part of number i, and x[2 i + 1] the
// imaginary one.
//
//   tile-run complex.mlir                 100,000 numbers
//   tile-run complex.mlir --args 1000003  any other number of them
//
// Each part is a tile of its own, of every other float. What two tiles have side by side is accessed together
// (tile-join-accesses), so that a thread moves 16 bytes at once.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1023 -D BLOCK=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000 -D BLOCK=100 | FileCheck %s
// RUN: tile-run %s --check --args 77
// RUN: tile-run %s --emit=ptx --arch=sm_90a --args 4096 | FileCheck %s --check-prefix=PTX
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : complex({{.*}}GB/s
// PTX-LABEL: .entry complex(
// PTX: ld.global.v4.b32
// PTX: st.global.v4.b32
// PTX-NOT: {{(ld|st)}}.global.b32
// PTX: ret;

tile.func @complex(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>, %n: i32)
    meta {BLOCK = 512} {
  tile.grid = %n ceildiv BLOCK
  // Six operations a number, of 8 bytes; two are read and one is written.
  tile.cost = 6 * %n, 24 * %n
  %i = tile.expr program_id(x) * BLOCK + arange(BLOCK)
  %in = tile.expr %i < %n
  %xr = tile.expr %x + 2 * %i
  %xi = tile.expr %xr + 1
  %yr = tile.expr %y + 2 * %i
  %yi = tile.expr %yr + 1
  %a = tile.load %xr, %in
  %b = tile.load %xi, %in
  %c = tile.load %yr, %in
  %d = tile.load %yi, %in
  %re = tile.expr %a * %c - %b * %d
  %im = tile.expr %a * %d + %b * %c
  %zr = tile.expr %z + 2 * %i
  %zi = tile.expr %zr + 1
  tile.store %zr, %re, %in
  tile.store %zi, %im, %in
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 100000 : i32}) {
  %c2 = arith.constant 2 : i32
  %twice = arith.muli %n, %c2 : i32
  %x = tile_host.random(%twice) seed 1 -> memref<?xf32>
  %y = tile_host.random(%twice) seed 2 -> memref<?xf32>
  %z = tile_host.alloc(%twice) -> memref<?xf32>
  tile_host.launch @complex(%x, %y, %z, %n)

  // In f64, number by number.
  %want = tile_host.alloc(%twice) -> memref<?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %r = arith.muli %i, %two : index
    %s = arith.addi %r, %c1 : index
    %a32 = memref.load %x[%r] : memref<?xf32>
    %b32 = memref.load %x[%s] : memref<?xf32>
    %c32 = memref.load %y[%r] : memref<?xf32>
    %d32 = memref.load %y[%s] : memref<?xf32>
    %a = arith.extf %a32 : f32 to f64
    %b = arith.extf %b32 : f32 to f64
    %c = arith.extf %c32 : f32 to f64
    %d = arith.extf %d32 : f32 to f64
    %ac = arith.mulf %a, %c : f64
    %bd = arith.mulf %b, %d : f64
    %ad = arith.mulf %a, %d : f64
    %bc = arith.mulf %b, %c : f64
    %re = arith.subf %ac, %bd : f64
    %im = arith.addf %ad, %bc : f64
    memref.store %re, %want[%r] : memref<?xf64>
    memref.store %im, %want[%s] : memref<?xf64>
  }
  tile_host.expect_close %z, %want {rtol = 1.0e-5, atol = 1.0e-6}
  return
}
