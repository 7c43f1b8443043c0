// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-uplift-loops,canonicalize))' | FileCheck %s

// A loop that counts, with what it carries, and its last number.
// CHECK-LABEL: tile.func @counts(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
tile.func @counts(%n: i32, %y: !tile.ptr<f32>, %k: !tile.ptr<i32>) {
  // CHECK-NOT: scf.while
  // CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %[[N]] step %c32{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
  // CHECK: %[[F:.*]] = arith.sitofp %[[I]]
  // CHECK: %[[T:.*]] = arith.addf %[[S]], %[[F]]
  // CHECK: scf.yield %[[T]] : f32
  // CHECK: }
  // CHECK: %[[WITHIN:.*]] = arith.subi %[[N]], %c1
  // CHECK: %[[WHOLE:.*]] = arith.divui %[[WITHIN]], %c32
  // CHECK: %[[STEPS:.*]] = arith.addi %[[WHOLE]], %c1
  // CHECK: %[[END:.*]] = arith.muli %[[STEPS]], %c32
  // CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c0
  // CHECK: %[[LAST:.*]] = arith.select %[[ANY]], %[[END]], %c0
  // CHECK: tile.store %{{.*}}, %[[SUM]]
  // CHECK: tile.store %{{.*}}, %[[LAST]]
  // CHECK: tile.return
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0.0 : f32
  %last, %sum = scf.while (%i = %c0, %s = %zero) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %s : i32, f32
  } do {
  ^bb0(%i: i32, %s: f32):
    %f = arith.sitofp %i : i32 to f32
    %t = arith.addf %s, %f : f32
    %next = arith.addi %i, %c32 : i32
    scf.yield %next, %t : i32, f32
  }
  tile.store %y, %sum : !tile.ptr<f32>
  tile.store %k, %last : !tile.ptr<i32>
  tile.return
}

// The comparison the other way round, one loop in another.
// CHECK-LABEL: tile.func @nested(
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.while
// CHECK: tile.return
tile.func @nested(%n: i32, %y: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %last, %sum = scf.while (%i = %c0, %s = %zero) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi sgt, %n, %i : i32
    scf.condition(%more) %i, %s : i32, f32
  } do {
  ^bb0(%i: i32, %s: f32):
    %end, %inner = scf.while (%k = %c0, %r = %s) : (i32, f32) -> (i32, f32) {
      %go = arith.cmpi slt, %k, %i : i32
      scf.condition(%go) %k, %r : i32, f32
    } do {
    ^bb0(%k: i32, %r: f32):
      %t = arith.addf %r, %one : f32
      %next = arith.addi %c1, %k : i32
      scf.yield %next, %t : i32, f32
    }
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %inner : i32, f32
  }
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// The tiles of one group that are this block's: that the group has begun stays true, and what decides is counted from there.
// The step is an argument that a launch knows to be above 0.
// CHECK-LABEL: tile.func @group(
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: i32, %[[BEFORE:[a-z0-9]+]]: i32, %[[TILES:[a-z0-9]+]]: i32, %[[BLOCKS:[a-z0-9]+]]: i32
tile.func @group(%first: i32, %before: i32, %tiles: i32, %blocks: i32 {tile.positive}, %y: !tile.ptr<i32>) {
  // CHECK: %[[END:.*]] = arith.addi %[[BEFORE]], %[[TILES]]
  // CHECK: %[[ANY:.*]] = arith.cmpi sge, %[[FIRST]], %[[BEFORE]]
  // CHECK: %[[OWN:.*]] = arith.subi %{{.*}}, %[[BEFORE]]
  // CHECK: %[[BOUND:.*]] = arith.select %[[ANY]], %[[OWN]], %c0
  // CHECK: %[[AHEAD:.*]] = arith.subi %[[FIRST]], %[[BEFORE]]
  // CHECK: %[[FROM:.*]] = arith.maxsi %[[AHEAD]], %c0
  // CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[BOUND]] step %[[BLOCKS]]
  // CHECK-NEXT: %[[T:.*]] = arith.addi %[[I]], %[[BEFORE]]
  // CHECK-NEXT: %[[P:.*]] = tile.addptr %{{.*}}, %[[I]]
  // CHECK-NEXT: tile.store %[[P]], %[[T]]
  // CHECK: tile.store
  %last = scf.while (%t = %first) : (i32) -> i32 {
    %begun = arith.cmpi sge, %t, %before : i32
    %end = arith.addi %before, %tiles : i32
    %more = arith.cmpi slt, %t, %end : i32
    %both = arith.andi %begun, %more : i1
    scf.condition(%both) %t : i32
  } do {
  ^bb0(%t: i32):
    %own = arith.subi %t, %before : i32
    %p = tile.addptr %y, %own : !tile.ptr<i32>, i32
    tile.store %p, %t : !tile.ptr<i32>
    %next = arith.addi %t, %blocks : i32
    scf.yield %next : i32
  }
  tile.store %y, %last : !tile.ptr<i32>
  tile.return
}

// A search in a row of known length: its first numbers decide on all steps, three of them, which stand behind each other.
// CHECK-LABEL: tile.func @search(
// CHECK-NOT: scf.
// CHECK-COUNT-3: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.store %{{.*}}, %{{.*}}
tile.func @search(%row: !tile.ptr<f32>, %out: !tile.ptr<i32>, %x: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %many = arith.constant 6 : i32
  %low, %range = scf.while (%l = %zero, %r = %many) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %r, %one : i32
    scf.condition(%more) %l, %r : i32, i32
  } do {
  ^bb0(%l: i32, %r: i32):
    %up = arith.addi %r, %one : i32
    %half = arith.divsi %up, %two : i32
    %at = arith.addi %l, %half : i32
    %p = tile.addptr %row, %at : !tile.ptr<f32>, i32
    %y = tile.load %p : !tile.ptr<f32>
    %above = arith.cmpf oge, %x, %y : f32
    %next = arith.select %above, %at, %l : i32
    scf.yield %next, %half : i32, i32
  }
  tile.store %out, %low : !tile.ptr<i32>
  tile.return
}

// Of sixty steps it is a loop over them.
// CHECK-LABEL: tile.func @walk(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[SIXTY:.*]] = arith.constant 60 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: scf.for %{{.*}} = %[[ZERO]] to %[[SIXTY]] step %[[ONE]] iter_args(%{{.*}} = %{{.*}}, %[[LEFT:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = arith.subi %[[LEFT]]
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK-NOT: scf.while
// CHECK: tile.store
tile.func @walk(%row: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %many = arith.constant 60 : i32
  %low, %range = scf.while (%l = %zero, %r = %many) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %r, %zero : i32
    scf.condition(%more) %l, %r : i32, i32
  } do {
  ^bb0(%l: i32, %r: i32):
    %next = arith.subi %r, %one : i32
    %p = tile.addptr %row, %l : !tile.ptr<i32>, i32
    %y = tile.load %p : !tile.ptr<i32>
    %a = arith.xori %y, %l : i32
    %b = arith.addi %a, %r : i32
    %c = arith.muli %b, %y : i32
    %d = arith.andi %c, %many : i32
    scf.yield %d, %next : i32, i32
  }
  tile.store %out, %low : !tile.ptr<i32>
  tile.return
}

// What counts up to a bound by itself is a loop over a range, however few its steps.
// CHECK-LABEL: tile.func @taps(
// CHECK: %[[SUM:.*]] = scf.for %[[TAP:.*]] = %c0{{.*}} to %c16{{.*}} step %c1{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK: tile.addptr %{{.*}}, %[[TAP]]
// CHECK-COUNT-1: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.store %{{.*}}, %[[SUM]]
tile.func @taps(%row: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %taps = arith.constant 16 : i32
  %none = arith.constant 0.0 : f32
  %last, %sum = scf.while (%t = %zero, %s = %none) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi slt, %t, %taps : i32
    scf.condition(%more) %t, %s : i32, f32
  } do {
  ^bb0(%t: i32, %s: f32):
    %p = tile.addptr %row, %t : !tile.ptr<f32>, i32
    %x = tile.load %p : !tile.ptr<f32>
    %u = arith.addf %s, %x : f32
    %next = arith.addi %t, %one : i32
    scf.yield %next, %u : i32, f32
  }
  tile.store %out, %sum : !tile.ptr<f32>
  tile.return
}

// What is loaded decides, too: it stays.
// CHECK-LABEL: tile.func @loaded(
// CHECK: scf.while
tile.func @loaded(%row: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %many = arith.constant 258 : i32
  %range = scf.while (%r = %many) : (i32) -> i32 {
    %more = arith.cmpi sgt, %r, %one : i32
    scf.condition(%more) %r : i32
  } do {
  ^bb0(%r: i32):
    %p = tile.addptr %row, %r : !tile.ptr<i32>, i32
    %y = tile.load %p : !tile.ptr<i32>
    %next = arith.subi %r, %y : i32
    scf.yield %next : i32
  }
  tile.store %row, %range : !tile.ptr<i32>
  tile.return
}
