// Pointers keep their layout under a cast.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @addresses
// CHECK: %[[Q:.*]] = tile.ptr_cast %{{.*}} : tensor<256x!tile.ptr<f32>, [[L:#tile_gpu.layout<.*>]]> -> tensor<256x!tile.ptr<i32>, [[L]]>
// CHECK-NOT: convert_layout
// CHECK: tile.load %[[Q]]
tile.func @addresses(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %words = tile.ptr_cast %ptrs : tensor<256x!tile.ptr<f32>> -> tensor<256x!tile.ptr<i32>>
  %v = tile.load %words : tensor<256x!tile.ptr<i32>>
  tile.store %words, %v : tensor<256x!tile.ptr<i32>>
  tile.return
}

// Every second pixel of rows of 14, and channels 784 apart: neighbouring lanes have neighbouring pixels, though neither lies side by side,
// and where a row ends only the launch's numbers tell.
// CHECK-LABEL: tile.func @pixels
// CHECK: tile.load %{{.*}} : tensor<64x32x!tile.ptr<f16>, #tile_gpu.layout<register = {{.*}}, lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]
tile.func @pixels(%p: !tile.ptr<f16>, %first: i32, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %two = arith.constant dense<2> : tensor<64xi32>
  %row = arith.constant dense<14> : tensor<64xi32>
  %line = arith.constant dense<56> : tensor<64xi32>
  %plane = arith.constant dense<784> : tensor<32xi32>
  %lanes = tile.arange : tensor<64xi32>
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %number = arith.addi %lanes, %firsts : tensor<64xi32>
  %x = arith.remsi %number, %row : tensor<64xi32>
  %y = arith.divsi %number, %row : tensor<64xi32>
  %right = arith.muli %x, %two : tensor<64xi32>
  %down = arith.muli %y, %line : tensor<64xi32>
  %pixel = arith.addi %right, %down : tensor<64xi32>
  %channels = tile.arange : tensor<32xi32>
  %far = arith.muli %channels, %plane : tensor<32xi32>
  %a1 = tile.expand_dims %pixel axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %a = tile.broadcast %a1 : tensor<64x1xi32> -> tensor<64x32xi32>
  %b1 = tile.expand_dims %far axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %b = tile.broadcast %b1 : tensor<1x32xi32> -> tensor<64x32xi32>
  %at = arith.addi %a, %b : tensor<64x32xi32>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %ptrs = tile.addptr %ps, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %v = tile.load %ptrs : tensor<64x32x!tile.ptr<f16>>
  %os = tile.splat %out : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %to = tile.addptr %os, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  tile.store %to, %v : tensor<64x32x!tile.ptr<f16>>
  tile.return
}

// Columns that a list gives which is the same in all steps, of rows whose pitch the launch alone knows: lanes have places of one
// row, a thread one pointer and neighbouring rows, which it stores together.
// CHECK-LABEL: tile.func @listed
// CHECK: tile.load %{{.*}} : tensor<64x32x!tile.ptr<f16>, #tile_gpu.layout<register = {{\[\[}}32, 0], [0, 1], [0, 2], [0, 4]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}0, 8], [0, 16]]>>
// One that each step loads: lanes have rows, and a thread the places that the step loaded side by side.
// CHECK-LABEL: tile.func @listed_by_step
// CHECK: tile.load %{{.*}} : tensor<64x32x!tile.ptr<f16>, #tile_gpu.layout<register = {{.*}}, lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]
tile.func @listed(%p: !tile.ptr<f16>, %list: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %pitch: i32, %n: i32, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %lo = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  %lp = tile.expr %list + arange(64)
  %column = tile.load %lp : tensor<64x!tile.ptr<i32>>
  scf.for %k = %lo to %n step %step : i32 {
    %a = tile.expr %p + (col(%column) + (%k + row(arange(32))) * %pitch)
    %v = tile.load %a : tensor<64x32x!tile.ptr<f16>>
    tile.store %a, %v : tensor<64x32x!tile.ptr<f16>>
  }
  tile.return
}

tile.func @listed_by_step(%p: !tile.ptr<f16>, %list: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %pitch: i32, %n: i32, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %lo = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  scf.for %k = %lo to %n step %step : i32 {
    %lp = tile.expr %list + %k + arange(64)
    %column = tile.load %lp : tensor<64x!tile.ptr<i32>>
    %a = tile.expr %p + (col(%column) + row(arange(32)) * %pitch)
    %v = tile.load %a : tensor<64x32x!tile.ptr<f16>>
    tile.store %a, %v : tensor<64x32x!tile.ptr<f16>>
  }
  tile.return
}
