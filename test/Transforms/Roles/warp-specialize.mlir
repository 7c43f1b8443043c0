// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-warp-specialize,canonicalize,cse))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// Rings of as many slots as the schedule says, one thread that fills them, and two warp groups that empty them. A dot
// stays in flight, and the slot of the one before is freed. Results leave as they did.
// CHECK-LABEL: tile.func @roles
// CHECK-SAME: tile_gpu.block_warps = 12
// CHECK: %[[A:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 3>
// CHECK: %[[B:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x128xf16, swizzle = 128, stages = 3>
// CHECK: %[[FULL:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 3>
// CHECK: tile_gpu.barrier_init %[[FULL]] count 1
// CHECK: %[[EMPTY:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
// CHECK: tile_gpu.barrier_init %[[EMPTY]] count 2
// CHECK: gpu.barrier
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   %[[ONE:.*]] = tile_gpu.elect
// CHECK:   scf.if %[[ONE]] {
// CHECK:     scf.for
// CHECK:       tile_gpu.barrier_wait
// CHECK:       tile_gpu.barrier_expect %{{.*}} bytes 32768
// CHECK:       tile_gpu.tma_load
// CHECK:       tile_gpu.tma_load
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK:     tile_gpu.barrier_wait
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK:     tile_gpu.dot_wait %{{.*}} pending 1
// CHECK:     tile_gpu.barrier_arrive
// CHECK:   tile_gpu.dot_wait %{{.*}} pending 0
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   tile_gpu.desc_write
tile.func @roles(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// Positions that steps read from a list, as distances to the next: the warp that copies reads them, and nobody else.
// CHECK-LABEL: tile.func @listed
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   scf.for {{.*}} iter_args(%[[AT:.*]] = %c0{{.*}}, %{{.*}} = %c0{{.*}}, %{{.*}} = %c0{{.*}}) ->
// CHECK:     tile_gpu.tma_load %{{.*}}[%{{.*}}, %[[AT]]]
// CHECK:     tile_gpu.tma_load %{{.*}}[%[[AT]], %{{.*}}]
// CHECK:     %[[WAY:.*]] = tile.load
// CHECK:     %[[NEXT:.*]] = arith.addi %[[AT]], %[[WAY]]
// CHECK:     scf.yield %[[NEXT]]
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK-NOT: tile.load
// CHECK:   tile_gpu.desc_write
tile.func @listed(%list: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum:2 = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero, %at = %c0) -> (tensor<128x128xf32, #acc>, i32) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %at] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%at, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %entry = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %way = tile.load %entry : !tile.ptr<i32>
    %next = arith.addi %at, %way : i32
    scf.yield %d, %next : tensor<128x128xf32, #acc>, i32
  }
  %h = arith.truncf %sum#0 : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// A loop between whose steps results will be stored takes at least as many as there are boxes, in both roles.
// CHECK-LABEL: tile.func @longer
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   %[[END:.*]] = arith.maxsi %arg5, %c128
// CHECK:   scf.for %{{.*}} = %c0_i32 to %[[END]]
// CHECK: } consumer {
// CHECK:   %[[LAST:.*]] = arith.maxsi %arg5, %c128
// CHECK:   scf.for %{{.*}} = %c0_i32 to %[[LAST]]
tile.func @longer(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = deferred>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// What blocks share arrives in all of them: 2 warp groups of 2 blocks free a slot, and tell each block. What they do
// not share, each copies for itself. A block stays until nobody reads its slots.
// CHECK-LABEL: tile.func @shared
// CHECK: tile_gpu.barrier_init %{{.*}} count 1
// CHECK: tile_gpu.barrier_init %{{.*}} count 4
// CHECK-NOT: gpu.barrier
// CHECK: tile_gpu.cluster_arrive
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   %[[ONE:.*]] = tile_gpu.elect
// CHECK:   scf.for
// CHECK:     scf.if
// CHECK-NEXT:  tile_gpu.cluster_wait
// CHECK:     scf.for
// CHECK:       scf.if %[[ONE]] {
// CHECK:         tile_gpu.barrier_expect %{{.*}} bytes 32768
// CHECK:         tile_gpu.tma_multicast {{.*}} cuts %{{.*}} into {{.*}} : !tile.desc<128x64xf16>, !tile.desc<64x64xf16> ->
// CHECK:         tile_gpu.tma_load {{.*}} : !tile.desc<64x128xf16> ->
// CHECK:     scf.if
// CHECK-COUNT-4: tile_gpu.barrier_wait
// CHECK: } consumer {
// CHECK-NEXT: tile_gpu.cluster_wait
// CHECK:   tile_gpu.barrier_arrive %{{.*}} {cluster}
// CHECK-NOT: tile_gpu.desc_multicast
// CHECK: tile.return
tile.func @shared(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile_gpu.cluster = 2 : i32, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %c3 = arith.constant 3 : i32
  %da2 = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_multicast %da[%row, %i] cuts %da2 into %sa part %rank splits %c1 to %c3 : !tile.desc<128x64xf16>, !tile.desc<64x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}
