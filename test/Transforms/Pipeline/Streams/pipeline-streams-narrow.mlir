// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s

// Steps of two words a thread (lib/Transforms/Pipeline/Feeds.h): where the launch says that a multiprocessor has few warps.

#tiles = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
!tile = tensor<16x16xf32, #tiles>
!index = tensor<16x16xi32, #tiles>
!ptrs = tensor<16x16x!tile.ptr<f32>, #tiles>

// Eight warps: rows of 64 bytes, seven steps of which are on their way.
// CHECK-LABEL: tile.func @few
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x16xf32, stages = 8>
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.async_wait 6
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @few(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 2 : i32} {
  %rows = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
  %columns = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>>
  %i = tile.expand_dims %rows axis 1 : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>> -> tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>>
  %j = tile.expand_dims %columns axis 0 : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>> -> tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %row = tile.broadcast %i : tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>> -> !index
  %column = tile.broadcast %j : tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> !index
  %pitches = tile.splat %pitch : i32 -> !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %at = arith.addi %ks, %row : !index
    %o = arith.muli %at, %pitches : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %q = tile.addptr %p, %column : !ptrs, !index
    %v = tile.load %q : !ptrs
    %s = arith.addf %a, %v : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// Sixteen, a quarter of all that there can be, hide what each of them waits for.
// CHECK-LABEL: tile.func @quarter
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @quarter(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 4 : i32} {
  %rows = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
  %columns = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>>
  %i = tile.expand_dims %rows axis 1 : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>> -> tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>>
  %j = tile.expand_dims %columns axis 0 : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>> -> tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %row = tile.broadcast %i : tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>> -> !index
  %column = tile.broadcast %j : tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> !index
  %pitches = tile.splat %pitch : i32 -> !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %at = arith.addi %ks, %row : !index
    %o = arith.muli %at, %pitches : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %q = tile.addptr %p, %column : !ptrs, !index
    %v = tile.load %q : !ptrs
    %s = arith.addf %a, %v : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// Nothing is known of how many there are.
// CHECK-LABEL: tile.func @untold
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @untold(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %n: i32) {
  %rows = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
  %columns = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>>
  %i = tile.expand_dims %rows axis 1 : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>> -> tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>>
  %j = tile.expand_dims %columns axis 0 : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>> -> tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %row = tile.broadcast %i : tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>> -> !index
  %column = tile.broadcast %j : tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> !index
  %pitches = tile.splat %pitch : i32 -> !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %at = arith.addi %ks, %row : !index
    %o = arith.muli %at, %pitches : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %q = tile.addptr %p, %column : !ptrs, !index
    %v = tile.load %q : !ptrs
    %s = arith.addf %a, %v : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// Half as many of each, 512 bytes a step: twice as many on their way.
// CHECK-LABEL: tile.func @small
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x16xbf16, stages = 16>
// CHECK: tile.return
tile.func @small(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 2 : i32} {
  %rows = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
  %columns = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>>
  %i = tile.expand_dims %rows axis 1 : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>> -> tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>>
  %j = tile.expand_dims %columns axis 0 : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>> -> tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %row = tile.broadcast %i : tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>> -> !index
  %column = tile.broadcast %j : tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> !index
  %pitches = tile.splat %pitch : i32 -> !index
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<16x16x!tile.ptr<bf16>, #tiles>
  %zero = arith.constant dense<0.0> : tensor<16x16xbf16, #tiles>
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%a = %zero) -> (tensor<16x16xbf16, #tiles>) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %at = arith.addi %ks, %row : !index
    %o = arith.muli %at, %pitches : !index
    %p = tile.addptr %xs, %o : tensor<16x16x!tile.ptr<bf16>, #tiles>, !index
    %q = tile.addptr %p, %column : tensor<16x16x!tile.ptr<bf16>, #tiles>, !index
    %v = tile.load %q : tensor<16x16x!tile.ptr<bf16>, #tiles>
    %s = arith.addf %a, %v : tensor<16x16xbf16, #tiles>
    scf.yield %s : tensor<16x16xbf16, #tiles>
  }
  tile.store %xs, %r : tensor<16x16x!tile.ptr<bf16>, #tiles>
  tile.return
}

// What each step adds a row to, which several threads read, stays in it, and would be waited for: so do the others.
// CHECK-LABEL: tile.func @beside_rows
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @beside_rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 2 : i32} {
  %rows = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
  %columns = tile.arange : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>>
  %i = tile.expand_dims %rows axis 1 : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>> -> tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>>
  %j = tile.expand_dims %columns axis 0 : tensor<16xi32, #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [0], [0]], warp = [[0], [0]]>> -> tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %row = tile.broadcast %i : tensor<16x1xi32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>> -> !index
  %column = tile.broadcast %j : tensor<1x16xi32, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> !index
  %pitches = tile.splat %pitch : i32 -> !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %at = arith.addi %ks, %row : !index
    %o = arith.muli %at, %pitches : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %q = tile.addptr %p, %column : !ptrs, !index
    %v = tile.load %q : !ptrs
    %rk = tile.splat %k : i32 -> tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
    %ro = arith.addi %rk, %rows : tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
    %rx = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
    %rp = tile.addptr %rx, %ro : tensor<16x!tile.ptr<f32>, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>, tensor<16xi32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
    %rv = tile.load %rp : tensor<16x!tile.ptr<f32>, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>
    %re = tile.expand_dims %rv axis 1 : tensor<16xf32, #tile_gpu.layout<register = [[0]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>> -> tensor<16x1xf32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>>
    %rb = tile.broadcast %re : tensor<16x1xf32, #tile_gpu.layout<register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>> -> !tile
    %w = arith.mulf %v, %rb : !tile
    %s = arith.addf %a, %w : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}
