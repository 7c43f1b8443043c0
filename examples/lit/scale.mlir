// y = a x, for any length: against a loop on the host, with every access tested, and as PTX.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --check
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison
//
// RUN: tile-run %s --kernel scale --arch sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX
// PTX: .entry scale(
// PTX: mul.rn.f32
//
// A block that is too long is refused where it stands.
// RUN: not tile-run %s --target=cpu -D B=99999999 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: scale.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}at most 2^24 elements

tile.func @scale(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %a: f32, %n: i32) meta {B = 256} {
  tile.grid = %n ceildiv B
  %offs = tile.expr program_id(x) * B + arange(B)
  %in = tile.expr %offs < %n
  %xp = tile.expr %x + %offs
  %v = tile.load %xp, %in
  %w = tile.expr %v * %a
  %yp = tile.expr %y + %offs
  tile.store %yp, %w, %in
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 1000 : i32}) {
  %a = arith.constant 3.0 : f32
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %y = tile_host.alloc(%n) -> memref<?xf32>
  tile_host.launch @scale(%x, %y, %a, %n)
  %want = tile_host.alloc(%n) -> memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %a : f32
    memref.store %w, %want[%i] : memref<?xf32>
  }
  tile_host.expect_close %y, %want
  return
}
