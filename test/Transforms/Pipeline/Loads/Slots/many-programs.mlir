// A product of few rows by two warps: as long as nobody says how many programs there are, rings leave room for two blocks, with as many
// slots as these can have. Of a launch that fills them they leave room for four, and are no larger than its last round: of one
// program a multiprocessor, or two, two blocks.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=FEW
// RUN: sed 's/tile.num_warps = 2/&, tile_gpu.programs = 64 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=MANY
// RUN: sed 's/tile.num_warps = 2/&, tile_gpu.programs = 1 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=FEW
// Of 32 rows and 64 of K as many blocks as sixteen warps are, as far as each keeps three slots: seven, by its registers, are six.
// RUN: sed 's/16x/32x/g; s/128/64/g; s/tile.num_warps = 2/&, tile_gpu.programs = 64 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=SMALL
// Where each block has one program, and a multiprocessor of its own, all slots that there is room for are its own.
// RUN: sed 's/tile.num_warps = 2/&, tile_gpu.programs = 64 : i32, tile_gpu.single_wave = 1 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=FEW
// By four warps a launch of many programs leaves room for more blocks, by three slots each; one of few wants slots ahead.
// RUN: sed 's/tile.num_warps = 2/tile.num_warps = 4, tile_gpu.programs = 64 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/tile.num_warps = 2/tile.num_warps = 4, tile_gpu.programs = 3 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s --check-prefix=FEW
// FEW: tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128, stages = 4>
// FOUR: tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128, stages = 3>
// SMALL: tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 3>
// MANY: tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128, stages = 2>

tile.func @thin(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %k: i32) attributes {tile.num_warps = 2} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %rm = tile.arange : tensor<16xi32>
  %rn = tile.arange : tensor<64xi32>
  %rk = tile.arange : tensor<128xi32>
  %m_1 = tile.expand_dims %rm axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %n_1 = tile.expand_dims %rn axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %k_0 = tile.expand_dims %rk axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %k_1 = tile.expand_dims %rk axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %pitch_a = arith.constant dense<4096> : tensor<16x1xi32>
  %pitch_b = arith.constant dense<64> : tensor<128x1xi32>
  %m_s = arith.muli %m_1, %pitch_a : tensor<16x1xi32>
  %m_2 = tile.broadcast %m_s : tensor<16x1xi32> -> tensor<16x128xi32>
  %k_2 = tile.broadcast %k_0 : tensor<1x128xi32> -> tensor<16x128xi32>
  %off_a = arith.addi %m_2, %k_2 : tensor<16x128xi32>
  %k_s = arith.muli %k_1, %pitch_b : tensor<128x1xi32>
  %k_3 = tile.broadcast %k_s : tensor<128x1xi32> -> tensor<128x64xi32>
  %n_2 = tile.broadcast %n_1 : tensor<1x64xi32> -> tensor<128x64xi32>
  %off_b = arith.addi %k_3, %n_2 : tensor<128x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x128x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %pa = tile.addptr %as, %off_a : tensor<16x128x!tile.ptr<f16>>, tensor<16x128xi32>
  %pb = tile.addptr %bs, %off_b : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
  %sum = scf.for %i = %c0 to %k step %c128 iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
    %i_a = tile.splat %i : i32 -> tensor<16x128xi32>
    %at_a = tile.addptr %pa, %i_a : tensor<16x128x!tile.ptr<f16>>, tensor<16x128xi32>
    %i64 = arith.muli %i, %c128 : i32
    %i_b = tile.splat %i64 : i32 -> tensor<128x64xi32>
    %at_b = tile.addptr %pb, %i_b : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %x = tile.load %at_a : tensor<16x128x!tile.ptr<f16>>
    %y = tile.load %at_b : tensor<128x64x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<16x128xf16>, tensor<128x64xf16> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<16x64x!tile.ptr<f32>>
  tile.store %outs, %sum : tensor<16x64x!tile.ptr<f32>>
  tile.return
}
