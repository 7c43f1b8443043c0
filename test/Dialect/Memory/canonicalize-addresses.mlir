// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// There and back is nothing. What was written before a barrier is read again behind it.
// CHECK-LABEL: tile.func @addresses
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>)
// CHECK-NEXT: %[[A:.*]] = tile.load %[[P]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: %[[B:.*]] = tile.load %[[P]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: tile.store %[[P]], %[[S]]
tile.func @addresses(%p: !tile.ptr<f32>) {
  %n = tile.ptr_cast %p : !tile.ptr<f32> -> i64
  %q = tile.ptr_cast %n : i64 -> !tile.ptr<f32>
  %a = tile.load %q : !tile.ptr<f32>
  tile.barrier
  %b = tile.load %p : !tile.ptr<f32>
  %s = arith.addf %a, %b : f32
  tile.store %q, %s : !tile.ptr<f32>
  tile.return
}
