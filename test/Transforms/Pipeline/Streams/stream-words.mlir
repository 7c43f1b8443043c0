// What loops without dots copy by single words lies in shared memory as lanes are neighbours, and not as a thread has it, below
// each other: 32 lanes would write one bank. A row that all warps want is no stream; it starts a step ahead, in registers.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline,tile-load-ahead))' -verify-diagnostics | FileCheck %s

#tall = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]]>
#down = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]]>
#flat = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#rows = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0]]>
#wide = #tile_gpu.layout<register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
!tile = tensor<32x64xf32, #tall>
!ptrs = tensor<32x64x!tile.ptr<f32>, #tall>

// CHECK-LABEL: tile.func @columns
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf32, stages = {{[0-9]+}}>
// CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<f32>
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[NOW:arg[0-9]+]] = %{{[^,]*}}) -> (
// CHECK: tile_gpu.async_wait
// CHECK: tile.load %{{.*}} : tensor<256x!tile.ptr<f32>
// CHECK: tile.reduce add %[[NOW]]
// CHECK-NOT: tile.load
// CHECK: scf.yield
tile.func @columns(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.programs = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : !tile
  %i = tile.arange : tensor<32xi32, #rows>
  %j = tile.arange : tensor<64xi32, #row>
  %k = tile.arange : tensor<256xi32, #wide>
  %ns = tile.splat %n : i32 -> tensor<32x1xi32, #down>
  %js = tile.expand_dims %j axis 0 : tensor<64xi32, #row> -> tensor<1x64xi32, #flat>
  %jb = tile.broadcast %js : tensor<1x64xi32, #flat> -> tensor<32x64xi32, #tall>
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #wide>
  %none = arith.constant 0.0 : f32
  %r:2 = scf.for %at = %c0 to %m step %c32 iter_args(%a = %zero, %b = %none) -> (!tile, f32) : i32 {
    %ats = tile.splat %at : i32 -> tensor<32xi32, #rows>
    %is = arith.addi %ats, %i : tensor<32xi32, #rows>
    %ie = tile.expand_dims %is axis 1 : tensor<32xi32, #rows> -> tensor<32x1xi32, #down>
    %o = arith.muli %ie, %ns : tensor<32x1xi32, #down>
    %ob = tile.broadcast %o : tensor<32x1xi32, #down> -> tensor<32x64xi32, #tall>
    %all = arith.addi %ob, %jb : tensor<32x64xi32, #tall>
    %p = tile.addptr %xs, %all : !ptrs, tensor<32x64xi32, #tall>
    %v = tile.load %p : !ptrs
    %ks = tile.splat %at : i32 -> tensor<256xi32, #wide>
    %kk = arith.addi %ks, %k : tensor<256xi32, #wide>
    %q = tile.addptr %ys, %kk : tensor<256x!tile.ptr<f32>, #wide>, tensor<256xi32, #wide>
    // expected-remark @+1 {{load does not run ahead: expected a tile that threads divide}}
    %w = tile.load %q : tensor<256x!tile.ptr<f32>, #wide>
    %t = tile.reduce add %w axis 0 : tensor<256xf32, #wide> -> f32
    %s = arith.addf %a, %v : !tile
    %u = arith.addf %b, %t : f32
    scf.yield %s, %u : !tile, f32
  }
  %ps = tile.splat %out : !tile.ptr<f32> -> !ptrs
  %po = tile.addptr %ps, %jb : !ptrs, tensor<32x64xi32, #tall>
  %us = tile.splat %r#1 : f32 -> !tile
  %sum = arith.addf %r#0, %us : !tile
  tile.store %po, %sum : !ptrs
  tile.return
}
