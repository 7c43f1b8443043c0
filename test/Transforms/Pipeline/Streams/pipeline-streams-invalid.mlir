// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' -verify-diagnostics | FileCheck %s

// What keeps loads of loops without dots from running ahead, one thing a function.

#row = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#twice = #tile_gpu.layout<register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [[512], [0]]>
!tile = tensor<1024xf32, #row>
!index = tensor<1024xi32, #row>
!ptrs = tensor<1024x!tile.ptr<f32>, #row>

// Rows of a sparse matrix: how many steps there are, one mostly, is read from memory.
// CHECK-LABEL: tile.func @loaded_steps
// CHECK-NOT: alloc_shared
// CHECK: tile.return
tile.func @loaded_steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %ends: !tile.ptr<i32>) {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %to = tile.addptr %ends, %c1 : !tile.ptr<i32>, i32
  %lower = tile.load %ends : !tile.ptr<i32>
  %upper = tile.load %to : !tile.ptr<i32>
  %r = scf.for %k = %lower to %upper step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    // expected-remark @+1 {{load does not run ahead: expected a number of steps that is not loaded}}
    %t = tile.load %p : !ptrs
    %s = arith.addf %a, %t : !tile
    scf.yield %s : !tile
  }
  %p = tile.addptr %xs, %i : !ptrs, !index
  tile.store %p, %r : !ptrs
  tile.return
}

// Each step reads what it has just written.
// CHECK-LABEL: tile.func @behind
tile.func @behind(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %one = arith.constant dense<1.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %one) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    tile.store %p, %a : !ptrs
    // expected-remark @+1 {{load does not run ahead: expected it in front of the loop's writes}}
    %t = tile.load %p : !ptrs
    scf.yield %t : !tile
  }
  tile.return
}

// CHECK-LABEL: tile.func @barrier
tile.func @barrier(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %c0 to %n step %c1024 : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    // expected-remark @+1 {{load does not run ahead: expected a loop without barriers, and writes through pointers alone}}
    %t = tile.load %p : !ptrs
    tile.barrier
    tile.store %p, %t : !ptrs
  }
  tile.return
}

// Where it writes depends on what it has read.
// CHECK-LABEL: tile.func @scatters
tile.func @scatters(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32>, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>, #row>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>, #row>
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %c0 to %n step %c1024 : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : tensor<1024x!tile.ptr<i32>, #row>, !index
    // expected-remark @+1 {{load does not run ahead: expected writes to addresses that are sums of strides times positions}}
    %t = tile.load %p : tensor<1024x!tile.ptr<i32>, #row>
    %q = tile.addptr %ys, %t : tensor<1024x!tile.ptr<i32>, #row>, !index
    tile.store %q, %i : tensor<1024x!tile.ptr<i32>, #row>
  }
  tile.return
}

// Two warps have the same elements: one would copy over what the other has yet to read.
// CHECK-LABEL: tile.func @shared
tile.func @shared(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #twice>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #twice>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #twice>
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (tensor<1024xf32, #twice>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<1024xi32, #twice>
    %o = arith.addi %ks, %i : tensor<1024xi32, #twice>
    %p = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>, #twice>, tensor<1024xi32, #twice>
    // expected-remark @+1 {{load does not run ahead: expected a tile that threads divide}}
    %t = tile.load %p : tensor<1024x!tile.ptr<f32>, #twice>
    %s = arith.addf %a, %t : tensor<1024xf32, #twice>
    scf.yield %s : tensor<1024xf32, #twice>
  }
  tile.return
}

// Of every sector a word: copies of single words take longer than loads.
// CHECK-LABEL: tile.func @apart
tile.func @apart(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %eight = arith.constant dense<8> : !index
  %far = arith.muli %i, %eight : !index
  %c0 = arith.constant 0 : i32
  %c8192 = arith.constant 8192 : i32
  %r = scf.for %k = %c0 to %n step %c8192 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %far : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    // expected-remark @+1 {{load does not run ahead: expected elements that lie side by side in memory}}
    %t = tile.load %p : !ptrs
    %s = arith.addf %a, %t : !tile
    scf.yield %s : !tile
  }
  tile.return
}

// Of more programs than a device holds at a time most have one step; of 64 each has many.
// CHECK-LABEL: tile.func @one_step
tile.func @one_step(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %first = tile.program_id x
  %step = tile.num_programs x
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %first to %n step %step : i32 {
    %at = arith.muli %k, %c1024 : i32
    %ks = tile.splat %at : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    // expected-remark @+1 {{load does not run ahead: expected fewer programs, which have several steps each}}
    %t = tile.load %p : !ptrs
    %s = arith.addf %t, %t : !tile
    tile.store %p, %s : !ptrs
  }
  tile.return
}
