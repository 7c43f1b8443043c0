// Padding that tile-pad-extents adds keeps no access from being raised: it is read as it lies in the array, and not
// written.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-pad-extents,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s

// Columns 40 to 63 of the box belong to the next program: they are not stored.
// CHECK-LABEL: tile.func @padded
tile.func @padded(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 64 : i32
  %width = arith.constant 40 : i32
  %r0 = tile.arange : tensor<64xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<40xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<40xi32> -> tensor<1x40xi32>
  %b = arith.constant dense<1.0> : tensor<16x40xf16>
  %zero = arith.constant dense<0.0> : tensor<64x40xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<64x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x40xi32>
  %i = arith.addi %firsts_m, %rows : tensor<64x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x40xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x40xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x40xi32>
  %sas = tile.splat %sa : i32 -> tensor<64x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %i, %sas : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x40xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}} : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x40xf16> -> tensor<64x40xf32>
    scf.yield %next : tensor<64x40xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<64x1xi32>
  %to_is = tile.broadcast %to_i : tensor<64x1xi32> -> tensor<64x40xi32>
  %to_js = tile.broadcast %jc : tensor<1x40xi32> -> tensor<64x40xi32>
  %to = arith.addi %to_is, %to_js : tensor<64x40xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<64x40x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<64x40x!tile.ptr<f32>>, tensor<64x40xi32>
  %out_i = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x40xi1>
  %out_j = tile.broadcast %in_j : tensor<1x40xi1> -> tensor<64x40xi1>
  %out = arith.andi %out_i, %out_j : tensor<64x40xi1>
  // CHECK: tile.desc_store %{{.*}} {extents = array<i64: 64, 40>} : !tile.desc<64x64xf32>
  tile.store %places, %sum, %out : tensor<64x40x!tile.ptr<f32>>
  tile.return
}

// -----

// So it is of a matrix among others, each of which is a box by itself.
// CHECK-LABEL: tile.func @batched
tile.func @batched(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %z: i32 {tile.divisibility = 8 : i32}, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 64 : i32
  %width = arith.constant 40 : i32
  %r0 = tile.arange : tensor<64xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<40xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<40xi32> -> tensor<1x40xi32>
  %b = arith.constant dense<1.0> : tensor<16x40xf16>
  %zero = arith.constant dense<0.0> : tensor<64x40xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<64x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x40xi32>
  %i = arith.addi %firsts_m, %rows : tensor<64x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x40xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x40xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x40xi32>
  %sas = tile.splat %sa : i32 -> tensor<64x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %i, %sas : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x40xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}} : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x40xf16> -> tensor<64x40xf32>
    scf.yield %next : tensor<64x40xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<64x1xi32>
  %to_is = tile.broadcast %to_i : tensor<64x1xi32> -> tensor<64x40xi32>
  %to_js = tile.broadcast %jc : tensor<1x40xi32> -> tensor<64x40xi32>
  %to = arith.addi %to_is, %to_js : tensor<64x40xi32>
  %batch = tile.program_id z
  %skipped = arith.muli %batch, %z : i32
  %matrix = tile.addptr %c, %skipped : !tile.ptr<f32>, i32
  %outs = tile.splat %matrix : !tile.ptr<f32> -> tensor<64x40x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<64x40x!tile.ptr<f32>>, tensor<64x40xi32>
  %out_i = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x40xi1>
  %out_j = tile.broadcast %in_j : tensor<1x40xi1> -> tensor<64x40xi1>
  %out = arith.andi %out_i, %out_j : tensor<64x40xi1>
  // CHECK: tile.desc_store %{{.*}} {extents = array<i64: 1, 64, 40>} : !tile.desc<1x64x64xf32>
  tile.store %places, %sum, %out : tensor<64x40x!tile.ptr<f32>>
  tile.return
}

// -----

// Nor where the array is known to hold whole tiles.
// CHECK-LABEL: tile.func @no_bound
tile.func @no_bound(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 64 : i32
  %width = arith.constant 40 : i32
  %r0 = tile.arange : tensor<64xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<40xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<40xi32> -> tensor<1x40xi32>
  %b = arith.constant dense<1.0> : tensor<16x40xf16>
  %zero = arith.constant dense<0.0> : tensor<64x40xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<64x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x40xi32>
  %i = arith.addi %firsts_m, %rows : tensor<64x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x40xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x40xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x40xi32>
  %sas = tile.splat %sa : i32 -> tensor<64x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %i, %sas : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x40xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}} : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x40xf16> -> tensor<64x40xf32>
    scf.yield %next : tensor<64x40xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<64x1xi32>
  %to_is = tile.broadcast %to_i : tensor<64x1xi32> -> tensor<64x40xi32>
  %to_js = tile.broadcast %jc : tensor<1x40xi32> -> tensor<64x40xi32>
  %to = arith.addi %to_is, %to_js : tensor<64x40xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<64x40x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<64x40x!tile.ptr<f32>>, tensor<64x40xi32>
  %out_i = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x40xi1>
  %out_j = tile.broadcast %in_j : tensor<1x40xi1> -> tensor<64x40xi1>
  // CHECK: tile.desc_store %{{.*}} {extents = array<i64: 64, 40>} : !tile.desc<64x64xf32>
  tile.store %places, %sum, %out_i : tensor<64x40x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows of padding are loaded with the others; but a warp group stores all rows of its own.
// CHECK-LABEL: tile.func @rows
tile.func @rows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 48 : i32
  %width = arith.constant 64 : i32
  %r0 = tile.arange : tensor<48xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<48xi32> -> tensor<48x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %b = arith.constant dense<1.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<48x64xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<48x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x64xi32>
  %i = arith.addi %firsts_m, %rows : tensor<48x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x64xi32>
  %ms = tile.splat %m : i32 -> tensor<48x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<48x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x64xi32>
  %sas = tile.splat %sa : i32 -> tensor<48x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<48x1xi32>
  %off_i = arith.muli %i, %sas : tensor<48x1xi32>
  %off_is = tile.broadcast %off_i : tensor<48x1xi32> -> tensor<48x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<48x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<48x1xi1> -> tensor<48x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<48x64xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<48x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<48x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<48x16x!tile.ptr<f16>>, tensor<48x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<48x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<48x16xi1>
    // CHECK: tile.desc_load %{{.*}} : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<48x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<48x16xf16>, tensor<16x64xf16> -> tensor<48x64xf32>
    scf.yield %next : tensor<48x64xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<48x1xi32>
  %to_is = tile.broadcast %to_i : tensor<48x1xi32> -> tensor<48x64xi32>
  %to_js = tile.broadcast %jc : tensor<1x64xi32> -> tensor<48x64xi32>
  %to = arith.addi %to_is, %to_js : tensor<48x64xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<48x64x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<48x64x!tile.ptr<f32>>, tensor<48x64xi32>
  %out_i = tile.broadcast %in_i : tensor<48x1xi1> -> tensor<48x64xi1>
  %out_j = tile.broadcast %in_j : tensor<1x64xi1> -> tensor<48x64xi1>
  %out = arith.andi %out_i, %out_j : tensor<48x64xi1>
  // CHECK: tile.store %{{.*}} {tile.extents = array<i64: 48, 64>}
  // expected-remark @+1 {{stays an access through pointers: expected padding of columns alone, or of a transposed product's rows behind a multiple of 8, found other padding}}
  tile.store %places, %sum, %out : tensor<48x64x!tile.ptr<f32>>
  tile.return
}

// -----

// What lies behind the last row of an array must not be touched, if it is for nobody: 48 rows are a program's.
// CHECK-LABEL: tile.func @no_end
// CHECK: tile.make_desc %{{.*}}, [%{{.*}}, %c48_i32, %{{.*}}], [%{{.*}}, %{{.*}}] : !tile.ptr<f16> -> !tile.desc<1x64x16xf16>
tile.func @no_end(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 48 : i32
  %width = arith.constant 64 : i32
  %r0 = tile.arange : tensor<48xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<48xi32> -> tensor<48x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %b = arith.constant dense<1.0> : tensor<16x64xf16>
  %zero = arith.constant dense<0.0> : tensor<48x64xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<48x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x64xi32>
  %i = arith.addi %firsts_m, %rows : tensor<48x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x64xi32>
  %ms = tile.splat %m : i32 -> tensor<48x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<48x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x64xi32>
  %sas = tile.splat %sa : i32 -> tensor<48x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<48x1xi32>
  %off_i = arith.muli %i, %sas : tensor<48x1xi32>
  %off_is = tile.broadcast %off_i : tensor<48x1xi32> -> tensor<48x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<48x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<48x1xi1> -> tensor<48x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<48x64xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<48x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<48x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<48x16x!tile.ptr<f16>>, tensor<48x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<48x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<48x16xi1>
    // CHECK: tile.desc_load %{{.*}} : !tile.desc<1x64x16xf16>
    %v = tile.load %ptrs, %in_ks : tensor<48x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<48x16xf16>, tensor<16x64xf16> -> tensor<48x64xf32>
    scf.yield %next : tensor<48x64xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<48x1xi32>
  %to_is = tile.broadcast %to_i : tensor<48x1xi32> -> tensor<48x64xi32>
  %to_js = tile.broadcast %jc : tensor<1x64xi32> -> tensor<48x64xi32>
  %to = arith.addi %to_is, %to_js : tensor<48x64xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<48x64x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<48x64x!tile.ptr<f32>>, tensor<48x64xi32>
  %out_i = tile.broadcast %in_i : tensor<48x1xi1> -> tensor<48x64xi1>
  %out_j = tile.broadcast %in_j : tensor<1x64xi1> -> tensor<48x64xi1>
  %out = arith.andi %out_i, %out_j : tensor<48x64xi1>
  // expected-remark @+1 {{stays an access through pointers: expected padding of columns alone, or of a transposed product's rows behind a multiple of 8, found other padding}}
  tile.store %places, %sum, %out : tensor<48x64x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows of half a warp group.
// CHECK-LABEL: tile.func @few_rows
tile.func @few_rows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %height = arith.constant 32 : i32
  %width = arith.constant 40 : i32
  %r0 = tile.arange : tensor<32xi32>
  %r1 = tile.arange : tensor<128xi32>
  %r2 = tile.arange : tensor<40xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<40xi32> -> tensor<1x40xi32>
  %b = arith.constant dense<1.0> : tensor<128x40xf16>
  %zero = arith.constant dense<0.0> : tensor<32x40xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<32x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x40xi32>
  %i = arith.addi %firsts_m, %rows : tensor<32x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x40xi32>
  %ms = tile.splat %m : i32 -> tensor<32x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x40xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<32x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x40xi32>
  %sas = tile.splat %sa : i32 -> tensor<32x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<32x1xi32>
  %off_i = arith.muli %i, %sas : tensor<32x1xi32>
  %off_is = tile.broadcast %off_i : tensor<32x1xi32> -> tensor<32x128xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<32x128x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<32x1xi1> -> tensor<32x128xi1>
  %sum = scf.for %k0 = %c0 to %k step %c128 iter_args(%acc = %zero) -> (tensor<32x40xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x128xi32>
    %j = arith.addi %k0s, %kays : tensor<1x128xi32>
    %off_js = tile.broadcast %j : tensor<1x128xi32> -> tensor<32x128xi32>
    %off = arith.addi %off_is, %off_js : tensor<32x128xi32>
    %ptrs = tile.addptr %bases, %off : tensor<32x128x!tile.ptr<f16>>, tensor<32x128xi32>
    %ks = tile.splat %k : i32 -> tensor<1x128xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x128xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x128xi1> -> tensor<32x128xi1>
    %in = arith.andi %in_is, %in_ks : tensor<32x128xi1>
    // CHECK: tile.desc_load
    %v = tile.load %ptrs, %in : tensor<32x128x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<32x128xf16>, tensor<128x40xf16> -> tensor<32x40xf32>
    scf.yield %next : tensor<32x40xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<32x1xi32>
  %to_is = tile.broadcast %to_i : tensor<32x1xi32> -> tensor<32x40xi32>
  %to_js = tile.broadcast %jc : tensor<1x40xi32> -> tensor<32x40xi32>
  %to = arith.addi %to_is, %to_js : tensor<32x40xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<32x40x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<32x40x!tile.ptr<f32>>, tensor<32x40xi32>
  %out_i = tile.broadcast %in_i : tensor<32x1xi1> -> tensor<32x40xi1>
  %out_j = tile.broadcast %in_j : tensor<1x40xi1> -> tensor<32x40xi1>
  %out = arith.andi %out_i, %out_j : tensor<32x40xi1>
  // expected-remark @+1 {{stays an access through pointers: expected padding of columns alone, of 64 rows or more a warp group, found other padding}}
  tile.store %places, %sum, %out : tensor<32x40x!tile.ptr<f32>>
  tile.return
}

// -----

// Boxes begin between groups of 8 columns.
// CHECK-LABEL: tile.func @columns
tile.func @columns(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 64 : i32
  %width = arith.constant 12 : i32
  %r0 = tile.arange : tensor<64xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<12xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<12xi32> -> tensor<1x12xi32>
  %b = arith.constant dense<1.0> : tensor<16x12xf16>
  %zero = arith.constant dense<0.0> : tensor<64x12xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.muli %y, %width : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<64x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x12xi32>
  %i = arith.addi %firsts_m, %rows : tensor<64x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x12xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x12xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x12xi32>
  %sas = tile.splat %sa : i32 -> tensor<64x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %i, %sas : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x12xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<64x16xi1>
    // CHECK: tile.desc_load
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x12xf16> -> tensor<64x12xf32>
    scf.yield %next : tensor<64x12xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<64x1xi32>
  %to_is = tile.broadcast %to_i : tensor<64x1xi32> -> tensor<64x12xi32>
  %to_js = tile.broadcast %jc : tensor<1x12xi32> -> tensor<64x12xi32>
  %to = arith.addi %to_is, %to_js : tensor<64x12xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<64x12x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<64x12x!tile.ptr<f32>>, tensor<64x12xi32>
  %out_i = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x12xi1>
  %out_j = tile.broadcast %in_j : tensor<1x12xi1> -> tensor<64x12xi1>
  %out = arith.andi %out_i, %out_j : tensor<64x12xi1>
  // expected-remark @+1 {{stays an access through pointers: expected a multiple of 8 columns, and 32 bytes or more, before the padding, found others}}
  tile.store %places, %sum, %out : tensor<64x12x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows as long as the tile's: the array ends where the padding begins.
// CHECK-LABEL: tile.func @own_columns
// CHECK: %[[D:.*]] = tile.make_desc %{{.*}}, [%{{.*}}, %c40_i32], [%{{.*}}] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
tile.func @own_columns(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32, %sa: i32 {tile.divisibility = 8 : i32},
                  %sc: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %height = arith.constant 64 : i32
  %width = arith.constant 40 : i32
  %r0 = tile.arange : tensor<64xi32>
  %r1 = tile.arange : tensor<16xi32>
  %r2 = tile.arange : tensor<40xi32>
  %rows = tile.expand_dims %r0 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %kays = tile.expand_dims %r1 axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %cols = tile.expand_dims %r2 axis 0 : tensor<40xi32> -> tensor<1x40xi32>
  %b = arith.constant dense<1.0> : tensor<16x40xf16>
  %zero = arith.constant dense<0.0> : tensor<64x40xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %first_m = arith.muli %x, %height : i32
  %first_n = arith.constant 0 : i32
  %firsts_m = tile.splat %first_m : i32 -> tensor<64x1xi32>
  %firsts_n = tile.splat %first_n : i32 -> tensor<1x40xi32>
  %i = arith.addi %firsts_m, %rows : tensor<64x1xi32>
  %jc = arith.addi %firsts_n, %cols : tensor<1x40xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x40xi32>
  %in_i = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %in_j = arith.cmpi slt, %jc, %ns : tensor<1x40xi32>
  %sas = tile.splat %sa : i32 -> tensor<64x1xi32>
  %scs = tile.splat %sc : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %i, %sas : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x16xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %in_is = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x16xi1>
  %sum = scf.for %k0 = %c0 to %k step %c16 iter_args(%acc = %zero) -> (tensor<64x40xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x16xi32>
    %j = arith.addi %k0s, %kays : tensor<1x16xi32>
    %off_js = tile.broadcast %j : tensor<1x16xi32> -> tensor<64x16xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x16xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %j, %ks : tensor<1x16xi32>
    %in_ks = tile.broadcast %in_k : tensor<1x16xi1> -> tensor<64x16xi1>
    %in = arith.andi %in_is, %in_ks : tensor<64x16xi1>
    // CHECK: tile.desc_load %{{.*}} : !tile.desc<64x16xf16>
    %v = tile.load %ptrs, %in : tensor<64x16x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x16xf16>, tensor<16x40xf16> -> tensor<64x40xf32>
    scf.yield %next : tensor<64x40xf32>
  }
  %to_i = arith.muli %i, %scs : tensor<64x1xi32>
  %to_is = tile.broadcast %to_i : tensor<64x1xi32> -> tensor<64x40xi32>
  %to_js = tile.broadcast %jc : tensor<1x40xi32> -> tensor<64x40xi32>
  %to = arith.addi %to_is, %to_js : tensor<64x40xi32>
  %outs = tile.splat %c : !tile.ptr<f32> -> tensor<64x40x!tile.ptr<f32>>
  %places = tile.addptr %outs, %to : tensor<64x40x!tile.ptr<f32>>, tensor<64x40xi32>
  %out_i = tile.broadcast %in_i : tensor<64x1xi1> -> tensor<64x40xi1>
  %out_j = tile.broadcast %in_j : tensor<1x40xi1> -> tensor<64x40xi1>
  // CHECK: tile.desc_store %[[D]][%{{.*}}, %{{.*}}], %{{[a-z0-9#]*}} : !tile.desc<64x64xf32>
  tile.store %places, %sum, %out_i : tensor<64x40x!tile.ptr<f32>>
  tile.return
}
