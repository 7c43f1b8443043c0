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

// Nor do they where all that steps multiply is reduced there: they wait for it at the same time, however long the steps are.
// Here it is 512 cycles, of which the best score of each row is looked for.
// CHECK-LABEL: tile.func @best
// CHECK-SAME: stages = 3, {{.*}} blocks = 2>
tile.func @best(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %out: !tile.ptr<f32>, %m: i32, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %k64 = arith.constant 128 : i64
  %k = arith.constant 128 : i32
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %pm = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %least = arith.constant dense<0xFF800000> : tensor<64xf32>
  %x = tile.desc_load %da[%m0, %c0] : !tile.desc<64x128xf16>
  %best = scf.for %n0 = %c0 to %n step %c128 iter_args(%s = %least) -> tensor<64xf32> : i32 {
    %y = tile.desc_load %db[%n0, %c0] : !tile.desc<128x128xf16>
    %t = tile.trans %y order [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
    %d = tile.dot %x, %t, %zero : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
    %h = tile.reduce maxnum %d axis 1 : tensor<64x128xf32> -> tensor<64xf32>
    %w = arith.maxnumf %s, %h : tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  %at = tile.expr %out + (arange(64) + %m0)
  tile.store %at, %best
  tile.return
}
