// Two loops, as whole blocks of keys and the one on the diagonal have, with V of bytes that each turns round into a ring of 48 KB of
// its own: both are alive in all of the program, and what is left is for slots of K and V. With one of them counted, five
// slots asked for 272 KB.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a num-warps=8' 2>/dev/null | FileCheck %s --check-prefix=WHOLE
// CHECK-LABEL: tile.func @twice
// CHECK-SAME: stages = 3,
// WHOLE: llvm.func @twice
tile.func @twice(%q: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32},
                 %v: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                 %m: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %s = arith.constant 128 : i64
  %dq = tile.make_desc %q, [%n, %c128], [%s] : !tile.ptr<f8E4M3FN> -> !tile.desc<128x128xf8E4M3FN>
  %dk = tile.make_desc %k, [%n, %c128], [%s] : !tile.ptr<f8E4M3FN> -> !tile.desc<128x128xf8E4M3FN>
  %dv = tile.make_desc %v, [%n, %c128], [%s] : !tile.ptr<f8E4M3FN> -> !tile.desc<128x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<128x128xf8E4M3FN>
  %whole = scf.for %i = %c0 to %m step %c128 iter_args(%acc = %zero) -> tensor<128x128xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<128x128xf8E4M3FN>
    %kk = tile.trans %kt order [1, 0] : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %p = tile.dot %qt, %kk, %zero : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
    %e = math.exp2 %p : tensor<128x128xf32>
    %h = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf8E4M3FN>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<128x128xf8E4M3FN>
    %d = tile.dot %h, %vt, %acc : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %last = scf.for %i = %m to %n step %c128 iter_args(%acc = %whole) -> tensor<128x128xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<128x128xf8E4M3FN>
    %kk = tile.trans %kt order [1, 0] : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %p = tile.dot %qt, %kk, %zero : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
    %e = math.exp2 %p : tensor<128x128xf32>
    %h = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf8E4M3FN>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<128x128xf8E4M3FN>
    %d = tile.dot %h, %vt, %acc : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %sums = tile.reduce add %last axis 1 : tensor<128x128xf32> -> tensor<128xf32>
  %rows = tile.arange : tensor<128xi32>
  %os = tile.splat %o : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %to = tile.addptr %os, %rows : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %to, %sums : tensor<128x!tile.ptr<f32>>
  tile.return
}
