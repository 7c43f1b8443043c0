// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-turn-loops,canonicalize,cse))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-turn-loops{sums=false},canonicalize,cse))' | FileCheck %s --check-prefix=EXACT

// The row is summed up from its beginning, divided from its end, and, the third time, read as at first.
// CHECK-LABEL: tile.func @rows
// CHECK-SAME: (%[[X:.*]]: !tile.ptr<f32>, %[[Y:.*]]: !tile.ptr<f32>, %[[Z:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32)
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: tile.splat %[[K]]
// CHECK: %[[MOST:.*]] = arith.subi %[[N]], %c1_i32
// CHECK: %[[STEPS:.*]] = arith.divsi %[[MOST]], %c32_i32
// CHECK: %[[LAST:.*]] = arith.muli %[[STEPS]], %c32_i32
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: %[[AT:.*]] = arith.subi %[[LAST]], %[[J]]
// CHECK-NEXT: tile.splat %[[AT]]
// CHECK-NOT: %[[J]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: tile.splat %[[I]]
tile.func @rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %zs = tile.splat %z : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<32xf32>
    %q = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.subf %v, %sum : tensor<32xf32>
    %q = tile.addptr %zs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    tile.store %q, %w : tensor<32x!tile.ptr<f32>>
  }
  tile.return
}

// In place, rows of a tile, from a first column that is not 0.
// CHECK-LABEL: tile.func @place
// CHECK: scf.for
// CHECK: scf.for %[[J:[a-z0-9]*]] = %[[FIRST:.*]] to
// CHECK-NEXT: arith.subi %{{.*}}, %[[J]]
tile.func @place(%x: !tile.ptr<f32>, %n: i32, %first: i32, %pitch: i32) {
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %i = tile.arange : tensor<8xi32>
  %ii = tile.expand_dims %i axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %j = tile.arange : tensor<16xi32>
  %jj = tile.expand_dims %j axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<8x1xi32>
  %far = arith.muli %ii, %pitches : tensor<8x1xi32>
  %fars = tile.broadcast %far : tensor<8x1xi32> -> tensor<8x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x16x!tile.ptr<f32>>
  %sum = scf.for %k = %first to %n step %c16 iter_args(%acc = %zero) -> (tensor<8x16xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %cols = arith.addi %ks, %jj : tensor<1x16xi32>
    %all = tile.broadcast %cols : tensor<1x16xi32> -> tensor<8x16xi32>
    %at = arith.addi %fars, %all : tensor<8x16xi32>
    %p = tile.addptr %xs, %at : tensor<8x16x!tile.ptr<f32>>, tensor<8x16xi32>
    %v = tile.load %p : tensor<8x16x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  scf.for %k = %first to %n step %c16 : i32 {
    %ks = tile.splat %k : i32 -> tensor<1x16xi32>
    %cols = arith.addi %ks, %jj : tensor<1x16xi32>
    %all = tile.broadcast %cols : tensor<1x16xi32> -> tensor<8x16xi32>
    %at = arith.addi %fars, %all : tensor<8x16xi32>
    %p = tile.addptr %xs, %at : tensor<8x16x!tile.ptr<f32>>, tensor<8x16xi32>
    %v = tile.load %p : tensor<8x16x!tile.ptr<f32>>
    %w = arith.divf %v, %sum : tensor<8x16xf32>
    tile.store %p, %w : tensor<8x16x!tile.ptr<f32>>
  }
  tile.return
}

// Sums of squares behind a mean, where a mask says so, and the greatest of them.
// CHECK-LABEL: tile.func @squares
// CHECK: scf.for
// CHECK: arith.divsi
// CHECK: scf.for %[[J:[a-z0-9]*]] = {{.*}} iter_args
// CHECK-NEXT: arith.subi %{{.*}}, %[[J]]
// EXACT-LABEL: tile.func @squares
// EXACT-NOT: arith.divsi
// EXACT: tile.return
tile.func @squares(%x: !tile.ptr<f32>, %y: tensor<32x!tile.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %squares:2 = scf.for %k = %c0 to %n step %c32 iter_args(%own = %zero, %most = %zero) -> (tensor<32xf32>, tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %in = arith.cmpi slt, %at, %ns : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p, %in, %zero : tensor<32x!tile.ptr<f32>>
    %w = arith.subf %v, %sum : tensor<32xf32>
    %square = arith.mulf %w, %w : tensor<32xf32>
    %more = arith.addf %own, %square : tensor<32xf32>
    %kept = arith.select %in, %more, %own : tensor<32xi1>, tensor<32xf32>
    %greatest = arith.maxnumf %most, %square : tensor<32xf32>
    scf.yield %kept, %greatest : tensor<32xf32>, tensor<32xf32>
  }
  %both = arith.addf %squares#0, %squares#1 : tensor<32xf32>
  tile.store %y, %both : tensor<32x!tile.ptr<f32>>
  tile.return
}

// The greatest is the same in any order.
// EXACT-LABEL: tile.func @greatest
// EXACT: scf.for
// EXACT: arith.divsi
// EXACT: scf.for
tile.func @greatest(%x: !tile.ptr<f32>, %y: tensor<32x!tile.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %most = scf.for %k = %c0 to %n step %c32 iter_args(%own = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %p = tile.addptr %xs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %w = arith.subf %v, %sum : tensor<32xf32>
    %greatest = arith.maximumf %own, %w : tensor<32xf32>
    scf.yield %greatest : tensor<32xf32>
  }
  tile.store %y, %most : tensor<32x!tile.ptr<f32>>
  tile.return
}
