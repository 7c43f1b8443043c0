// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// Nibbles of bytes: a thread has two of K, and as many of N as it loads bytes. They are stored along N, 16 bytes at a time, and
// not along K, by twos; eight lanes of two boxes and of each second row in all banks, which a swizzle of 128 bytes alone has not.
// CHECK-LABEL: tile.func @nibbles
// CHECK: %[[B:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x128xf16, swizzle = 256>
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[B]] : tensor<32x128xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4],
// CHECK: tile.dot %{{.*}}, %[[B]],
tile.func @nibbles(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %four = arith.constant dense<4> : tensor<16x128xi8>
  %c128 = arith.constant dense<128> : tensor<16x1xi32>
  %c32 = arith.constant dense<32> : tensor<16x1xi32>
  %i = tile.arange : tensor<16xi32>
  %k = tile.arange : tensor<32xi32>
  %n = tile.arange : tensor<128xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tile.expand_dims %n axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %ks = tile.expand_dims %k axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %first = arith.muli %rows, %c128 : tensor<16x1xi32>
  %down = tile.broadcast %first : tensor<16x1xi32> -> tensor<16x128xi32>
  %along = tile.broadcast %cols : tensor<1x128xi32> -> tensor<16x128xi32>
  %at = arith.addi %down, %along : tensor<16x128xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<16x128x!tile.ptr<i8>>
  %pw = tile.addptr %ws, %at : tensor<16x128x!tile.ptr<i8>>, tensor<16x128xi32>
  %bytes = tile.load %pw : tensor<16x128x!tile.ptr<i8>>
  %high = arith.shrui %bytes, %four : tensor<16x128xi8>
  %both = tile.join %bytes, %high : tensor<16x128xi8> -> tensor<16x128x2xi8>
  %turned = tile.trans %both order [0, 2, 1] : tensor<16x128x2xi8> -> tensor<16x2x128xi8>
  %flat = tile.reshape %turned : tensor<16x2x128xi8> -> tensor<32x128xi8>
  %b = arith.sitofp %flat : tensor<32x128xi8> to tensor<32x128xf16>
  %start = arith.muli %rows, %c32 : tensor<16x1xi32>
  %y = tile.broadcast %start : tensor<16x1xi32> -> tensor<16x32xi32>
  %x = tile.broadcast %ks : tensor<1x32xi32> -> tensor<16x32xi32>
  %offs = arith.addi %y, %x : tensor<16x32xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x32x!tile.ptr<f16>>
  %pa = tile.addptr %as, %offs : tensor<16x32x!tile.ptr<f16>>, tensor<16x32xi32>
  %left = tile.load %pa : tensor<16x32x!tile.ptr<f16>>
  %d = tile.dot %left, %b, %zero by mma_sync : tensor<16x32xf16>, tensor<32x128xf16> -> tensor<16x128xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<16x128x!tile.ptr<f32>>
  %po = tile.addptr %os, %at : tensor<16x128x!tile.ptr<f32>>, tensor<16x128xi32>
  tile.store %po, %d : tensor<16x128x!tile.ptr<f32>>
  tile.return
}
