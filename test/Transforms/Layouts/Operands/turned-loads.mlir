// Words that lie along N, of which wgmma wants K fastest: eight of N by four of K a warp.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @turned
// CHECK: tile.load {{.*}} : tensor<32x128x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}0, 32], [0, 64], [4, 0], [8, 0], [16, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = {{\[\[}}0, 8], [0, 16]]>>
tile.func @turned(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %c = arith.constant dense<0.0> : tensor<64x128xf32>
  %k = tile.arange : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %kn = arith.muli %k, %ns : tensor<32xi32>
  %rows = tile.expand_dims %kn axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %i = tile.arange : tensor<128xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %r = tile.broadcast %rows : tensor<32x1xi32> -> tensor<32x128xi32>
  %s = tile.broadcast %columns : tensor<1x128xi32> -> tensor<32x128xi32>
  %o = arith.addi %r, %s : tensor<32x128xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x128x!tile.ptr<f32>>
  %q = tile.addptr %ps, %o : tensor<32x128x!tile.ptr<f32>>, tensor<32x128xi32>
  %b = tile.load %q : tensor<32x128x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %c precision tf32 by wgmma : tensor<64x32xf32>, tensor<32x128xf32> -> tensor<64x128xf32>
  tile.return
}
