// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot,tile-assign-layouts,tile-allocate-shared),convert-tile-to-gpu{arch=sm_90a})' | FileCheck %s

// One warp group owns the whole product. B is read as it lies, N fastest.
// CHECK-LABEL: llvm.func @whole
tile.func @whole(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // What threads wrote is fenced for the tensor cores before the barrier.
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK-NEXT: gpu.barrier
  // CHECK: nvvm.wgmma.fence.aligned
  // CHECK: %[[FIRST:.*]] = nvvm.wgmma.mma_async %{{.*}}, <m = 64, n = 64, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
  // CHECK: nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[FIRST]], <m = 64, n = 64, k = 16>
  // CHECK-NOT: nvvm.wgmma.mma_async
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  // CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %o = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// A wait names how many groups may still be on their way; the values are those of its operand.
// CHECK-LABEL: llvm.func @waits
tile.func @waits() {
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 1
  %y = tile.dot_wait %x pending 1 : tensor<64x64xf32>
  // CHECK: nvvm.wgmma.wait.group.sync.aligned 0
  %z = tile.dot_wait %y pending 0 : tensor<64x64xf32>
  tile.return
}
