// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(tile-narrow-carried{whole=true},canonicalize))' | FileCheck %s

// One thread has each program: a row of any length is a number.
// CHECK-LABEL: tile.func private @row
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[PART:.*]] = %[[ZERO]]) -> (f32)
// CHECK: %[[OWN:.*]] = tile.reduce add %{{.*}} axis 0 : tensor<100xf32> -> f32
// CHECK: arith.addf %[[PART]], %[[OWN]] : f32
// CHECK-NOT: tile.reduce
// CHECK: tile.return %[[ALL]]
tile.func private @row(%x: tensor<100xf32>, %n: i32) -> f32 {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<100xf32>
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %zero) -> (tensor<100xf32>) : i32 {
    %next = arith.addf %sum, %x : tensor<100xf32>
    scf.yield %next : tensor<100xf32>
  }
  %r = tile.reduce add %all axis 0 : tensor<100xf32> -> f32
  tile.return %r : f32
}

// -----

// A mask that stands behind the sum, as torch.compile has it; products begin with a tile that is reduced in front.
// CHECK-LABEL: tile.func private @masked
// CHECK: %[[START:.*]] = tile.reduce mul %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4xf32>
// CHECK: scf.for {{.*}} iter_args(%[[PART:.*]] = %[[START]]) -> (tensor<4xf32>)
// CHECK: %[[MASK:.*]] = arith.cmpi slt
// CHECK: %[[TERM:.*]] = arith.select %[[MASK]], %{{.*}}, %{{.*}} : tensor<4x8xi1>, tensor<4x8xf32>
// CHECK: %[[OWN:.*]] = tile.reduce mul %[[TERM]] axis 1 : tensor<4x8xf32> -> tensor<4xf32>
// CHECK: arith.mulf %[[PART]], %[[OWN]] : tensor<4xf32>
tile.func private @masked(%x: tensor<4x8xf32>, %start: tensor<4x8xf32>, %a: tensor<4x8xi32>, %n: i32) -> tensor<4xf32> {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all = scf.for %i = %first to %n step %step iter_args(%product = %start) -> (tensor<4x8xf32>) : i32 {
    %y = arith.mulf %product, %x : tensor<4x8xf32>
    %end = tile.splat %i : i32 -> tensor<4x8xi32>
    %m = arith.cmpi slt, %a, %end : tensor<4x8xi32>
    %next = arith.select %m, %y, %product : tensor<4x8xi1>, tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  %r = tile.reduce mul %all axis 1 : tensor<4x8xf32> -> tensor<4xf32>
  tile.return %r : tensor<4xf32>
}

// -----

// What another op reads, too, is carried.
// CHECK-LABEL: tile.func private @read
// CHECK: scf.for {{.*}} -> (tensor<8xf32>)
// CHECK: tile.reduce
tile.func private @read(%x: tensor<8xf32>, %n: i32) -> (f32, tensor<8xf32>) {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %zero) -> (tensor<8xf32>) : i32 {
    %next = arith.addf %sum, %x : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  %r = tile.reduce add %all axis 0 : tensor<8xf32> -> f32
  tile.return %r, %all : f32, tensor<8xf32>
}
