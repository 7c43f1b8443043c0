// A box that threads make B of is read as it lies, several bytes at a time, where the program has more threads than the box has rows: a
// column of scales, a row each, would leave single elements of a row to those that are left.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse))' | FileCheck %s
// As many threads as rows have a row each, which they read as widely.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse))' | FileCheck %s --check-prefix=ROWS

// CHECK-LABEL: tile.func @scaled
// CHECK: tile_gpu.buffer_load %{{.*}} : !tile_gpu.buffer<128x64xi8, swizzle = 64> -> tensor<128x64xi8, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = {{\[\[}}0, 8]
// ROWS-LABEL: tile.func @scaled
// ROWS: tile_gpu.buffer_load %{{.*}} : !tile_gpu.buffer<128x64xi8, swizzle = 64> -> tensor<128x64xi8, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}1, 0]
tile.func @scaled(%a: !tile.ptr<f16>, %b: !tile.ptr<i8>, %scales: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32, %pa: i64, %pb: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %da = tile.make_desc %a, [%m, %k], [%pa] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%n, %k], [%pb] : !tile.ptr<i8> -> !tile.desc<128x64xi8>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %rows = tile.arange : tensor<128xi32>
  %column = tile.expand_dims %rows axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %base = tile.splat %scales : !tile.ptr<f32> -> tensor<128x1x!tile.ptr<f32>>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %x = tile.desc_load %da[%c0, %i] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%c0, %i] : !tile.desc<128x64xi8>
    %moved = tile.splat %i : i32 -> tensor<128x1xi32>
    %at = arith.addi %column, %moved : tensor<128x1xi32>
    %ps = tile.addptr %base, %at : tensor<128x1x!tile.ptr<f32>>, tensor<128x1xi32>
    %f = tile.load %ps : tensor<128x1x!tile.ptr<f32>>
    %all = tile.broadcast %f : tensor<128x1xf32> -> tensor<128x64xf32>
    %w = arith.sitofp %y : tensor<128x64xi8> to tensor<128x64xf32>
    %v = arith.mulf %w, %all : tensor<128x64xf32>
    %h = arith.truncf %v : tensor<128x64xf32> to tensor<128x64xf16>
    %t = tile.trans %h order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %t, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %line = tile.expand_dims %rows axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %c128 = arith.constant dense<128> : tensor<128x1xi32>
  %down = arith.muli %column, %c128 : tensor<128x1xi32>
  %downs = tile.broadcast %down : tensor<128x1xi32> -> tensor<128x128xi32>
  %lines = tile.broadcast %line : tensor<1x128xi32> -> tensor<128x128xi32>
  %offsets = arith.addi %downs, %lines : tensor<128x128xi32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %to = tile.addptr %outs, %offsets : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  tile.store %to, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// Scales of 32 elements each: a thread's registers are as its row lies, not first those of the scales.
// ROWS-LABEL: tile.func @blocks
// ROWS: tile_gpu.buffer_load %{{.*}} : !tile_gpu.buffer<128x64xi8, swizzle = 64> -> tensor<128x64xi8, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}1, 0]
tile.func @blocks(%a: !tile.ptr<f16>, %b: !tile.ptr<i8>, %scales: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32, %pa: i64, %pb: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %da = tile.make_desc %a, [%m, %k], [%pa] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%n, %k], [%pb] : !tile.ptr<i8> -> !tile.desc<128x64xi8>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %two = arith.constant dense<2> : tensor<128x1xi32>
  %rows = tile.arange : tensor<128xi32>
  %column = tile.expand_dims %rows axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %pairs = arith.muli %column, %two : tensor<128x1xi32>
  %first = tile.broadcast %pairs : tensor<128x1xi32> -> tensor<128x2xi32>
  %which = tile.arange : tensor<2xi32>
  %number = tile.expand_dims %which axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %numbers = tile.broadcast %number : tensor<1x2xi32> -> tensor<128x2xi32>
  %at = arith.addi %first, %numbers : tensor<128x2xi32>
  %base = tile.splat %scales : !tile.ptr<f32> -> tensor<128x2x!tile.ptr<f32>>
  %ps = tile.addptr %base, %at : tensor<128x2x!tile.ptr<f32>>, tensor<128x2xi32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %x = tile.desc_load %da[%c0, %i] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%c0, %i] : !tile.desc<128x64xi8>
    %moved = tile.splat %i : i32 -> tensor<128x2xi32>
    %pi = tile.addptr %ps, %moved : tensor<128x2x!tile.ptr<f32>>, tensor<128x2xi32>
    %f = tile.load %pi : tensor<128x2x!tile.ptr<f32>>
    %each = tile.expand_dims %f axis 2 : tensor<128x2xf32> -> tensor<128x2x1xf32>
    %many = tile.broadcast %each : tensor<128x2x1xf32> -> tensor<128x2x32xf32>
    %all = tile.reshape %many : tensor<128x2x32xf32> -> tensor<128x64xf32>
    %w = arith.sitofp %y : tensor<128x64xi8> to tensor<128x64xf32>
    %v = arith.mulf %w, %all : tensor<128x64xf32>
    %h = arith.truncf %v : tensor<128x64xf32> to tensor<128x64xf16>
    %t = tile.trans %h order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %t, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %line = tile.expand_dims %rows axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %c128 = arith.constant dense<128> : tensor<128x1xi32>
  %down = arith.muli %column, %c128 : tensor<128x1xi32>
  %downs = tile.broadcast %down : tensor<128x1xi32> -> tensor<128x128xi32>
  %lines = tile.broadcast %line : tensor<1x128xi32> -> tensor<128x128xi32>
  %offsets = arith.addi %downs, %lines : tensor<128x128xi32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %to = tile.addptr %outs, %offsets : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  tile.store %to, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}
