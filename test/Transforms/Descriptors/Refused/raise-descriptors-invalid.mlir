// What keeps an access from being raised, one thing a function.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s --implicit-check-not=make_desc

// Rows of the last program wrap around.
// CHECK-LABEL: tile.func @wraps
tile.func @wraps(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  tile.grid(%m : i32) {
    %size = arith.constant 32 : i32
    %programs = arith.ceildivsi %m, %size : i32
    tile.yield %programs : i32
  }
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %ms0 = tile.splat %m : i32 -> tensor<32x1xi32>
  %wrapped = arith.remsi %i, %ms0 : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %wrapped, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected offsets made of sums and products, found arith.remsi}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows that may be before the array are addresses to a load.
// CHECK-LABEL: tile.func @negative
tile.func @negative(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %d: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %ds = tile.splat %d : i32 -> tensor<32x1xi32>
  %i = arith.addi %ds, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected positions proved >= 0 along dimension 0, found others}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// Lanes that are off read what the engine has not.
// CHECK-LABEL: tile.func @other
tile.func @other(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %two = arith.constant dense<2.0> : tensor<32x16xf16>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected 0 or NaN for lanes that are masked off, found another value}}
    %v = tile.load %ptrs, %in, %two : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// Nothing is known of where the array starts.
// CHECK-LABEL: tile.func @base
tile.func @base(%a: !tile.ptr<f16>, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// A pitch of 4 elements is 8 bytes.
// CHECK-LABEL: tile.func @pitch
tile.func @pitch(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 4 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected strides that are multiples of 16 bytes, found no such fact}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// Elements that do not lie together.
// CHECK-LABEL: tile.func @spread
tile.func @spread(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %twos = arith.constant dense<2> : tensor<1x16xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %j2 = arith.muli %j, %twos : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j2 : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected a dimension with a stride known to be 1, found none}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// One row, 32 times.
// CHECK-LABEL: tile.func @repeated
tile.func @repeated(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = arith.constant dense<0> : tensor<32x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected elements at increasing addresses along each dimension, found some that are repeated or run backwards}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// A mask that is off as a whole.
// CHECK-LABEL: tile.func @condition
tile.func @condition(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %on: i1) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %ons = tile.splat %on : i1 -> tensor<32x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %inside = arith.andi %in_i, %in_j : tensor<32x16xi1>
    %in = arith.andi %inside, %ons : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected a mask of comparisons, found one that is an argument}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// A triangle.
// CHECK-LABEL: tile.func @coupled
tile.func @coupled(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %is = tile.broadcast %i : tensor<32x1xi32> -> tensor<32x16xi32>
    %in = arith.cmpi sle, %off_js, %is : tensor<32x16xi32>
    // expected-remark @+1 {{stays an access through pointers: expected a mask that bounds each dimension by itself, found another condition}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows are looked up.
// CHECK-LABEL: tile.func @indirect
tile.func @indirect(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %table: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %r32 = tile.arange : tensor<32xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c32 : i32
  %firsts = tile.splat %first : i32 -> tensor<32x1xi32>
  %i = arith.addi %firsts, %rows : tensor<32x1xi32>
  %strides = tile.splat %s : i32 -> tensor<32x1xi32>
  %tables = tile.splat %table : !tile.ptr<i32> -> tensor<32x1x!tile.ptr<i32>>
  %places = tile.addptr %tables, %i : tensor<32x1x!tile.ptr<i32>>, tensor<32x1xi32>
  %row = tile.load %places : tensor<32x1x!tile.ptr<i32>>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %row, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // expected-remark @+1 {{stays an access through pointers: expected positions that follow from arguments and program ids, found loaded ones}}
    %v = tile.load %ptrs, %in : tensor<32x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %lanes = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<32x16xf32> -> tensor<32xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r32 : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %to, %total : tensor<32x!tile.ptr<f32>>
  tile.return
}

// -----

// In a branch nobody copies ahead, and the loop does not leave it where it follows from more than arithmetic; what prints has to stay there.
tile.func @branch(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: tensor<64x64xf16>, %out: !tile.ptr<f32>, %lists: !tile.ptr<i32>, %c: i1) {
  scf.if %c {
    %k = tile.load %lists : !tile.ptr<i32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %row = tile.expr col(arange(128))
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
      %p = tile.expr %a + (%row * 64 + row(%at + arange(64)))
      // expected-remark @+1 {{stays an access through pointers: expected a loop that follows from arithmetic in front of its branch, found more}}
      %x = tile.load %p
      %t = tile.dot %x, %b, %s
      scf.yield %t : tensor<128x64xf32>
    }
    tile.print "sum" %sum : tensor<128x64xf32>
    %sums = tile.reduce add %sum axis 1
    %pt = tile.expr %out + arange(128)
    tile.store %pt, %sums
  }
  tile.return
}

// -----

// Its steps do not pass what its branch writes.
tile.func @written(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: tensor<64x64xf16>, %out: !tile.ptr<f32>, %k: i32 {tile.divisibility = 64 : i32}, %c: i1) {
  scf.if %c {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %none = arith.constant dense<0.0> : tensor<128xf32>
    %row = tile.expr col(arange(128))
    %pt = tile.expr %out + arange(128)
    tile.store %pt, %none
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
      %p = tile.expr %a + (%row * %k + row(%at + arange(64)))
      // expected-remark @+1 {{stays an access through pointers: expected nothing written in front of the loop in its branch, found that}}
      %x = tile.load %p
      %t = tile.dot %x, %b, %s
      scf.yield %t : tensor<128x64xf32>
    }
    %sums = tile.reduce add %sum axis 1
    tile.store %pt, %sums
  }
  tile.return
}

// -----

// Nor does a step that is taken or not.
tile.func @step(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: tensor<64x64xf16>, %out: !tile.ptr<f32>, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
    %c = arith.cmpi ne, %at, %c64 : i32
    %u = scf.if %c -> (tensor<128x64xf32>) {
      %p = tile.expr %a + (%row * %k + row(%at + arange(64)))
      // expected-remark @+1 {{stays an access through pointers: expected it in loops (scf.for) alone, found another region}}
      %x = tile.load %p
      %t = tile.dot %x, %b, %s
      scf.yield %t : tensor<128x64xf32>
    } else {
      scf.yield %s : tensor<128x64xf32>
    }
    scf.yield %u : tensor<128x64xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %pt = tile.expr %out + arange(128)
  tile.store %pt, %sums
  tile.return
}
