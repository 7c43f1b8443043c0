// What of a mask or an address keeps an access from being raised, one thing a function; more is in raise-descriptors-invalid.mlir.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s --implicit-check-not=make_desc

// A mask that is no order.
// CHECK-LABEL: tile.func @not_equal
tile.func @not_equal(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j
    %in = tile.expr (%i < %m) and (%j ne %k)
    // expected-remark @+1 {{stays an access through pointers: expected a mask of comparisons < and >=, found another predicate}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// An unsigned comparison with what may be negative tells nothing of positions below 0.
// CHECK-LABEL: tile.func @unsigned
tile.func @unsigned(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j
    %free = tile.expr %m - %k
    %ms = tile.splat %free : i32 -> tensor<32x1xi32>
    %rows = arith.cmpi ult, %i, %ms : tensor<32x1xi32>
    %in = tile.expr %rows and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected an unsigned bound known not to be negative, found another}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// Of two ends nobody knows the smaller one.
// CHECK-LABEL: tile.func @two_ends
tile.func @two_ends(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j
    %in = tile.expr (%i < %m) and (%i < %s) and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected one bound a dimension in the mask, found two}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// Rows that begin behind the first one are no box's.
// CHECK-LABEL: tile.func @starts
tile.func @starts(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %d: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j
    %in = tile.expr (%i < %m) and (%i >= %d) and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected a lower bound of 0 in the mask, found another}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// A stride that changes from program to program is none of a descriptor.
// CHECK-LABEL: tile.func @strides
tile.func @strides(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * (program_id(x) * 8) + %j
    %in = tile.expr (%i < %m) and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected strides made of kernel arguments, found others}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// A mask that lets nothing through.
// CHECK-LABEL: tile.func @empty
tile.func @empty(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j
    %in = tile.expr (%i < -5) and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected extents of 0 and more, found a mask that is always false}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// More dimensions than a box has.
// CHECK-LABEL: tile.func @dims
tile.func @dims(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %s1: i32 {tile.divisibility = 8 : i32}, %s2: i32 {tile.divisibility = 8 : i32}, %s3: i32 {tile.divisibility = 8 : i32}, %s4: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j + program_id(x) * %s1 + program_id(y) * %s2 + program_id(z) * %s3 + %k0 * %s4
    %in = tile.expr (%i < %m) and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected at most 5 dimensions, found more}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}

// -----

// More comparisons than are looked at.
// CHECK-LABEL: tile.func @conditions
tile.func @conditions(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.expr col(arange(32))
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %j = tile.expr row(arange(16)) + %k0
    %p = tile.expr %a + %i * %s + %j
    %in = tile.expr (%i < %m + 0) and (%i < %m + 1) and (%i < %m + 2) and (%i < %m + 3) and (%i < %m + 4) and (%i < %m + 5) and (%i < %m + 6) and (%i < %m + 7) and (%i < %m + 8) and (%i < %m + 9) and (%i < %m + 10) and (%i < %m + 11) and (%i < %m + 12) and (%i < %m + 13) and (%i < %m + 14) and (%i < %m + 15) and (%i < %m + 16) and (%i < %m + 17) and (%i < %m + 18) and (%i < %m + 19) and (%j < %k)
    // expected-remark @+1 {{stays an access through pointers: expected a mask of a few comparisons, found more}}
    %v = tile.load %p, %in
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(32)
  tile.store %to, %total
  tile.return
}
