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

// Four heads of a group lie in rows behind each other: row / 4 queries behind %first. The least of these counts.
// CHECK-LABEL: tile.func @grouped
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: i32, %[[END:[a-z0-9]*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[F:.*]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK: %[[F1:.*]] = arith.addi %[[F]], %[[ONE]] : i64
// CHECK: arith.maxsi %[[F1]], %{{.*}} : i64
// CHECK: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.for {{.*}} = %[[C0]] to %[[MIDDLE]] step
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: scf.for {{.*}} = %[[MIDDLE]] to %[[END]] step
// CHECK: arith.select
tile.func @grouped(%k: !tile.desc<64x64xf16>, %q: tensor<128x64xf16>, %first: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %heads = arith.constant dense<4> : tensor<128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.0e30> : tensor<128x64xf32>
  %rows = tile.arange : tensor<128xi32>
  %far = arith.divsi %rows, %heads : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %far : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<64xi32>
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

// What a remainder is taken from is greatest where this is 0; of what a number below 0 divides nothing is known.
// CHECK-LABEL: tile.func @turned
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: i32, %[[END:[a-z0-9]*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK: scf.for {{.*}} = %[[C0]] to %[[MIDDLE:.*]] step
// CHECK-NOT: arith.select
// CHECK: scf.yield
// CHECK: scf.for {{.*}} = %[[MIDDLE]] to %[[END]] step
// CHECK: arith.select
// CHECK: scf.for {{.*}} = %[[C0]] to %[[END]] step
// CHECK: arith.select
// CHECK-NOT: scf.for
tile.func @turned(%k: !tile.desc<64x64xf16>, %q: tensor<128x64xf16>, %first: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %half = arith.constant dense<32> : tensor<64xi32>
  %less = arith.constant dense<-4> : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.0e30> : tensor<128x64xf32>
  %cols = tile.arange : tensor<64xi32>
  %back = arith.remsi %cols, %half : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.subi %js, %back : tensor<64xi32>
    %in = arith.cmpi sle, %keys, %f : tensor<64xi32>
    %ie = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
    %seen = tile.broadcast %ie : tensor<1x64xi1> -> tensor<128x64xi1>
    %left = arith.select %seen, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  %below = arith.divsi %cols, %less : tensor<64xi32>
  %other = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.desc_load %k[%c0, %j] : !tile.desc<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %below : tensor<64xi32>
    %in = arith.cmpi sle, %keys, %f : tensor<64xi32>
    %ie = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
    %seen = tile.broadcast %ie : tensor<1x64xi1> -> tensor<128x64xi1>
    %left = arith.select %seen, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %other : tensor<128x64x!tile.ptr<f32>>
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

// Where threads load what dots read, a loop stays one: what its comparisons alone select has a branch, which all threads take alike. What is
// a number for all elements is selected as it was, and so are distances, and what another truth has a part in.
// CHECK-LABEL: tile.func @branch
// CHECK: %[[MIDDLE:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.for %[[J:[a-z0-9]*]] =
// CHECK: %[[HIDES:.*]] = arith.cmpi sge, %[[J]], %[[MIDDLE]] : i32
// CHECK: %[[S:.*]] = tile.dot
// CHECK: %[[LEFT:.*]] = scf.if %[[HIDES]]
// CHECK-NEXT: %[[SELECTED:.*]] = arith.select %{{.*}}, %[[S]]
// CHECK-NEXT: scf.yield %[[SELECTED]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: arith.maximumf %{{.*}}, %[[LEFT]]
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x64xi1>, tensor<128x64xi32>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x64xi1>
// CHECK: arith.andi
// CHECK: arith.select %{{.*}}, %[[S]], %{{.*}} : tensor<128x64xi1>
tile.func @branch(%k: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>, %m: tensor<128x64xi1>) {
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
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %k : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sge, %qs, %ks : tensor<128x64xi32>
    %left = arith.select %seen, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    %ahead = arith.subi %qs, %ks : tensor<128x64xi32>
    %behind = arith.subi %ks, %qs : tensor<128x64xi32>
    %distance = arith.select %seen, %ahead, %behind : tensor<128x64xi1>, tensor<128x64xi32>
    %fall = arith.sitofp %distance : tensor<128x64xi32> to tensor<128x64xf32>
    %far = arith.select %seen, %zero, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %both = arith.andi %seen, %m : tensor<128x64xi1>
    %right = arith.select %both, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %other = arith.addf %far, %right : tensor<128x64xf32>
    %more = arith.subf %other, %fall : tensor<128x64xf32>
    %all = arith.maximumf %new, %more : tensor<128x64xf32>
    scf.yield %all : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Whether a row has a query at all is the same in each step: where nothing else hides it, that alone is asked.
// CHECK-LABEL: tile.func @queries
// CHECK: %[[HAS:.*]] = tile.broadcast %{{.*}} : tensor<128x1xi1> -> tensor<128x64xi1>
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.dot
// CHECK: %[[LEFT:.*]] = scf.if
// CHECK: %[[SEEN:.*]] = arith.cmpi sge
// CHECK: %[[BOTH:.*]] = arith.andi %[[HAS]], %[[SEEN]]
// CHECK: arith.select %[[BOTH]], %[[S]]
// CHECK: } else {
// CHECK-NEXT: %[[KEPT:.*]] = arith.select %[[HAS]], %[[S]]
// CHECK-NEXT: scf.yield %[[KEPT]]
tile.func @queries(%k: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %count: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
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
  %n = tile.splat %count : i32 -> tensor<128xi32>
  %has = arith.cmpi slt, %queries, %n : tensor<128xi32>
  %he = tile.expand_dims %has axis 1 : tensor<128xi1> -> tensor<128x1xi1>
  %hs = tile.broadcast %he : tensor<128x1xi1> -> tensor<128x64xi1>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %k : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sge, %qs, %ks : tensor<128x64xi32>
    %both = arith.andi %hs, %seen : tensor<128x64xi1>
    %left = arith.select %both, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// So has what a loop selects whose dots stand in one of its own, over parts of a row.
// CHECK-LABEL: tile.func @branch_around_parts
// CHECK: scf.for %[[J:[a-z0-9]*]] =
// CHECK: %[[HIDES:.*]] = arith.cmpi sge, %[[J]], %{{.*}} : i32
// CHECK: %[[S:.*]] = scf.for
// CHECK: tile.dot
// CHECK: %[[LEFT:.*]] = scf.if %[[HIDES]]
// CHECK: arith.select %{{.*}}, %[[S]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: arith.maximumf %{{.*}}, %[[LEFT]]
tile.func @branch_around_parts(%k: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %hidden = arith.constant dense<-1.0e30> : tensor<128x64xf32>
  %rows = tile.arange : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %rows : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %s = scf.for %d = %c0 to %c3 step %c1 iter_args(%part = %zero) -> tensor<128x64xf32> : i32 {
      %b = tile.load %k : tensor<64x64x!tile.ptr<f16>>
      %product = tile.dot %q, %b, %part : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %product : tensor<128x64xf32>
    }
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %seen = arith.cmpi sge, %qs, %ks : tensor<128x64xi32>
    %left = arith.select %seen, %s, %hidden : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.maximumf %acc, %left : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// A window has two sides, which are one comparison of unsigned numbers: of a number beside 0, and of positions in a loop, which do not wrap. What
// memory holds may.
// CHECK-LABEL: tile.func @window
// CHECK: scf.for
// CHECK: %[[BACK:.*]] = arith.subi
// CHECK: %[[NEAR:.*]] = arith.cmpi ult, %[[BACK]], %{{.*}} : tensor<128x64xi32>
// CHECK: arith.select %[[NEAR]]
// CHECK: %[[FAR:.*]] = arith.subi
// CHECK: %[[SIDE:.*]] = arith.cmpi sge
// CHECK: %[[END:.*]] = arith.cmpi slt, %[[FAR]]
// CHECK: arith.andi %[[SIDE]], %[[END]]
// CHECK: %[[BESIDE:.*]] = arith.cmpi ule, %[[FAR]]
// CHECK: arith.select %[[BESIDE]]
tile.func @window(%x: tensor<128x64xf32>, %loaded: tensor<128x64xi32>, %first: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0> : tensor<128x64xi32>
  %wide = arith.constant dense<128> : tensor<128x64xi32>
  %rows = tile.arange : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %rows : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %back = arith.subi %qs, %ks : tensor<128x64xi32>
    %seen = arith.cmpi sle, %ks, %qs : tensor<128x64xi32>
    %close = arith.cmpi slt, %back, %wide : tensor<128x64xi32>
    %near = arith.andi %seen, %close : tensor<128x64xi1>
    %a = arith.select %near, %x, %zero : tensor<128x64xi1>, tensor<128x64xf32>
    %far = arith.subi %qs, %loaded : tensor<128x64xi32>
    %side = arith.cmpi sge, %qs, %loaded : tensor<128x64xi32>
    %less = arith.cmpi slt, %far, %wide : tensor<128x64xi32>
    %both = arith.andi %side, %less : tensor<128x64xi1>
    %b = arith.select %both, %x, %a : tensor<128x64xi1>, tensor<128x64xf32>
    %above = arith.cmpi sge, %far, %none : tensor<128x64xi32>
    %most = arith.cmpi sle, %far, %wide : tensor<128x64xi32>
    %beside = arith.andi %most, %above : tensor<128x64xi1>
    %c = arith.select %beside, %x, %b : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.addf %acc, %c : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Between the two sides of a row others may stand, as an image's rows stand between those of its columns. What another op reads as well stays
// whole: there nothing would be saved.
// CHECK-LABEL: tile.func @window_of_image
// CHECK: %[[TOP:.*]] = arith.cmpi sge
// CHECK: %[[BOTTOM:.*]] = arith.cmpi slt
// CHECK: %[[ROW:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<128x64xi32>
// CHECK: %[[LIVE:.*]] = arith.andi %{{.*}}, %[[ROW]]
// CHECK: %[[COLUMN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<128x64xi32>
// CHECK: %[[IN:.*]] = arith.andi %[[LIVE]], %[[COLUMN]]
// CHECK: tile.load %{{.*}}, %[[IN]]
// CHECK: %[[SHARED:.*]] = arith.andi %{{.*}}, %[[TOP]]
// CHECK: arith.andi %[[SHARED]], %[[BOTTOM]]
// CHECK: tile.load %{{.*}}, %[[SHARED]]
tile.func @window_of_image(%live: tensor<128x64xi1>, %h: tensor<128x64xi32>, %w: tensor<128x64xi32>, %height: i32, %width: i32,
                           %x: tensor<128x64x!tile.ptr<f32>>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %none = arith.constant dense<0> : tensor<128x64xi32>
  %hs = tile.splat %height : i32 -> tensor<128x64xi32>
  %ws = tile.splat %width : i32 -> tensor<128x64xi32>
  %top = arith.cmpi sge, %h, %none : tensor<128x64xi32>
  %bottom = arith.cmpi slt, %h, %hs : tensor<128x64xi32>
  %left = arith.cmpi sge, %w, %none : tensor<128x64xi32>
  %right = arith.cmpi slt, %w, %ws : tensor<128x64xi32>
  %a = arith.andi %live, %top : tensor<128x64xi1>
  %b = arith.andi %a, %bottom : tensor<128x64xi1>
  %c = arith.andi %b, %left : tensor<128x64xi1>
  %in = arith.andi %c, %right : tensor<128x64xi1>
  %v = tile.load %x, %in : tensor<128x64x!tile.ptr<f32>>
  %shared = arith.andi %live, %top : tensor<128x64xi1>
  %both = arith.andi %shared, %bottom : tensor<128x64xi1>
  %y = tile.load %x, %both : tensor<128x64x!tile.ptr<f32>>
  %z = tile.load %x, %shared : tensor<128x64x!tile.ptr<f32>>
  %s = arith.addf %v, %y : tensor<128x64xf32>
  %sum = arith.addf %s, %z : tensor<128x64xf32>
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// How wide a window is, is often said by the launch, and may be less than 0: then nothing is within it. Of "at most" that
// does not follow from one comparison.
// CHECK-LABEL: tile.func @window_of_launch
// CHECK-SAME: %{{[a-z0-9]*}}: i32, %[[WIDE:[a-z0-9]*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[LEAST:.*]] = arith.maxsi %[[WIDE]], %[[C0]] : i32
// CHECK: %[[WIDTH:.*]] = tile.splat %[[LEAST]] : i32 -> tensor<128x64xi32>
// CHECK: scf.for
// CHECK: %[[SIDE:.*]] = arith.cmpi sge, %[[BACK:.*]], %{{.*}}
// CHECK: %[[NEAR:.*]] = arith.cmpi ult, %[[BACK]], %[[WIDTH]] : tensor<128x64xi32>
// CHECK: arith.select %[[NEAR]]
// CHECK: %[[END:.*]] = arith.cmpi sle, %[[BACK]]
// CHECK: arith.andi %[[SIDE]], %[[END]]
tile.func @window_of_launch(%x: tensor<128x64xf32>, %first: i32, %width: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0> : tensor<128x64xi32>
  %wide = tile.splat %width : i32 -> tensor<128x64xi32>
  %rows = tile.arange : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %rows : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %back = arith.subi %qs, %ks : tensor<128x64xi32>
    %seen = arith.cmpi sge, %back, %none : tensor<128x64xi32>
    %close = arith.cmpi slt, %back, %wide : tensor<128x64xi32>
    %near = arith.andi %seen, %close : tensor<128x64xi1>
    %a = arith.select %near, %x, %zero : tensor<128x64xi1>, tensor<128x64xf32>
    %most = arith.cmpi sle, %back, %wide : tensor<128x64xi32>
    %both = arith.andi %seen, %most : tensor<128x64xi1>
    %b = arith.select %both, %x, %a : tensor<128x64xi1>, tensor<128x64xf32>
    %c = arith.addf %b, %acc : tensor<128x64xf32>
    scf.yield %c : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Two comparisons stay two where the second is of no distance between the two of the first: of their sum, of the distance
// the other way round, of one that others have, or of what memory holds and a position.
// CHECK-LABEL: tile.func @no_window
// CHECK-NOT: arith.cmpi ult
// CHECK: tile.return
tile.func @no_window(%x: tensor<128x64xf32>, %loaded: tensor<128x64xi32>, %first: i32, %end: i32, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %wide = arith.constant dense<128> : tensor<128x64xi32>
  %rows = tile.arange : tensor<128xi32>
  %cols = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<128xi32>
  %queries = arith.addi %f, %rows : tensor<128xi32>
  %qe = tile.expand_dims %queries axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %qs = tile.broadcast %qe : tensor<128x1xi32> -> tensor<128x64xi32>
  %sum = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %js = tile.splat %j : i32 -> tensor<64xi32>
    %keys = arith.addi %js, %cols : tensor<64xi32>
    %ke = tile.expand_dims %keys axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ks = tile.broadcast %ke : tensor<1x64xi32> -> tensor<128x64xi32>
    %next = arith.addi %ks, %wide : tensor<128x64xi32>
    %seen = arith.cmpi sle, %ks, %qs : tensor<128x64xi32>
    %both = arith.addi %qs, %ks : tensor<128x64xi32>
    %turned = arith.subi %ks, %qs : tensor<128x64xi32>
    %from = arith.subi %next, %ks : tensor<128x64xi32>
    %to = arith.subi %qs, %next : tensor<128x64xi32>
    %t0 = arith.cmpi slt, %both, %wide : tensor<128x64xi32>
    %t1 = arith.cmpi slt, %turned, %wide : tensor<128x64xi32>
    %t2 = arith.cmpi slt, %from, %wide : tensor<128x64xi32>
    %t3 = arith.cmpi slt, %to, %wide : tensor<128x64xi32>
    %n0 = arith.andi %seen, %t0 : tensor<128x64xi1>
    %n1 = arith.andi %seen, %t1 : tensor<128x64xi1>
    %n2 = arith.andi %seen, %t2 : tensor<128x64xi1>
    %n3 = arith.andi %seen, %t3 : tensor<128x64xi1>
    %above = arith.cmpi sle, %ks, %loaded : tensor<128x64xi32>
    %far = arith.subi %loaded, %ks : tensor<128x64xi32>
    %t4 = arith.cmpi slt, %far, %wide : tensor<128x64xi32>
    %n4 = arith.andi %above, %t4 : tensor<128x64xi1>
    %a = arith.select %n0, %x, %zero : tensor<128x64xi1>, tensor<128x64xf32>
    %b = arith.select %n1, %x, %a : tensor<128x64xi1>, tensor<128x64xf32>
    %c = arith.select %n2, %x, %b : tensor<128x64xi1>, tensor<128x64xf32>
    %d = arith.select %n3, %x, %c : tensor<128x64xi1>, tensor<128x64xf32>
    %e = arith.select %n4, %x, %d : tensor<128x64xi1>, tensor<128x64xf32>
    %new = arith.addf %acc, %e : tensor<128x64xf32>
    scf.yield %new : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}
