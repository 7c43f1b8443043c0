// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' -verify-diagnostics | FileCheck %s

#row = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
!tile = tensor<1024xf32, #row>
!index = tensor<1024xi32, #row>
!ptrs = tensor<1024x!tile.ptr<f32>, #row>

// A row of words that each step of a loop around reads again: the caches have it. Another row in each step comes from memory.
// CHECK-LABEL: tile.func @again
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @again(%x: !tile.ptr<f32>, %n: i32, %m: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %t = scf.for %j = %c0 to %m step %c1 iter_args(%b = %zero) -> (!tile) : i32 {
    // expected-remark @+1 {{loop does not load ahead: expected a loop around that reads something else in each step, found one whose words the caches have}}
    %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
      %ks = tile.splat %k : i32 -> !index
      %o = arith.addi %ks, %i : !index
      %p = tile.addptr %xs, %o : !ptrs, !index
      %v = tile.load %p : !ptrs
      %least = arith.minimumf %v, %b : !tile
      %s = arith.addf %a, %least : !tile
      scf.yield %s : !tile
    }
    scf.yield %r : !tile
  }
  tile.store %xs, %t : !ptrs
  tile.return
}

// CHECK-LABEL: tile.func @anew
// CHECK: tile_gpu.async_copy
// CHECK: tile.return
tile.func @anew(%x: !tile.ptr<f32>, %n: i32, %m: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %t = scf.for %j = %c0 to %m step %c1 iter_args(%b = %zero) -> (!tile) : i32 {
    %row = arith.muli %j, %n : i32
    %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
      %from = arith.addi %row, %k : i32
      %ks = tile.splat %from : i32 -> !index
      %o = arith.addi %ks, %i : !index
      %p = tile.addptr %xs, %o : !ptrs, !index
      %v = tile.load %p : !ptrs
      %least = arith.minimumf %v, %b : !tile
      %s = arith.addf %a, %least : !tile
      scf.yield %s : !tile
    }
    scf.yield %r : !tile
  }
  tile.store %xs, %t : !ptrs
  tile.return
}
