// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-pipeline{num-stages=3}))' | FileCheck %s

// The pointers that the second loop begins with come out of the first, which is another op by then.
// CHECK-LABEL: tile.func @two
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x16xf16, swizzle = 32, stages = 3>
// CHECK: scf.for
// CHECK: tile_gpu.async_copy
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x16xf16, swizzle = 32, stages = 3>
// CHECK: scf.for
// CHECK: tile_gpu.async_copy
tile.func @two(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tile.expand_dims %r axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %offs = tile.expr %rows * 16 + %columns
  %xp = tile.expr %x + %offs
  %yp = tile.expr %y + %offs
  %step = arith.constant dense<256> : tensor<16x16xi32>
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %v, %p = scf.for %i = %zero to %n step %one iter_args(%a = %none, %at = %xp) -> (tensor<16x16xf32>, tensor<16x16x!tile.ptr<f16>>) : i32 {
    %l = tile.load %at : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %l, %l, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    %next = tile.addptr %at, %step : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
    scf.yield %d, %next : tensor<16x16xf32>, tensor<16x16x!tile.ptr<f16>>
  }
  %w = scf.for %i = %zero to %n step %one iter_args(%a = %v) -> (tensor<16x16xf32>) : i32 {
    %s = tile.splat %i : i32 -> tensor<16x16xi32>
    %o = tile.expr %s * 512
    %q = tile.addptr %p, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
    %l = tile.load %q : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %l, %l, %a : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tile.store %yp, %w : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
