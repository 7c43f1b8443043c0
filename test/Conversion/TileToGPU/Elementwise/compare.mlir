// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#four = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#one = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// Positions are compared with a constant number by number, on either side: of a number LLVM knows which bits it can have.
// CHECK-LABEL: llvm.func @positions
// CHECK-NOT: arith.cmpi {{.*}} : vector
// CHECK: %[[IS:.*]] = vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>
// CHECK: %[[BELOW:.*]] = vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>
// CHECK: arith.ori %[[IS]], %[[BELOW]] : vector<4xi1>
tile.func @positions(%x: f32, %out: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %j = tile.arange : tensor<128xi32, #four>
  %five = arith.constant dense<5> : tensor<128xi32, #four>
  %is = arith.cmpi eq, %j, %five : tensor<128xi32, #four>
  %below = arith.cmpi sgt, %five, %j : tensor<128xi32, #four>
  %both = arith.ori %is, %below : tensor<128xi1, #four>
  %v = tile.splat %x : f32 -> tensor<128xf32, #four>
  %to = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %at = tile.addptr %to, %j : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  tile.store %at, %v, %both : tensor<128x!tile.ptr<f32>, #four>
  tile.return
}

// No constant, or one number a thread: as other ops.
// CHECK-LABEL: llvm.func @others
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : vector<1xi32>
tile.func @others(%n: i32, %x: f32, %out: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %j = tile.arange : tensor<128xi32, #four>
  %all = tile.splat %n : i32 -> tensor<128xi32, #four>
  %below = arith.cmpi slt, %j, %all : tensor<128xi32, #four>
  %v = tile.splat %x : f32 -> tensor<128xf32, #four>
  %to = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %at = tile.addptr %to, %j : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  tile.store %at, %v, %below : tensor<128x!tile.ptr<f32>, #four>
  %i = tile.arange : tensor<32xi32, #one>
  %five = arith.constant dense<5> : tensor<32xi32, #one>
  %is = arith.cmpi eq, %i, %five : tensor<32xi32, #one>
  %w = tile.splat %x : f32 -> tensor<32xf32, #one>
  %there = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #one>
  %on = tile.addptr %there, %i : tensor<32x!tile.ptr<f32>, #one>, tensor<32xi32, #one>
  tile.store %on, %w, %is : tensor<32x!tile.ptr<f32>, #one>
  tile.return
}
