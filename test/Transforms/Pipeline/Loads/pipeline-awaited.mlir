// What a step's dot computes is reduced in the same step, so threads wait for it: rings leave room for four blocks of four
// warps, of two slots each, where a sum that the loop carries has four slots and three blocks.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s

// CHECK-LABEL: tile.func @largest
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, {{.*}}stages = 2>
tile.func @largest(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %rm = tile.arange : tensor<32xi32>
  %rn = tile.arange : tensor<64xi32>
  %rk = tile.arange : tensor<128xi32>
  %k_1 = tile.expand_dims %rk axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %k_m = tile.broadcast %k_1 : tensor<1x128xi32> -> tensor<32x128xi32>
  %k_n = tile.broadcast %k_1 : tensor<1x128xi32> -> tensor<64x128xi32>
  %m_1 = tile.expand_dims %rm axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %pitch_m = arith.constant dense<128> : tensor<32x1xi32>
  %pitch_n = arith.constant dense<128> : tensor<64x1xi32>
  %m_2 = arith.muli %m_1, %pitch_m : tensor<32x1xi32>
  %m_3 = tile.broadcast %m_2 : tensor<32x1xi32> -> tensor<32x128xi32>
  %oa = arith.addi %m_3, %k_m : tensor<32x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<32x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %oa : tensor<32x128x!tile.ptr<f16>>, tensor<32x128xi32>
  %x = tile.load %pa : tensor<32x128x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %least = arith.constant dense<-1.0e30> : tensor<32xf32>
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%most = %least) -> (tensor<32xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %ns = arith.addi %js, %rn : tensor<64xi32>
    %n_1 = tile.expand_dims %ns axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %n_2 = arith.muli %n_1, %pitch_n : tensor<64x1xi32>
    %n_3 = tile.broadcast %n_2 : tensor<64x1xi32> -> tensor<64x128xi32>
    %ob = arith.addi %n_3, %k_n : tensor<64x128xi32>
    %pb = tile.addptr %bs, %ob : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %yt = tile.trans %y order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    %d = tile.dot %x, %yt, %zero : tensor<32x128xf16>, tensor<128x64xf16> -> tensor<32x64xf32>
    %row = tile.reduce max %d axis 1 : tensor<32x64xf32> -> tensor<32xf32>
    %larger = arith.maximumf %most, %row : tensor<32xf32>
    scf.yield %larger : tensor<32xf32>
  }
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %os, %rm : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %r : tensor<32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @sum
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, {{.*}}stages = 4>
tile.func @sum(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %rm = tile.arange : tensor<32xi32>
  %rn = tile.arange : tensor<64xi32>
  %rk = tile.arange : tensor<128xi32>
  %k_1 = tile.expand_dims %rk axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %k_m = tile.broadcast %k_1 : tensor<1x128xi32> -> tensor<32x128xi32>
  %k_n = tile.broadcast %k_1 : tensor<1x128xi32> -> tensor<64x128xi32>
  %m_1 = tile.expand_dims %rm axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %pitch_m = arith.constant dense<128> : tensor<32x1xi32>
  %pitch_n = arith.constant dense<128> : tensor<64x1xi32>
  %m_2 = arith.muli %m_1, %pitch_m : tensor<32x1xi32>
  %m_3 = tile.broadcast %m_2 : tensor<32x1xi32> -> tensor<32x128xi32>
  %oa = arith.addi %m_3, %k_m : tensor<32x128xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<32x128x!tile.ptr<f16>>
  %pa = tile.addptr %as, %oa : tensor<32x128x!tile.ptr<f16>>, tensor<32x128xi32>
  %x = tile.load %pa : tensor<32x128x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %j = %c0 to %n step %c64 iter_args(%all = %zero) -> (tensor<32x64xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %ns = arith.addi %js, %rn : tensor<64xi32>
    %n_1 = tile.expand_dims %ns axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %n_2 = arith.muli %n_1, %pitch_n : tensor<64x1xi32>
    %n_3 = tile.broadcast %n_2 : tensor<64x1xi32> -> tensor<64x128xi32>
    %ob = arith.addi %n_3, %k_n : tensor<64x128xi32>
    %pb = tile.addptr %bs, %ob : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
    %y = tile.load %pb : tensor<64x128x!tile.ptr<f16>>
    %yt = tile.trans %y order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    %d = tile.dot %x, %yt, %all : tensor<32x128xf16>, tensor<128x64xf16> -> tensor<32x64xf32>
    scf.yield %d : tensor<32x64xf32>
  }
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %os, %rm : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %total = tile.reduce add %r axis 1 : tensor<32x64xf32> -> tensor<32xf32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}
