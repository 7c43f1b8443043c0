// Two products a step by one warp group, as in attention, of which the second waits for the first: other blocks run
// meanwhile, of which a multiprocessor has more where no warp copies. Loads stay pointers then; with two warp groups, or
// where both add to sums, they become boxes.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=4},canonicalize,cse))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=BOXES
// Nor where whoever compiles has seen that a kernel spills beside warps that copy (lib/Session/Compile/LowerAgain.c).
// RUN: sed 's/%n: i32) {/%n: i32) attributes {tile.no_boxes} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s --check-prefix=NONE
// NONE-NOT: tile.make_desc

// CHECK-LABEL: tile.func @two
// CHECK-NOT: tile.make_desc
// CHECK: tile.load
// BOXES-LABEL: tile.func @two
// BOXES: tile.make_desc
// BOXES: tile.desc_load
// expected-remark @below {{accesses stay as they are: expected two warp groups, or products that do not wait for one another, found one warp group and others}}
tile.func @two(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %q = arith.constant dense<1.0> : tensor<128x64xf16>
  %r64 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols_2 = tile.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %bases = tile.splat %k : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64x1xi32>
    %row = arith.addi %js, %rows : tensor<64x1xi32>
    %start = arith.muli %row, %pitch : tensor<64x1xi32>
    %starts = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
    %off = arith.addi %starts, %cols_2 : tensor<64x64xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
    %xt = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %q, %xt, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
    %next = tile.dot %p, %x, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<128x64xf32> -> tensor<128xf32>
  %r = tile.arange : tensor<128xi32>
  %o = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %to = tile.addptr %o, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %to, %total : tensor<128x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @both
// CHECK: tile.make_desc
// CHECK: tile.desc_load
tile.func @both(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %q = arith.constant dense<1.0> : tensor<128x64xf16>
  %r64 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols_2 = tile.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %bases = tile.splat %k : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum:2 = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero, %acc_2 = %zero) -> (tensor<128x64xf32>, tensor<128x64xf32>) : i32 {
    %js = tile.splat %j : i32 -> tensor<64x1xi32>
    %row = arith.addi %js, %rows : tensor<64x1xi32>
    %start = arith.muli %row, %pitch : tensor<64x1xi32>
    %starts = tile.broadcast %start : tensor<64x1xi32> -> tensor<64x64xi32>
    %off = arith.addi %starts, %cols_2 : tensor<64x64xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %x = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
    %xt = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %q, %xt, %acc_2 : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %next = tile.dot %q, %x, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %next, %s : tensor<128x64xf32>, tensor<128x64xf32>
  }
  %all = arith.addf %sum#0, %sum#1 : tensor<128x64xf32>
  %total = tile.reduce add %all axis 1 : tensor<128x64xf32> -> tensor<128xf32>
  %r = tile.arange : tensor<128xi32>
  %o = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %to = tile.addptr %o, %r : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %to, %total : tensor<128x!tile.ptr<f32>>
  tile.return
}
