// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-select-numbers))' | FileCheck %s

// A number of tiles that the first programs have one more of, and inside of a loop over tiles; a kernel without dots keeps its branches.
// CHECK-LABEL: tile.func @tiles
// CHECK-SAME: %[[EACH:[a-z0-9]+]]: i32, %[[MORE:[a-z0-9]+]]: i1
// CHECK: %[[NEXT:.*]] = arith.addi %[[EACH]], %{{.*}}
// CHECK: %[[TILES:.*]] = arith.select %[[MORE]], %[[NEXT]], %[[EACH]]
// CHECK: scf.for %{{.*}} to %[[TILES]]
// CHECK: arith.select
// CHECK-NOT: scf.if
// CHECK: scf.for
// The branch in the loop of steps stays.
// CHECK: scf.if
// CHECK: tile.dot
tile.func @tiles(%a: tensor<16x16x!tile.ptr<f32>>, %each: i32, %more: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %tiles = scf.if %more -> (i32) {
    %next = arith.addi %each, %c1 : i32
    scf.yield %next : i32
  } else {
    scf.yield %each : i32
  }
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %first = scf.if %more -> (i32) {
      scf.yield %t : i32
    } else {
      %half = arith.divsi %t, %each : i32
      scf.yield %half : i32
    }
    %sum = scf.for %k = %first to %each step %c1 iter_args(%sum0 = %zero) -> (tensor<16x16xf32>) : i32 {
      %far = scf.if %more -> (i32) {
        %farther = arith.muli %k, %first : i32
        scf.yield %farther : i32
      } else {
        scf.yield %k : i32
      }
      %offset = tile.splat %far : i32 -> tensor<16x16xi32>
      %pa = tile.addptr %a, %offset : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
      %x = tile.load %pa : tensor<16x16x!tile.ptr<f32>>
      %next = tile.dot %x, %x, %sum0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %next : tensor<16x16xf32>
    }
    tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

// CHECK-LABEL: tile.func @no_dots
// CHECK: scf.if
tile.func @no_dots(%x: !tile.ptr<i32>, %each: i32, %more: i1) {
  %c1 = arith.constant 1 : i32
  %tiles = scf.if %more -> (i32) {
    %next = arith.addi %each, %c1 : i32
    scf.yield %next : i32
  } else {
    scf.yield %each : i32
  }
  tile.store %x, %tiles : !tile.ptr<i32>
  tile.return
}
