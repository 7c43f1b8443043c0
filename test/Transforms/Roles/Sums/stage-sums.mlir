// What a loop adds to memory goes by the copy engine, staged in one ring in front of the roles: each step waits until the engine has
// read what the last one staged. Whoever holds rows has a box of 32 columns of f32 each; columns lie below one another.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-stores))' --verify-each | FileCheck %s

#rows = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#columns = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 64]]>

// CHECK-LABEL: tile.func @rows
// CHECK: %[[C:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x32xf32>
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x32xf32, swizzle = 128, stages = 2>
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 32]
// CHECK: tile_gpu.buffer_store
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK: tile_gpu.tma_store %[[C]][%{{.*}}, %{{.*}}] from %{{.*}} {add}
// CHECK: tile_gpu.tma_store %[[C]][%{{.*}}, %{{.*}}] from %{{.*}} {add}
// CHECK-NOT: tile_gpu.desc_write
// CHECK: }
// CHECK: tile_gpu.tma_store_wait 0
tile.func @rows(%c: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 2, stores = whole>} {
  %sums = arith.constant dense<1.0> : tensor<128x64xf32, #rows>
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<128x64xf32>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %i = %c0 to %m step %c128 : i32 {
      %b = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf32, swizzle = 128>
      tile_gpu.buffer_store %sums, %b : tensor<128x64xf32, #rows> -> !tile_gpu.buffer<128x64xf32, swizzle = 128>
      tile_gpu.desc_write %dc[%i, %c0] from %b {add} : !tile.desc<128x64xf32>, !tile_gpu.buffer<128x64xf32, swizzle = 128>
    }
  }
  tile.return
}

// Two sums of two loops share the ring.
// CHECK-LABEL: tile.func @columns
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<256x32xf32, swizzle = 128>
// CHECK-NOT: tile_gpu.alloc_shared
// CHECK: scf.for
// CHECK: tile_gpu.tma_store %{{.*}} across 32 {add} : !tile.desc<64x32xf32>
// CHECK: scf.for
// CHECK: tile_gpu.tma_store %{{.*}} across 32 {add} : !tile.desc<64x32xf32>
// CHECK: tile.return
tile.func @columns(%c: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 2, stores = whole>} {
  %sums = arith.constant dense<1.0> : tensor<64x128xf32, #columns>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x128xf32>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %i = %c0 to %m step %c64 : i32 {
      %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf32, swizzle = 128>
      tile_gpu.buffer_store %sums, %b : tensor<64x128xf32, #columns> -> !tile_gpu.buffer<64x128xf32, swizzle = 128>
      tile_gpu.desc_write %dc[%i, %c0] from %b {add} : !tile.desc<64x128xf32>, !tile_gpu.buffer<64x128xf32, swizzle = 128>
    }
    scf.for %i = %m to %n step %c64 : i32 {
      %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf32, swizzle = 128>
      tile_gpu.buffer_store %sums, %b : tensor<64x128xf32, #columns> -> !tile_gpu.buffer<64x128xf32, swizzle = 128>
      tile_gpu.desc_write %dc[%i, %c0] from %b {add} : !tile.desc<64x128xf32>, !tile_gpu.buffer<64x128xf32, swizzle = 128>
    }
  }
  tile.return
}
