// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-share-last-round,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: env TILE_TRACE=all tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-share-last-round))' 2>&1 >/dev/null | FileCheck %s --check-prefix=TRACE

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#one = #tile_gpu.layout<register = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64]],
                   lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[0, 16, 0], [0, 32, 0], [0, 64, 0]]>

// What complete rounds leave over, if it is for half of the blocks at most, goes to two blocks each: turns go on until
// each of these programs has had two. One warp group of either multiplies, and what the other has goes behind the array.
// TRACE: [[@LINE+28]]:{{.*}}two blocks share each program of the last round
// CHECK-LABEL: tile.func @alone
// CHECK-SAME: tile_gpu.shares_last
// CHECK: %[[TOTAL:.*]] = tile_gpu.grid_extent x
// CHECK: %[[BLOCK:.*]] = tile.program_id x
// CHECK: %[[BLOCKS:.*]] = tile.num_programs x
// CHECK: %[[ROUNDS:.*]] = arith.divui %[[TOTAL]], %[[BLOCKS]]
// CHECK: %[[COMPLETE:.*]] = arith.muli %[[ROUNDS]], %[[BLOCKS]]
// CHECK: %[[REST:.*]] = arith.subi %[[TOTAL]], %[[COMPLETE]]
// CHECK: %[[TWICE:.*]] = arith.addi %[[REST]], %[[REST]]
// CHECK: %[[ENOUGH:.*]] = arith.cmpi ule, %[[TWICE]], %[[BLOCKS]]
// CHECK: %[[SHARED:.*]] = arith.select %[[ENOUGH]], %[[COMPLETE]], %[[TOTAL]]
// CHECK: %[[MORE:.*]] = arith.subi %[[TOTAL]], %[[SHARED]]
// CHECK: %[[END:.*]] = arith.addi %[[TOTAL]], %[[MORE]]
// CHECK: scf.for %[[T:.*]] = %[[BLOCK]] to %[[END]] step %[[BLOCKS]]
// CHECK:   %[[OF:.*]] = arith.subi %[[T]], %[[SHARED]]
// CHECK:   %[[PAIR:.*]] = arith.shrui %[[OF]], %c1
// CHECK:   %[[SECOND:.*]] = arith.addi %[[SHARED]], %[[PAIR]]
// CHECK:   %[[TWO:.*]] = arith.cmpi uge, %[[T]], %[[SHARED]]
// CHECK:   %[[PROGRAM:.*]] = arith.select %[[TWO]], %[[SECOND]], %[[T]]
// CHECK:   %[[GROUP:.*]] = tile_gpu.warp_group
// CHECK:   %[[DISTANCE:.*]] = arith.xori %[[OF]], %[[GROUP]]
// CHECK:   arith.andi %[[DISTANCE]], %c1
// CHECK:   %[[OURS:.*]] = arith.ori
// CHECK:   %[[ROW:.*]] = arith.muli %[[PROGRAM]], %c128
// CHECK:   %[[AT:.*]] = arith.select %[[OURS]], %[[ROW]], %arg1
// CHECK:   tile.dot {{.*}} when %[[OURS]]
// CHECK:   tile_gpu.desc_write %{{.*}}[%[[AT]], %{{.*}}]
tile.func @alone(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// Both blocks of a cluster have turns of their own. What is past the end stays unstored: one select for both reasons.
// CHECK-LABEL: tile.func @cluster
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %[[END:.*]] step
// CHECK:   %[[TURN:.*]] = arith.addi %[[T]], %{{.*}} : i32
// CHECK:   arith.subi %[[TURN]], %[[SHARED:.*]] : i32
// CHECK:   %[[PROGRAM:.*]] = arith.select %{{.*}}, %{{.*}}, %[[TURN]] : i32
// CHECK:   arith.minsi %[[PROGRAM]], %{{.*}} : i32
// CHECK:   %[[REAL:.*]] = arith.cmpi slt, %[[PROGRAM]], %{{.*}} : i32
// CHECK:   %[[OURS:.*]] = arith.ori
// CHECK:   %[[BOTH:.*]] = arith.andi %[[REAL]], %[[OURS]] : i1
// CHECK:   %[[THERE:.*]] = arith.muli
// CHECK:   %[[ROW:.*]] = arith.select %[[BOTH]], %[[THERE]], %arg1 : i32
// CHECK-NOT: arith.select
// CHECK:   tile.dot {{.*}} when %[[OURS]]
// CHECK:   tile_gpu.desc_write %{{.*}}[%[[ROW]], %{{.*}}]
tile.func @cluster(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  %c1 = arith.constant 1 : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %last = arith.subi %total, %c1 : i32
    %program = arith.minsi %turn, %last : i32
    %real = arith.cmpi slt, %turn, %total : i32
    %there = arith.muli %program, %c128 : i32
    %row = arith.select %real, %there, %m : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// Programs that are not shared stay as they are.
// CHECK-LABEL: tile.func @whole
// CHECK-NOT: tile_gpu.shares_last
// CHECK-NOT: arith.divui
// CHECK: tile.return
tile.func @whole(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// Of a batch each matrix is a box of three dimensions: what the other warp group has goes behind the last matrix.
// CHECK-LABEL: tile.func @batch
// CHECK-SAME: tile_gpu.shares_last
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %arg1
// CHECK: tile.dot {{.*}} when
// CHECK: tile_gpu.desc_write %{{.*}}[%[[AT]], %{{.*}}, %{{.*}}]
tile.func @batch(%c: !tile.ptr<f16>, %z: i32, %m: i32, %n: i32, %r: i64, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%z, %m, %n], [%r, %s] : !tile.ptr<f16> -> !tile.desc<1x128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %whole = tile.reshape %h : tensor<128x128xf16, #acc> -> tensor<1x128x128xf16, #one>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<1x128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %whole, %sc : tensor<1x128x128xf16, #one> -> !tile_gpu.buffer<1x128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%t, %c0, %c0] from %sc : !tile.desc<1x128x128xf16>, !tile_gpu.buffer<1x128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}
