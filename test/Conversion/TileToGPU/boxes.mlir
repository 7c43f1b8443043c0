// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu{arch=sm_90a})' | FileCheck %s

!desc = !tile.desc<128x64xf16>
!slot = !tile.buffer<128x64xf16, swizzle = 128>
!bar = !tile.buffer<1xi64>

// A 128 x 128 box of f16 takes two copies, 64 columns each.
// CHECK-LABEL: llvm.func @load
// CHECK-SAME: %[[MAP:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}
tile.func @load(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32, %j: i32) attributes {tile.shared_bytes = 40960 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %b = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<128x128xf16, swizzle = 128>
  %f = tile.alloc_shared {offset = 32768 : i32} : !bar
  // CHECK: scf.if
  // CHECK-NEXT: llvm.inline_asm has_side_effects "prefetch.tensormap [$0];", "l" %[[MAP]]
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[BAR:.*]], %{{.*}} : !llvm.ptr<3>, i32
  tile.barrier_expect %f bytes 32768 : !bar
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%[[J:.*]], %[[I:.*]]] {isCTAOnly = true}
  // CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %{{.*}} : i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%[[NEXT]], %[[I]]] {isCTAOnly = true}
  tile.tma_load %d[%i, %j] into %b signal %f : !tile.desc<128x128xf16> -> !tile.buffer<128x128xf16, swizzle = 128>, !bar
  // CHECK: nvvm.mbarrier.try_wait.parity
  tile.barrier_wait %f parity %i : !bar
  tile.return
}

// Each of two warp groups stores its 64 rows: one thread of each, 64 times its group's number further down.
// CHECK-LABEL: llvm.func @store
// CHECK-SAME: %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32, %{{.*}}: !llvm.ptr
tile.func @store(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32, %j: i32) attributes {tile.shared_bytes = 16384 : i32, tile.num_warps = 8 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %b = tile.alloc_shared {offset = 0 : i32} : !slot
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  tile.group_barrier
  // CHECK: scf.if
  // CHECK: %[[DOWN:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
  // CHECK: %[[ROW:.*]] = arith.addi %[[I]], %[[DOWN]] : i32
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%[[J]], %[[ROW]]]
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // CHECK-NOT: nvvm.cp.async.bulk.tensor
  tile.tma_store %d[%i, %j] from %b : !tile.desc<64x64xf16>, !slot
  // CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
  tile.tma_store_wait 1
  tile.return
}

// CHECK-LABEL: llvm.func @barriers
tile.func @barriers() attributes {tile.shared_bytes = 64 : i32} {
  %r = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<1xi64, stages = 2>
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.fence.mbarrier.init
  tile.barrier_init %r count 2 : !tile.buffer<1xi64, stages = 2>
  %c1 = arith.constant 1 : i32
  %b = tile.buffer_stage %r[%c1] : !tile.buffer<1xi64, stages = 2> -> !bar
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.arrive %
  tile.barrier_arrive %b : !bar
  tile.return
}

// A number that LLVM does not move.
// CHECK-LABEL: llvm.func @pin
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: %[[PINNED:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, $1;", "=r,r" %[[SUM]] : (i32) -> i32
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %[[PINNED]]]
tile.func @pin(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile.shared_bytes = 16384 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !desc
  %b = tile.alloc_shared {offset = 0 : i32} : !slot
  %sum = arith.addi %i, %n : i32
  %row = tile.pin %sum
  tile.tma_store %d[%row, %i] from %b : !desc, !slot
  tile.return
}

// The block has a warp group more than hold tiles; its registers go where they are needed.
// CHECK-LABEL: llvm.func @roles
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-SAME: nvvm.reqntid = array<i32: 384>
tile.func @roles(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile.shared_bytes = 20480 : i32, tile.num_warps = 8 : i32, tile.block_warps = 12 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !desc
  %b = tile.alloc_shared {offset = 0 : i32} : !slot
  %f = tile.alloc_shared {offset = 16384 : i32} : !bar
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK: scf.if
  // CHECK: nvvm.setmaxregister increase 232
  // CHECK: nvvm.mbarrier.try_wait.parity
  // The consumers' own barrier: the producer is not at it.
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  // CHECK: } else {
  // CHECK: nvvm.setmaxregister decrease 40
  // CHECK: %[[ONE:.*]] = nvvm.elect.sync
  // CHECK: scf.if %[[ONE]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  tile.warp_specialize producer {
    %one = tile.elect
    scf.if %one {
      tile.tma_load %d[%i, %i] into %b signal %f : !desc -> !slot, !bar
    }
  } consumer {
    tile.barrier_wait %f parity %i : !bar
    gpu.barrier
  }
  tile.return
}

// Without a pipeline: one barrier in the op's scratch, and everybody waits.
// CHECK-LABEL: llvm.func @at_once
tile.func @at_once(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile.shared_bytes = 20480 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !desc
  %b = tile.alloc_shared {offset = 0 : i32} : !slot
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: nvvm.mbarrier.try_wait.parity
  // CHECK: nvvm.mbarrier.inval
  tile.desc_copy %d[%i, %i] into %b {offset = 16384 : i32} : !desc -> !slot
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
  // CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
  tile.desc_write %d[%i, %i] from %b : !desc, !slot
  tile.return
}

#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#half = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
// A part of a tile is some of its registers; fragments of 16 bits are stored as matrices.
// CHECK-LABEL: llvm.func @part
tile.func @part(%x: f16) attributes {tile.shared_bytes = 4096 : i32} {
  %a = tile.splat %x : f16 -> tensor<64x64xf16, #acc>
  // CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
  %p = tile.extract_tile %a [0, 32] : tensor<64x64xf16, #acc> -> tensor<64x32xf16, #half>
  %b = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<64x32xf16, swizzle = 64>
  // CHECK-COUNT-2: nvvm.stmatrix
  // CHECK-NOT: nvvm.stmatrix
  tile.buffer_store %p, %b : tensor<64x32xf16, #half> -> !tile.buffer<64x32xf16, swizzle = 64>
  // CHECK: llvm.return
  tile.return
}

// Of two groups the second gives the first its first turn. A group waits at a barrier of its own, for 128 threads of the
// group before and its own 128.
// CHECK-LABEL: llvm.func @turns
tile.func @turns() attributes {tile.num_warps = 8 : i32, tile.block_warps = 12 : i32} {
  tile.warp_specialize producer {
  } consumer {
    // CHECK: nvvm.setmaxregister increase
    // CHECK: %[[LAST:.*]] = arith.cmpi eq, %{{.*}}, %c1_i32 : i32
    // CHECK: scf.if %[[LAST]] {
    // CHECK: %[[FIRST:.*]] = arith.addi %c0_i32{{.*}}, %c6_i32 : i32
    // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 256;", "r" %[[FIRST]]
    // CHECK: %[[MINE:.*]] = arith.addi %{{.*}}, %c6_i32 : i32
    // CHECK: nvvm.barrier id = %[[MINE]] number_of_threads = %c256_i32
    tile.turn_wait
    // CHECK: %[[NEXT:.*]] = arith.andi %{{.*}}, %c1_i32 : i32
    // CHECK: %[[OTHER:.*]] = arith.addi %[[NEXT]], %c6_i32 : i32
    // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 256;", "r" %[[OTHER]]
    tile.turn_pass
  }
  tile.return
}

// Two warps produce in turn: the second gives the first its first one. Each waits at a barrier of its own, for the 32
// threads of the other and its own.
// CHECK-LABEL: llvm.func @producers
tile.func @producers(%zero: i32) attributes {tile.num_warps = 8 : i32, tile.block_warps = 12 : i32} {
  // CHECK: nvvm.setmaxregister decrease
  // CHECK: %[[TWO:.*]] = arith.cmpi ult, %{{.*}}, %c10_i32 : i32
  // CHECK: scf.if %[[TWO]] {
  // CHECK: %[[NUMBER:.*]] = arith.subi %{{.*}}, %c8_i32 : i32
  // CHECK: %[[SECOND:.*]] = arith.cmpi eq, %[[NUMBER]], %c1_i32 : i32
  // CHECK: scf.if %[[SECOND]] {
  // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 64;", "r"
  // CHECK: %[[MINE:.*]] = arith.addi %{{.*}}, %c10_i32 : i32
  // CHECK: nvvm.barrier id = %[[MINE]] number_of_threads = %c64_i32
  // CHECK: %[[OTHER:.*]] = arith.subi %c11_i32{{.*}}, %{{.*}} : i32
  // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 64;", "r" %[[OTHER]]
  tile.warp_specialize producer {
    tile.turn_wait
    %number = tile.producer
    %first = arith.cmpi eq, %number, %zero : i32
    scf.if %first {
      tile.turn_pass
    }
  } consumer {
  } {pair}
  tile.return
}

// A line of 128 bytes for each of a grid's threads, 256 in a block. The last row ends where its elements do, not
// where its pitch does.
// CHECK-LABEL: llvm.func @array
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[S:[a-z0-9]+]]: i64, {{.*}}%[[MAP:[a-z0-9]+]]: !llvm.ptr {
tile.func @array(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {tile.persistent, tile.num_warps = 4 : i32, tile.block_warps = 8 : i32} {
  %d = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  // CHECK: %[[BASE:.*]] = llvm.ptrtoint %[[P]]
  // CHECK-NOT: tensormap
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK: %[[EACH:.*]] = arith.constant 32768 : i64
  // CHECK: %[[WIDE:.*]] = arith.extui %[[BLOCK]] : i32 to i64
  // CHECK: %[[BEFORE:.*]] = arith.muli %[[WIDE]], %[[EACH]] : i64
  // CHECK: %[[SHIFTED:.*]] = arith.shli %[[THREAD]], %c7_i32 : i32
  // CHECK: %[[INSIDE:.*]] = arith.extui %[[SHIFTED]] : i32 to i64
  // CHECK: %[[LINE:.*]] = arith.addi %[[BEFORE]], %[[INSIDE]] : i64
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: %[[COLUMNS:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK: %[[ROWS:.*]] = arith.extsi %[[M]] : i32 to i64
  // CHECK: %[[LAST:.*]] = arith.subi %[[ROWS]], %[[ONE]] : i64
  // CHECK: %[[ABOVE:.*]] = arith.muli %[[LAST]], %[[S]] : i64
  // CHECK: %[[ELEMENTS:.*]] = arith.addi %[[COLUMNS]], %[[ABOVE]] : i64
  // CHECK: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK: %[[BYTES:.*]] = arith.muli %[[ELEMENTS]], %[[TWO]] : i64
  // CHECK: %[[LIES:.*]] = arith.cmpi slt, %[[LINE]], %[[BYTES]] : i64
  // CHECK: %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
  // CHECK: %[[WIDER:.*]] = arith.extui %[[BLOCKS]] : i32 to i64
  // CHECK: %[[LINES:.*]] = arith.muli %[[WIDER]], %{{.*}} : i64
  // CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[BYTES]], %[[LINES]] : i64
  // CHECK: %[[LEAST:.*]] = arith.minsi %[[M]], %[[N]] : i32
  // CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[LEAST]], %c0_i32 : i32
  // CHECK: %[[BOTH:.*]] = arith.andi %[[LIES]], %[[FITS]] : i1
  // CHECK: %[[ASKS:.*]] = arith.andi %[[BOTH]], %[[ANY]] : i1
  // CHECK: scf.if %[[ASKS]] {
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[BASE]], %[[LINE]] : i64
  // CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[AT]] : i64 to !llvm.ptr<1>
  // CHECK-NEXT: nvvm.prefetch level = L2, %[[POINTER]] : !llvm.ptr<1>
  // CHECK-NEXT: }
  tile.prefetch_array %d : !tile.desc<128x64xf16>
  // The map comes behind.
  // CHECK: llvm.inline_asm has_side_effects {{.*}}prefetch.tensormap{{.*}} %[[MAP]]
  // CHECK: llvm.return
  tile.return
}

// One dimension has no strides; blocks of four warps.
// CHECK-LABEL: llvm.func @vector
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1>, %[[N:[a-z0-9]+]]: i32
tile.func @vector(%p: !tile.ptr<f32>, %n: i32) attributes {tile.persistent} {
  %d = tile.make_desc %p, [%n], [] : !tile.ptr<f32> -> !tile.desc<64xf32>
  // CHECK: arith.constant 16384 : i64
  // CHECK: %[[COUNT:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK: %[[FOUR:.*]] = arith.constant 4 : i64
  // CHECK: arith.muli %[[COUNT]], %[[FOUR]] : i64
  // CHECK: arith.cmpi sgt, %[[N]], %c0_i32 : i32
  // CHECK: nvvm.prefetch level = L2
  tile.prefetch_array %d : !tile.desc<64xf32>
  // Two in a row: maps are not fetched between them.
  // CHECK-NOT: tensormap
  // CHECK: nvvm.prefetch level = L2
  // CHECK: prefetch.tensormap
  // CHECK-NOT: prefetch
  // CHECK: llvm.return
  tile.prefetch_array %d : !tile.desc<64xf32>
  tile.return
}

// Of three dimensions each but the last has a stride.
// CHECK-LABEL: llvm.func @layers
// CHECK-SAME: %[[L:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[T:[a-z0-9]+]]: i64, %[[S:[a-z0-9]+]]: i64
tile.func @layers(%p: !tile.ptr<f16>, %l: i32, %m: i32, %n: i32, %t: i64, %s: i64) attributes {tile.persistent} {
  %d = tile.make_desc %p, [%l, %m, %n], [%t, %s] : !tile.ptr<f16> -> !tile.desc<1x128x64xf16>
  // CHECK: arith.muli %{{.*}}, %[[T]] : i64
  // CHECK: arith.muli %{{.*}}, %[[S]] : i64
  // CHECK: %[[FIRST:.*]] = arith.minsi %[[L]], %[[M]] : i32
  // CHECK: arith.minsi %[[FIRST]], %[[N]] : i32
  // CHECK: nvvm.prefetch level = L2
  tile.prefetch_array %d : !tile.desc<1x128x64xf16>
  tile.return
}
