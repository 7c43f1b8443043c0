// A dot in a branch of a step reads the slot of a ring, as one of each step does: the copies are those of each step.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16]]>
#line = #tile_gpu.layout<register = [[1], [2], [4], [512]], lane = [[8], [16], [32], [64], [128]], warp = [[256]]>

// CHECK-LABEL: tile.func @branch
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages
// CHECK: scf.for
// CHECK: tile_gpu.async_wait
// CHECK: gpu.barrier
// CHECK: tile_gpu.async_copy
// CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage %[[RING]]
// CHECK: scf.if
// CHECK-NEXT: tile.dot %{{.*}}, %[[SLOT]],
// CHECK-NEXT: scf.yield
tile.func @branch(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: tensor<32x32xf16, #acc>, %n: i32, %c: tensor<32x32xf32, #acc>) attributes {tile.num_warps = 2 : i32} {
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  tile_gpu.buffer_store %q, %a : tensor<32x32xf16, #acc> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> tensor<32x32xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #v>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %c) -> (tensor<32x32xf32, #acc>) : i32 {
    %odd = arith.andi %k, %c1 : i32
    %seen = arith.cmpi ne, %odd, %c0 : i32
    %all = tile.splat %seen : i1 -> tensor<32x32xi1, #v>
    %t = tile.load %p, %all : tensor<32x32x!tile.ptr<f16>, #v>
    %u = scf.if %seen -> (tensor<32x32xf32, #acc>) {
      %b = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
      tile_gpu.buffer_store %t, %b : tensor<32x32xf16, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
      %d = tile.dot %a, %b, %s by mma_sync : !tile_gpu.buffer<32x32xf16, swizzle = 64>, !tile_gpu.buffer<32x32xf16, swizzle = 64> -> tensor<32x32xf32, #acc>
      scf.yield %d : tensor<32x32xf32, #acc>
    } else {
      scf.yield %s : tensor<32x32xf32, #acc>
    }
    scf.yield %u : tensor<32x32xf32, #acc>
  }
  tile.return
}
