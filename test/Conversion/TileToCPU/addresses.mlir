// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// A pointer to something else is the same; numbers are converted. A program needs no barrier.
// CHECK-LABEL: func.func @addresses
// CHECK: llvm.load %{{.*}} -> f32
// CHECK-NOT: barrier
// CHECK: %[[N:.*]] = llvm.ptrtoint %[[Q:.*]] : !llvm.ptr to i64
// CHECK: %[[M:.*]] = arith.addi %[[N]]
// CHECK: %[[R:.*]] = llvm.inttoptr %[[M]] : i64 to !llvm.ptr
// CHECK: llvm.store %{{.*}}, %[[R]]
tile.func @addresses(%p: !tile.ptr<i8>, %q: !tile.ptr<f32>) {
  %words = tile.ptr_cast %p : !tile.ptr<i8> -> !tile.ptr<f32>
  %v = tile.load %words : !tile.ptr<f32>
  tile.barrier
  %n = tile.ptr_cast %q : !tile.ptr<f32> -> i64
  %four = arith.constant 4 : i64
  %m = arith.addi %n, %four : i64
  %r = tile.ptr_cast %m : i64 -> !tile.ptr<f32>
  tile.store %r, %v : !tile.ptr<f32>
  tile.return
}
