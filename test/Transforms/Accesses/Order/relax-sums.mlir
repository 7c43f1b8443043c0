// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-relax-sums))' | FileCheck %s

// All that it writes are sums that nobody looks at: none waits for another, nor does the program for itself.
// CHECK-LABEL: tile.func @sums
tile.func @sums(%x: tensor<64x!tile.ptr<f32>>, %p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<i32>>, %o: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<64xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %v = tile.load %x : tensor<64x!tile.ptr<f32>>
    // CHECK: tile.atomic_rmw fadd relaxed gpu
    // CHECK: tile.atomic_rmw add relaxed gpu
    %a = tile.atomic_rmw fadd acq_rel gpu %p, %v : tensor<64x!tile.ptr<f32>>
    %b = tile.atomic_rmw add acq_rel gpu %q, %one : tensor<64x!tile.ptr<i32>>
  }
  // CHECK: tile.atomic_rmw fadd relaxed gpu
  %z = arith.constant 1.0 : f32
  %c = tile.atomic_rmw fadd acq_rel gpu %o, %z : !tile.ptr<f32>
  tile.return
}

// What is put in memory in the place of what was there is no sum, and others may read it: nor do sums beside it change.
// CHECK-LABEL: tile.func @exchanges
tile.func @exchanges(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<i32>>, %v: tensor<64xf32>, %n: tensor<64xi32>) {
  // CHECK: tile.atomic_rmw fadd acq_rel gpu
  // CHECK: tile.atomic_rmw xchg acq_rel gpu
  %a = tile.atomic_rmw fadd acq_rel gpu %p, %v : tensor<64x!tile.ptr<f32>>
  %b = tile.atomic_rmw xchg acq_rel gpu %q, %n : tensor<64x!tile.ptr<i32>>
  tile.return
}
