// What a thread holds decides how many blocks of one warp group a multiprocessor has.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s

// A product of a block of K that is scaled and added to what the loop carries: 64 words for each, and two blocks fit. The
// four slots of 24 KB that each has fit, too, since barriers of one ring are all that is kept for barriers.
// CHECK-LABEL: tile.func @scaled
// CHECK-SAME: stages = 4, {{.*}} warm_steps = 0, blocks = 2>
tile.func @scaled(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %scale: f32, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 4 : i32} {
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c64 : i32
  %n0 = arith.muli %pn, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %scales = tile.splat %scale : f32 -> tensor<64x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %c64 iter_args(%s = %zero) -> tensor<64x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    %p = arith.mulf %d, %scales : tensor<64x128xf32>
    %t = arith.addf %s, %p : tensor<64x128xf32>
    scf.yield %t : tensor<64x128xf32>
  }
  %h = arith.truncf %acc : tensor<64x128xf32> to tensor<64x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x128xf16>
  tile.return
}

// A product of low rank behind the loop: its 64 words stand beside the 96 of the loop's sums.
// CHECK-LABEL: tile.func @low_rank
// CHECK-SAME: warm_steps = 0{{(, ahead = 2)?}}>
tile.func @low_rank(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %down: !tile.ptr<f16>, %up: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32)
    attributes {tile.num_warps = 4 : i32} {
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %s64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<32x128xf16>
  %dd = tile.make_desc %down, [%k, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<32x64xf16>
  %du = tile.make_desc %up, [%c64, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %m0 = arith.muli %pm, %c64 : i32
  %n0 = arith.muli %pn, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %acc:2 = scf.for %k0 = %c0 to %k step %c32 iter_args(%s = %zero, %l = %none) -> (tensor<64x128xf32>, tensor<64x64xf32>) : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<64x32xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<32x128xf16>
    %z = tile.desc_load %dd[%k0, %c0] : !tile.desc<32x64xf16>
    %d = tile.dot %x, %y, %s : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
    %e = tile.dot %x, %z, %l : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d, %e : tensor<64x128xf32>, tensor<64x64xf32>
  }
  %low = arith.truncf %acc#1 : tensor<64x64xf32> to tensor<64x64xf16>
  %u = tile.desc_load %du[%c0, %n0] : !tile.desc<64x128xf16>
  %f = tile.dot %low, %u, %zero : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
  %t = arith.addf %acc#0, %f : tensor<64x128xf32>
  %h = arith.truncf %t : tensor<64x128xf32> to tensor<64x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x128xf16>
  tile.return
}
