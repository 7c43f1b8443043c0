// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot,tile-assign-layouts,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// A step is 32 bytes of K, both operands lie with K fastest ("row" of A, "col" of B), and integers are added up as s32.
// CHECK-LABEL: llvm.func @tf32
// CHECK: %[[FIRST:.*]] = nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 32, k = 8>, D[<f32>, <zero>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
// CHECK: nvvm.wgmma.mma_async {{.*}}, %[[FIRST]], <m = 64, n = 32, k = 8>, D[<f32>, <one>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
tile.func @tf32(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x16xf32>
  %b = arith.constant dense<1.0> : tensor<16x32xf32>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = tile.dot %a, %b, %c precision tf32 : tensor<64x16xf32>, tensor<16x32xf32> -> tensor<64x32xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  tile.store %s, %d : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: llvm.func @e4m3
// CHECK: %[[FIRST:.*]] = nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 32, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK: nvvm.wgmma.mma_async {{.*}}, %[[FIRST]], <m = 64, n = 32, k = 32>, D[<f32>, <one>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
tile.func @e4m3(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = tile.dot %a, %b, %c : tensor<64x64xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<64x32xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  tile.store %s, %d : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: llvm.func @mixed
// CHECK: %[[FIRST:.*]] = nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 32, k = 32>, D[<f32>, <zero>], A[<e5m2>, <one>, <row>], B[<e4m3>, <one>, <col>]
// CHECK: nvvm.wgmma.mma_async {{.*}}, %[[FIRST]], <m = 64, n = 32, k = 32>, D[<f32>, <one>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
tile.func @mixed(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf8E5M2>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = tile.dot %a, %b, %c : tensor<64x64xf8E5M2>, tensor<64x32xf8E4M3FN> -> tensor<64x32xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  tile.store %s, %d : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: llvm.func @s8
// CHECK: %[[FIRST:.*]] = nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 32, k = 32>, D[<s32>, <zero>], A[<s8>, <one>, <row>], B[<s8>, <one>, <col>]
// CHECK: nvvm.wgmma.mma_async {{.*}}, %[[FIRST]], <m = 64, n = 32, k = 32>, D[<s32>, <one>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
tile.func @s8(%p: !tile.ptr<i32>) {
  %a = arith.constant dense<1> : tensor<64x64xi8>
  %b = arith.constant dense<1> : tensor<64x32xi8>
  %c = arith.constant dense<0> : tensor<64x32xi32>
  %d = tile.dot %a, %b, %c : tensor<64x64xi8>, tensor<64x32xi8> -> tensor<64x32xi32>
  %s = tile.splat %p : !tile.ptr<i32> -> tensor<64x32x!tile.ptr<i32>>
  tile.store %s, %d : tensor<64x32x!tile.ptr<i32>>
  tile.return
}
