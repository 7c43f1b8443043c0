// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-add-loaded))' | FileCheck %s

!a = tensor<64x64xf16>
!sum = tensor<64x64xf32>
!ptrs = tensor<64x64x!tile.ptr<f32>>

// In front of the lock, as soon as its operands are there. What memory has is added behind, and stored.
// CHECK-LABEL: tile.func private @locked
// CHECK: scf.for
// CHECK: %[[S:.*]] = arith.truncf
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK: %[[X:.*]] = tile.dot %[[S]], %{{.*}}, %[[ZERO]] by wgmma
// CHECK: scf.while
// CHECK: %[[OLD:.*]] = tile.load
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[X]], %[[OLD]]
// CHECK-NEXT: tile.store %{{.*}}, %[[NEW]]
tile.func private @locked(%p: !ptrs, %b: !a, %lock: !tile.ptr<i32>, %n: i32, %scores: !sum) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %s = arith.truncf %scores : !sum to !a
    scf.while : () -> () {
      %before = tile.atomic_cas acq_rel gpu %lock, %c0, %c1 : !tile.ptr<i32>
      %taken = arith.cmpi eq, %before, %c1 : i32
      scf.condition(%taken)
    } do {
      scf.yield
    }
    %old = tile.load %p : !ptrs
    %new = tile.dot %s, %b, %old by wgmma : !a, !a -> !sum
    tile.store %p, %new : !ptrs
  }
  tile.return
}

// Scaled, too; both operands are in front of the loop.
// CHECK-LABEL: tile.func private @scaled
// CHECK: scf.for
// CHECK: %[[X:.*]] = tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma
// CHECK: %[[OLD:.*]] = tile.load
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[X]], %[[OLD]]
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[NEW]]
// CHECK-NEXT: tile.store %{{.*}}, %[[SCALED]]
tile.func private @scaled(%p: !ptrs, %a: !a, %b: !a, %n: i32, %by: !sum) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %old = tile.load %p : !ptrs
    %new = tile.dot %a, %b, %old by wgmma : !a, !a -> !sum
    %more = arith.mulf %new, %by : !sum
    tile.store %p, %more : !ptrs
  }
  tile.return
}
