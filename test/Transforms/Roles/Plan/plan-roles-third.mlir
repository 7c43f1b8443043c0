// Beside results and what they are added to rings of 64 KiB a step have two slots, of which a product on its way holds one. A
// block has one program then, and its results take the place of three. Alone results leave three slots to blocks that stay.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-plan-roles))' | FileCheck %s
// RUN: sed 's/arith.addf %h, %rest/arith.addf %h, %h/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-plan-roles))' | FileCheck %s --check-prefix=ALONE
// CHECK: tile.func @product
// CHECK-SAME: programs = grid
// CHECK-SAME: stages = 3
// ALONE: tile.func @product
// ALONE-SAME: programs = loop
// ALONE-SAME: stages = 3
tile.func @product(%pa: !tile.ptr<f16>, %pb: !tile.ptr<f16>, %pr: !tile.ptr<f16>, %pc: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %pk = arith.constant 4096 : i64
  %da = tile.make_desc %pa, [%m, %k], [%pk] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %db = tile.make_desc %pb, [%k, %n], [%pk] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %dr = tile.make_desc %pr, [%m, %n], [%pk] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %dc = tile.make_desc %pc, [%m, %n], [%pk] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %i = tile.program_id x
  %j = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %i, %c128 : i32
  %column = arith.muli %j, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %at = %c0 to %k step %c128 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%row, %at] : !tile.desc<128x128xf16>
    %y = tile.desc_load %db[%at, %column] : !tile.desc<128x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  %rest = tile.desc_load %dr[%row, %column] : !tile.desc<128x128xf16>
  %r = arith.addf %h, %rest : tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %r : !tile.desc<128x128xf16>
  tile.return
}
