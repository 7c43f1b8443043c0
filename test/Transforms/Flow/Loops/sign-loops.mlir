// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-sign-loops))' | FileCheck %s

// Bounds that may be 2^31 and more: counted 2^31 lower, where signs say which number is less.
// CHECK-LABEL: tile.func @any
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.ptr<i32>, %[[FROM:[a-z0-9]+]]: i32, %[[TO:[a-z0-9]+]]: i32
tile.func @any(%x: !tile.ptr<i32>, %from: i32, %to: i32, %by: i32) {
  // CHECK: %[[SIGN:.*]] = arith.constant -2147483648 : i32
  // CHECK: %[[FIRST:.*]] = arith.xori %[[FROM]], %[[SIGN]] : i32
  // CHECK: %[[LAST:.*]] = arith.xori %[[TO]], %[[SIGN]] : i32
  // CHECK: scf.for %[[K:.*]] = %[[FIRST]] to %[[LAST]] step %{{.*}} : i32 {
  // CHECK: %[[I:.*]] = arith.xori %[[K]], %[[SIGN]] : i32
  // CHECK: tile.store %[[X]], %[[I]]
  scf.for unsigned %i = %from to %to step %by : i32 {
    tile.store %x, %i : !tile.ptr<i32>
  }
  tile.return
}

// CHECK-LABEL: tile.func @wide
// CHECK: arith.constant -9223372036854775808 : i64
// CHECK-COUNT-3: arith.xori
tile.func @wide(%x: !tile.ptr<i64>, %from: i64, %to: i64, %by: i64) {
  scf.for unsigned %i = %from to %to step %by : i64 {
    tile.store %x, %i : !tile.ptr<i64>
  }
  tile.return
}

// Numbers that are the same either way: the loop stands as it is.
// CHECK-LABEL: tile.func @small
// CHECK-NOT: arith.xori
// CHECK: scf.for %{{.*}} = %c0
// CHECK-NOT: arith.xori
// CHECK: tile.return
tile.func @small(%x: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1000 = arith.constant 1000 : i32
  %some = arith.maxsi %n, %c0 : i32
  %to = arith.minsi %some, %c1000 : i32
  scf.for unsigned %i = %c0 to %to step %c3 : i32 {
    tile.store %x, %i : !tile.ptr<i32>
  }
  tile.return
}

// A step may end beyond 2^31, which is no end of numbers without a sign.
// CHECK-LABEL: tile.func @beyond
// CHECK: arith.xori
tile.func @beyond(%x: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %to = arith.constant 2147483646 : i32
  scf.for unsigned %i = %c0 to %to step %c3 : i32 {
    tile.store %x, %i : !tile.ptr<i32>
  }
  tile.return
}

// CHECK-LABEL: tile.func @signed
// CHECK-NOT: arith.xori
// CHECK: tile.return
tile.func @signed(%x: !tile.ptr<i32>, %from: i32, %to: i32, %by: i32) {
  scf.for %i = %from to %to step %by : i32 {
    tile.store %x, %i : !tile.ptr<i32>
  }
  tile.return
}
