// Two warp groups overlap by themselves, but where their steps are short: then a multiprocessor has two such blocks.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s

// 128 cycles of products.
// CHECK-LABEL: tile.func @short
// CHECK-SAME: blocks = 2>
tile.func @short(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<32x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c128 : i32
  %n0 = arith.muli %pn, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %step iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x32xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<32x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}

// And 256.
// CHECK-LABEL: tile.func @long
// CHECK-NOT: blocks = 2
// CHECK: tile.return
tile.func @long(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c128 : i32
  %n0 = arith.muli %pn, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %step iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}
