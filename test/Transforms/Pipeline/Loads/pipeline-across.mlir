// A of words that lie along M comes from registers, into which each step reads them from a ring: a transposed tile is in the
// registers that its source was read into, so the wait for the dot of the step before stands in front of the read. Where
// several warp groups fill slots that another one's dot may still read, a barrier stands behind the dot.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline{num-stages=3}))' | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-pipeline{num-stages=3}))' | FileCheck %s --check-prefixes=CHECK,TWO

// CHECK-LABEL: tile.func @across
// CHECK: scf.for
// CHECK: tile_gpu.async_wait
// CHECK-NEXT: gpu.barrier
// CHECK: tile_gpu.dot_wait {{.*}} pending 0
// CHECK: tile_gpu.buffer_load
// CHECK: tile.dot {{.*}} by wgmma async
// TWO-NEXT: gpu.barrier
// ONE-NOT: gpu.barrier
// CHECK: tile_gpu.async_copy
// CHECK: scf.yield
tile.func @across(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}, %m: i32, %out: !tile.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
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
  %j = tile.arange : tensor<64xi32>
  %ms = arith.constant dense<4096> : tensor<64xi32>
  %jm = arith.muli %j, %ms : tensor<64xi32>
  %u = tile.expand_dims %jm axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %v = tile.expand_dims %k axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %us = tile.broadcast %u : tensor<1x64xi32> -> tensor<32x64xi32>
  %vs = tile.broadcast %v : tensor<32x1xi32> -> tensor<32x64xi32>
  %w = arith.addi %us, %vs : tensor<32x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %y = tile.addptr %xs, %w : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  %step = arith.muli %n, %c32 : i32
  %sum:3 = scf.for %t = %c0 to %m step %c32 iter_args(%acc = %zero, %pa = %q, %pb = %y) -> (tensor<128x64xf32>, tensor<32x128x!tile.ptr<f32>>, tensor<32x64x!tile.ptr<f32>>) : i32 {
    %b = tile.load %pa : tensor<32x128x!tile.ptr<f32>>
    %z = tile.load %pb : tensor<32x64x!tile.ptr<f32>>
    %a = tile.trans %b order [1, 0] : tensor<32x128xf32> -> tensor<128x32xf32>
    %d = tile.dot %a, %z, %acc precision tf32 : tensor<128x32xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
    %further = tile.splat %step : i32 -> tensor<32x128xi32>
    %thirty = tile.splat %c32 : i32 -> tensor<32x64xi32>
    %pn = tile.addptr %pa, %further : tensor<32x128x!tile.ptr<f32>>, tensor<32x128xi32>
    %pm = tile.addptr %pb, %thirty : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
    scf.yield %d, %pn, %pm : tensor<128x64xf32>, tensor<32x128x!tile.ptr<f32>>, tensor<32x64x!tile.ptr<f32>>
  }
  %to = tile.splat %out : !tile.ptr<f32> -> tensor<128x64x!tile.ptr<f32>>
  tile.store %to, %sum#0 : tensor<128x64x!tile.ptr<f32>>
  tile.return
}
