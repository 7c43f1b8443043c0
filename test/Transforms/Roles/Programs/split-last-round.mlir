// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-last-round))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-last-round,tile-split-last-round))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-last-round,tile-share-copies))' --verify-each | FileCheck %s --check-prefix=SHARED
// RUN: env TILE_TRACE=all tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-last-round))' 2>&1 >/dev/null | FileCheck %s --check-prefix=TRACE

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// What complete rounds leave over are three turns each. A turn of these has a third of the steps, and the one that comes last
// has the sum.
// TRACE: [[@LINE+31]]:{{.*}}3 turns have a part each of a program of the last round
// CHECK-LABEL: tile.func @split
// CHECK-SAME: tile_gpu.splits_last
// CHECK: %[[TOTAL:.*]] = tile_gpu.grid_extent x
// CHECK: %[[BLOCK:.*]] = tile.program_id x
// CHECK: %[[BLOCKS:.*]] = tile.num_programs x
// CHECK: %[[ROUNDS:.*]] = arith.divui %[[TOTAL]], %[[BLOCKS]]
// CHECK: %[[WHOLE:.*]] = arith.muli %[[ROUNDS]], %[[BLOCKS]]
// CHECK: %[[REST:.*]] = arith.subi %[[TOTAL]], %[[WHOLE]]
// CHECK: %[[TURNS:.*]] = arith.muli %[[REST]], %c3
// CHECK: %[[END:.*]] = arith.addi %[[WHOLE]], %[[TURNS]]
// CHECK: scf.for %[[T:.*]] = %[[BLOCK]] to %[[END]] step %[[BLOCKS]]
// CHECK:   %[[BEHIND:.*]] = arith.subi %[[T]], %[[WHOLE]]
// CHECK:   %[[SOME:.*]] = arith.maxui %[[REST]], %c1
// CHECK:   %[[PART:.*]] = arith.divui %[[BEHIND]], %[[SOME]]
// CHECK:   %[[SPLIT:.*]] = arith.cmpi uge, %[[T]], %[[WHOLE]]
// CHECK:   %[[OF:.*]] = arith.subi %[[T]], %[[WHOLE]]
// CHECK:   %[[BEFORE:.*]] = arith.muli %[[PART]], %[[SOME]]
// CHECK:   %[[NUMBER:.*]] = arith.subi %[[OF]], %[[BEFORE]]
// CHECK:   %[[LAST:.*]] = arith.addi %[[WHOLE]], %[[NUMBER]]
// CHECK:   %[[PROGRAM:.*]] = arith.select %[[SPLIT]], %[[LAST]], %[[T]]
// CHECK:   %[[ROW:.*]] = arith.muli %[[PROGRAM]], %c128
// CHECK:   %[[ALL:.*]] = arith.maxsi
// CHECK:   %[[SKIPPED:.*]] = arith.select %[[SPLIT]], %{{.*}}, %c0
// CHECK:   %[[STEPS:.*]] = arith.select %[[SPLIT]], %{{.*}}, %[[ALL]]
// CHECK:   arith.muli %[[SKIPPED]], %c64
// CHECK:   arith.muli %[[STEPS]], %c64
// CHECK:   %[[OWN:.*]] = scf.for
// CHECK:   %[[SUM:.*]], %[[GOES:.*]] = tile_gpu.collect_turns %[[OWN]] part %[[PART]] of %[[NUMBER]] when %[[SPLIT]] together %{{.*}} {parts = 3 : i64}
// CHECK:   arith.truncf %[[SUM]]
// CHECK:   tile_gpu.desc_write %{{.*}}[%[[ROW]], %{{.*}}]
tile.func @split(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = split, splits = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
      %sa = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !a
      %sb = tile_gpu.alloc_shared : !b
      tile_gpu.desc_copy %db[%i, %c0] into %sb : !tile.desc<64x128xf16> -> !b
      %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
      scf.yield %d : !acc
    }
    %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// Blocks of a cluster have the same part, whose number follows from the first one's turn, so that they may share copies: what
// is left over is rounded up, and a program past the end is that of the last one, which the loop does not store.
// CHECK-LABEL: tile.func @pairs
// CHECK: %[[WHOLE:.*]] = arith.muli %{{.*}}, %{{.*}}
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %[[WHOLE]]
// CHECK: %[[MORE:.*]] = arith.addi %[[REST]], %c1
// CHECK: %[[EVEN:.*]] = arith.andi %[[MORE]], %c-2
// CHECK: arith.muli %[[EVEN]], %c2
// CHECK: scf.for %[[T:.*]] = %{{.*}} to
// CHECK:   %[[TURN:.*]] = arith.addi %[[T]], %{{.*}} : i32
// CHECK:   %[[OF:.*]] = arith.subi %[[T]], %[[WHOLE]]
// CHECK:   %[[PART:.*]] = arith.divui %[[OF]], %{{.*}}
// CHECK:   %[[SPLIT:.*]] = arith.cmpi uge, %[[T]], %[[WHOLE]]
// CHECK:   arith.subi %[[TURN]], %[[WHOLE]]
// CHECK:   %[[PROGRAM:.*]] = arith.select %[[SPLIT]], %{{.*}}, %[[TURN]]
// CHECK:   arith.minsi %[[PROGRAM]]
// CHECK:   tile_gpu.collect_turns %{{.*}} part %[[PART]] of %{{.*}} when %[[SPLIT]] together %{{.*}} {parts = 2 : i64}
// SHARED-LABEL: tile.func @pairs
// SHARED: tile_gpu.desc_multicast
tile.func @pairs(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4, stores = boxes, last_round = split, splits = 2>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %last = arith.subi %total, %c1 : i32
    %program = arith.minsi %turn, %last : i32
    %real = arith.cmpi slt, %turn, %total : i32
    %there = arith.muli %program, %c128 : i32
    %row = arith.select %real, %there, %m : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
      %sa = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %da[%there, %i] into %sa : !tile.desc<128x64xf16> -> !a
      %sb = tile_gpu.alloc_shared : !b
      tile_gpu.desc_copy %db[%i, %c0] into %sb : !tile.desc<64x128xf16> -> !b
      %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
      scf.yield %d : !acc
    }
    %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// Another schedule has no use for it.
// CHECK-LABEL: tile.func @whole
// CHECK-NOT: tile_gpu.collect_turns
tile.func @whole(%m: i32) attributes {tile_gpu.persistent, tile.num_warps = 8 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  tile.return
}
