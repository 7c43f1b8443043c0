// Products of few rows wait for memory: rings leave room for four blocks of a multiprocessor, not for all that their warps
// would allow, and have more slots.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16]]>
#line = #tile_gpu.layout<register = [[1], [2], [4], [512]], lane = [[8], [16], [32], [64], [128]], warp = [[256]]>

// CHECK-LABEL: tile.func @thin
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, stages = 4>
tile.func @thin(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: tensor<32x32xf32, #acc>) attributes {tile.num_warps = 2 : i32} {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = 30>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> tensor<32x32xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #v>
  %p = tile.addptr %xs, %o : tensor<32x32x!tile.ptr<f16>, #v>, tensor<32x32xi32, #v>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<32x32xf32, #acc>) : i32 {
    %t = tile.load %p : tensor<32x32x!tile.ptr<f16>, #v>
    %e = math.exp2 %t : tensor<32x32xf16, #v>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
    tile_gpu.buffer_store %e, %b : tensor<32x32xf16, #v> -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
    %d = tile.dot %b, %b, %a by mma_sync : !tile_gpu.buffer<32x32xf16, swizzle = 64>, !tile_gpu.buffer<32x32xf16, swizzle = 64> -> tensor<32x32xf32, #acc>
    scf.yield %d : tensor<32x32xf32, #acc>
  }
  tile.return
}
