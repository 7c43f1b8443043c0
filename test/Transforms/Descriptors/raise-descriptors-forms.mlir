// The forms of addresses and masks that are raised, one a function.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s

// A constant pitch: positions are told apart as digits are.
// CHECK-LABEL: tile.func @static_pitch
tile.func @static_pitch(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = arith.constant dense<4096> : tensor<64x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %m : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What is ahead in the columns ends with them, also where it is a multiple of the pitch: no row is taken for it.
// CHECK-LABEL: tile.func @ahead
// CHECK-SAME: %[[M:[a-z0-9]*]]: i32, %[[K:[a-z0-9]*]]: i32)
// CHECK: tile.make_desc %{{.*}}, [%[[M]], %[[K]]], [%{{.*}}]
tile.func @ahead(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = arith.constant dense<32> : tensor<64x1xi32>
  %ahead = arith.constant 32 : i32
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k1 = arith.addi %k0, %ahead : i32
    %k0s = tile.splat %k1 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %m : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<64x16xi1>
    // CHECK: tile.desc_load
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Without a mask the array has no end.
// CHECK-LABEL: tile.func @no_mask
tile.func @no_mask(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    %v = tile.load %ptrs : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// A mask along one dimension.
// CHECK-LABEL: tile.func @no_rows_mask
tile.func @no_rows_mask(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// NaN where the array ends.
// CHECK-LABEL: tile.func @nan
tile.func @nan(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %nan = arith.constant dense<0x7E00> : tensor<64x16xf16>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %m : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in, %nan : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What is negated on its way to the dot has another number where the array ends: the engine fills in zeros, and threads
// choose.
// CHECK-LABEL: tile.func @other
tile.func @other(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  // CHECK: %[[TWO:.*]] = arith.constant dense<2.000000e+00>
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %two = arith.constant dense<2.0> : tensor<64x16xf16>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %m : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<64x16xi1>
    // CHECK: %[[IN:.*]] = arith.andi {{.*}} : tensor<64x16xi1>
    // CHECK: %[[BOX:.*]] = tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    // CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %[[IN]], %[[BOX]], %[[TWO]] : tensor<64x16xi1>, tensor<64x16xf16>
    // CHECK-NEXT: arith.negf %[[CHOSEN]]
    %v = tile.load %ptrs, %in, %two : tensor<64x16x!tile.ptr<f16>>
    %w = arith.negf %v : tensor<64x16xf16>
    %next = tile.dot %w, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// A mask with both ends: positions may be below 0.
// CHECK-LABEL: tile.func @clipped
tile.func @clipped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %d: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %ds = tile.splat %d : i32 -> tensor<64x1xi32>
  %i = arith.addi %ds, %rows : tensor<64x1xi32>
  %zeros = arith.constant dense<0> : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %m : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %below = arith.andi %in_i, %in_j : tensor<64x16xi1>
    %from1 = arith.cmpi sge, %i, %zeros : tensor<64x1xi32>
    %from = tile.broadcast %from1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %in = arith.andi %below, %from : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// A batch offset on the base: a dimension of its own.
// CHECK-LABEL: tile.func @batch
tile.func @batch(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %sb: i64 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %batch = tile.program_id z
  %b64 = arith.extsi %batch : i32 to i64
  %skip = arith.muli %b64, %sb : i64
  %base = tile.addptr %a, %skip : !tile.ptr<f16>, i64
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %base : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %m : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<64x16xi1>
    // CHECK: %[[BOX:.*]] = tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.desc<1x64x16xf16>
    // CHECK: tile.reshape %[[BOX]] : tensor<1x64x16xf16> -> tensor<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows that wrap around, where the grid says that none does.
// CHECK-LABEL: tile.func @wrapped
tile.func @wrapped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32 {tile.divisibility = 64 : i32}, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  tile.grid(%m : i32) {
    %size = arith.constant 64 : i32
    %programs = arith.ceildivsi %m, %size : i32
    tile.yield %programs : i32
  }
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %ms0 = tile.splat %m : i32 -> tensor<64x1xi32>
  %wrapped = arith.remsi %i, %ms0 : tensor<64x1xi32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %wrapped, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows that each program counts from its own start: the programs are a dimension.
// CHECK-LABEL: tile.func @own_rows
// CHECK: %[[D:.*]] = tile.make_desc %{{.*}}, [%{{.*}}, %arg2, %arg3], [%{{.*}}, %{{.*}}] : !tile.ptr<f16> -> !tile.desc<1x64x16xf16>
// CHECK: %[[PID:.*]] = tile.program_id x
tile.func @own_rows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %r16 = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r16 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64x1xi32>
  %i = arith.addi %firsts, %rows : tensor<64x1xi32>
  %end = arith.addi %first, %m : i32
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<64x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ms = tile.splat %end : i32 -> tensor<64x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<64x1xi1> -> tensor<64x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<64x16xi1>
    // CHECK: tile.desc_load %[[D]][%[[PID]], %{{.*}}, %{{.*}}] : !tile.desc<1x64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %lanes = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %total = tile.reduce add %sum axis 1 : tensor<64x16xf32> -> tensor<64xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What a loop's dots read may be loaded in front of it. A head of constant width D = 64 starts `length * 64` elements
// after the one before: a dimension of its own, although the pitch of rows divides that.
// CHECK-LABEL: tile.func @heads
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
// CHECK: %[[HEAD:.*]] = arith.muli %{{.*}}, %[[C64]] : i64
// CHECK: %[[DK:.*]] = tile.make_desc %arg1, [%arg3, %arg4, %{{.*}}], [%[[HEAD]], %[[C64]]] : !tile.ptr<f16> -> !tile.desc<1x64x64xf16>
// CHECK: %[[DQ:.*]] = tile.make_desc %arg0, [%arg3, %arg4, %{{.*}}], [%{{.*}}, %[[C64]]] : !tile.ptr<f16> -> !tile.desc<1x16x64xf16>
tile.func @heads(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %heads: i32, %length: i32) {
  tile.grid(%heads : i32, %length : i32) {
    %c16g = arith.constant 16 : i32
    %blocks = arith.ceildivsi %length, %c16g : i32
    tile.yield %blocks, %heads : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %c64_i64 = arith.constant 64 : i64
  %block = tile.program_id x
  %head = tile.program_id y
  %head64 = arith.extsi %head : i32 to i64
  %length64 = arith.extsi %length : i32 to i64
  %size = arith.muli %length64, %c64_i64 : i64
  %start = arith.muli %head64, %size : i64
  %q_head = tile.addptr %q, %start : !tile.ptr<f16>, i64
  %k_head = tile.addptr %k, %start : !tile.ptr<f16>, i64
  %r16 = tile.arange : tensor<16xi32>
  %r64 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r16 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %keys = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch16 = arith.constant dense<64> : tensor<16x1xi32>
  %pitch64 = arith.constant dense<64> : tensor<64x1xi32>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>

  %first = arith.muli %block, %c16 : i32
  %first_off = arith.muli %first, %c64 : i32
  %q_start = tile.addptr %q_head, %first_off : !tile.ptr<f16>, i32
  %q_down = arith.muli %rows, %pitch16 : tensor<16x1xi32>
  %q_downs = tile.broadcast %q_down : tensor<16x1xi32> -> tensor<16x64xi32>
  %q_acrosses = tile.broadcast %cols : tensor<1x64xi32> -> tensor<16x64xi32>
  %q_off = arith.addi %q_downs, %q_acrosses : tensor<16x64xi32>
  %q_starts = tile.splat %q_start : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %q_ptrs = tile.addptr %q_starts, %q_off : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %q_left = arith.subi %length, %first : i32
  %q_lefts = tile.splat %q_left : i32 -> tensor<16x1xi32>
  %q_in1 = arith.cmpi slt, %rows, %q_lefts : tensor<16x1xi32>
  %q_in = tile.broadcast %q_in1 : tensor<16x1xi1> -> tensor<16x64xi1>
  // CHECK: tile.desc_load %[[DQ]][%[[H:.*]], %{{.*}}, %{{.*}}] : !tile.desc<1x16x64xf16>
  %q_block = tile.load %q_ptrs, %q_in : tensor<16x64x!tile.ptr<f16>>
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %arg4
  %sum = scf.for %j = %c0 to %length step %c64 iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
    %j_off = arith.muli %j, %c64 : i32
    %k_start = tile.addptr %k_head, %j_off : !tile.ptr<f16>, i32
    %k_down = arith.muli %keys, %pitch64 : tensor<64x1xi32>
    %k_downs = tile.broadcast %k_down : tensor<64x1xi32> -> tensor<64x64xi32>
    %k_acrosses = tile.broadcast %cols : tensor<1x64xi32> -> tensor<64x64xi32>
    %k_off = arith.addi %k_downs, %k_acrosses : tensor<64x64xi32>
    %k_starts = tile.splat %k_start : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %k_ptrs = tile.addptr %k_starts, %k_off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %k_left = arith.subi %length, %j : i32
    %k_lefts = tile.splat %k_left : i32 -> tensor<64x1xi32>
    %k_in1 = arith.cmpi slt, %keys, %k_lefts : tensor<64x1xi32>
    %k_in = tile.broadcast %k_in1 : tensor<64x1xi1> -> tensor<64x64xi1>
    // CHECK: tile.desc_load %[[DK]][%[[H]], %[[J]], %{{.*}}] : !tile.desc<1x64x64xf16>
    %k_block = tile.load %k_ptrs, %k_in : tensor<64x64x!tile.ptr<f16>>
    %kt = tile.trans %k_block order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %next = tile.dot %q_block, %kt, %acc : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<16x64xf32> -> tensor<16xf32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %to = tile.addptr %outs, %r16 : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  tile.store %to, %total : tensor<16x!tile.ptr<f32>>
  tile.return
}
