// Comparisons from which nobody may conclude that all smaller counters satisfy them: each loop here has one, and stays as it is,
// as does what such a mask selects beside rings that threads fill.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-masks,canonicalize,cse))' --verify-each | FileCheck %s --implicit-check-not=scf.for --implicit-check-not=scf.if

// A counter that goes round, and one of which bits are turned over, is no sum; nor is one times what the launch knows alone.
// CHECK-LABEL: tile.func @other_arithmetic
// CHECK-COUNT-4: scf.for
tile.func @other_arithmetic(%k: !tile.desc<64x64xf16>, %kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                            %ip: !tile.ptr<i32>, %rp: tensor<64x!tile.ptr<i32>>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  %round = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %left_over = arith.remsi %j, %first : i32
    %js = tile.splat %left_over : i32 -> tensor<128x64xi32>
    %in = arith.cmpi slt, %js, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %round : tensor<128x64x!tile.ptr<f32>>
  %turned = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.xori %js, %cols : tensor<128x64xi32>
    %in = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %turned : tensor<128x64x!tile.ptr<f32>>
  %turned_number = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %other = arith.xori %j, %first : i32
    %js = tile.splat %other : i32 -> tensor<128x64xi32>
    %in = arith.cmpi slt, %js, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %turned_number : tensor<128x64x!tile.ptr<f32>>
  %times = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %far = arith.muli %js, %ls : tensor<128x64xi32>
    %in = arith.cmpi slt, %far, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %times : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// What a step loads may be anything: beside the counter, on either side of the sum, and as what it is compared with; as a number, and as a row.
// CHECK-LABEL: tile.func @loaded
// CHECK-COUNT-6: scf.for
tile.func @loaded(%k: !tile.desc<64x64xf16>, %kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                  %ip: !tile.ptr<i32>, %rp: tensor<64x!tile.ptr<i32>>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  %number_behind = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %read = tile.load %ip : !tile.ptr<i32>
    %at = arith.addi %j, %read : i32
    %js = tile.splat %at : i32 -> tensor<128x64xi32>
    %in = arith.cmpi slt, %js, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %number_behind : tensor<128x64x!tile.ptr<f32>>
  %number_in_front = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %read = tile.load %ip : !tile.ptr<i32>
    %at = arith.addi %read, %j : i32
    %js = tile.splat %at : i32 -> tensor<128x64xi32>
    %in = arith.cmpi slt, %js, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %number_in_front : tensor<128x64x!tile.ptr<f32>>
  %row_behind = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %row = tile.load %rp : tensor<64x!tile.ptr<i32>>
    %re = tile.expand_dims %row axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %rs = tile.broadcast %re : tensor<1x64xi32> -> tensor<128x64xi32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %rs : tensor<128x64xi32>
    %in = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %row_behind : tensor<128x64x!tile.ptr<f32>>
  %row_in_front = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %row = tile.load %rp : tensor<64x!tile.ptr<i32>>
    %re = tile.expand_dims %row axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %rs = tile.broadcast %re : tensor<1x64xi32> -> tensor<128x64xi32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %rs, %js : tensor<128x64xi32>
    %in = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %row_in_front : tensor<128x64x!tile.ptr<f32>>
  %row_above = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %row = tile.load %rp : tensor<64x!tile.ptr<i32>>
    %re = tile.expand_dims %row axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %rs = tile.broadcast %re : tensor<1x64xi32> -> tensor<128x64xi32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %in = arith.cmpi slt, %js, %rs : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %row_above : tensor<128x64x!tile.ptr<f32>>
  %row_below = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %row = tile.load %rp : tensor<64x!tile.ptr<i32>>
    %re = tile.expand_dims %row axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %rs = tile.broadcast %re : tensor<1x64xi32> -> tensor<128x64xi32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %back = arith.subi %ls, %js : tensor<128x64xi32>
    %in = arith.cmpi sgt, %back, %rs : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %row_below : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Equal, other than, and without a sign: true for some counter, and not for all below it.
// CHECK-LABEL: tile.func @other_comparisons
// CHECK-COUNT-3: scf.for
tile.func @other_comparisons(%k: !tile.desc<64x64xf16>, %kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                             %ip: !tile.ptr<i32>, %rp: tensor<64x!tile.ptr<i32>>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  %same = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %in = arith.cmpi eq, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %same : tensor<128x64x!tile.ptr<f32>>
  %other = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %in = arith.cmpi ne, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %other : tensor<128x64x!tile.ptr<f32>>
  %unsigned = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %in = arith.cmpi ult, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %unsigned : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Beside rings that threads fill: a mask of which one part is known alone, and one that does not hold where its two parts do.
// CHECK-LABEL: tile.func @masks_of_others
// CHECK-COUNT-3: scf.for
tile.func @masks_of_others(%k: !tile.desc<64x64xf16>, %kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                           %given: tensor<128x64xi1>, %rp: tensor<64x!tile.ptr<i32>>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  %known_last = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %early = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %in = arith.andi %given, %early : tensor<128x64xi1>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %known_last : tensor<128x64x!tile.ptr<f32>>
  %known_first = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %early = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %in = arith.andi %early, %given : tensor<128x64xi1>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %known_first : tensor<128x64x!tile.ptr<f32>>
  %either = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %early = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %earlier = arith.cmpi sle, %keys, %ls : tensor<128x64xi32>
    %in = arith.xori %early, %earlier : tensor<128x64xi1>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %either : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Nor are two comparisons the two sides of a window where the first says that a number is not another, or not below one that may
// itself be below 0; where the second looks at a distance from a third number, asks for more than a number, or holds it against
// what memory has.
// CHECK-LABEL: tile.func @no_sides
// CHECK: scf.for
// CHECK-NOT: arith.cmpi ul
// CHECK: tile.return
tile.func @no_sides(%n: i32, %from: i32, %to: i32, %lp: tensor<128x64x!tile.ptr<i32>>, %x: tensor<128x64xf32>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %low = arith.constant dense<-1> : tensor<128x64xi32>
  %wide = arith.constant dense<128> : tensor<128x64xi32>
  %loaded = tile.load %lp : tensor<128x64x!tile.ptr<i32>>
  %a = tile.splat %from : i32 -> tensor<128x64xi32>
  %o = tile.splat %to : i32 -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.splat %j : i32 -> tensor<128x64xi32>
    %d = arith.subi %b, %a : tensor<128x64xi32>
    %other = arith.subi %o, %a : tensor<128x64xi32>
    %behind = arith.cmpi sle, %a, %b : tensor<128x64xi32>
    %apart = arith.cmpi ne, %a, %b : tensor<128x64xi32>
    %above = arith.cmpi sge, %b, %low : tensor<128x64xi32>
    %near = arith.cmpi slt, %d, %wide : tensor<128x64xi32>
    %far = arith.cmpi sgt, %d, %wide : tensor<128x64xi32>
    %nearer = arith.cmpi slt, %d, %loaded : tensor<128x64xi32>
    %third = arith.cmpi slt, %other, %wide : tensor<128x64xi32>
    %small = arith.cmpi slt, %b, %wide : tensor<128x64xi32>
    %0 = arith.andi %apart, %near : tensor<128x64xi1>
    %1 = arith.andi %behind, %far : tensor<128x64xi1>
    %2 = arith.andi %behind, %nearer : tensor<128x64xi1>
    %3 = arith.andi %behind, %third : tensor<128x64xi1>
    %4 = arith.andi %behind, %small : tensor<128x64xi1>
    %5 = arith.andi %above, %small : tensor<128x64xi1>
    %x0 = arith.select %0, %x, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    %x1 = arith.select %1, %x, %x0 : tensor<128x64xi1>, tensor<128x64xf32>
    %x2 = arith.select %2, %x, %x1 : tensor<128x64xi1>, tensor<128x64xf32>
    %x3 = arith.select %3, %x, %x2 : tensor<128x64xi1>, tensor<128x64xf32>
    %x4 = arith.select %4, %x, %x3 : tensor<128x64xi1>, tensor<128x64xf32>
    %x5 = arith.select %5, %x, %x4 : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.addf %x5, %x : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Outside of loops numbers may be any, and their difference wrap.
// CHECK-LABEL: tile.func @in_no_loop
// CHECK-NOT: arith.cmpi ul
// CHECK: tile.return
tile.func @in_no_loop(%from: i32, %p: tensor<64x!tile.ptr<i1>>) {
  %wide = arith.constant dense<128> : tensor<64xi32>
  %lane = tile.arange : tensor<64xi32>
  %a = tile.splat %from : i32 -> tensor<64xi32>
  %d = arith.subi %lane, %a : tensor<64xi32>
  %behind = arith.cmpi sle, %a, %lane : tensor<64xi32>
  %near = arith.cmpi slt, %d, %wide : tensor<64xi32>
  %both = arith.andi %behind, %near : tensor<64xi1>
  tile.store %p, %both : tensor<64x!tile.ptr<i1>>
  tile.return
}

// A number of 64 bits that no position has, and one below all: a distance from it may wrap.
// CHECK-LABEL: tile.func @far_away
// CHECK: scf.for
// CHECK-NOT: arith.cmpi ul
// CHECK: tile.return
tile.func @far_away(%n: i64, %from: i64, %x: tensor<64xf32>, %p: tensor<64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %large = arith.constant dense<4611686018427387904> : tensor<64xi64>
  %low = arith.constant dense<-4611686018427387904> : tensor<64xi64>
  %wide = arith.constant dense<128> : tensor<64xi64>
  %a = tile.splat %from : i64 -> tensor<64xi64>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64xf32> : i64 {
    %js = tile.splat %j : i64 -> tensor<64xi64>
    %b = arith.addi %js, %large : tensor<64xi64>
    %c = arith.addi %js, %low : tensor<64xi64>
    %db = arith.subi %b, %a : tensor<64xi64>
    %dc = arith.subi %a, %c : tensor<64xi64>
    %above = arith.cmpi sle, %a, %b : tensor<64xi64>
    %below = arith.cmpi sle, %c, %a : tensor<64xi64>
    %nb = arith.cmpi slt, %db, %wide : tensor<64xi64>
    %nc = arith.cmpi slt, %dc, %wide : tensor<64xi64>
    %0 = arith.andi %above, %nb : tensor<64xi1>
    %1 = arith.andi %below, %nc : tensor<64xi1>
    %x0 = arith.select %0, %x, %acc : tensor<64xi1>, tensor<64xf32>
    %x1 = arith.select %1, %x, %x0 : tensor<64xi1>, tensor<64xf32>
    %new = arith.addf %x1, %x : tensor<64xf32>
    scf.yield %new : tensor<64xf32>
  }
  tile.store %p, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}
