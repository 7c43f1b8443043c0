// Gates of the rows of B, which threads scale and store for wgmma, are copied ahead as B is: the fence behind the store waits for loads on
// their way into registers. Those of A, which is made in registers, are left to tile-load-ahead.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline{num-stages=3}))' | FileCheck %s
// RUN: sed 's/tile.dot %x, %made, /tile.dot %made, %x, /' %s | tile-opt --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline{num-stages=3}))' | FileCheck %s --check-prefix=A

// CHECK: scf.for
// CHECK-NOT: tile.load
// CHECK: tile_gpu.buffer_load {{.*}} : !tile_gpu.buffer<64xf32
// CHECK: tile.dot {{.*}} by wgmma
// CHECK: tile_gpu.async_copy {{.*}} -> !tile_gpu.buffer<64x64xf16
// CHECK: tile_gpu.async_copy {{.*}} -> !tile_gpu.buffer<64x64xf16
// CHECK: tile_gpu.async_copy {{.*}} -> !tile_gpu.buffer<64xf32
// CHECK-NOT: tile.load
// CHECK: scf.yield
// A: scf.for
// A-NOT: !tile_gpu.buffer<64xf32
// A: tile.load
// A-NOT: !tile_gpu.buffer<64xf32
// A: scf.yield
tile.func @gates(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                 %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %gs = tile.splat %g : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x1xi32>
    %rows = arith.addi %ks, %r : tensor<64x1xi32>
    %down = arith.muli %rows, %pitch : tensor<64x1xi32>
    %all = tile.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
    %at = arith.addi %all, %columns : tensor<64x64xi32>
    %ap = tile.addptr %as, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %ap : tensor<64x64x!tile.ptr<f16>>
    %bp = tile.addptr %bs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %y = tile.load %bp : tensor<64x64x!tile.ptr<f16>>
    %kg = tile.splat %k : i32 -> tensor<64xi32>
    %ig = arith.addi %kg, %i : tensor<64xi32>
    %gp = tile.addptr %gs, %ig : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %gate = tile.load %gp : tensor<64x!tile.ptr<f32>>
    %ge = tile.expand_dims %gate axis 1 : tensor<64xf32> -> tensor<64x1xf32>
    %gb = tile.broadcast %ge : tensor<64x1xf32> -> tensor<64x64xf32>
    %wide = arith.extf %y : tensor<64x64xf16> to tensor<64x64xf32>
    %times = arith.mulf %wide, %gb : tensor<64x64xf32>
    %made = arith.truncf %times : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tile.dot %x, %made, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %o = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %o, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %op, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}
