// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-uplift-loops))' -verify-diagnostics | FileCheck %s

// A step that may be 0, and a loop that then never ends.
// CHECK-LABEL: tile.func @unknown(
// CHECK: scf.while
tile.func @unknown(%n: i32, %step: i32, %y: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{loop is not one over a range: expected a counter that grows by a number above 0 in each step}}
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  tile.store %y, %last : !tile.ptr<i32>
  tile.return
}

// One that counts down, from another end.
// CHECK-LABEL: tile.func @down(
// CHECK: scf.while
tile.func @down(%n: i32, %y: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %less = arith.constant -1 : i32
  // expected-remark @below {{expected a counter that is below a bound from in front of the loop}}
  %last = scf.while (%i = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %less : i32
    scf.yield %next : i32
  }
  tile.store %y, %last : !tile.ptr<i32>
  tile.return
}

// A lock that is waited for.
// CHECK-LABEL: tile.func @lock(
// CHECK: scf.while
tile.func @lock(%x: !tile.ptr<i32>) {
  // expected-remark @below {{expected a comparison, and nothing else, to decide on the next step}}
  scf.while : () -> () {
    %c0 = arith.constant 0 : i32
    %v = tile.load %x : !tile.ptr<i32>
    %held = arith.cmpi ne, %v, %c0 : i32
    scf.condition(%held)
  } do {
    scf.yield
  }
  tile.return
}

// A bound that the loop changes; a comparison that is not less.
// CHECK-LABEL: tile.func @bounds(
// CHECK: scf.while
// CHECK: scf.while
tile.func @bounds(%n: i32, %y: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  // expected-remark @below {{expected a counter that is below a bound from in front of the loop}}
  %last, %end = scf.while (%i = %c0, %k = %n) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %k : i32
    scf.condition(%more) %i, %k : i32, i32
  } do {
  ^bb0(%i: i32, %k: i32):
    %next = arith.addi %i, %c2 : i32
    %less = arith.subi %k, %c2 : i32
    scf.yield %next, %less : i32, i32
  }
  // expected-remark @below {{expected a counter that is below a bound from in front of the loop}}
  %other = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c2 : i32
    scf.yield %next : i32
  }
  tile.store %y, %last : !tile.ptr<i32>
  tile.store %y, %end : !tile.ptr<i32>
  tile.store %y, %other : !tile.ptr<i32>
  tile.return
}

// Two comparisons, of which the first need not stay true; one behind which the first number is not the least, by any step.
// CHECK-LABEL: tile.func @between(
// CHECK: scf.while
// CHECK: scf.while
tile.func @between(%n: i32, %from: i32, %step: i32, %y: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  // expected-remark @below {{expected a comparison, and nothing else, to decide on the next step}}
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %differs = arith.cmpi ne, %i, %from : i32
    %more = arith.cmpi slt, %i, %n : i32
    %both = arith.andi %differs, %more : i1
    scf.condition(%both) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c2 : i32
    scf.yield %next : i32
  }
  // expected-remark @below {{expected a counter that grows by a number above 0 in each step}}
  %other = scf.while (%i = %c0) : (i32) -> i32 {
    %begun = arith.cmpi sgt, %i, %from : i32
    %more = arith.cmpi slt, %i, %n : i32
    %both = arith.andi %begun, %more : i1
    scf.condition(%both) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %step : i32
    scf.yield %next : i32
  }
  tile.store %y, %last : !tile.ptr<i32>
  tile.store %y, %other : !tile.ptr<i32>
  tile.return
}
