// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-issue-loads))' --verify-each | FileCheck %s

#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 256]]>
#columns = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#row = #tile_gpu.layout<register = [[1], [2], [4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>
#tall = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#flat = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 256]]>
!p = tensor<32x512x!tile.ptr<f32>, #rows>
!t = tensor<32x512xf32, #rows>
!c = tensor<512xf32, #columns>

// Of 32 accesses whose elements each thread adds up ptxas has three on their way: all begin here,
// as the loop carries four words.
// CHECK-LABEL: tile.func @combined
// CHECK: tile.load %{{.*}} {tile_gpu.issues}
tile.func @combined(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: tensor<512x!tile.ptr<f32>, #columns>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c512 = arith.constant dense<512> : tensor<32x512xi32, #rows>
  %none = arith.constant dense<0.000000e+00> : !c
  %rows = tile.arange : tensor<32xi32, #row>
  %tall = tile.expand_dims %rows axis 1 : tensor<32xi32, #row> -> tensor<32x1xi32, #tall>
  %row = tile.broadcast %tall : tensor<32x1xi32, #tall> -> tensor<32x512xi32, #rows>
  %cols = tile.arange : tensor<512xi32, #columns>
  %flat = tile.expand_dims %cols axis 0 : tensor<512xi32, #columns> -> tensor<1x512xi32, #flat>
  %col = tile.broadcast %flat : tensor<1x512xi32, #flat> -> tensor<32x512xi32, #rows>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (!c) : i32 {
    %first = arith.muli %i, %n : i32
    %at = tile.splat %first : i32 -> tensor<32x512xi32, #rows>
    %line = arith.addi %row, %at : tensor<32x512xi32, #rows>
    %far = arith.muli %line, %c512 : tensor<32x512xi32, #rows>
    %place = arith.addi %far, %col : tensor<32x512xi32, #rows>
    %base = tile.splat %x : !tile.ptr<f32> -> !p
    %p = tile.addptr %base, %place : !p, tensor<32x512xi32, #rows>
    %v = tile.load %p : !p
    %square = arith.mulf %v, %v : !t
    %own = tile.reduce add %square axis 0 : !t -> !c
    %next = arith.addf %s, %own : !c
    scf.yield %next : !c
  }
  tile.store %y, %sum : tensor<512x!tile.ptr<f32>, #columns>
  tile.return
}

// What somebody else looks at as well is held anyway: ptxas decides.
// CHECK-LABEL: tile.func @kept
// CHECK-NOT: tile_gpu.issues
// CHECK: tile.return
tile.func @kept(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: tensor<512x!tile.ptr<f32>, #columns>, %z: !p, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c512 = arith.constant dense<512> : tensor<32x512xi32, #rows>
  %none = arith.constant dense<0.000000e+00> : !c
  %rows = tile.arange : tensor<32xi32, #row>
  %tall = tile.expand_dims %rows axis 1 : tensor<32xi32, #row> -> tensor<32x1xi32, #tall>
  %row = tile.broadcast %tall : tensor<32x1xi32, #tall> -> tensor<32x512xi32, #rows>
  %cols = tile.arange : tensor<512xi32, #columns>
  %flat = tile.expand_dims %cols axis 0 : tensor<512xi32, #columns> -> tensor<1x512xi32, #flat>
  %col = tile.broadcast %flat : tensor<1x512xi32, #flat> -> tensor<32x512xi32, #rows>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (!c) : i32 {
    %first = arith.muli %i, %n : i32
    %at = tile.splat %first : i32 -> tensor<32x512xi32, #rows>
    %line = arith.addi %row, %at : tensor<32x512xi32, #rows>
    %far = arith.muli %line, %c512 : tensor<32x512xi32, #rows>
    %place = arith.addi %far, %col : tensor<32x512xi32, #rows>
    %base = tile.splat %x : !tile.ptr<f32> -> !p
    %p = tile.addptr %base, %place : !p, tensor<32x512xi32, #rows>
    %v = tile.load %p : !p
    tile.store %z, %v : !p
    %own = tile.reduce add %v axis 0 : !t -> !c
    %next = arith.addf %s, %own : !c
    scf.yield %next : !c
  }
  tile.store %y, %sum : tensor<512x!tile.ptr<f32>, #columns>
  tile.return
}
