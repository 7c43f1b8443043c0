// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-defer-stores))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// Two boxes of a program are stored behind the first two steps of the next, and those of the last behind the loop. The
// first trip writes behind the array's end. Nobody waits for the slot before the first: it is not freed.
// CHECK-LABEL: tile.func @deferred
// CHECK: %[[OUT:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: gpu.barrier
// CHECK: } consumer {
// CHECK: %[[PROGRAMS:.*]]:3 = scf.for {{.*}} iter_args(%[[LAST:.*]] = %{{.*}}, %[[ROW:.*]] = %arg1, %[[COLUMN:.*]] = %{{.*}}) -> (tensor<128x128xf16, {{.*}}>, i32, i32)
// CHECK:   tile.dot {{.*}} async
// CHECK-NOT: tile_gpu.barrier_arrive
// CHECK:   tile_gpu.extract_tile %[[LAST]] [0, 0]
// CHECK:   tile_gpu.tma_store %[[OUT]][%[[ROW]], %[[COLUMN]]]
// CHECK:   tile.dot {{.*}} async
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   tile_gpu.extract_tile %[[LAST]] [0, 64]
// CHECK:   tile_gpu.tma_store %[[OUT]][%[[ROW]],
// CHECK:   scf.for
// CHECK:     tile.dot {{.*}} async
// CHECK:   %[[H:.*]] = arith.truncf
// CHECK-NOT: tile_gpu.tma_store
// CHECK:   scf.yield %[[H]],
// CHECK: } {tile_gpu.programs}
// CHECK: tile_gpu.extract_tile %[[PROGRAMS]]#0 [0, 0]
// CHECK: tile_gpu.tma_store %[[OUT]][%[[PROGRAMS]]#1, %[[PROGRAMS]]#2]
// CHECK: tile_gpu.tma_store %[[OUT]]
// CHECK: tile_gpu.tma_store_wait 0
tile.func @deferred(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %k: i32) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 2, stores = deferred>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %empty = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 3>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %p = %c0 to %n step %c1 : i32 {
      %sum, %last = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero, %before = %c2) -> (tensor<128x128xf32, #acc>, i32) : i32 {
        %d = tile.dot %a, %b, %acc by wgmma async : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
        %w = tile_gpu.dot_wait %d pending 1 : tensor<128x128xf32, #acc>
        %slot = tile_gpu.buffer_stage %empty[%before] : !tile_gpu.buffer<1xi64, stages = 3> -> !tile_gpu.buffer<1xi64>
        tile_gpu.barrier_arrive %slot : !tile_gpu.buffer<1xi64>
        scf.yield %w, %c0 : tensor<128x128xf32, #acc>, i32
      }
      %done = tile_gpu.dot_wait %sum pending 0 : tensor<128x128xf32, #acc>
      %h = arith.truncf %done : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
      %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
      tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
      tile_gpu.desc_write %dc[%p, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
    } {tile_gpu.programs}
  }
  tile.return
}
