// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-hoist-steady-loads))' | FileCheck %s

// What all steps load alike is loaded in front, where there is a step; what the step says where, in each.
// CHECK-LABEL: tile.func @rows
// CHECK-SAME: (%[[Q:.*]]: !tile.ptr<f32>, %[[P:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32, %{{.*}}: !tile.ptr<f32>)
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i32
// CHECK: %[[MASK:.*]] = tile.splat %[[SOME]] : i1 -> tensor<32xi1>
// CHECK: tile.load %{{.*}}, %[[MASK]] : tensor<32x!tile.ptr<f32>>
// CHECK: tile.load %[[P]], %[[SOME]] : !tile.ptr<f32>
// CHECK: scf.for
// CHECK: tile.load %{{.*}} : tensor<32x!tile.ptr<f32>>
// CHECK-NOT: tile.load
// CHECK: scf.yield
tile.func @rows(%q: !tile.ptr<f32>, %p: !tile.ptr<f32>, %n: i32, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %i = tile.arange : tensor<32xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %qp = tile.addptr %qs, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %i : tensor<32xi32>
    %pp = tile.addptr %ps, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %x = tile.load %pp : tensor<32x!tile.ptr<f32>>
    %y = tile.load %qp : tensor<32x!tile.ptr<f32>>
    %f = tile.load %p : !tile.ptr<f32>
    %fs = tile.splat %f : f32 -> tensor<32xf32>
    %d = arith.subf %x, %y : tensor<32xf32>
    %e = arith.mulf %d, %fs : tensor<32xf32>
    %next = arith.addf %acc, %e : tensor<32xf32>
    scf.yield %next : tensor<32xf32>
  }
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %op, %sum : tensor<32x!tile.ptr<f32>>
  tile.return
}

// A mask stays, with what there is without it; a loop that surely has a step asks for nothing, and what leaves an inner
// loop leaves the outer one, too.
// CHECK-LABEL: tile.func @masked
// CHECK-SAME: %[[M:[a-z0-9]*]]: i1, %[[N:[a-z0-9]*]]: i32
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[M]], %[[SOME]] : i1
// CHECK: tile.load %{{.*}}, %[[BOTH]], %[[ONE]] : !tile.ptr<f32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: tile.load
tile.func @masked(%q: !tile.ptr<f32>, %m: i1, %n: i32, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %one = arith.constant 1.0 : f32
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %one) -> (f32) : i32 {
    %in = scf.for %j = %c0 to %c4 step %c1 iter_args(%each = %acc) -> (f32) : i32 {
      %x = tile.load %q, %m, %one : !tile.ptr<f32>
      %next = arith.addf %each, %x : f32
      scf.yield %next : f32
    }
    scf.yield %in : f32
  }
  tile.store %out, %sum : !tile.ptr<f32>
  tile.return
}
