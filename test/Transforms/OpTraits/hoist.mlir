// What a pass takes along is said by the op's definition: this one names no tile.swizzle2d, which is element-wise, has
// no effects, and two results. The guide (docs/compiler/adding-a-pass.md) runs the same with an op that it adds.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-hoist-loads))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>

// The address of a row of biases follows from the op: it starts in front of the loop all the same.
// CHECK-LABEL: tile.func private @hoisted
// CHECK: tile.swizzle2d
// CHECK: tile.load
// CHECK: scf.for
// CHECK: tile.dot
tile.func private @hoisted(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %bias: !tile.ptr<f32>, %n: i32) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bases = tile.splat %bias : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  %i = tile.arange : tensor<64xi32, #row>
  %ns = tile.splat %n : i32 -> tensor<64xi32, #row>
  %x, %y = tile.swizzle2d %i, %i, %ns, %ns, %ns : tensor<64xi32, #row>
  %p = tile.addptr %bases, %x : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
  tile.return %v : tensor<64xf32, #row>
}

// What the load could see is written in between: it stays.
// CHECK-LABEL: tile.func private @written
// CHECK: scf.for
// CHECK: tile.store
// CHECK: tile.load
tile.func private @written(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %bias: tensor<64x!tile.ptr<f32>, #row>, %old: tensor<64xf32, #row>) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  tile.store %bias, %old : tensor<64x!tile.ptr<f32>, #row>
  %v = tile.load %bias : tensor<64x!tile.ptr<f32>, #row>
  tile.return %v : tensor<64xf32, #row>
}
