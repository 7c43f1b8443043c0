// Steps that a mask leaves alone have a loop of their own, without it.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-masks,canonicalize,cse))' --verify-each | FileCheck %s

// Causal, and cut at a length: what both leave alone ends at the lesser of two numbers, first + 1 - 64 behind which no whole
// step is, and length - 64.
// CHECK-LABEL: tile.func @causal
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: i32, %[[LENGTH:[a-z0-9]*]]: i32, %[[END:[a-z0-9]*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[STEP:.*]] = arith.constant 64 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[L:.*]] = arith.extsi %[[LENGTH]] : i32 to i64
// CHECK-DAG: %[[F:.*]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK-DAG: %[[F1:.*]] = arith.addi %[[F]], %[[ONE]] : i64
// CHECK-DAG: %[[REACH:.*]] = arith.minsi %[[L]], %[[F1]] : i64
// CHECK: %[[WAY:.*]] = arith.maxsi %[[REACH]], %{{.*}} : i64
// CHECK: %[[STEPS:.*]] = arith.divsi %[[WAY]], %[[STEP]] : i64
// CHECK: %[[PLACE:.*]] = arith.muli %[[STEPS]], %[[STEP]] : i64
// CHECK: %[[LESS:.*]] = arith.minsi %[[PLACE]], %{{.*}} : i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %[[LESS]] : i64 to i32
// CHECK: %[[FULL:.*]] = scf.for {{.*}} = %[[C0]] to %[[MIDDLE]] step
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: scf.for {{.*}} = %[[MIDDLE]] to %[[END]] step {{.*}} iter_args(%{{.*}} = %[[FULL]])
// CHECK: arith.andi
// CHECK: arith.select
tile.func @causal(%k: !tile.desc<64x64xf16>, %q: tensor<128x64xf16>, %first: i32, %length: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.0e30> : tensor<128x64xf32>
  %rows = tile.arange : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %rows : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %ls = tile.splat %length : i32 -> tensor<1x64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %exists = arith.cmpi slt, %ke, %ls : tensor<1x64xi32>
    %existing = tile.broadcast %exists : tensor<1x64xi1> -> tensor<128x64xi1>
    %earlier = arith.cmpi sge, %qs, %ks : tensor<128x64xi32>
    %seen = arith.andi %existing, %earlier : tensor<128x64xi1>
    %left = arith.select %seen, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Steps that count pages of 64 keys, seen from %first + 2 * row on: (%first + 1 - 64) / 64, rounded down, is the last step that all
// rows see as a whole.
// CHECK-LABEL: tile.func @pages
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: i32, %[[END:[a-z0-9]*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 64 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[F:.*]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK: %[[F1:.*]] = arith.addi %[[F]], %[[ONE]] : i64
// CHECK: %[[REACH:.*]] = arith.floordivsi %[[F1]], %[[SIZE]] : i64
// CHECK: %[[STEPS:.*]] = arith.maxsi %[[REACH]], %{{.*}} : i64
// CHECK: %[[LESS:.*]] = arith.minsi %[[STEPS]], %{{.*}} : i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %[[LESS]] : i64 to i32
// CHECK: scf.for {{.*}} = %[[C0]] to %[[MIDDLE]] step
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: scf.for {{.*}} = %[[MIDDLE]] to %[[END]] step
// CHECK: arith.select
tile.func @pages(%k: !tile.desc<64x64xf16>, %q: tensor<128x64xf16>, %first: i32, %end: i32, %table: !tile.ptr<i32>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %two = arith.constant dense<2> : tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.0e30> : tensor<128x64xf32>
  %rows = tile.arange : tensor<128xi32>
  %far = arith.muli %rows, %two : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %far : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %end step %c1 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %from = tile.addptr %table, %j : !tile.ptr<i32>, i32
    %page = tile.load %from : !tile.ptr<i32>
    %at = arith.muli %page, %c64 : i32
    %b = tile.desc_load %k[%c0, %at] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %j64 = arith.muli %j, %c64 : i32
    %js = tile.splat %j64 : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sle, %ks, %qs : tensor<128x64xi32>
    %left = arith.select %seen, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// A window's first steps hide what later ones do not; so does a counter that is taken away; what is there already as two
// loops stays so; and without boxes nothing is split.
// CHECK-LABEL: tile.func @stays
// CHECK-COUNT-5: scf.for
// CHECK-NOT: scf.for
tile.func @stays(%k: !tile.desc<64x64xf16>, %kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %m: i32, %n: i32,
                 %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lanes = tile.arange : tensor<64xi32>
  %cols = tile.expand_dims %lanes axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ls = tile.splat %first : i32 -> tensor<1x64xi32>
  %window = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<1x64xi32>
    %keys = arith.addi %js, %cols : tensor<1x64xi32>
    %in = arith.cmpi sgt, %keys, %ls : tensor<1x64xi32>
    %seen = tile.broadcast %in : tensor<1x64xi1> -> tensor<128x64xi1>
    %left = arith.select %seen, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %window : tensor<128x64x!tile.ptr<f32>>
  %twice = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %j2 = arith.subi %first, %j : i32
    %js = tile.splat %j2 : i32 -> tensor<1x64xi32>
    %keys = arith.addi %js, %cols : tensor<1x64xi32>
    %in = arith.cmpi slt, %keys, %ls : tensor<1x64xi32>
    %seen = tile.broadcast %in : tensor<1x64xi1> -> tensor<128x64xi1>
    %left = arith.select %seen, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %twice : tensor<128x64x!tile.ptr<f32>>
  %whole = scf.for %j = %c0 to %m step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %s : tensor<128x64xf32>
  }
  %rest = scf.for %j = %m to %n step %c64 iter_args(%acc = %whole) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<1x64xi32>
    %keys = arith.addi %js, %cols : tensor<1x64xi32>
    %in = arith.cmpi slt, %keys, %ls : tensor<1x64xi32>
    %seen = tile.broadcast %in : tensor<1x64xi1> -> tensor<128x64xi1>
    %left = arith.select %seen, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %rest : tensor<128x64x!tile.ptr<f32>>
  %threads = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<1x64xi32>
    %keys = arith.addi %js, %cols : tensor<1x64xi32>
    %in = arith.cmpi slt, %keys, %ls : tensor<1x64xi32>
    %seen = tile.broadcast %in : tensor<1x64xi1> -> tensor<128x64xi1>
    %left = arith.select %seen, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %threads : tensor<128x64x!tile.ptr<f32>>
  tile.return
}
