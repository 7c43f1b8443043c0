// Rows that wrap around as a whole, since the first of them and what they are taken by are multiples of as many: one
// number is divided, and the rows are a box, of an array that ends where the divisor says. A row's number is >= 0 by what
// is known, or by promise.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.func @wraps
// CHECK: tile.make_desc %arg0, [%arg2, %{{.*}}]
// CHECK-DAG: %[[FIRST:.*]] = arith.muli %{{.*}}, %c64_i32
// CHECK-DAG: %[[ROW:.*]] = arith.remsi %[[FIRST]], %arg2 {tile.nonnegative} : i32
// CHECK-NOT: remsi {{.*}} : tensor
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: tile.desc_load %{{.*}}[%[[ROW]], %[[K]]] : !tile.desc<64x16xf16>
tile.func @wraps(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>,
                 %m: i32 {tile.divisibility = 64 : i32}, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %i = arith.addi %firsts, %r64 : tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %wrapped = arith.remsi %i, %ms {tile.nonnegative} : tensor<64xi32>
  %rows = tile.expand_dims %wrapped axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Of 96 rows, some of 64 wrap around and some do not.
// CHECK-LABEL: tile.func @parts
// CHECK: arith.remsi {{.*}} : tensor<64xi32>
tile.func @parts(%out: !tile.ptr<i32>, %m: i32 {tile.divisibility = 32 : i32}) {
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %i = arith.addi %firsts, %r64 : tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %wrapped = arith.remsi %i, %ms {tile.nonnegative} : tensor<64xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %to, %wrapped : tensor<64x!tile.ptr<i32>>
  tile.return
}

// A remainder of what may be below 0 has its sign.
// CHECK-LABEL: tile.func @signs
// CHECK: arith.remsi {{.*}} : tensor<64xi32>
tile.func @signs(%out: !tile.ptr<i32>, %first: i32 {tile.divisibility = 64 : i32}, %m: i32 {tile.divisibility = 64 : i32}) {
  %r64 = tile.arange : tensor<64xi32>
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %i = arith.addi %firsts, %r64 : tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %wrapped = arith.remsi %i, %ms : tensor<64xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %to, %wrapped : tensor<64x!tile.ptr<i32>>
  tile.return
}
