// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-raise-descriptors,canonicalize,cse))' | FileCheck %s
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(tile-raise-descriptors,canonicalize,cse))' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=NOT

// Where the launch packs, arrays that dots read may begin anywhere, with any stride: the descriptor
// says so. The result is stored by the threads.
// CHECK-LABEL: tile.func @odd
// CHECK-SAME: (%[[A:.*]]: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %[[B:.*]]: !tile.ptr<f16>, %{{.*}}: !tile.ptr<f32>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[K:.*]]: i32)
// CHECK-DAG: tile.make_desc %[[A]], [%[[M]], %[[K]]], [%{{.*}}] {tile_gpu.packed}
// CHECK-DAG: tile.make_desc %[[B]], [%[[K]], %[[N]]], [%{{.*}}] {tile_gpu.packed}
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: tile.desc_load
// CHECK: tile.store
tile.func @odd(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tile.arange : tensor<64xi32>
  %r32 = tile.arange : tensor<32xi32>
  %i = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kr = tile.expand_dims %r32 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %ks_r = tile.splat %k : i32 -> tensor<1x32xi32>
  %ks_c = tile.splat %k : i32 -> tensor<32x1xi32>
  %i_in = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %j_in = arith.cmpi slt, %j, %ns : tensor<1x64xi32>
  %i_in_a = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %j_in_b = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<32x64xi1>
  %sk = tile.splat %k : i32 -> tensor<64x1xi32>
  %sn = tile.splat %n : i32 -> tensor<32x1xi32>
  %row_a = arith.muli %i, %sk : tensor<64x1xi32>
  %row_at = tile.broadcast %row_a : tensor<64x1xi32> -> tensor<64x32xi32>
  %jt = tile.broadcast %j : tensor<1x64xi32> -> tensor<32x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %acc = scf.for %k0 = %zero to %k step %step iter_args(%in = %acc0) -> (tensor<64x64xf32>) : i32 {
    %k0r = tile.splat %k0 : i32 -> tensor<1x32xi32>
    %k0c = tile.splat %k0 : i32 -> tensor<32x1xi32>
    %kk_r = arith.addi %kr, %k0r : tensor<1x32xi32>
    %kk_c = arith.addi %kc, %k0c : tensor<32x1xi32>
    %in_r = arith.cmpi slt, %kk_r, %ks_r : tensor<1x32xi32>
    %in_c = arith.cmpi slt, %kk_c, %ks_c : tensor<32x1xi32>
    %in_rt = tile.broadcast %in_r : tensor<1x32xi1> -> tensor<64x32xi1>
    %in_ct = tile.broadcast %in_c : tensor<32x1xi1> -> tensor<32x64xi1>
    %a_in = arith.andi %i_in_a, %in_rt : tensor<64x32xi1>
    %b_in = arith.andi %in_ct, %j_in_b : tensor<32x64xi1>
    %kk_rt = tile.broadcast %kk_r : tensor<1x32xi32> -> tensor<64x32xi32>
    %a_offs = arith.addi %row_at, %kk_rt : tensor<64x32xi32>
    %row_b = arith.muli %kk_c, %sn : tensor<32x1xi32>
    %row_bt = tile.broadcast %row_b : tensor<32x1xi32> -> tensor<32x64xi32>
    %b_offs = arith.addi %row_bt, %jt : tensor<32x64xi32>
    %ap = tile.addptr %as, %a_offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %bp = tile.addptr %bs, %b_offs : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    %av = tile.load %ap, %a_in : tensor<64x32x!tile.ptr<f16>>
    %bv = tile.load %bp, %b_in : tensor<32x64x!tile.ptr<f16>>
    %out = tile.dot %av, %bv, %in : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %out : tensor<64x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %snc = tile.splat %n : i32 -> tensor<64x1xi32>
  %row_c = arith.muli %i, %snc : tensor<64x1xi32>
  %row_ct = tile.broadcast %row_c : tensor<64x1xi32> -> tensor<64x64xi32>
  %jc = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_offs = arith.addi %row_ct, %jc : tensor<64x64xi32>
  %cp = tile.addptr %cs, %c_offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %i_in_c = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %j_in_c = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %c_in = arith.andi %i_in_c, %j_in_c : tensor<64x64xi1>
  // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
  tile.store %cp, %acc, %c_in : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// A launch that does not pack.
// NOT-LABEL: tile.func @plain
// NOT-NOT: tile_gpu.packed
// NOT: tile.return
tile.func @plain(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tile.arange : tensor<64xi32>
  %r32 = tile.arange : tensor<32xi32>
  %i = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kr = tile.expand_dims %r32 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %ks_r = tile.splat %k : i32 -> tensor<1x32xi32>
  %ks_c = tile.splat %k : i32 -> tensor<32x1xi32>
  %i_in = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %j_in = arith.cmpi slt, %j, %ns : tensor<1x64xi32>
  %i_in_a = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %j_in_b = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<32x64xi1>
  %sk = tile.splat %k : i32 -> tensor<64x1xi32>
  %sn = tile.splat %n : i32 -> tensor<32x1xi32>
  %row_a = arith.muli %i, %sk : tensor<64x1xi32>
  %row_at = tile.broadcast %row_a : tensor<64x1xi32> -> tensor<64x32xi32>
  %jt = tile.broadcast %j : tensor<1x64xi32> -> tensor<32x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %acc = scf.for %k0 = %zero to %k step %step iter_args(%in = %acc0) -> (tensor<64x64xf32>) : i32 {
    %k0r = tile.splat %k0 : i32 -> tensor<1x32xi32>
    %k0c = tile.splat %k0 : i32 -> tensor<32x1xi32>
    %kk_r = arith.addi %kr, %k0r : tensor<1x32xi32>
    %kk_c = arith.addi %kc, %k0c : tensor<32x1xi32>
    %in_r = arith.cmpi slt, %kk_r, %ks_r : tensor<1x32xi32>
    %in_c = arith.cmpi slt, %kk_c, %ks_c : tensor<32x1xi32>
    %in_rt = tile.broadcast %in_r : tensor<1x32xi1> -> tensor<64x32xi1>
    %in_ct = tile.broadcast %in_c : tensor<32x1xi1> -> tensor<32x64xi1>
    %a_in = arith.andi %i_in_a, %in_rt : tensor<64x32xi1>
    %b_in = arith.andi %in_ct, %j_in_b : tensor<32x64xi1>
    %kk_rt = tile.broadcast %kk_r : tensor<1x32xi32> -> tensor<64x32xi32>
    %a_offs = arith.addi %row_at, %kk_rt : tensor<64x32xi32>
    %row_b = arith.muli %kk_c, %sn : tensor<32x1xi32>
    %row_bt = tile.broadcast %row_b : tensor<32x1xi32> -> tensor<32x64xi32>
    %b_offs = arith.addi %row_bt, %jt : tensor<32x64xi32>
    %ap = tile.addptr %as, %a_offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %bp = tile.addptr %bs, %b_offs : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected strides that are multiples of 16 bytes, found no such fact}}
    %av = tile.load %ap, %a_in : tensor<64x32x!tile.ptr<f16>>
    // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
    %bv = tile.load %bp, %b_in : tensor<32x64x!tile.ptr<f16>>
    %out = tile.dot %av, %bv, %in : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %out : tensor<64x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %snc = tile.splat %n : i32 -> tensor<64x1xi32>
  %row_c = arith.muli %i, %snc : tensor<64x1xi32>
  %row_ct = tile.broadcast %row_c : tensor<64x1xi32> -> tensor<64x64xi32>
  %jc = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_offs = arith.addi %row_ct, %jc : tensor<64x64xi32>
  %cp = tile.addptr %cs, %c_offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %i_in_c = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %j_in_c = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %c_in = arith.andi %i_in_c, %j_in_c : tensor<64x64xi1>
  // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
  tile.store %cp, %acc, %c_in : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// The array could be what the loop writes to: a copy would be that of the kernel's beginning.
// NOT-LABEL: tile.func @written
// NOT-NOT: tile_gpu.packed
// NOT: tile.return
tile.func @written(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tile.arange : tensor<64xi32>
  %r32 = tile.arange : tensor<32xi32>
  %i = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kr = tile.expand_dims %r32 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %ks_r = tile.splat %k : i32 -> tensor<1x32xi32>
  %ks_c = tile.splat %k : i32 -> tensor<32x1xi32>
  %i_in = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %j_in = arith.cmpi slt, %j, %ns : tensor<1x64xi32>
  %i_in_a = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %j_in_b = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<32x64xi1>
  %sk = tile.splat %k : i32 -> tensor<64x1xi32>
  %sn = tile.splat %n : i32 -> tensor<32x1xi32>
  %row_a = arith.muli %i, %sk : tensor<64x1xi32>
  %row_at = tile.broadcast %row_a : tensor<64x1xi32> -> tensor<64x32xi32>
  %jt = tile.broadcast %j : tensor<1x64xi32> -> tensor<32x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %acc = scf.for %k0 = %zero to %k step %step iter_args(%in = %acc0) -> (tensor<64x64xf32>) : i32 {
    %k0f = arith.sitofp %k0 : i32 to f32
    %k0r = tile.splat %k0 : i32 -> tensor<1x32xi32>
    %k0c = tile.splat %k0 : i32 -> tensor<32x1xi32>
    %kk_r = arith.addi %kr, %k0r : tensor<1x32xi32>
    %kk_c = arith.addi %kc, %k0c : tensor<32x1xi32>
    %in_r = arith.cmpi slt, %kk_r, %ks_r : tensor<1x32xi32>
    %in_c = arith.cmpi slt, %kk_c, %ks_c : tensor<32x1xi32>
    %in_rt = tile.broadcast %in_r : tensor<1x32xi1> -> tensor<64x32xi1>
    %in_ct = tile.broadcast %in_c : tensor<32x1xi1> -> tensor<32x64xi1>
    %a_in = arith.andi %i_in_a, %in_rt : tensor<64x32xi1>
    %b_in = arith.andi %in_ct, %j_in_b : tensor<32x64xi1>
    %kk_rt = tile.broadcast %kk_r : tensor<1x32xi32> -> tensor<64x32xi32>
    %a_offs = arith.addi %row_at, %kk_rt : tensor<64x32xi32>
    %row_b = arith.muli %kk_c, %sn : tensor<32x1xi32>
    %row_bt = tile.broadcast %row_b : tensor<32x1xi32> -> tensor<32x64xi32>
    %b_offs = arith.addi %row_bt, %jt : tensor<32x64xi32>
    %ap = tile.addptr %as, %a_offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %bp = tile.addptr %bs, %b_offs : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected no write of memory before the load, found one}}
    %av = tile.load %ap, %a_in : tensor<64x32x!tile.ptr<f16>>
    // expected-remark @+1 {{stays an access through pointers: expected no write of memory before the load, found one}}
    %bv = tile.load %bp, %b_in : tensor<32x64x!tile.ptr<f16>>
    %out = tile.dot %av, %bv, %in : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    tile.store %c, %k0f : !tile.ptr<f32>
    scf.yield %out : tensor<64x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %snc = tile.splat %n : i32 -> tensor<64x1xi32>
  %row_c = arith.muli %i, %snc : tensor<64x1xi32>
  %row_ct = tile.broadcast %row_c : tensor<64x1xi32> -> tensor<64x64xi32>
  %jc = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_offs = arith.addi %row_ct, %jc : tensor<64x64xi32>
  %cp = tile.addptr %cs, %c_offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %i_in_c = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %j_in_c = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %c_in = arith.andi %i_in_c, %j_in_c : tensor<64x64xi1>
  // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
  tile.store %cp, %acc, %c_in : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// So in front of the loop.
// NOT-LABEL: tile.func @before
// NOT-NOT: tile_gpu.packed
// NOT: tile.return
tile.func @before(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tile.arange : tensor<64xi32>
  %r32 = tile.arange : tensor<32xi32>
  %i = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kr = tile.expand_dims %r32 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %ks_r = tile.splat %k : i32 -> tensor<1x32xi32>
  %ks_c = tile.splat %k : i32 -> tensor<32x1xi32>
  %i_in = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %j_in = arith.cmpi slt, %j, %ns : tensor<1x64xi32>
  %i_in_a = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %j_in_b = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<32x64xi1>
  %sk = tile.splat %k : i32 -> tensor<64x1xi32>
  %sn = tile.splat %n : i32 -> tensor<32x1xi32>
  %row_a = arith.muli %i, %sk : tensor<64x1xi32>
  %row_at = tile.broadcast %row_a : tensor<64x1xi32> -> tensor<64x32xi32>
  %jt = tile.broadcast %j : tensor<1x64xi32> -> tensor<32x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %half = arith.constant 0.5 : f16
  tile.store %a, %half : !tile.ptr<f16>
  %acc = scf.for %k0 = %zero to %k step %step iter_args(%in = %acc0) -> (tensor<64x64xf32>) : i32 {
    %k0r = tile.splat %k0 : i32 -> tensor<1x32xi32>
    %k0c = tile.splat %k0 : i32 -> tensor<32x1xi32>
    %kk_r = arith.addi %kr, %k0r : tensor<1x32xi32>
    %kk_c = arith.addi %kc, %k0c : tensor<32x1xi32>
    %in_r = arith.cmpi slt, %kk_r, %ks_r : tensor<1x32xi32>
    %in_c = arith.cmpi slt, %kk_c, %ks_c : tensor<32x1xi32>
    %in_rt = tile.broadcast %in_r : tensor<1x32xi1> -> tensor<64x32xi1>
    %in_ct = tile.broadcast %in_c : tensor<32x1xi1> -> tensor<32x64xi1>
    %a_in = arith.andi %i_in_a, %in_rt : tensor<64x32xi1>
    %b_in = arith.andi %in_ct, %j_in_b : tensor<32x64xi1>
    %kk_rt = tile.broadcast %kk_r : tensor<1x32xi32> -> tensor<64x32xi32>
    %a_offs = arith.addi %row_at, %kk_rt : tensor<64x32xi32>
    %row_b = arith.muli %kk_c, %sn : tensor<32x1xi32>
    %row_bt = tile.broadcast %row_b : tensor<32x1xi32> -> tensor<32x64xi32>
    %b_offs = arith.addi %row_bt, %jt : tensor<32x64xi32>
    %ap = tile.addptr %as, %a_offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %bp = tile.addptr %bs, %b_offs : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected no write of memory before the load, found one}}
    %av = tile.load %ap, %a_in : tensor<64x32x!tile.ptr<f16>>
    // expected-remark @+1 {{stays an access through pointers: expected no write of memory before the load, found one}}
    %bv = tile.load %bp, %b_in : tensor<32x64x!tile.ptr<f16>>
    %out = tile.dot %av, %bv, %in : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %out : tensor<64x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %snc = tile.splat %n : i32 -> tensor<64x1xi32>
  %row_c = arith.muli %i, %snc : tensor<64x1xi32>
  %row_ct = tile.broadcast %row_c : tensor<64x1xi32> -> tensor<64x64xi32>
  %jc = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_offs = arith.addi %row_ct, %jc : tensor<64x64xi32>
  %cp = tile.addptr %cs, %c_offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %i_in_c = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %j_in_c = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %c_in = arith.andi %i_in_c, %j_in_c : tensor<64x64xi1>
  // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
  tile.store %cp, %acc, %c_in : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// How much there is to copy is not known; and one array alone is not packed.
// NOT-LABEL: tile.func @endless
// NOT-NOT: tile_gpu.packed
// NOT: tile.return
tile.func @endless(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.packs} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tile.arange : tensor<64xi32>
  %r32 = tile.arange : tensor<32xi32>
  %i = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %j = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %kr = tile.expand_dims %r32 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tile.expand_dims %r32 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %ks_r = tile.splat %k : i32 -> tensor<1x32xi32>
  %ks_c = tile.splat %k : i32 -> tensor<32x1xi32>
  %i_in = arith.cmpi slt, %i, %ms : tensor<64x1xi32>
  %j_in = arith.cmpi slt, %j, %ns : tensor<1x64xi32>
  %i_in_a = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %j_in_b = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<32x64xi1>
  %sk = tile.splat %k : i32 -> tensor<64x1xi32>
  %sn = tile.splat %n : i32 -> tensor<32x1xi32>
  %row_a = arith.muli %i, %sk : tensor<64x1xi32>
  %row_at = tile.broadcast %row_a : tensor<64x1xi32> -> tensor<64x32xi32>
  %jt = tile.broadcast %j : tensor<1x64xi32> -> tensor<32x64xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x64x!tile.ptr<f16>>
  %acc = scf.for %k0 = %zero to %k step %step iter_args(%in = %acc0) -> (tensor<64x64xf32>) : i32 {
    %k0r = tile.splat %k0 : i32 -> tensor<1x32xi32>
    %k0c = tile.splat %k0 : i32 -> tensor<32x1xi32>
    %kk_r = arith.addi %kr, %k0r : tensor<1x32xi32>
    %kk_c = arith.addi %kc, %k0c : tensor<32x1xi32>
    %in_r = arith.cmpi slt, %kk_r, %ks_r : tensor<1x32xi32>
    %in_c = arith.cmpi slt, %kk_c, %ks_c : tensor<32x1xi32>
    %in_rt = tile.broadcast %in_r : tensor<1x32xi1> -> tensor<64x32xi1>
    %in_ct = tile.broadcast %in_c : tensor<32x1xi1> -> tensor<32x64xi1>
    %a_in = arith.andi %i_in_a, %in_rt : tensor<64x32xi1>
    %b_in = arith.andi %in_ct, %in_ct : tensor<32x64xi1>
    %kk_rt = tile.broadcast %kk_r : tensor<1x32xi32> -> tensor<64x32xi32>
    %a_offs = arith.addi %row_at, %kk_rt : tensor<64x32xi32>
    %row_b = arith.muli %kk_c, %sn : tensor<32x1xi32>
    %row_bt = tile.broadcast %row_b : tensor<32x1xi32> -> tensor<32x64xi32>
    %b_offs = arith.addi %row_bt, %jt : tensor<32x64xi32>
    %ap = tile.addptr %as, %a_offs : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %bp = tile.addptr %bs, %b_offs : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected boxes of all arrays that dots read, to pack one, found another}}
    %av = tile.load %ap, %a_in : tensor<64x32x!tile.ptr<f16>>
    // expected-remark @+1 {{stays an access through pointers: expected a mask that sets ends, to pack it, found none}}
    %bv = tile.load %bp, %b_in : tensor<32x64x!tile.ptr<f16>>
    %out = tile.dot %av, %bv, %in : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %out : tensor<64x64xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %snc = tile.splat %n : i32 -> tensor<64x1xi32>
  %row_c = arith.muli %i, %snc : tensor<64x1xi32>
  %row_ct = tile.broadcast %row_c : tensor<64x1xi32> -> tensor<64x64xi32>
  %jc = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
  %c_offs = arith.addi %row_ct, %jc : tensor<64x64xi32>
  %cp = tile.addptr %cs, %c_offs : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %i_in_c = tile.broadcast %i_in : tensor<64x1xi1> -> tensor<64x64xi1>
  %j_in_c = tile.broadcast %j_in : tensor<1x64xi1> -> tensor<64x64xi1>
  %c_in = arith.andi %i_in_c, %j_in_c : tensor<64x64xi1>
  // expected-remark @+1 {{stays an access through pointers: expected an array aligned to 16 bytes, found no such fact about its pointer}}
  tile.store %cp, %acc, %c_in : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
