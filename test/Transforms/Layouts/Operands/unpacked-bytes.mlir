// Numbers that a step takes out of bytes lie side by side along K in a thread, in registers that did
// not: shared memory has them with K fastest, which threads store as whole words and mma.sync of
// bytes reads by ldmatrix.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @pairs(
// CHECK: %[[B:.*]] = tile.trans {{.*}} : tensor<32x64xi8{{.*}} -> tensor<64x32xi8, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0]
// CHECK: %[[BUFFER:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xi8, swizzle = 64, order = [0, 1]>
// CHECK-NEXT: tile_gpu.buffer_store %[[B]], %[[BUFFER]]
tile.func @pairs(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<1024xi32>
  %o = tile.reshape %i : tensor<1024xi32> -> tensor<32x32xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<32x32x!tile.ptr<i8>>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<i8>>, tensor<32x32xi32>
  %t = tile.load %p : tensor<32x32x!tile.ptr<i8>>
  %one = tile.expand_dims %t axis 2 : tensor<32x32xi8> -> tensor<32x32x1xi8>
  %two = tile.broadcast %one : tensor<32x32x1xi8> -> tensor<32x32x2xi8>
  %by = arith.constant dense<[[[0, 4]]]> : tensor<1x1x2xi8>
  %bys = tile.broadcast %by : tensor<1x1x2xi8> -> tensor<32x32x2xi8>
  %half = arith.shrui %two, %bys : tensor<32x32x2xi8>
  %w = tile.reshape %half : tensor<32x32x2xi8> -> tensor<32x64xi8>
  %b = tile.trans %w order [1, 0] : tensor<32x64xi8> -> tensor<64x32xi8>
  %a = arith.constant dense<1> : tensor<16x64xi8>
  %c = arith.constant dense<0> : tensor<16x32xi32>
  %d = tile.dot %a, %b, %c by mma_sync : tensor<16x64xi8>, tensor<64x32xi8> -> tensor<16x32xi32>
  tile.return
}
