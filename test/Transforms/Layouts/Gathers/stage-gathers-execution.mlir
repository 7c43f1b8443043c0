// Rows and columns that a loop picks, and weighs, of tiles from in front of it, against loops on the host.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=16 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

!i = tensor<16x32xi32>
!f = tensor<16x32xf32>
!p = tensor<16x32x!tile.ptr<f32>>

// most[r, c] = the greatest of x[k, c] + x[r, k], k < 16
tile.func @most(%x: !tile.ptr<f32>, %most: !tile.ptr<f32>) {
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
  %c32 = arith.constant dense<32> : !i
  %line = arith.muli %r, %c32 : !i
  %offs = arith.addi %line, %c : !i
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, !i
  %v = tile.load %xp : !p
  %least = arith.constant dense<-1.0e+30> : !f
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 16 : i32
  %g = scf.for %k = %zero to %n step %one iter_args(%m = %least) -> (!f) : i32 {
    %i = tile.splat %k : i32 -> tensor<1x32xi32>
    %j = tile.splat %k : i32 -> tensor<16x1xi32>
    %row = tile.gather %v, %i axis 0 : !f, tensor<1x32xi32> -> tensor<1x32xf32>
    %column = tile.gather %v, %j axis 1 : !f, tensor<16x1xi32> -> tensor<16x1xf32>
    %rows = tile.broadcast %row : tensor<1x32xf32> -> !f
    %columns = tile.broadcast %column : tensor<16x1xf32> -> !f
    %sum = arith.addf %rows, %columns : !f
    %next = arith.maximumf %m, %sum : !f
    scf.yield %next : !f
  }
  %q = tile.splat %most : !tile.ptr<f32> -> !p
  %to = tile.addptr %q, %offs : !p, !i
  tile.store %to, %g : !p
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 3 : () -> memref<16x32xf32>
  %most = tile_host.alloc() : () -> memref<16x32xf32>
  %want = tile_host.alloc() : () -> memref<16x32xf32>
  tile_host.launch @most(%x, %most) : memref<16x32xf32>, memref<16x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %least = arith.constant -1.0e+30 : f32
  scf.for %r = %c0 to %c16 step %c1 {
    scf.for %c = %c0 to %c32 step %c1 {
      %m = scf.for %k = %c0 to %c16 step %c1 iter_args(%before = %least) -> (f32) {
        %above = memref.load %x[%k, %c] : memref<16x32xf32>
        %beside = memref.load %x[%r, %k] : memref<16x32xf32>
        %sum = arith.addf %above, %beside : f32
        %next = arith.maximumf %before, %sum : f32
        scf.yield %next : f32
      }
      memref.store %m, %want[%r, %c] : memref<16x32xf32>
    }
  }
  tile_host.expect_close %most, %want : memref<16x32xf32>, memref<16x32xf32>
  return
}
