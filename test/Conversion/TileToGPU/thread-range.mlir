// How many threads there are, LLVM hears where rows end at a number, and not at an argument.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#eight = #tile_gpu.layout<register = [[128], [256], [512]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>

// CHECK-LABEL: llvm.func @fixed
// CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
tile.func @fixed(%p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %i = tile.arange : tensor<1024xi32, #eight>
  %n = arith.constant dense<640> : tensor<1024xi32, #eight>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #eight>
  %m = arith.cmpi slt, %i, %n : tensor<1024xi32, #eight>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  tile.store %q, %zero, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}

// CHECK-LABEL: llvm.func @given
// CHECK: nvvm.read.ptx.sreg.tid.x : i32
tile.func @given(%p: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %i = tile.arange : tensor<1024xi32, #eight>
  %ns = tile.splat %n : i32 -> tensor<1024xi32, #eight>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #eight>
  %m = arith.cmpi slt, %i, %ns : tensor<1024xi32, #eight>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #eight>
  %q = tile.addptr %ps, %i : tensor<1024x!tile.ptr<f32>, #eight>, tensor<1024xi32, #eight>
  tile.store %q, %zero, %m : tensor<1024x!tile.ptr<f32>, #eight>
  tile.return
}
