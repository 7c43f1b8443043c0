// A product for mma.sync: four warps wait longer for boxes than they multiply, and have none; eight have
// where those of a step are 32 bytes a thread or more, as 16 columns are not. One for wgmma, of 64 rows, has any.
// Programs of more than 16 warps have no registers for one that copies.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s --implicit-check-not=make_desc
// RUN: sed 's/16x/128x/g; s/x16/x128/g; s/<16xi32>/<128xi32>/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=EIGHT
// RUN: sed 's/16x/128x/g; s/x16/x128/g; s/<16xi32>/<128xi32>/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=16},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=EIGHT
// RUN: sed 's/16x/128x/g; s/x16/x128/g; s/<16xi32>/<128xi32>/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=32},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=MANY --implicit-check-not=make_desc
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=TINY
// RUN: sed s/32x/64x/g %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=EIGHT
// RUN: sed s/32x/64x/g %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=WIDE

// MANY-LABEL: tile.func @small
// TINY: remark: stays an access through pointers: expected boxes of more bytes a thread in a step, found fewer
// TINY-LABEL: tile.func @small
// TINY-NOT: tile.make_desc
// TINY: tile.store
// CHECK-LABEL: tile.func @small
// CHECK: tile.load
// EIGHT-LABEL: tile.func @small
// EIGHT: tile.make_desc
// EIGHT: tile.desc_load
tile.func @small(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16>, %k: i32,
                 %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<32x1xi32>
  %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    // expected-remark @+1 {{stays an access through pointers: expected a product for wgmma, of 64 x 16 or more, or of more warps, found a smaller one}}
    %v = tile.load %ptrs : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %o = tile.splat %out : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>>
  %to = tile.addptr %o, %r32 : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  %h = arith.truncf %total : tensor<32xf32> to tensor<32xf16>
  tile.store %to, %h : tensor<32x!tile.ptr<f16>>
  tile.return
}

// A product of what threads have loaded: its store of 16 bytes a thread stays one (8 for eight warps). Where it is twice as
// wide, of 32 bits an element, threads store it as it lies.
// CHECK-LABEL: tile.func @store
// CHECK: tile.store
// WIDE-LABEL: tile.func @store
// WIDE-NOT: tile.desc_store
tile.func @store(%in: !tile.ptr<f16>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %from = tile.expr %in + (col(%r32) * 16 + row(%r16))
  %a = tile.load %from : tensor<32x16x!tile.ptr<f16>>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %d = tile.dot %a, %b, %zero : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %c16 = arith.constant dense<16> : tensor<32x1xi32>
  %off = arith.muli %rows, %c16 : tensor<32x1xi32>
  %offs = tile.broadcast %off : tensor<32x1xi32> -> tensor<32x16xi32>
  %colss = tile.broadcast %cols : tensor<1x16xi32> -> tensor<32x16xi32>
  %at = arith.addi %offs, %colss : tensor<32x16xi32>
  %o = tile.splat %out : !tile.ptr<f32> -> tensor<32x16x!tile.ptr<f32>>
  %to = tile.addptr %o, %at : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
  // expected-remark @+1 {{stays an access through pointers: expected a store of 32 bytes a thread, found 16}}
  tile.store %to, %d : tensor<32x16x!tile.ptr<f32>>
  tile.return
}

// Of 16 bits it is a box then.
// CHECK-LABEL: tile.func @halves
// CHECK: tile.store
// WIDE-LABEL: tile.func @halves
// WIDE: tile.desc_store
tile.func @halves(%out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot %a, %b, %zero : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
  %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
  %r32 = tile.arange : tensor<32xi32>
  %to = tile.expr %out + (col(%r32) * 64 + row(%r32))
  // expected-remark @+1 {{stays an access through pointers: expected a store of 32 bytes a thread, found 16}}
  tile.store %to, %h
  tile.return
}

// Of f64 four warps multiply as long as they may wait for boxes.
// CHECK-LABEL: tile.func @long
// CHECK: tile.make_desc
// CHECK: tile.desc_load
tile.func @long(%a: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f64>, %k: i32,
                 %s: i32 {tile.divisibility = 2 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x32xf64>
  %zero = arith.constant dense<0.0> : tensor<32x32xf64>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<32x1xi32>
  %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
  %bases = tile.splat %a : !tile.ptr<f64> -> tensor<32x16x!tile.ptr<f64>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf64>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f64>>, tensor<32x16xi32>
    %v = tile.load %ptrs : tensor<32x16x!tile.ptr<f64>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf64>, tensor<16x32xf64> -> tensor<32x32xf64>
    scf.yield %next : tensor<32x32xf64>
  }
  %total = tile.reduce add %sum axis 1 : tensor<32x32xf64> -> tensor<32xf64>
  %o = tile.splat %out : !tile.ptr<f64> -> tensor<32x!tile.ptr<f64>>
  %to = tile.addptr %o, %r32 : tensor<32x!tile.ptr<f64>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f64>>
  tile.return
}
