// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

// An address is an i64, whatever lies there.
// CHECK-LABEL: llvm.func @addresses
// CHECK: %[[A:.*]] = llvm.ptrtoint
// CHECK: %[[P:.*]] = llvm.inttoptr %[[A]]
// CHECK: llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xf32>
// CHECK: gpu.barrier
tile.func @addresses(%p: !tile.ptr<i8>, %q: !tile.ptr<f32>) {
  %words = tile.ptr_cast %p : !tile.ptr<i8> -> !tile.ptr<f32>
  %v = tile.load %words : !tile.ptr<f32>
  tile.barrier
  tile.store %q, %v : !tile.ptr<f32>
  tile.return
}
