// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-stores))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// Each of four boxes has a slot. Once, and not in front of each, a program waits for what the one before it staged.
// CHECK-LABEL: tile.func @together
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 4>
// CHECK: } consumer {
// CHECK: scf.for
// CHECK-NOT: tile_gpu.buffer_store
// CHECK: tile_gpu.tma_store_wait 0
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-COUNT-4: tile_gpu.buffer_store
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile_gpu.group_barrier
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK-COUNT-4: tile_gpu.tma_store %
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: } {tile_gpu.programs}
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// CHECK: tile.return
tile.func @together(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.together,
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<128x256xf16, #acc>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %i = %c0 to %m step %c1 : i32 {
      %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x256xf16, swizzle = 128>
      tile_gpu.buffer_store %zero, %sc : tensor<128x256xf16, #acc> -> !tile_gpu.buffer<128x256xf16, swizzle = 128>
      tile_gpu.desc_write %dc[%i, %n] from %sc : !tile.desc<128x256xf16>, !tile_gpu.buffer<128x256xf16, swizzle = 128>
    } {tile_gpu.programs}
  }
  tile.return
}
