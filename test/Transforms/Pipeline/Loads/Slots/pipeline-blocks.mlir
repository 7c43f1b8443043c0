// Rings of loops whose product by wgmma stays in flight leave room for the blocks that its registers are for: four of one warp
// group, three slots each; and two of 64 x 128 a warp group, which all other loops count one of.
// RUN: sed 's/BM/64/g; s/BN/64/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/BM/128/g; s/BN/128/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/BM/128/g; s/BN/256/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=ALONE
// Where threads store what they compute of B, they have waited for the dot of the step before: three slots, of which two are filled ahead,
// behind the dot's start, with no barrier more.
// RUN: sed 's/^    %d = tile.dot %x, %y,/    %d = tile.dot %x, %z,/; s/^    %y = \(.*\)/    %y = \1\n    %z = arith.mulf %y, %y : tensor<64xBNxf16>/; s/BM/128/g; s/BN/256/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=STORED
// SMALL: tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 3>
// WIDE: tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 3>
// ALONE: tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 4>
// STORED: tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 3>
// STORED: scf.for
// STORED-NEXT: tile_gpu.async_wait 1
// STORED-NEXT: gpu.barrier
// STORED: tile_gpu.dot_wait %{{.*}} pending 0
// STORED: tile_gpu.buffer_store
// STORED-NOT: dot_wait
// STORED: tile.dot
// STORED-NOT: gpu.barrier
// STORED: tile_gpu.async_copy
// STORED: tile_gpu.async_commit
// STORED: scf.yield

tile.func @gathered(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ids: !tile.ptr<i32>, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 4096 : i32
  %rm = tile.arange : tensor<BMxi32>
  %rn = tile.arange : tensor<BNxi32>
  %rk = tile.arange : tensor<64xi32>
  %ps = tile.splat %ids : !tile.ptr<i32> -> tensor<BMx!tile.ptr<i32>>
  %pp = tile.addptr %ps, %rm : tensor<BMx!tile.ptr<i32>>, tensor<BMxi32>
  %rows = tile.load %pp : tensor<BMx!tile.ptr<i32>>
  %rows_1 = tile.expand_dims %rows axis 1 : tensor<BMxi32> -> tensor<BMx1xi32>
  %pitch_a = arith.constant dense<4096> : tensor<BMx1xi32>
  %starts = arith.muli %rows_1, %pitch_a : tensor<BMx1xi32>
  %starts_2 = tile.broadcast %starts : tensor<BMx1xi32> -> tensor<BMx64xi32>
  %pitch_b = arith.constant dense<BN> : tensor<64x1xi32>
  %n_1 = tile.expand_dims %rn axis 0 : tensor<BNxi32> -> tensor<1xBNxi32>
  %n_2 = tile.broadcast %n_1 : tensor<1xBNxi32> -> tensor<64xBNxi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<BMx64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64xBNx!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<BMxBNxf32>
  %sum = scf.for %j = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<BMxBNxf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %ks = arith.addi %js, %rk : tensor<64xi32>
    %k_1 = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %k_2 = tile.broadcast %k_1 : tensor<1x64xi32> -> tensor<BMx64xi32>
    %oa = arith.addi %starts_2, %k_2 : tensor<BMx64xi32>
    %pa = tile.addptr %as, %oa : tensor<BMx64x!tile.ptr<f16>>, tensor<BMx64xi32>
    %x = tile.load %pa : tensor<BMx64x!tile.ptr<f16>>
    %kb = tile.expand_dims %ks axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %kr = arith.muli %kb, %pitch_b : tensor<64x1xi32>
    %kc = tile.broadcast %kr : tensor<64x1xi32> -> tensor<64xBNxi32>
    %ob = arith.addi %kc, %n_2 : tensor<64xBNxi32>
    %pb = tile.addptr %bs, %ob : tensor<64xBNx!tile.ptr<f16>>, tensor<64xBNxi32>
    %y = tile.load %pb : tensor<64xBNx!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<BMx64xf16>, tensor<64xBNxf16> -> tensor<BMxBNxf32>
    scf.yield %d : tensor<BMxBNxf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<BMxBNxf32> -> tensor<BMxf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<BMx!tile.ptr<f32>>
  %to = tile.addptr %os, %rm : tensor<BMx!tile.ptr<f32>>, tensor<BMxi32>
  tile.store %to, %total : tensor<BMx!tile.ptr<f32>>
  tile.return
}
