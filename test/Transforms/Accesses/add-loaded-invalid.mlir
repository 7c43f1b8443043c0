// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-add-loaded))' --verify-diagnostics | FileCheck %s

!a = tensor<64x64xf16>
!sum = tensor<64x64xf32>
!ptrs = tensor<64x64x!tile.ptr<f32>>

// Carried sums, sums that another op looks at, tiles that another op reads, and dots of mma.sync: all stay.
// CHECK-LABEL: tile.func private @stays
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:arg[0-9]+]] =
// CHECK: %[[OLD:.*]] = tile.load
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[CARRIED]] by wgmma
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[OLD]] by wgmma
// CHECK: %[[OTHER:.*]] = tile.load
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[OTHER]] by mma_sync
// CHECK: %[[THIRD:.*]] = tile.load
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[THIRD]] by wgmma
// CHECK-NOT: arith.addf
tile.func private @stays(%p: !ptrs, %q: !ptrs, %a: !a, %b: !a, %n: i32, %zero: !sum) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sum) : i32 {
    %old = tile.load %p : !ptrs
    %next = tile.dot %a, %b, %sum by wgmma : !a, !a -> !sum
    // expected-remark @+1 {{dot waits for what its sum begins with: expected nobody else to read it}}
    %new = tile.dot %a, %b, %old by wgmma : !a, !a -> !sum
    tile.store %p, %new : !ptrs
    tile.store %q, %old : !ptrs
    %other = tile.load %q : !ptrs
    // expected-remark @+1 {{dot waits for what its sum begins with: expected a dot by wgmma}}
    %small = tile.dot %a, %b, %other by mma_sync : !a, !a -> !sum
    tile.store %q, %small : !ptrs
    %third = tile.load %q : !ptrs
    // expected-remark @+1 {{dot waits for what its sum begins with: expected the sum to be stored alone}}
    %looked_at = tile.dot %a, %b, %third by wgmma : !a, !a -> !sum
    %product = arith.mulf %looked_at, %next : !sum
    tile.store %q, %looked_at : !ptrs
    scf.yield %product : !sum
  }
  tile.return %r : !sum
}

// What is loaded in front of the loop, and where there is none: nothing is told.
// CHECK-LABEL: tile.func private @elsewhere
// CHECK: %[[BEFORE:.*]] = tile.load
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[BEFORE]] by wgmma
// CHECK: scf.for
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[BEFORE]] by wgmma
// CHECK-NOT: arith.addf
tile.func private @elsewhere(%p: !ptrs, %q: !ptrs, %a: !a, %b: !a, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %before = tile.load %p : !ptrs
  %once = tile.dot %a, %b, %before by wgmma : !a, !a -> !sum
  tile.store %p, %once : !ptrs
  scf.for %i = %c0 to %n step %c1 : i32 {
    %new = tile.dot %a, %b, %before by wgmma : !a, !a -> !sum
    tile.store %q, %new : !ptrs
  }
  tile.return
}
