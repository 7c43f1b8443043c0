// The forms of addresses and masks that are raised, one a function.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s

// A constant pitch: positions are told apart as digits are.
// CHECK-LABEL: tile.func @static_pitch
tile.func @static_pitch(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32) {
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
  %strides = arith.constant dense<4096> : tensor<32x1xi32>
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
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<32x16xf16>
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

// Without a mask the array has no end.
// CHECK-LABEL: tile.func @no_mask
tile.func @no_mask(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
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
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<32x16xf16>
    %v = tile.load %ptrs : tensor<32x16x!tile.ptr<f16>>
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

// A mask along one dimension.
// CHECK-LABEL: tile.func @no_rows_mask
tile.func @no_rows_mask(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
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
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<32x16xf16>
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

// NaN where the array ends.
// CHECK-LABEL: tile.func @nan
tile.func @nan(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
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
  %nan = arith.constant dense<0x7E00> : tensor<32x16xf16>
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
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<32x16xf16>
    %v = tile.load %ptrs, %in, %nan : tensor<32x16x!tile.ptr<f16>>
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

// A mask with both ends: positions may be below 0.
// CHECK-LABEL: tile.func @clipped
tile.func @clipped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %d: i32) {
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
  %zeros = arith.constant dense<0> : tensor<32x1xi32>
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
    %below = arith.andi %in_i, %in_j : tensor<32x16xi1>
    %from1 = arith.cmpi sge, %i, %zeros : tensor<32x1xi32>
    %from = tile.broadcast %from1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %in = arith.andi %below, %from : tensor<32x16xi1>
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<32x16xf16>
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

// A batch offset on the base: a dimension of its own.
// CHECK-LABEL: tile.func @batch
tile.func @batch(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32, %k: i32, %s: i32 {tile.divisibility = 8 : i32}, %sb: i64 {tile.divisibility = 8 : i32}) {
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
  %batch = tile.program_id z
  %b64 = arith.extsi %batch : i32 to i64
  %skip = arith.muli %b64, %sb : i64
  %base = tile.addptr %a, %skip : !tile.ptr<f16>, i64
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %off_i = arith.muli %i, %strides : tensor<32x1xi32>
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %cols : tensor<1x16xi32>
    %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<32x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x16xi32>
    %bases = tile.splat %base : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
    %ptrs = tile.addptr %bases, %off : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
    %ms = tile.splat %m : i32 -> tensor<32x1xi32>
    %in_i1 = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
    %in_i = tile.broadcast %in_i1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_j1 = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_j = tile.broadcast %in_j1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %in = arith.andi %in_i, %in_j : tensor<32x16xi1>
    // CHECK: %[[BOX:.*]] = tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tile.desc<1x32x16xf16>
    // CHECK: tile.reshape %[[BOX]] : tensor<1x32x16xf16> -> tensor<32x16xf16>
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

// Rows that wrap around, where the grid says that none does.
// CHECK-LABEL: tile.func @wrapped
tile.func @wrapped(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %m: i32 {tile.divisibility = 32 : i32}, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
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
    // CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}] : !tile.desc<32x16xf16>
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
