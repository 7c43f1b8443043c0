// Results wait for the next program's dots only where a step more reads zeros alone, and none is stored elsewhere: not where
// what lies beyond the array is NaN, where the loop counts numbers without a sign, or by a number that nobody knows.
// DEFINE: %{plan} = tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))'
// RUN: %{plan} %s 2>&1 | FileCheck %s
// RUN: sed 's/\[%k64\] :/[%k64] padding nan :/' %s | %{plan} 2>&1 | FileCheck %s --check-prefixes=BOXES,ENDS
// RUN: sed 's/scf.for %i/scf.for unsigned %i/' %s | %{plan} 2>&1 | FileCheck %s --check-prefixes=BOXES,COUNTS
// RUN: sed 's/step %c64/step %by/' %s | %{plan} 2>&1 | FileCheck %s --check-prefixes=BOXES,COUNTS
// ENDS: remark: store is not deferred: expected boxes that end where the loop does, found others
// COUNTS: remark: store is not deferred: expected a loop that counts up by a constant, found another

// CHECK-NOT: remark: store is not deferred
// CHECK: stores = deferred,
// BOXES: stores = boxes,
tile.func @sums(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %by: i32) attributes {tile.num_warps = 8 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %ta = tile.desc_load %da[%row, %i] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%column, %i] : !tile.desc<128x64xf16>
    %t = tile.trans %tb order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %ta, %t, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<128x128xf16>
  tile.return
}
