// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-flatten-loops,canonicalize))' | FileCheck %s
// What the loops add up is the same: the passes behind it have tests that run (test/Conversion/flattened.mlir).

!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!acc = tensor<64x64xf32>

// Rows, columns and channels of a filter are one loop, whose counters go on as those of three do.
// CHECK-LABEL: tile.func @taps
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c0
// CHECK: %[[FAR:.*]] = arith.subi %[[N]], %c1
// CHECK: %[[WHOLE:.*]] = arith.divsi %[[FAR]], %c32
// CHECK: %[[COUNT:.*]] = arith.addi %[[WHOLE]], %c1
// CHECK: %[[SOME:.*]] = arith.select %[[ANY]], %[[COUNT]], %c0
// CHECK: %[[ROW:.*]] = arith.muli %[[SOME]], %c3
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %c2
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[ALL]] step %c1{{.*}} iter_args(%[[S:[a-z0-9_]*]] = %{{[^,]*}}, %[[J:[a-z0-9_]*]] = %c0{{[^,]*}}, %[[C:[a-z0-9_]*]] = %c0{{[^,]*}}, %[[I:[a-z0-9_]*]] = %c0{{[^,]*}}, %[[K:[a-z0-9_]*]] = %c0
// CHECK-NOT: scf.for
// CHECK: %[[X:.*]] = tile.addptr %{{.*}}, %[[I]]
// CHECK: %[[Y:.*]] = tile.addptr %[[X]], %[[J]]
// CHECK: tile.addptr %[[Y]], %[[C]]
// CHECK: %[[D:.*]] = tile.dot
// CHECK: %[[NEXT:.*]] = arith.addi %[[C]], %c32
// CHECK: %[[WRAPS:.*]] = arith.cmpi sge, %[[NEXT]], %[[N]]
// CHECK: scf.yield %[[D]],
tile.func @taps(%n: i32, %x: !tile.ptr<f16>, %b: !b, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : !acc
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %p = tile.addptr %x, %i : !tile.ptr<f16>, i32
    %t = scf.for %j = %c0 to %c3 step %c1 iter_args(%u = %s) -> (!acc) : i32 {
      %q = tile.addptr %p, %j : !tile.ptr<f16>, i32
      %v = scf.for %c = %c0 to %n step %c32 iter_args(%w = %u) -> (!acc) : i32 {
        %at = tile.addptr %q, %c : !tile.ptr<f16>, i32
        %ptrs = tile.splat %at : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
        %a = tile.load %ptrs : tensor<64x32x!tile.ptr<f16>>
        %d = tile.dot %a, %b, %w : !a, !b -> !acc
        scf.yield %d : !acc
      }
      scf.yield %v : !acc
    }
    scf.yield %t : !acc
  }
  %ps = tile.splat %out : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  tile.store %ps, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// What is computed behind the inner loop, a step each of whose taps asks for another end, and channels that are many, stay.
// CHECK-LABEL: tile.func @apart
// CHECK-COUNT-6: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @apart(%n: i32, %a: !a, %b: !b, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %c4096 = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : !acc
  %scaled = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %t = scf.for %c = %c0 to %n step %c32 iter_args(%u = %s) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    %twice = arith.addf %t, %t : !acc
    scf.yield %twice : !acc
  }
  %uneven = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %scaled) -> (!acc) : i32 {
    %end = arith.addi %n, %i : i32
    %t = scf.for %c = %c0 to %end step %c32 iter_args(%u = %s) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  %long = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %uneven) -> (!acc) : i32 {
    %t = scf.for %c = %c0 to %c4096 step %c32 iter_args(%u = %s) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  %ps = tile.splat %out : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  tile.store %ps, %long : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
