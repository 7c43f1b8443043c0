// Warps lie along the batch of a product first: no two of its products read the same.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// Four products for four warps: each has one of its own.
// CHECK-LABEL: tile.func @mma(
// CHECK: tile.dot {{.*}} by mma_sync : {{.*}} -> tensor<4x16x16xf32, #tile_gpu.layout<{{.*}} warp = {{\[\[}}1, 0, 0], [2, 0, 0]]>>
tile.func @mma(%p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<4x16x16xf16>
  %b = arith.constant dense<1.0> : tensor<4x16x16xf16>
  %c = arith.constant dense<0.0> : tensor<4x16x16xf32>
  %d = tile.dot %a, %b, %c by mma_sync : tensor<4x16x16xf16>, tensor<4x16x16xf16> -> tensor<4x16x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @fma(
// CHECK: tile.dot {{.*}} by fma : {{.*}} -> tensor<4x8x8xf32, #tile_gpu.layout<{{.*}} warp = {{\[\[}}1, 0, 0], [2, 0, 0]]>>
tile.func @fma(%p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<4x8x8xf32>
  %b = arith.constant dense<1.0> : tensor<4x8x8xf32>
  %c = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %d = tile.dot %a, %b, %c by fma : tensor<4x8x8xf32>, tensor<4x8x8xf32> -> tensor<4x8x8xf32>
  tile.return
}

// Of fewer, two warps divide one.
// CHECK-LABEL: tile.func @divided(
// CHECK: tile.dot {{.*}} by mma_sync : {{.*}} -> tensor<2x32x16xf32, #tile_gpu.layout<{{.*}} warp = {{\[\[}}0, 16, 0], [1, 0, 0]]>>
tile.func @divided(%p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<2x32x16xf16>
  %b = arith.constant dense<1.0> : tensor<2x16x16xf16>
  %c = arith.constant dense<0.0> : tensor<2x32x16xf32>
  %d = tile.dot %a, %b, %c by mma_sync : tensor<2x32x16xf16>, tensor<2x16x16xf16> -> tensor<2x32x16xf32>
  tile.return
}

// Warps that repeat others are told apart by the last bit of their numbers, so that operands, which
// are laid out without it, have the same parts.
// CHECK-LABEL: tile.func @repeated(
// CHECK: tile.dot {{.*}} by mma_sync : {{.*}} -> tensor<2x16x8xf32, #tile_gpu.layout<{{.*}} warp = {{\[\[}}1, 0, 0], [0, 0, 0]]>>
tile.func @repeated(%p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<2x16x16xf16>
  %b = arith.constant dense<1.0> : tensor<2x16x8xf16>
  %c = arith.constant dense<0.0> : tensor<2x16x8xf32>
  %d = tile.dot %a, %b, %c by mma_sync : tensor<2x16x16xf16>, tensor<2x16x8xf16> -> tensor<2x16x8xf32>
  tile.return
}
