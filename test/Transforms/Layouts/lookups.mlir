// What is looked up where computed numbers say comes as these lie: a layout of its own would take pointers there and
// numbers back through shared memory, in each step.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// Bisecting a table for what was loaded as a row, and reshaped.
// CHECK-LABEL: tile.func @bisect
// CHECK: tile.load {{.*}} : tensor<256x!tile.ptr<f32>, {{.*}}>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: scf.for
// CHECK: tile.load {{.*}} : tensor<1x256x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}0, 1]], {{.*}}>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store
tile.func @bisect(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %table: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %out: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %lo = arith.constant dense<0> : tensor<1x256xi32>
  %hi = arith.constant dense<255> : tensor<1x256xi32>
  %one = arith.constant dense<1> : tensor<1x256xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %at = tile.arange : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %xp : tensor<256x!tile.ptr<f32>>
  %row = tile.reshape %v : tensor<256xf32> -> tensor<1x256xf32>
  %base = tile.splat %table : !tile.ptr<f32> -> tensor<1x256x!tile.ptr<f32>>
  %found:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%l = %lo, %h = %hi) -> (tensor<1x256xi32>, tensor<1x256xi32>) : i32 {
    %sum = arith.addi %l, %h : tensor<1x256xi32>
    %mid = arith.shrsi %sum, %one : tensor<1x256xi32>
    %p = tile.addptr %base, %mid : tensor<1x256x!tile.ptr<f32>>, tensor<1x256xi32>
    %t = tile.load %p : tensor<1x256x!tile.ptr<f32>>
    %above = arith.cmpf ogt, %row, %t : tensor<1x256xf32>
    %l1 = arith.select %above, %mid, %l : tensor<1x256xi1>, tensor<1x256xi32>
    %h1 = arith.select %above, %h, %mid : tensor<1x256xi1>, tensor<1x256xi32>
    scf.yield %l1, %h1 : tensor<1x256xi32>, tensor<1x256xi32>
  }
  %flat = tile.reshape %found#0 : tensor<1x256xi32> -> tensor<256xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %op = tile.addptr %os, %at : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %op, %flat : tensor<256x!tile.ptr<i32>>
  tile.return
}
