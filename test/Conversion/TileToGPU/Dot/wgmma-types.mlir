// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot,tile-assign-layouts,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// A step is 32 bytes of K, both operands lie with K fastest, and integers are added up as s32. All steps are one llvm.inline_asm.
// CHECK-LABEL: llvm.func @tf32
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {$0, {{.*}}, $15}, $16, $17, none, 1, 1;\0A{{.*}}\0Awgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {$0, {{.*}}, $15}, a, b, sum, 1, 1;\0A}\0A"
// CHECK-NOT: wgmma.mma_async
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
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 {$0, {{.*}}, $15}, $16, $17, none, 1, 1;\0A{{.*}}\0Awgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 {$0, {{.*}}, $15}, a, b, sum, 1, 1;\0A}\0A"
// CHECK-NOT: wgmma.mma_async
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
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n32k32.f32.e5m2.e4m3 {$0, {{.*}}, $15}, $16, $17, none, 1, 1;\0A{{.*}}\0Awgmma.mma_async.sync.aligned.m64n32k32.f32.e5m2.e4m3 {$0, {{.*}}, $15}, a, b, sum, 1, 1;\0A}\0A"
// CHECK-NOT: wgmma.mma_async
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
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 {$0, {{.*}}, $15}, $16, $17, none;\0A{{.*}}\0Awgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 {$0, {{.*}}, $15}, a, b, sum;\0A}\0A"
// CHECK-NOT: wgmma.mma_async
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
