// Of a loop of 64 short steps ptxas is not told how many there are; one of 32 it unrolls as a whole, one whose steps load 64 bytes a
// thread has enough on its way, and one that reduces waits for other threads.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-hide-steps))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-hide-steps))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS-COUNT-2: remark: steps are counted: expected less than {{[0-9]+}} bytes that a thread loads in each, and nothing that waits
// SAYS-NOT: remark

#row = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#many = #tile_gpu.layout<register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = []>

// CHECK-LABEL: tile.func @many_steps(
// CHECK: %[[END:.*]] = tile.inline_ptx "{{.*}}nctaid{{.*}}zero, 64;{{.*}}" constraints "=r" pure
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
tile.func @many_steps(%p: tensor<64x!tile.ptr<f32>, #row>, %q: tensor<64x!tile.ptr<f32>, #row>) attributes {tile.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32, #row>
  %sum = scf.for %k = %zero to %end step %one iter_args(%s = %none) -> (tensor<64xf32, #row>) : i32 {
    %x = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    %t = arith.addf %s, %x : tensor<64xf32, #row>
    scf.yield %t : tensor<64xf32, #row>
  }
  tile.store %q, %sum : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}

// CHECK-LABEL: tile.func @few_steps(
// CHECK-NOT: tile.inline_ptx
tile.func @few_steps(%p: tensor<64x!tile.ptr<f32>, #row>, %q: tensor<64x!tile.ptr<f32>, #row>) attributes {tile.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 32 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32, #row>
  %sum = scf.for %k = %zero to %end step %one iter_args(%s = %none) -> (tensor<64xf32, #row>) : i32 {
    %x = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    %t = arith.addf %s, %x : tensor<64xf32, #row>
    scf.yield %t : tensor<64xf32, #row>
  }
  tile.store %q, %sum : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}

// CHECK-LABEL: tile.func @long_steps(
// CHECK-NOT: tile.inline_ptx
tile.func @long_steps(%p: tensor<512x!tile.ptr<f32>, #many>, %q: tensor<512x!tile.ptr<f32>, #many>) attributes {tile.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<512xf32, #many>
  %sum = scf.for %k = %zero to %end step %one iter_args(%s = %none) -> (tensor<512xf32, #many>) : i32 {
    %x = tile.load %p : tensor<512x!tile.ptr<f32>, #many>
    %t = arith.addf %s, %x : tensor<512xf32, #many>
    scf.yield %t : tensor<512xf32, #many>
  }
  tile.store %q, %sum : tensor<512x!tile.ptr<f32>, #many>
  tile.return
}

// CHECK-LABEL: tile.func @waits(
// CHECK-NOT: tile.inline_ptx
tile.func @waits(%p: tensor<64x!tile.ptr<f32>, #row>, %q: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 64 : i32
  %none = arith.constant 0.0 : f32
  %sum = scf.for %k = %zero to %end step %one iter_args(%s = %none) -> (f32) : i32 {
    %x = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    %r = tile.reduce add %x axis 0 : tensor<64xf32, #row> -> f32
    %t = arith.addf %s, %r : f32
    scf.yield %t : f32
  }
  tile.store %q, %sum : !tile.ptr<f32>
  tile.return
}

#turned = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#lanes = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>

// Lanes that hand on what they loaded wait for nobody.
// CHECK-LABEL: tile.func @hands_on(
// CHECK: tile.inline_ptx
tile.func @hands_on(%p: tensor<64x!tile.ptr<f32>, #lanes>, %q: tensor<64x!tile.ptr<f32>, #turned>) attributes {tile.num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32, #turned>
  %sum = scf.for %k = %zero to %end step %one iter_args(%s = %none) -> (tensor<64xf32, #turned>) : i32 {
    %x = tile.load %p : tensor<64x!tile.ptr<f32>, #lanes>
    %y = tile_gpu.convert_layout %x : tensor<64xf32, #lanes> -> tensor<64xf32, #turned>
    %t = arith.addf %s, %y : tensor<64xf32, #turned>
    scf.yield %t : tensor<64xf32, #turned>
  }
  tile.store %q, %sum : tensor<64x!tile.ptr<f32>, #turned>
  tile.return
}
