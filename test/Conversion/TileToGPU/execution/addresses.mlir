// A program hands a box through memory, turned, behind a barrier; addresses are computed as numbers.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

!i = tensor<32x64xi32>
!p = tensor<32x64x!tile.ptr<f32>>

// y[r, c] = scratch[r + 32 c] = x[r + 32 c], where x[k] was stored k elements behind scratch.
tile.func @turn(%x: !tile.ptr<f32>, %scratch: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %flat = tile.arange : tensor<2048xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %flat : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %v = tile.load %xp : tensor<2048x!tile.ptr<f32>>
  %first = tile.ptr_cast %scratch : !tile.ptr<f32> -> i64
  %wide = arith.extsi %flat : tensor<2048xi32> to tensor<2048xi64>
  %four = arith.constant dense<4> : tensor<2048xi64>
  %bytes = arith.muli %wide, %four : tensor<2048xi64>
  %firsts = tile.splat %first : i64 -> tensor<2048xi64>
  %at = arith.addi %firsts, %bytes : tensor<2048xi64>
  %to = tile.ptr_cast %at : tensor<2048xi64> -> tensor<2048x!tile.ptr<f32>>
  tile.store %to, %v : tensor<2048x!tile.ptr<f32>>
  tile.barrier
  %a = tile.arange : tensor<32xi32>
  %b = tile.arange : tensor<64xi32>
  %ae = tile.expand_dims %a axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %be = tile.expand_dims %b axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %r = tile.broadcast %ae : tensor<32x1xi32> -> !i
  %c = tile.broadcast %be : tensor<1x64xi32> -> !i
  %c32 = arith.constant dense<32> : !i
  %c64 = arith.constant dense<64> : !i
  %down = arith.muli %c, %c32 : !i
  %turned = arith.addi %r, %down : !i
  %line = arith.muli %r, %c64 : !i
  %plain = arith.addi %line, %c : !i
  %words = tile.ptr_cast %scratch : !tile.ptr<f32> -> !tile.ptr<i32>
  %ss = tile.splat %words : !tile.ptr<i32> -> tensor<32x64x!tile.ptr<i32>>
  %sp = tile.addptr %ss, %turned : tensor<32x64x!tile.ptr<i32>>, !i
  %w = tile.load %sp : tensor<32x64x!tile.ptr<i32>>
  %f = arith.bitcast %w : !i to tensor<32x64xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> !p
  %yp = tile.addptr %ys, %plain : !p, !i
  tile.store %yp, %f : !p
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 3 : () -> memref<64x32xf32>
  %scratch = tile_host.alloc() : () -> memref<2048xf32>
  %y = tile_host.alloc() : () -> memref<32x64xf32>
  %want = tile_host.alloc() : () -> memref<32x64xf32>
  tile_host.launch @turn(%x, %scratch, %y) : memref<64x32xf32>, memref<2048xf32>, memref<32x64xf32>
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%want : memref<32x64xf32>) permutation = [1, 0]
  tile_host.expect_close %y, %want : memref<32x64xf32>, memref<32x64xf32>
  return
}
