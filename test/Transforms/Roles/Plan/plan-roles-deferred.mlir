// Results are stored under the next program's dots where a step more reads zeros alone: the box's position is no less than the
// array's extent once the counter has passed the loop's bound, by whatever the loop counts.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// RUN: sed 's/{tile.num_warps = 8 : i32}/{tile.num_warps = 8 : i32, tile.num_at_once = 1 : i32}/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' 2>&1 | FileCheck %s --check-prefix=ONCE

// Unless who launches knows that a program has fewer steps than boxes.
// ONCE: remark: store is not deferred: expected no num_at_once, found it
// ONCE: tile.func @rounded_up
// ONCE-SAME: stores = boxes,

// Blocks of 64 are counted, up to the quotient that is rounded up.
// CHECK-LABEL: tile.func @rounded_up
// CHECK-SAME: stores = deferred,
tile.func @rounded_up(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %more = arith.addi %k, %c63 : i32
  %steps = arith.divsi %more, %c64 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %at = arith.muli %i, %c64 : i32
    %ta = tile.desc_load %da[%row, %at] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%at, %column] : !tile.desc<64x128xf16>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<128x128xf16>
  tile.return
}

// Rounded down, a step more reads what is left of the array.
// CHECK-LABEL: tile.func @rounded_down
// CHECK-SAME: stores = boxes,
// WHY: remark: store is not deferred: expected boxes that end where the loop does, found others
// WHY-NOT: store is not deferred
tile.func @rounded_down(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %steps = arith.divsi %k, %c64 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %at = arith.muli %i, %c64 : i32
    %ta = tile.desc_load %da[%row, %at] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%at, %column] : !tile.desc<64x128xf16>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<128x128xf16>
  tile.return
}

// As far as the loop goes the remainder is the counter; a step more begins at 0 again.
// CHECK-LABEL: tile.func @begins_again
// CHECK-SAME: stores = boxes,
// WHY: remark: store is not deferred: expected boxes that end where the loop does, found others
// WHY-NOT: store is not deferred
tile.func @begins_again(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
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
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %at = arith.remsi %i, %k : i32
    %ta = tile.desc_load %da[%row, %at] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%at, %column] : !tile.desc<64x128xf16>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<128x128xf16>
  tile.return
}

// What is carried goes on as the counter does.
// CHECK-LABEL: tile.func @carried
// CHECK-SAME: stores = deferred,
tile.func @carried(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
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
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum:2 = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero, %at = %c0) -> (tensor<128x128xf32>, i32) : i32 {
    %ta = tile.desc_load %da[%row, %at] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%at, %column] : !tile.desc<64x128xf16>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %next = arith.addi %at, %c64 : i32
    scf.yield %d, %next : tensor<128x128xf32>, i32
  }
  %h = arith.truncf %sum#0 : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<128x128xf16>
  tile.return
}

// A step of zeros would be counted.
// CHECK-LABEL: tile.func @counts
// CHECK-SAME: stores = boxes,
// WHY: store is not deferred: expected a loop that adds to sums of dots alone, found another
tile.func @counts(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %steps: !tile.ptr<i32>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %x = tile.program_id x
  %y = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum:2 = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero, %count = %c0) -> (tensor<128x128xf32>, i32) : i32 {
    %ta = tile.desc_load %da[%row, %i] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%i, %column] : !tile.desc<64x128xf16>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %next = arith.addi %count, %c1 : i32
    scf.yield %d, %next : tensor<128x128xf32>, i32
  }
  tile.store %steps, %sum#1 : !tile.ptr<i32>
  %h = arith.truncf %sum#0 : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%row, %column], %h : !tile.desc<128x128xf16>
  tile.return
}
