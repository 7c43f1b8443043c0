// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s

// Tiles in a loop of the kernel's own. What is staged behind the loop of dots follows from their sums, and from a row that is loaded: it is
// no buffer that tile-pipeline makes a ring of, and takes 64 KB once. Three slots of 48 KB fit.
// CHECK-LABEL: tile.func @rows
// CHECK-SAME: stages = 3,
tile.func @rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %row: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %pm = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 256 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %lane = tile.arange : tensor<256xi32>
  %base = tile.splat %row : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  scf.for %t = %c0 to %n step %bn : i32 {
    %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x256xf32> : i32 {
      %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
      %y = tile.desc_load %db[%k0, %t] : !tile.desc<64x256xf16>
      %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %first = tile.splat %t : i32 -> tensor<256xi32>
    %columns = arith.addi %first, %lane : tensor<256xi32>
    %to = tile.addptr %base, %columns : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %scale = tile.load %to : tensor<256x!tile.ptr<f32>>
    %one = tile.expand_dims %scale axis 0 : tensor<256xf32> -> tensor<1x256xf32>
    %scales = tile.broadcast %one : tensor<1x256xf32> -> tensor<128x256xf32>
    %scaled = arith.mulf %acc, %scales : tensor<128x256xf32>
    %h = arith.truncf %scaled : tensor<128x256xf32> to tensor<128x256xf16>
    tile.desc_store %dc[%m0, %t], %h : !tile.desc<128x256xf16>
  }
  tile.return
}
