// A kernel that divides the number of its program has an order of its own: programs go in the grid's. One that takes a number along
// each axis has its rows grouped. Divided is also a sum with the number; a product with it is a position.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' 2>/dev/null | FileCheck %s

// CHECK-LABEL: tile.func @own
// CHECK-SAME: group_rows = 0,
tile.func @own(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 4 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %number = arith.addi %y, %x : i32
  %c8 = arith.constant 8 : i32
  %i = arith.divsi %number, %c8 : i32
  %j = arith.remsi %number, %c8 : i32
  %c64 = arith.constant 64 : i32
  %row = arith.muli %i, %c64 : i32
  %column = arith.muli %j, %c64 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %ta = tile.desc_load %da[%row, %at] : !tile.desc<64x64xf16>
    %tb = tile.desc_load %db[%at, %column] : !tile.desc<64x64xf16>
    %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<64x64xf16>
  tile.return
}

// CHECK-LABEL: tile.func @grid
// CHECK-SAME: group_rows = 16,
tile.func @grid(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 4 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %c64 = arith.constant 64 : i32
  %row = arith.muli %x, %c64 : i32
  %column = arith.muli %y, %c64 : i32
  %c128 = arith.constant 128 : i32
  %start = arith.divsi %row, %c128 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %at = %start to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %ta = tile.desc_load %da[%row, %at] : !tile.desc<64x64xf16>
    %tb = tile.desc_load %db[%at, %column] : !tile.desc<64x64xf16>
    %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<64x64xf16>
  tile.return
}
