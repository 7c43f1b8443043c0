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

// A table that turns codes into halves, of which columns lie side by side in memory: what is found lies as the codes do, and
// so is B of the product stored. Rows side by side, as nothing is known of the table, would take 32 KB of pointers there.
// CHECK-LABEL: tile.func @decode
// CHECK: %[[CODES:.*]] = tile.load {{.*}} : tensor<64x64x!tile.ptr<i8>, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0]
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0]
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.dot
tile.func @decode(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32},
                  %table: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<1x64xi32>
  %across = arith.muli %c, %pitches : tensor<1x64xi32>
  %rows = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %across : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rows, %columns : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %at : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %codes = tile.load %xp : tensor<64x64x!tile.ptr<i8>>
  %wide = arith.extui %codes : tensor<64x64xi8> to tensor<64x64xi64>
  %base = tile.splat %table : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %p = tile.addptr %base, %wide : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi64>
  %found = tile.load %p : tensor<64x64x!tile.ptr<f16>>
  %b = tile.trans %found order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %total = tile.reduce add %d axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %op, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}
