// Rows of A by index, which threads load: B is a box where that is more than half of what the loop's dots read, and there are
// two warp groups. Beside threads' copies of one warp group none pays.
// RUN: sed 's/BN/256/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=MORE
// RUN: sed 's/BN/128/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: sed 's/BN/128/g' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=4},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=LESS
// MORE-LABEL: tile.func @gathered
// MORE: tile.desc_load {{.*}} : !tile.desc<64x256xf16>
// LESS-DAG: stays an access through pointers: expected positions that follow from arguments and program ids, found loaded ones
// LESS-DAG: stays an access through pointers: expected boxes of more of what the loop's dots read, found loads by threads beside it
// LESS-LABEL: tile.func @gathered
// LESS-NOT: tile.desc_load

tile.func @gathered(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ids: !tile.ptr<i32>, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 4096 : i32
  %r128 = tile.arange : tensor<128xi32>
  %rn = tile.arange : tensor<BNxi32>
  %rk = tile.arange : tensor<64xi32>
  %ps = tile.splat %ids : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %pp = tile.addptr %ps, %r128 : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %rows = tile.load %pp : tensor<128x!tile.ptr<i32>>
  %rows_1 = tile.expand_dims %rows axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %pitch_a = arith.constant dense<4096> : tensor<128x1xi32>
  %starts = arith.muli %rows_1, %pitch_a : tensor<128x1xi32>
  %starts_2 = tile.broadcast %starts : tensor<128x1xi32> -> tensor<128x64xi32>
  %pitch_b = arith.constant dense<BN> : tensor<64x1xi32>
  %n_1 = tile.expand_dims %rn axis 0 : tensor<BNxi32> -> tensor<1xBNxi32>
  %n_2 = tile.broadcast %n_1 : tensor<1xBNxi32> -> tensor<64xBNxi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<64xBNx!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<128xBNxf32>
  %sum = scf.for %j = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128xBNxf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %ks = arith.addi %js, %rk : tensor<64xi32>
    %k_1 = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %k_2 = tile.broadcast %k_1 : tensor<1x64xi32> -> tensor<128x64xi32>
    %oa = arith.addi %starts_2, %k_2 : tensor<128x64xi32>
    %pa = tile.addptr %as, %oa : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %x = tile.load %pa : tensor<128x64x!tile.ptr<f16>>
    %kb = tile.expand_dims %ks axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %kr = arith.muli %kb, %pitch_b : tensor<64x1xi32>
    %kc = tile.broadcast %kr : tensor<64x1xi32> -> tensor<64xBNxi32>
    %ob = arith.addi %kc, %n_2 : tensor<64xBNxi32>
    %pb = tile.addptr %bs, %ob : tensor<64xBNx!tile.ptr<f16>>, tensor<64xBNxi32>
    %y = tile.load %pb : tensor<64xBNx!tile.ptr<f16>>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64xBNxf16> -> tensor<128xBNxf32>
    scf.yield %d : tensor<128xBNxf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<128xBNxf32> -> tensor<128xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %to = tile.addptr %os, %r128 : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %to, %total : tensor<128x!tile.ptr<f32>>
  tile.return
}
