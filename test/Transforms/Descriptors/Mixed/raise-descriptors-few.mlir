// A loop of few steps in a program of several warp groups that loads a tile by threads behind it: other blocks fill its
// waits, and nothing becomes a box. Of more steps it has boxes, and so it has where nothing else is loaded, but where its
// author limits registers for two blocks of a multiprocessor.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s
// RUN: sed 's/constant 128/constant 512/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: sed 's/arith.mulf %%sum, %%gates/arith.addf %%sum, %%sum/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: sed 's/arith.mulf %%sum, %%gates/arith.addf %%sum, %%sum/; s/) {$/) attributes {tile.maxnreg = 168 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: sed 's/arith.mulf %%sum, %%gates/arith.addf %%sum, %%sum/; s/) {$/) attributes {tile.maxnreg = 128 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=SEVERAL

// CHECK: remark: stays an access through pointers: expected a loop of more steps beside tiles that threads load, found few
// CHECK-LABEL: tile.func @outputs
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// SEVERAL: remark: stays an access through pointers: expected a loop of more steps, or registers for one block, found few and a limit of several
// SEVERAL-LABEL: tile.func @outputs
// SEVERAL-NOT: tile.desc_load
// SEVERAL: tile.return
// MORE-LABEL: tile.func @outputs
// MORE-COUNT-2: tile.desc_load
tile.func @outputs(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
    %pa = tile.expr %a + (%row * %n + row(%at + arange(64)))
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %t : tensor<128x64xf32>
  }
  %pg = tile.expr %g + (%row * %n + row(arange(64)))
  %gates = tile.load %pg
  %gated = arith.mulf %sum, %gates : tensor<128x64xf32>
  %sums = tile.reduce add %gated axis 1
  %po = tile.expr %out + arange(128)
  tile.store %po, %sums
  tile.return
}
