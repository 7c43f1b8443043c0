// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-relax-sums))' --verify-diagnostics -split-input-file | FileCheck %s

// What it stores may be read by who sees the sum.
// CHECK-LABEL: tile.func @stores
tile.func @stores(%x: tensor<64x!tile.ptr<f32>>, %p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>) {
  tile.store %x, %v : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw fadd acq_rel gpu
  // expected-remark @+1 {{sum keeps its order: expected a kernel that writes nothing else}}
  %a = tile.atomic_rmw fadd acq_rel gpu %p, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// An old value that is looked at may say that another program is done.
// CHECK-LABEL: tile.func @looks
tile.func @looks(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>, %n: !tile.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  // CHECK: tile.atomic_rmw fadd acq_rel gpu
  // expected-remark @+1 {{sum keeps its order: expected a kernel that writes nothing else}}
  %a = tile.atomic_rmw fadd acq_rel gpu %p, %v : tensor<64x!tile.ptr<f32>>
  %b = tile.atomic_rmw add acq_rel gpu %n, %c1 : !tile.ptr<i32>
  %c = tile.atomic_rmw add relaxed gpu %n, %b : !tile.ptr<i32>
  tile.return
}

// -----

// So may one integer; and what other GPUs see, or an author asked for, stays as it is.
// CHECK-LABEL: tile.func @counts
tile.func @counts(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>, %n: !tile.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  // CHECK: tile.atomic_rmw fadd relaxed gpu
  %a = tile.atomic_rmw fadd acq_rel gpu %p, %v : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw add acq_rel gpu
  // expected-remark @+1 {{sum keeps its order: expected no single integer}}
  %b = tile.atomic_rmw add acq_rel gpu %n, %c1 : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw fadd acq_rel sys
  %c = tile.atomic_rmw fadd acq_rel sys %p, %v : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw fadd release gpu
  %d = tile.atomic_rmw fadd release gpu %p, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Who reads volatile memory may wait for others.
// CHECK-LABEL: tile.func @waits
tile.func @waits(%p: tensor<64x!tile.ptr<f32>>, %v: tensor<64xf32>, %n: !tile.ptr<i32>) {
  %seen = tile.load %n cache cv : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw fadd acq_rel gpu
  // expected-remark @+1 {{sum keeps its order: expected no load that is volatile}}
  %a = tile.atomic_rmw fadd acq_rel gpu %p, %v : tensor<64x!tile.ptr<f32>>
  %b = tile.atomic_rmw add relaxed gpu %n, %seen : !tile.ptr<i32>
  tile.return
}
