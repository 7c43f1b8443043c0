// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops))' | FileCheck %s

// CHECK-LABEL: tile.func @swizzle
// CHECK-SAME: (%[[I:.*]]: i32, %[[J:.*]]: i32, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[G:.*]]: i32
tile.func @swizzle(%i: i32, %j: i32, %m: i32, %n: i32, %g: i32, %out: !tile.ptr<i32>) {
  // CHECK: %[[ABOVE:.*]] = arith.muli %[[I]], %[[N]]
  // CHECK: %[[POS:.*]] = arith.addi %[[ABOVE]], %[[J]]
  // CHECK: %[[PER:.*]] = arith.muli %[[G]], %[[N]]
  // CHECK: %[[ID:.*]] = arith.divsi %[[POS]], %[[PER]]
  // CHECK: %[[FIRST:.*]] = arith.muli %[[ID]], %[[G]]
  // CHECK: %[[LEFT:.*]] = arith.subi %[[M]], %[[FIRST]]
  // CHECK: %[[ROWS:.*]] = arith.minsi %[[LEFT]], %[[G]]
  // CHECK: %[[IN:.*]] = arith.remsi %[[POS]], %[[PER]]
  // CHECK: %[[ROW:.*]] = arith.remsi %[[IN]], %[[ROWS]]
  // CHECK: %[[A:.*]] = arith.addi %[[FIRST]], %[[ROW]]
  // CHECK: %[[B:.*]] = arith.divsi %[[IN]], %[[ROWS]]
  // CHECK: tile.store %{{.*}}, %[[A]]
  // CHECK: tile.store %{{.*}}, %[[B]]
  %a, %b = tile.swizzle2d %i, %j, %m, %n, %g : i32
  tile.store %out, %a : !tile.ptr<i32>
  tile.store %out, %b : !tile.ptr<i32>
  tile.return
}

// Nothing to expand: nothing changes.
// CHECK-LABEL: tile.func @plain
// CHECK-NEXT: tile.program_id x
// CHECK-NEXT: tile.store
tile.func @plain(%out: !tile.ptr<i32>) {
  %pid = tile.program_id x
  tile.store %out, %pid : !tile.ptr<i32>
  tile.return
}
