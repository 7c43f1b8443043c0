// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#wide = #tile_gpu.layout<register = [[32], [64], [8192], [16384], [32768], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [[128], [256], [512], [1024], [2048]]>
#less = #tile_gpu.layout<register = [[32], [64], [8192], [16384], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [[128], [256], [512], [1024], [2048]]>

// 64 elements of 32 warps are all registers of a thread: no position is held for each, but what the thread has of them is
// compared with a limit of each register, which all threads have.
// CHECK-LABEL: llvm.func @filled
tile.func @filled(%p: !tile.ptr<bf16>, %n: i32) attributes {tile.num_warps = 32 : i32} {
  // CHECK: %[[MOST:.*]] = arith.maxsi %arg1, %{{.*}} : i32
  // CHECK: %[[LESS:.*]] = arith.subi %{{.*}}, %c32_i32 : i32
  // CHECK: arith.cmpi slt, %{{.*}}, %[[LESS]] : i32
  %i = tile.arange : tensor<65536xi32, #wide>
  %end = tile.splat %n : i32 -> tensor<65536xi32, #wide>
  %m = arith.cmpi slt, %i, %end : tensor<65536xi32, #wide>
  %a = tile.splat %p : !tile.ptr<bf16> -> tensor<65536x!tile.ptr<bf16>, #wide>
  %b = tile.addptr %a, %i : tensor<65536x!tile.ptr<bf16>, #wide>, tensor<65536xi32, #wide>
  %x = tile.load %b, %m : tensor<65536x!tile.ptr<bf16>, #wide>
  tile.store %b, %x, %m : tensor<65536x!tile.ptr<bf16>, #wide>
  tile.return
}

// CHECK-LABEL: llvm.func @fewer
tile.func @fewer(%p: !tile.ptr<bf16>, %n: i32) attributes {tile.num_warps = 32 : i32} {
  // CHECK-NOT: arith.maxsi
  // CHECK: llvm.return
  %i = tile.arange : tensor<32768xi32, #less>
  %end = tile.splat %n : i32 -> tensor<32768xi32, #less>
  %m = arith.cmpi slt, %i, %end : tensor<32768xi32, #less>
  %a = tile.splat %p : !tile.ptr<bf16> -> tensor<32768x!tile.ptr<bf16>, #less>
  %b = tile.addptr %a, %i : tensor<32768x!tile.ptr<bf16>, #less>, tensor<32768xi32, #less>
  %x = tile.load %b, %m : tensor<32768x!tile.ptr<bf16>, #less>
  tile.store %b, %x, %m : tensor<32768x!tile.ptr<bf16>, #less>
  tile.return
}
