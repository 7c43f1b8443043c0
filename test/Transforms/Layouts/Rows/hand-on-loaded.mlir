// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-localize-rows,canonicalize,cse))' | FileCheck %s

#words = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#tall = #tile_gpu.layout<register = [[16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#joined = #tile_gpu.layout<register = [[0, 0, 1], [16, 0, 0], [32, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0]], warp = [[4, 0, 0], [8, 0, 0]]>
#pairs = #tile_gpu.layout<register = [[0, 1], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#wanted = #tile_gpu.layout<register = [[0, 1], [0, 2], [32, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// Eight words, of which 64 x 16 numbers are computed that go through shared memory: the words are handed on, by shuffles.
// CHECK-LABEL: tile.func private @zeros
// CHECK: %[[Z:.*]] = tile.load
// CHECK: %[[OWN:.*]] = tile_gpu.convert_layout %[[Z]] : tensor<1x8xi32
// CHECK: %[[B:.*]] = tile.broadcast %[[OWN]]
// CHECK: %[[J:.*]] = tile.join %[[B]], %[[B]]
// CHECK: %[[R:.*]] = tile.reshape %[[J]]
// CHECK: %[[N:.*]] = arith.andi %[[R]]
// CHECK-NOT: convert_layout
// CHECK: tile.return %[[N]]
tile.func private @zeros(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}) -> tensor<64x16xi32, #wanted> attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<8xi32, #tile_gpu.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0], [0]]>>
  %e = tile.expand_dims %i axis 0 : tensor<8xi32, #tile_gpu.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0], [0]]>> -> tensor<1x8xi32, #words>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<1x8x!tile.ptr<i32>, #words>
  %q = tile.addptr %ps, %e : tensor<1x8x!tile.ptr<i32>, #words>, tensor<1x8xi32, #words>
  %z = tile.load %q : tensor<1x8x!tile.ptr<i32>, #words>
  %b = tile.broadcast %z : tensor<1x8xi32, #words> -> tensor<64x8xi32, #tall>
  %j = tile.join %b, %b : tensor<64x8xi32, #tall> -> tensor<64x8x2xi32, #joined>
  %r = tile.reshape %j : tensor<64x8x2xi32, #joined> -> tensor<64x16xi32, #pairs>
  %few = arith.constant dense<15> : tensor<64x16xi32, #pairs>
  %n = arith.andi %r, %few : tensor<64x16xi32, #pairs>
  %c = tile_gpu.convert_layout %n : tensor<64x16xi32, #pairs> -> tensor<64x16xi32, #wanted>
  tile.return %c : tensor<64x16xi32, #wanted>
}
