// What a branch of a step multiplies, and what says where it lies, is loaded in front of it, where the branch is taken.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-lift-loads))' --verify-each | FileCheck %s

// Of the block that a list names only keys are lifted: what the branch stores to nobody waits for.
// CHECK-LABEL: tile.func @chosen
// CHECK: scf.for
// CHECK: %[[SEEN:.*]] = arith.cmpi sge
// CHECK: %[[PAGE:.*]] = tile.load %{{.*}}, %[[SEEN]] : !tile.ptr<i32>
// CHECK: %[[AT:.*]] = tile.splat %[[PAGE]]
// CHECK: %[[IF:.*]] = tile.splat %[[SEEN]]
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[IF]]
// CHECK: %[[KEYS:.*]] = tile.load %{{.*}}, %[[BOTH]]
// CHECK: scf.if %[[SEEN]]
// CHECK-NEXT: %[[TURNED:.*]] = tile.trans %[[KEYS]]
// CHECK-NEXT: tile.dot %{{.*}}, %[[TURNED]]
// CHECK: tile.load %{{.*}} : tensor<16x64x!tile.ptr<f32>>
// CHECK: } else {
tile.func @chosen(%list: !tile.ptr<i32>, %table: !tile.ptr<i32>, %k: tensor<64x32x!tile.ptr<f16>>, %bias: tensor<16x64x!tile.ptr<f32>>,
                  %m: tensor<64x32xi1>, %q: tensor<16x32xf16>, %n: i32, %c: tensor<16x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x64xf32>) : i32 {
    %p = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %block = tile.load %p : !tile.ptr<i32>
    %seen = arith.cmpi sge, %block, %c0 : i32
    %s = scf.if %seen -> (tensor<16x64xf32>) {
      %t = tile.addptr %table, %block : !tile.ptr<i32>, i32
      %page = tile.load %t : !tile.ptr<i32>
      %o = tile.splat %page : i32 -> tensor<64x32xi32>
      %at = tile.addptr %k, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
      %x = tile.load %at, %m : tensor<64x32x!tile.ptr<f16>>
      %y = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %q, %y, %a by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      %b = tile.load %bias : tensor<16x64x!tile.ptr<f32>>
      %e = arith.addf %d, %b : tensor<16x64xf32>
      scf.yield %e : tensor<16x64xf32>
    } else {
      scf.yield %a : tensor<16x64xf32>
    }
    scf.yield %s : tensor<16x64xf32>
  }
  tile.return
}

// The branch may be what says that a divisor is not 0: without it 1 divides.
// CHECK-LABEL: tile.func @divided
// CHECK: %[[SEEN:.*]] = arith.cmpi sgt, %[[PER:.*]], %{{.*}}
// CHECK: %[[BY:.*]] = arith.select %[[SEEN]], %[[PER]], %{{.*}} : i32
// CHECK: arith.divsi %{{.*}}, %[[BY]]
// CHECK: tile.load
// CHECK: scf.if %[[SEEN]]
tile.func @divided(%list: !tile.ptr<i32>, %k: tensor<64x32x!tile.ptr<f16>>, %q: tensor<16x32xf16>, %n: i32, %c: tensor<16x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x64xf32>) : i32 {
    %p = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %per = tile.load %p : !tile.ptr<i32>
    %seen = arith.cmpi sgt, %per, %c0 : i32
    %s = scf.if %seen -> (tensor<16x64xf32>) {
      %block = arith.divsi %n, %per : i32
      %o = tile.splat %block : i32 -> tensor<64x32xi32>
      %at = tile.addptr %k, %o : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
      %x = tile.load %at : tensor<64x32x!tile.ptr<f16>>
      %y = tile.trans %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %q, %y, %a by mma_sync : tensor<16x32xf16>, tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %d : tensor<16x64xf32>
    } else {
      scf.yield %a : tensor<16x64xf32>
    }
    scf.yield %s : tensor<16x64xf32>
  }
  tile.return
}
