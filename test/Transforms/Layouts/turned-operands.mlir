// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts{num-warps=4}))' | FileCheck %s

// What was turned round is the first operand; the other one, and what is stored, lie as memory has rows: the first alone is converted.
// CHECK-LABEL: tile.func @turned
// CHECK: %[[X:.*]] = tile.load
// CHECK-NEXT: tile_gpu.convert_layout %[[X]]
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.load
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: arith.addf
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store
tile.func @turned(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<32xi32>
  %j = tile.arange : tensor<64xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %ib = tile.broadcast %i1 : tensor<32x1xi32> -> tensor<32x64xi32>
  %jb = tile.broadcast %j1 : tensor<1x64xi32> -> tensor<32x64xi32>
  %pitch = arith.constant dense<64> : tensor<32x64xi32>
  %start = arith.muli %ib, %pitch : tensor<32x64xi32>
  %at = arith.addi %start, %jb : tensor<32x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>
  %v = tile.load %xp : tensor<32x64x!tile.ptr<f32>>
  %k = tile.arange : tensor<64xi32>
  %l = tile.arange : tensor<32xi32>
  %k1 = tile.expand_dims %k axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %l1 = tile.expand_dims %l axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %kb = tile.broadcast %k1 : tensor<64x1xi32> -> tensor<64x32xi32>
  %lb = tile.broadcast %l1 : tensor<1x32xi32> -> tensor<64x32xi32>
  %rows = arith.constant dense<32> : tensor<64x32xi32>
  %from = arith.muli %kb, %rows : tensor<64x32xi32>
  %there = arith.addi %from, %lb : tensor<64x32xi32>
  %ws = tile.splat %w : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %wp = tile.addptr %ws, %there : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  %u = tile.load %wp : tensor<64x32x!tile.ptr<f32>>
  %t = tile.trans %v order [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
  %sum = arith.addf %t, %u : tensor<64x32xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %there : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  tile.store %yp, %sum : tensor<64x32x!tile.ptr<f32>>
  tile.return
}
