// What a product by mma.sync computed, narrowed to 16 bits, is A of the next one as it lies in
// registers, where each warp has rows of its own: no store, no barrier.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// Two warps, 16 rows each.
// CHECK-LABEL: tile.func @rows(
// CHECK: %[[S:.*]] = tile.dot {{.*}} by mma_sync : {{.*}} -> tensor<32x32xf32, #[[LAYOUT:.*]]>
// CHECK: %[[P:.*]] = arith.truncf %[[S]] : {{.*}} to tensor<32x32xf16
// CHECK-NOT: buffer_store %[[P]]
// CHECK: tile.dot %[[P]], {{.*}} by mma_sync : tensor<32x32xf16, {{.*}}>, !tile_gpu.buffer
tile.func @rows(%p: !tile.ptr<f32>) attributes {tile.num_warps = 2 : i32} {
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %v = arith.constant dense<1.0> : tensor<32x16xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %o = arith.constant dense<0.0> : tensor<32x16xf32>
  %s = tile.dot %a, %b, %c by mma_sync : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
  %t = arith.truncf %s : tensor<32x32xf32> to tensor<32x32xf16>
  %d = tile.dot %t, %v, %o by mma_sync : tensor<32x32xf16>, tensor<32x16xf16> -> tensor<32x16xf32>
  tile.return
}

// Warps that divide the columns of the sums have parts of K alone: through shared memory.
// CHECK-LABEL: tile.func @columns(
// CHECK: %[[P:.*]] = arith.truncf {{.*}} to tensor<16x32xf16
// CHECK: tile_gpu.buffer_store %[[P]], %[[A:.*]] :
// CHECK: tile.dot %[[A]], {{.*}} by mma_sync : !tile_gpu.buffer
tile.func @columns(%p: !tile.ptr<f32>) attributes {tile.num_warps = 2 : i32} {
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %v = arith.constant dense<1.0> : tensor<32x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x32xf32>
  %o = arith.constant dense<0.0> : tensor<16x16xf32>
  %s = tile.dot %a, %b, %c by mma_sync : tensor<16x16xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
  %t = arith.truncf %s : tensor<16x32xf32> to tensor<16x32xf16>
  %d = tile.dot %t, %v, %o by mma_sync : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  tile.return
}
