// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-heavy-first))' -verify-diagnostics | FileCheck %s

// A loop up to the diagonal: the last program begins first, and all see its number.
// CHECK-LABEL: tile.func @diagonal
// CHECK: %[[ID:.*]] = tile.program_id x
// CHECK: %[[COUNT:.*]] = tile.num_programs x
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %{{.*}} : i32
// CHECK: %[[TURNED:.*]] = arith.subi %[[LAST]], %[[ID]] : i32
// CHECK: arith.muli %[[TURNED]]
// CHECK: %[[Y:.*]] = tile.program_id y
// CHECK-NOT: tile.num_programs y
// CHECK: tile.store %{{.*}}, %[[TURNED]]
tile.func @diagonal(%out: !tile.ptr<i32>, %length: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %block = tile.program_id x
  %first = arith.muli %block, %c128 : i32
  %next = arith.addi %first, %c128 : i32
  %end = arith.minsi %next, %length : i32
  %whole = arith.divsi %first, %c64 : i32
  %diagonal = arith.muli %whole, %c64 : i32
  %a = scf.for %k = %c0 to %diagonal step %c64 iter_args(%s = %c0) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  // Both bounds move: this one is as long in all programs.
  %b = scf.for %k = %diagonal to %end step %c64 iter_args(%s = %a) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  %y = tile.program_id y
  %to = tile.addptr %out, %y : !tile.ptr<i32>, i32
  tile.store %to, %block : !tile.ptr<i32>
  tile.store %to, %b : !tile.ptr<i32>
  tile.return
}

// Long ones are first already; as long in all; nobody knows.
// CHECK-LABEL: tile.func @as_it_is
// CHECK-NOT: tile.num_programs
tile.func @as_it_is(%out: !tile.ptr<i32>, %length: i32, %lengths: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c-4 = arith.constant -4 : i32
  %block = tile.program_id x
  %a = scf.for %k = %block to %length step %c1 iter_args(%s = %c0) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  %left = arith.subi %length, %block : i32
  %b = scf.for %k = %c0 to %left step %c1 iter_args(%s = %a) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  %down = arith.muli %block, %c-4 : i32
  %e = scf.for %k = %c0 to %down step %c1 iter_args(%s = %b) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  %end = arith.addi %length, %length : i32
  %c = scf.for %k = %c0 to %end step %c1 iter_args(%s = %e) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  %y = tile.program_id y
  %at = tile.addptr %lengths, %y : !tile.ptr<i32>, i32
  %n = tile.load %at : !tile.ptr<i32>
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%s = %c) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  tile.store %out, %d : !tile.ptr<i32>
  tile.return
}

// It may wait for the program before it, which has to have begun.
// CHECK-LABEL: tile.func @waits
// CHECK-NOT: tile.num_programs
tile.func @waits(%out: !tile.ptr<i32>, %turn: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = tile.program_id z
  %a = scf.for %k = %c0 to %block step %c1 iter_args(%s = %c0) -> i32 : i32 {
    %t = arith.addi %s, %k : i32
    scf.yield %t : i32
  }
  // expected-remark @+1 {{programs with long loops do not begin first: expected no loop that may wait for another program, found scf.while around an access}}
  scf.while : () -> () {
    %now = tile.load %turn : !tile.ptr<i32>
    %wait = arith.cmpi slt, %now, %block : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  tile.store %out, %a : !tile.ptr<i32>
  tile.return
}
