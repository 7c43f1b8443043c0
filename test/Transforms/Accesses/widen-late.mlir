// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-widen-late))' | FileCheck %s

#vector = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// Of 16 bits, and one more than that: both are made behind the sum. What it adds up is made in front of it.
// CHECK-LABEL: tile.func @norm
// CHECK: %[[W:.*]] = tile.load %{{.*}} : tensor<1024x!tile.ptr<f16>
// CHECK-NEXT: %[[X:.*]] = tile.load
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[X]]
// CHECK-NEXT: tile.reduce add %[[WIDE]]
// CHECK-NEXT: tile.splat
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[WIDE]]
// CHECK-NEXT: %[[LATE:.*]] = arith.extf %[[W]]
// CHECK-NEXT: %[[MORE:.*]] = arith.addf %[[LATE]]
// CHECK-NEXT: arith.mulf %[[Y]], %[[MORE]]
tile.func @norm(%p: tensor<1024x!tile.ptr<f16>, #vector>, %q: tensor<1024x!tile.ptr<f16>, #vector>, %out: tensor<1024x!tile.ptr<f32>, #vector>) {
  %one = arith.constant dense<1.0> : tensor<1024xf32, #vector>
  %w = tile.load %q : tensor<1024x!tile.ptr<f16>, #vector>
  %late = arith.extf %w : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %more = arith.addf %late, %one : tensor<1024xf32, #vector>
  %x = tile.load %p : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %x : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %sum = tile.reduce add %wide axis 0 : tensor<1024xf32, #vector> -> f32
  %all = tile.splat %sum : f32 -> tensor<1024xf32, #vector>
  %y = arith.mulf %wide, %all : tensor<1024xf32, #vector>
  %z = arith.mulf %y, %more : tensor<1024xf32, #vector>
  tile.store %out, %z : tensor<1024x!tile.ptr<f32>, #vector>
  tile.return
}

// Read in each step of a loop, it is made once, in front of it, behind the loop that has no use for it.
// CHECK-LABEL: tile.func @loops
// CHECK: %[[W:.*]] = tile.load
// CHECK: scf.for
// CHECK: }
// CHECK-NEXT: arith.extf %[[W]]
// CHECK-NEXT: scf.for
tile.func @loops(%p: tensor<1024x!tile.ptr<f32>, #vector>, %q: tensor<1024x!tile.ptr<f16>, #vector>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %w = tile.load %q : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %w : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #vector>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf32, #vector>) : i32 {
    %x = tile.load %p : tensor<1024x!tile.ptr<f32>, #vector>
    %next = arith.addf %acc, %x : tensor<1024xf32, #vector>
    scf.yield %next : tensor<1024xf32, #vector>
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = arith.mulf %sum, %wide : tensor<1024xf32, #vector>
    tile.store %p, %x : tensor<1024x!tile.ptr<f32>, #vector>
  }
  tile.return
}

// What is narrow in the end stays where it is, and what nothing long lies in front of.
// CHECK-LABEL: tile.func @stays
// CHECK: arith.truncf
// CHECK-NEXT: tile.load
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.constant
// CHECK-NEXT: tile.reduce
tile.func @stays(%p: tensor<1024x!tile.ptr<f16>, #vector>, %v: tensor<1024xf32, #vector>, %out: tensor<1024x!tile.ptr<f32>, #vector>) {
  %narrow = arith.truncf %v : tensor<1024xf32, #vector> to tensor<1024xf16, #vector>
  %x = tile.load %p : tensor<1024x!tile.ptr<f16>, #vector>
  %wide = arith.extf %x : tensor<1024xf16, #vector> to tensor<1024xf32, #vector>
  %two = arith.constant dense<2.0> : tensor<1024xf32, #vector>
  %sum = tile.reduce add %wide axis 0 : tensor<1024xf32, #vector> -> f32
  %all = tile.splat %sum : f32 -> tensor<1024xf32, #vector>
  %y = arith.mulf %two, %all : tensor<1024xf32, #vector>
  tile.store %out, %y : tensor<1024x!tile.ptr<f32>, #vector>
  tile.store %p, %narrow : tensor<1024x!tile.ptr<f16>, #vector>
  tile.return
}
