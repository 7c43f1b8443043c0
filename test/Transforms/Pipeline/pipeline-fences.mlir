// Where the copy engine has nothing to do with shared memory but to store results, the barrier of a step has no proxy
// fence: it would let each step wait for all copies on their way.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-pipeline))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-pipeline,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s --check-prefix=GPU

// CHECK-LABEL: tile.func @box
// CHECK: scf.for
// CHECK: tile_gpu.async_wait
// CHECK-NEXT: gpu.barrier {tile_gpu.unfenced}
// CHECK: by mma_sync
// CHECK: tile_gpu.desc_write
// GPU-LABEL: @box
// GPU: scf.for
// GPU: nvvm.cp.async.wait.group
// GPU-NEXT: gpu.barrier
// GPU: nvvm.mma.sync
// GPU: scf.yield
// What is stored to be the box is fenced.
// GPU: nvvm.fence.proxy
// GPU: gpu.barrier
// GPU: nvvm.cp.async.bulk.tensor.global.shared.cta
tile.func @box(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
               %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %s = arith.constant 32 : i64
  %dc = tile.make_desc %c, [%c32, %c32], [%s] : !tile.ptr<f16> -> !tile.desc<32x32xf16>
  %r = tile.arange : tensor<32xi32>
  %x = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %y = tile.expand_dims %r axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<32x1xi32>
  %above = arith.muli %x, %w : tensor<32x1xi32>
  %aboves = tile.broadcast %above : tensor<32x1xi32> -> tensor<32x32xi32>
  %ys = tile.broadcast %y : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %aboves, %ys : tensor<32x32xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>>
  %pa = tile.addptr %as, %at : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>>
  %pb = tile.addptr %bs, %at : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %sum = scf.for %i = %c0 to %k step %c32 iter_args(%u = %zero) -> (tensor<32x32xf32>) : i32 {
    %va = tile.load %pa : tensor<32x32x!tile.ptr<f16>>
    %vb = tile.load %pb : tensor<32x32x!tile.ptr<f16>>
    %d = tile.dot %va, %vb, %u : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  %h = arith.truncf %sum : tensor<32x32xf32> to tensor<32x32xf16>
  tile.desc_store %dc[%c0, %c0], %h : !tile.desc<32x32xf16>
  tile.return
}
