// What a pass takes along is said by the op's definition: this one names no tile.swizzle2d, which is element-wise, has
// no effects, and two results. The guide (docs/compiler/adding-a-pass.md) runs the same with an op that it adds.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=3}))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>

// And one whose offset in a step follows from it is copied two steps ahead.
// CHECK-LABEL: tile.func @ring
// CHECK: tile.swizzle2d
// CHECK: tile_gpu.async_copy
// CHECK: tile.swizzle2d
// CHECK: tile_gpu.async_copy
// CHECK: scf.for
// CHECK: tile.swizzle2d
// CHECK: tile_gpu.async_copy
// CHECK-NOT: tile.load
// CHECK: tile.dot
tile.func @ring(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: tensor<32x32xf32, #acc>) {
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> tensor<32x32xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p0 = tile.addptr %xs, %o : !ptrs, tensor<32x32xi32, #v>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> tensor<32x32xf32, #acc> : i32 {
    %row, %column = tile.swizzle2d %k, %k, %n, %n, %c1 : i32
    %start = arith.muli %row, %c1024 : i32
    %starts = tile.splat %start : i32 -> tensor<32x32xi32, #v>
    %p = tile.addptr %p0, %starts : !ptrs, tensor<32x32xi32, #v>
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
    tile_gpu.buffer_store %t, %b : tensor<32x32xf16, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
    %d = tile.dot %b, %b, %a by mma_sync : !tile_gpu.buffer<32x32xf16, swizzle = 64>, !tile_gpu.buffer<32x32xf16, swizzle = 64> -> tensor<32x32xf32, #acc>
    scf.yield %d : tensor<32x32xf32, #acc>
  }
  tile.return
}
