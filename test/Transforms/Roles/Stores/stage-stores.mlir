// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-stores))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

#acc3 = #tile_gpu.layout<register = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64]],
                   lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[0, 16, 0], [0, 32, 0], [0, 64, 0]]>

// Two boxes of 64 columns, each in a slot of its own. Before the second is filled nobody reads it any more.
// CHECK-LABEL: tile.func @in_turn
// CHECK: %[[C:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: gpu.barrier
// CHECK: } consumer {
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK: %[[FIRST:.*]] = tile_gpu.buffer_stage %[[RING]][%c0
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[FIRST]]
// CHECK: tile_gpu.tma_store_wait 0
// CHECK: tile_gpu.group_barrier
// CHECK: tile_gpu.tma_store %[[C]]
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 64]
// CHECK: %[[SECOND:.*]] = tile_gpu.buffer_stage %[[RING]][%c1
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[SECOND]]
// CHECK: tile_gpu.tma_store_wait 0
// CHECK: tile_gpu.tma_store %[[C]]
// CHECK: tile_gpu.tma_store_wait 0
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return

// Warp groups that hold columns, as of a product that was computed transposed: 32 columns of f32 are a box's, and lie below those of
// the others in a slot, 32 rows of all of them. In the array they lie beside them.
// CHECK-LABEL: tile.func @columns
// CHECK: %[[C:.*]] = tile.make_desc {{.*}} -> !tile.desc<32x32xf32>
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x32xf32, swizzle = 128, stages = 2>
// CHECK: } consumer {
// CHECK: %[[ROWS:.*]] = tile_gpu.extract_tile %{{.*}} [0, 0] {{.*}} -> tensor<32x128xf32,
// CHECK: %[[A:.*]] = tile.reshape %[[ROWS]] {{.*}} -> tensor<1x32x4x32xf32,
// CHECK: %[[B:.*]] = tile.trans %[[A]] order [2, 1, 0, 3] {{.*}} -> tensor<4x32x1x32xf32,
// CHECK: %[[T:.*]] = tile.reshape %[[B]] {{.*}} -> tensor<128x32xf32, #tile_gpu.layout<register = {{\[\[}}1, 0], [0, 8], [8, 0], [16, 0]], lane = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{\[\[}}0, 16], [32, 0], [64, 0]]>>
// CHECK: tile_gpu.buffer_store %[[T]]
// CHECK: tile_gpu.tma_store %[[C]][%[[I:.*]], %[[J:.*]]] from %{{.*}} across 32 :
// CHECK: tile_gpu.extract_tile %{{.*}} [32, 0]
// CHECK: %[[BELOW:.*]] = arith.addi %[[I]], %c32_i32
// CHECK: tile_gpu.tma_store %[[C]][%[[BELOW]], %[[J]]] from %{{.*}} across 32 :
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return

// Of which 40 rows are no padding: the second box begins at row 8, over some of the first.
// CHECK-LABEL: tile.func @columns_padded
// CHECK: } consumer {
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0] {{.*}} -> tensor<32x128xf32,
// CHECK: tile_gpu.tma_store %[[C:.*]][%[[I:.*]], %[[J:.*]]] from %{{.*}} across 32 :
// CHECK: tile_gpu.extract_tile %{{.*}} [8, 0] {{.*}} -> tensor<32x128xf32,
// CHECK: %[[BELOW:.*]] = arith.addi %[[I]], %c8_i32
// CHECK: tile_gpu.tma_store %[[C]][%[[BELOW]], %[[J]]] from %{{.*}} across 32 :
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return

// The warps of one group hold columns of two boxes, which lie across as those of two groups do.
// CHECK-LABEL: tile.func @warps_padded
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0] {{.*}} -> tensor<32x64xf32,
// CHECK: tile_gpu.tma_store %[[C:.*]][%[[I:.*]], %[[J:.*]]] from %{{.*}} across 32 :
// CHECK: tile_gpu.extract_tile %{{.*}} [16, 0] {{.*}} -> tensor<32x64xf32,
// CHECK: %[[BELOW:.*]] = arith.addi %[[I]], %c16_i32
// CHECK: tile_gpu.tma_store %[[C]][%[[BELOW]], %[[J]]] from %{{.*}} across 32 :
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return

// Both at once, as no other program has used the slots.
// CHECK-LABEL: tile.func @at_once
// CHECK: } consumer {
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 64]
// CHECK: tile_gpu.group_barrier
// CHECK: tile_gpu.tma_store %
// CHECK: tile_gpu.tma_store %
// CHECK: tile_gpu.tma_store_wait 0
// CHECK: tile.return

// Of three dimensions the first is one head: the tile behind tile.reshape is cut, and stored at the head's position.
// CHECK-LABEL: tile.func @heads
// CHECK: %[[C:.*]] = tile.make_desc {{.*}} -> !tile.desc<1x64x64xf16>
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: tile_gpu.tma_store %[[C]][%[[HEAD:.*]], %[[M:.*]], %[[N:.*]]] from
// CHECK: %[[NEXT:.*]] = arith.addi %[[N]], %c64
// CHECK: tile_gpu.tma_store %[[C]][%[[HEAD]], %[[M]], %[[NEXT]]] from
// CHECK: tile_gpu.tma_store_wait 0
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return

// CHECK-LABEL: tile.func @whole
// CHECK-NOT: tile_gpu.tma_store %
// CHECK: tile_gpu.desc_write
tile.func @in_turn(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

#turned = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0]],
                   lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32], [0, 64]]>
#warps = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0]],
                          lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]]>
tile.func @columns(%c: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #turned>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x128xf32>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf32, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<64x128xf32, #turned> -> !tile_gpu.buffer<64x128xf32, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<64x128xf32>, !tile_gpu.buffer<64x128xf32, swizzle = 128>
  }
  tile.return
}

tile.func @columns_padded(%c: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #turned>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x128xf32>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf32, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<64x128xf32, #turned> -> !tile_gpu.buffer<64x128xf32, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc {extents = array<i64: 40, 128>} : !tile.desc<64x128xf32>, !tile_gpu.buffer<64x128xf32, swizzle = 128>
  }
  tile.return
}

tile.func @warps_padded(%c: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #warps>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf32, swizzle = 128>
  tile_gpu.buffer_store %zero, %sc : tensor<64x64xf32, #warps> -> !tile_gpu.buffer<64x64xf32, swizzle = 128>
  tile_gpu.desc_write %dc[%m, %n] from %sc {extents = array<i64: 48, 64>} : !tile.desc<64x64xf32>, !tile_gpu.buffer<64x64xf32, swizzle = 128>
  tile.return
}

tile.func @at_once(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = at_once>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

tile.func @heads(%c: !tile.ptr<f16>, %heads: i32, %m: i32, %n: i32, %s: i64, %t: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%heads, %m, %n], [%t, %s] : !tile.ptr<f16> -> !tile.desc<1x128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %one = tile.reshape %zero : tensor<128x128xf16, #acc> -> tensor<1x128x128xf16, #acc3>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<1x128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %one, %sc : tensor<1x128x128xf16, #acc3> -> !tile_gpu.buffer<1x128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%heads, %m, %n] from %sc : !tile.desc<1x128x128xf16>, !tile_gpu.buffer<1x128x128xf16, swizzle = 128>
  }
  tile.return
}

tile.func @whole(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = whole>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}
