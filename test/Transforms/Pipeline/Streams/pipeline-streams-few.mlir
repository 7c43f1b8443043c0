// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s

// Rows of less than a line (lib/Transforms/Pipeline/Rings/Stages.c) where the launch says that a multiprocessor has few warps.

#column = #tile_gpu.layout<register = [[0], [0], [0]], lane = [[0], [1], [2], [4], [8]], warp = [[16], [32]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [0], [0], [0], [0]], warp = [[0], [0]]>
#column2 = #tile_gpu.layout<register = [[0, 0], [0, 0], [0, 0]], lane = [[0, 0], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#line2 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#parts = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#deep = #tile_gpu.layout<register = [[0], [0], [0]], lane = [[0], [1], [2], [4], [8]], warp = [[16], [32]]>
#across = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [0], [0], [0], [0]], warp = [[0], [0]]>
#deep2 = #tile_gpu.layout<register = [[0, 0], [0, 0], [0, 0]], lane = [[0, 0], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#across2 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#halves = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>

// Of few warps each waits for what is not there: the cache has it longer than they take.
// CHECK-LABEL: tile.func @parts_of_lines_of_few
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, stages = 8>
tile.func @parts_of_lines_of_few(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : tensor<64xi32, #column>
  %j = tile.arange : tensor<16xi32, #line>
  %i2 = tile.expand_dims %i axis 1 : tensor<64xi32, #column> -> tensor<64x1xi32, #column2>
  %j2 = tile.expand_dims %j axis 0 : tensor<16xi32, #line> -> tensor<1x16xi32, #line2>
  %pitch = arith.constant dense<256> : tensor<64x1xi32, #column2>
  %rows = arith.muli %i2, %pitch : tensor<64x1xi32, #column2>
  %is = tile.broadcast %rows : tensor<64x1xi32, #column2> -> tensor<64x16xi32, #parts>
  %js = tile.broadcast %j2 : tensor<1x16xi32, #line2> -> tensor<64x16xi32, #parts>
  %at = arith.addi %is, %js : tensor<64x16xi32, #parts>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>, #parts>
  %zero = arith.constant dense<0.0> : tensor<64x16xf16, #parts>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 16384 : i32
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<64x16xf16, #parts>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x16xi32, #parts>
    %o = arith.addi %ks, %at : tensor<64x16xi32, #parts>
    %p = tile.addptr %xs, %o : tensor<64x16x!tile.ptr<f16>, #parts>, tensor<64x16xi32, #parts>
    %t = tile.load %p : tensor<64x16x!tile.ptr<f16>, #parts>
    %s = arith.addf %a, %t : tensor<64x16xf16, #parts>
    scf.yield %s : tensor<64x16xf16, #parts>
  }
  %p = tile.addptr %xs, %at : tensor<64x16x!tile.ptr<f16>, #parts>, tensor<64x16xi32, #parts>
  tile.store %p, %r : tensor<64x16x!tile.ptr<f16>, #parts>
  tile.return
}

// Where rows begin nobody knows: no more than where warps are many.
// CHECK-LABEL: tile.func @half_lines_anywhere
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf32, stages = 4>
tile.func @half_lines_anywhere(%x: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : tensor<64xi32, #deep>
  %j = tile.arange : tensor<16xi32, #across>
  %i2 = tile.expand_dims %i axis 1 : tensor<64xi32, #deep> -> tensor<64x1xi32, #deep2>
  %j2 = tile.expand_dims %j axis 0 : tensor<16xi32, #across> -> tensor<1x16xi32, #across2>
  %pitch = arith.constant dense<128> : tensor<64x1xi32, #deep2>
  %rows = arith.muli %i2, %pitch : tensor<64x1xi32, #deep2>
  %is = tile.broadcast %rows : tensor<64x1xi32, #deep2> -> tensor<64x16xi32, #halves>
  %js = tile.broadcast %j2 : tensor<1x16xi32, #across2> -> tensor<64x16xi32, #halves>
  %at = arith.addi %is, %js : tensor<64x16xi32, #halves>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>, #halves>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #halves>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 8192 : i32
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<64x16xf32, #halves>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x16xi32, #halves>
    %o = arith.addi %ks, %at : tensor<64x16xi32, #halves>
    %p = tile.addptr %xs, %o : tensor<64x16x!tile.ptr<f32>, #halves>, tensor<64x16xi32, #halves>
    %t = tile.load %p : tensor<64x16x!tile.ptr<f32>, #halves>
    %s = arith.addf %a, %t : tensor<64x16xf32, #halves>
    scf.yield %s : tensor<64x16xf32, #halves>
  }
  %p = tile.addptr %xs, %at : tensor<64x16x!tile.ptr<f32>, #halves>, tensor<64x16xi32, #halves>
  tile.store %p, %r : tensor<64x16x!tile.ptr<f32>, #halves>
  tile.return
}
