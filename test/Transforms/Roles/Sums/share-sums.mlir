// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-stores,tile-join-sums))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-stores,tile-join-sums))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#twice = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#turned = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]]>
#row = #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
                   lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// Each of four blocks has 32 columns, a box, which it alone stores.
// CHECK-LABEL: tile.func @columns
// CHECK: tile.make_desc {{.*}} -> !tile.desc<64x32xf16>
// CHECK: %[[SUM:.*]] = tile_gpu.add_parts %{{.*}} {period = 64 : i64, shares = array<i64: 0, 16, 32, 48, 64>}
// CHECK: %[[HALF:.*]] = arith.truncf %[[SUM]]
// CHECK: %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[RANK]], %c0_i32{{.*}} : i32
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK: tile_gpu.extract_tile %[[HALF]] [0, 0]
// CHECK: tile_gpu.group_barrier
// CHECK: tile_gpu.tma_store
// CHECK-NEXT: }
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[RANK]], %c1_i32{{.*}} : i32
// CHECK-NEXT: scf.if %[[IS]] {
// CHECK: tile_gpu.extract_tile %[[HALF]] [0, 32]
// CHECK: tile_gpu.tma_store
// CHECK: scf.if
// CHECK: tile_gpu.extract_tile %[[HALF]] [0, 64]
// CHECK: scf.if
// CHECK: tile_gpu.extract_tile %[[HALF]] [0, 96]
// CHECK: tile_gpu.tma_store_wait 0
tile.func @columns(%x: tensor<128x128xf32, #acc>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.cluster = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, parts = 4>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum = tile_gpu.add_parts %x : tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

// Clusters meet in memory by those shares, and who comes last stores them.
// CHECK-LABEL: tile.func @collected
// CHECK: %[[OWN:.*]] = tile_gpu.add_parts %{{.*}} {period = 64 : i64, shares = array<i64: 0, 32, 64>}
// CHECK: %[[SUM:.*]], %[[LAST:.*]] = tile_gpu.collect_parts %[[OWN]] {period = 64 : i64, shares = array<i64: 0, 32, 64>}
// CHECK: scf.if %[[LAST]] {
// CHECK-NEXT: arith.truncf %[[SUM]]
// CHECK: tile_gpu.cluster_rank
// CHECK: tile_gpu.tma_store
tile.func @collected(%x: tensor<128x128xf32, #acc>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.splits = 3 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, parts = 2, splits = 3>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %own = tile_gpu.add_parts %x : tensor<128x128xf32, #acc>
    %sum, %last = tile_gpu.collect_parts %own : tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

// Blocks of no cluster have shares, too: each stores its boxes, or all, where it has all.
// CHECK-LABEL: tile.func @split
// CHECK: %[[SUM:.*]], %[[GOES:.*]], %[[ALL:.*]] = tile_gpu.share_parts %{{.*}} {period = 64 : i64, shares = array<i64: 0, 32, 48, 64>}
// CHECK: scf.if %[[GOES]] {
// CHECK-NEXT: arith.truncf %[[SUM]]
// CHECK: scf.if %[[ALL]] {
// CHECK-COUNT-4: tile_gpu.tma_store %
// CHECK-NOT: tile_gpu.tma_store %
// CHECK: } else {
// CHECK: %[[PART:.*]] = tile_gpu.part
// CHECK: arith.cmpi eq, %[[PART]], %c0_i32{{.*}} : i32
// CHECK: arith.cmpi eq, %[[PART]], %c1_i32{{.*}} : i32
// CHECK: arith.cmpi eq, %[[PART]], %c2_i32{{.*}} : i32
tile.func @split(%x: tensor<128x128xf32, #acc>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.splits = 3 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, splits = 3>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum, %last = tile_gpu.collect_parts %x : tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

// What is stored may be the sum itself.
// CHECK-LABEL: tile.func @split_words
// CHECK: %[[SUM:.*]], %{{.*}}, %[[ALL:.*]] = tile_gpu.share_parts %{{.*}} {period = 64 : i64, shares = array<i64: 0, 32, 64>}
// CHECK: scf.if %[[ALL]] {
// CHECK: tile_gpu.extract_tile %[[SUM]] [0, 0]
tile.func @split_words(%x: tensor<128x128xf32, #acc>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.splits = 2 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, splits = 2>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum, %last = tile_gpu.collect_parts %x : tensor<128x128xf32, #acc> -> tensor<128x128xf32, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf32, swizzle = 128>
    tile_gpu.buffer_store %sum, %sc : tensor<128x128xf32, #acc> -> !tile_gpu.buffer<128x128xf32, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf32>, !tile_gpu.buffer<128x128xf32, swizzle = 128>
  }
  tile.return
}

// A warp group has twice 64 rows: of each, 32 columns are a block's.
// CHECK-LABEL: tile.func @rows_twice
// CHECK: tile_gpu.add_parts %{{.*}} {period = 32 : i64, shares = array<i64: 0, 16, 32>}
tile.func @rows_twice(%x: tensor<128x64xf32, #twice>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 4 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, parts = 2>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum = tile_gpu.add_parts %x : tensor<128x64xf32, #twice>
    %h = arith.truncf %sum : tensor<128x64xf32, #twice> to tensor<128x64xf16, #twice>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x64xf16, #twice> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  }
  tile.return
}

// Of a product that was computed transposed registers have rows: eight of them are a block's.
// CHECK-LABEL: tile.func @transposed
// CHECK: tile_gpu.add_parts %{{.*}} {period = 8 : i64, shares = array<i64: 0, 4, 8>}
// CHECK: scf.if
// CHECK: tile_gpu.tma_store
// CHECK: scf.if
// CHECK: tile_gpu.tma_store
tile.func @transposed(%x: tensor<16x64xf32, #turned>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 4 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, parts = 2>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum = tile_gpu.add_parts %x : tensor<16x64xf32, #turned>
    %h = arith.truncf %sum : tensor<16x64xf32, #turned> to tensor<16x64xf16, #turned>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<16x64xf16, #turned> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<16x64xf16>, !tile_gpu.buffer<16x64xf16, swizzle = 128>
  }
  tile.return
}

// A row's maximum wants all of its columns: block 0 has them.
// REMARK: remark: one block stores what all add up: expected sums that pass ops of elements alone on their way to their boxes, found another op
// CHECK-LABEL: tile.func @reduced
// CHECK: tile_gpu.add_parts %{{[^ ]*}} : tensor
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK: tile.reduce
// CHECK: tile_gpu.tma_store
tile.func @reduced(%x: tensor<128x128xf32, #acc>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.cluster = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = at_once, parts = 4>} {
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sum = tile_gpu.add_parts %x : tensor<128x128xf32, #acc>
    %most = tile.reduce maxnum %sum axis 1 : tensor<128x128xf32, #acc> -> tensor<128xf32, #tile_gpu.layout<register = [[0], [8], [0], [0], [0], [0]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32], [64]]>>
    %column = tile.expand_dims %most axis 1 : tensor<128xf32, #tile_gpu.layout<register = [[0], [8], [0], [0], [0], [0]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32], [64]]>> -> tensor<128x1xf32, #row>
    %all = tile.broadcast %column : tensor<128x1xf32, #row> -> tensor<128x128xf32, #acc>
    %d = arith.subf %sum, %all : tensor<128x128xf32, #acc>
    %h = arith.truncf %d : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}
