// Gathers along both axes, against loops on the host.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons

!i = tensor<16x32xi32>
!f = tensor<16x32xf32>
!p = tensor<16x32x!tile.ptr<f32>>

// rows[r, c] = x[(7 r + 3 c) % 16, c]; cols[r, c] = x[r, (5 r + c) % 32]
tile.func @pick(%x: !tile.ptr<f32>, %rows: !tile.ptr<f32>, %cols: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %a = tile.arange : tensor<16xi32>
  %b = tile.arange : tensor<32xi32>
  %ae = tile.expand_dims %a axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %be = tile.expand_dims %b axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %r = tile.broadcast %ae : tensor<16x1xi32> -> !i
  %c = tile.broadcast %be : tensor<1x32xi32> -> !i
  %c3 = arith.constant dense<3> : !i
  %c5 = arith.constant dense<5> : !i
  %c7 = arith.constant dense<7> : !i
  %c16 = arith.constant dense<16> : !i
  %c32 = arith.constant dense<32> : !i
  %line = arith.muli %r, %c32 : !i
  %offs = arith.addi %line, %c : !i
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, !i
  %v = tile.load %xp : !p
  %r7 = arith.muli %r, %c7 : !i
  %c3c = arith.muli %c, %c3 : !i
  %s0 = arith.addi %r7, %c3c : !i
  %i0 = arith.remui %s0, %c16 : !i
  %g0 = tile.gather %v, %i0 axis 0 : !f, !i -> !f
  %r5 = arith.muli %r, %c5 : !i
  %s1 = arith.addi %r5, %c : !i
  %i1 = arith.remui %s1, %c32 : !i
  %g1 = tile.gather %v, %i1 axis 1 : !f, !i -> !f
  %q0 = tile.splat %rows : !tile.ptr<f32> -> !p
  %p0 = tile.addptr %q0, %offs : !p, !i
  tile.store %p0, %g0 : !p
  %q1 = tile.splat %cols : !tile.ptr<f32> -> !p
  %p1 = tile.addptr %q1, %offs : !p, !i
  tile.store %p1, %g1 : !p
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 3 : () -> memref<16x32xf32>
  %rows = tile_host.alloc() : () -> memref<16x32xf32>
  %cols = tile_host.alloc() : () -> memref<16x32xf32>
  %want_rows = tile_host.alloc() : () -> memref<16x32xf32>
  %want_cols = tile_host.alloc() : () -> memref<16x32xf32>
  tile_host.launch @pick(%x, %rows, %cols) : memref<16x32xf32>, memref<16x32xf32>, memref<16x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %r = %c0 to %c16 step %c1 {
    scf.for %c = %c0 to %c32 step %c1 {
      %r7 = arith.muli %r, %c7 : index
      %c3c = arith.muli %c, %c3 : index
      %s0 = arith.addi %r7, %c3c : index
      %i0 = arith.remui %s0, %c16 : index
      %v0 = memref.load %x[%i0, %c] : memref<16x32xf32>
      memref.store %v0, %want_rows[%r, %c] : memref<16x32xf32>
      %r5 = arith.muli %r, %c5 : index
      %s1 = arith.addi %r5, %c : index
      %i1 = arith.remui %s1, %c32 : index
      %v1 = memref.load %x[%r, %i1] : memref<16x32xf32>
      memref.store %v1, %want_cols[%r, %c] : memref<16x32xf32>
    }
  }
  tile_host.expect_close %rows, %want_rows : memref<16x32xf32>, memref<16x32xf32>
  tile_host.expect_close %cols, %want_cols : memref<16x32xf32>, memref<16x32xf32>
  return
}
