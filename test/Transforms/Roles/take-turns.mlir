// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-take-turns))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// The last two steps are a loop of their own, between a turn that is waited for and passed on. A loop of fewer steps is
// all of them.
// CHECK-LABEL: tile.func @turns
// CHECK: } consumer {
// CHECK: %[[WAY:.*]] = arith.subi %arg0, %{{.*}} : i32
// CHECK: %[[STEPS:.*]] = arith.ceildivsi %[[WAY]], %[[STEP:.*]] : i32
// CHECK: %[[BEFORE:.*]] = arith.subi %[[STEPS]], %c2{{.*}} : i32
// CHECK: %[[MOST:.*]] = arith.maxsi %[[BEFORE]], %{{.*}} : i32
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[MOST]], %[[STEP]] : i32
// CHECK: %[[MIDDLE:.*]] = arith.addi %[[ZERO:.*]], %[[DISTANCE]] : i32
// CHECK: %[[HEAD:.*]] = scf.for %{{.*}} = %[[ZERO]] to %[[MIDDLE]] step %[[STEP]]
// CHECK: tile_gpu.turn_wait
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %[[MIDDLE]] to %arg0 step %[[STEP]] iter_args(%{{.*}} = %[[HEAD]])
// CHECK: tile_gpu.turn_pass
// CHECK: tile_gpu.dot_wait %[[SUM]] pending 0
tile.func @turns(%k: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, turns = 2>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %d = tile.dot %a, %b, %s by wgmma async : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      %w = tile_gpu.dot_wait %d pending 1 : tensor<128x128xf32, #acc>
      scf.yield %w : tensor<128x128xf32, #acc>
    }
    %done = tile_gpu.dot_wait %sum pending 0 : tensor<128x128xf32, #acc>
  }
  tile.return
}

// CHECK-LABEL: tile.func @none
// CHECK-NOT: tile_gpu.turn_wait
// CHECK: tile.return
tile.func @none(%k: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}
