// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-inline-steps))' | FileCheck %s

// The last step alone: from one before the end to the end, which does not wrap.
// CHECK-LABEL: tile.func @last
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.ptr<f32>, %[[N:[a-z0-9]+]]: i32
tile.func @last(%x: !tile.ptr<f32>, %n: i32) {
  %minus = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 1024 : i32
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[STEPS:.*]] = arith.divsi %[[N]], %{{.*}}
  // CHECK: %[[LAST:.*]] = arith.addi %[[STEPS]], %{{.*}}
  // CHECK-NOT: scf.for
  // CHECK: %[[P:.*]] = tile.addptr %[[X]], %[[LAST]]
  // CHECK: %[[V:.*]] = tile.load %[[P]]
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[V]]
  // CHECK: tile.store %[[X]], %[[SUM]]
  %steps = arith.divsi %n, %size : i32
  %start = arith.addi %steps, %minus : i32
  %sum = scf.for %i = %start to %steps step %one iter_args(%s = %zero) -> (f32) : i32 {
    %p = tile.addptr %x, %i : !tile.ptr<f32>, i32
    %v = tile.load %p : !tile.ptr<f32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  tile.store %x, %sum : !tile.ptr<f32>
  tile.return
}

// From a start to less than a step behind it, inside of another loop.
// CHECK-LABEL: tile.func @inner
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.store
// CHECK: tile.return
tile.func @inner(%x: !tile.ptr<f32>, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  scf.for %i = %c0 to %c64 step %c1 : i32 {
    %end = arith.addi %i, %c7 : i32
    scf.for %j = %i to %end step %c8 : i32 {
      %p = tile.addptr %x, %j : !tile.ptr<f32>, i32
      tile.store %p, %v : !tile.ptr<f32>
    }
  }
  tile.return
}

// Two steps; an end that wraps where %n is the least of all numbers, so that there is no step; an end before the start.
// CHECK-LABEL: tile.func @others
// CHECK-COUNT-3: scf.for
tile.func @others(%x: !tile.ptr<f32>, %n: i32, %v: f32) {
  %minus = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %size = arith.constant 1024 : i32
  %steps = arith.divsi %n, %size : i32
  %two = arith.addi %steps, %c9 : i32
  scf.for %i = %steps to %two step %size : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  scf.for %i = %steps to %two step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %last = arith.addi %n, %minus : i32
  scf.for %i = %last to %n step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  %before = arith.addi %steps, %minus : i32
  scf.for %i = %steps to %before step %c1 : i32 {
    tile.store %x, %v : !tile.ptr<f32>
  }
  tile.return
}
