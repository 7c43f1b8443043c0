// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu)' | FileCheck %s

!desc = !tile.desc<128x64xf16>
!slot = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!bar = !tile_gpu.buffer<1xi64>

// A 128 x 128 box of f16 takes two copies, 64 columns each.
// CHECK-LABEL: llvm.func @load
// CHECK-SAME: %[[MAP:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}
tile.func @load(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32, %j: i32) attributes {tile_gpu.shared_bytes = 40960 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  %f = tile_gpu.alloc_shared {offset = 32768 : i32} : !bar
  // CHECK: scf.if
  // CHECK-NEXT: llvm.inline_asm has_side_effects "prefetch.tensormap [$0];", "l" %[[MAP]]
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[BAR:.*]], %{{.*}} : !llvm.ptr<3>, i32
  tile_gpu.barrier_expect %f bytes 32768 : !bar
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%[[J:.*]], %[[I:.*]]] {isCTAOnly = true}
  // CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %{{.*}} : i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%[[NEXT]], %[[I]]] {isCTAOnly = true}
  tile_gpu.tma_load %d[%i, %j] into %b signal %f : !tile.desc<128x128xf16> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>, !bar
  // CHECK: llvm.inline_asm has_side_effects {{.*}}mbarrier.try_wait.parity.shared.b64 done, [$0], $1, 10000000;\0A@!done bra wait;
  tile_gpu.barrier_wait %f parity %i : !bar
  tile.return
}

// Each of two warp groups stores its 64 rows: one thread of each, 64 times its group's number further down.
// CHECK-LABEL: llvm.func @store
// CHECK-SAME: %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32, %{{.*}}: !llvm.ptr
tile.func @store(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32, %j: i32) attributes {tile_gpu.shared_bytes = 16384 : i32, tile.num_warps = 8 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !slot
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  tile_gpu.group_barrier
  // CHECK: scf.if
  // CHECK: %[[DOWN:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
  // CHECK: %[[ROW:.*]] = arith.addi %[[I]], %[[DOWN]] : i32
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%[[J]], %[[ROW]]]
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // CHECK-NOT: nvvm.cp.async.bulk.tensor
  tile_gpu.tma_store %d[%i, %j] from %b : !tile.desc<64x64xf16>, !slot
  // CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
  tile_gpu.tma_store_wait 1
  tile.return
}

// Boxes that lie beside each other: two of each warp group, 32 columns apart.
// CHECK-LABEL: llvm.func @across
// CHECK-SAME: %[[I:[a-z0-9]*]]: i32, %[[J:[a-z0-9]*]]: i32
tile.func @across(%p: !tile.ptr<f32>, %n: i32, %s: i64, %i: i32, %j: i32) attributes {tile_gpu.shared_bytes = 16384 : i32, tile.num_warps = 8 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<32x32xf32>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<128x32xf32, swizzle = 128>
  // CHECK: scf.if
  // CHECK: %[[RIGHT:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
  // CHECK: %[[PART:.*]] = arith.muli %{{.*}}, %c8192_i32 : i32
  // CHECK: %[[COLUMN:.*]] = arith.addi %[[J]], %[[RIGHT]] : i32
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%[[COLUMN]], %[[I]]]
  // CHECK: %[[BEHIND:.*]] = arith.addi %[[RIGHT]], %c32_i32 : i32
  // CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %[[BEHIND]] : i32
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%[[NEXT]], %[[I]]]
  // CHECK-NOT: nvvm.cp.async.bulk.tensor
  tile_gpu.tma_store %d[%i, %j] from %b across 32 : !tile.desc<32x32xf32>, !tile_gpu.buffer<128x32xf32, swizzle = 128>
  tile.return
}

// Boxes that are added: the same, by a reduction.
// CHECK-LABEL: llvm.func @added
// CHECK-SAME: %[[I:[a-z0-9]*]]: i32, %[[J:[a-z0-9]*]]: i32
tile.func @added(%p: !tile.ptr<f32>, %n: i32, %s: i64, %i: i32, %j: i32) attributes {tile_gpu.shared_bytes = 16384 : i32, tile.num_warps = 8 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x32xf32>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<128x32xf32, swizzle = 128>
  // CHECK: scf.if
  // CHECK: %[[RIGHT:.*]] = arith.muli %{{.*}}, %c32_i32 : i32
  // CHECK: %[[COLUMN:.*]] = arith.addi %[[J]], %[[RIGHT]] : i32
  // CHECK: nvvm.cp.async.bulk.tensor.reduce %{{.*}}, %{{.*}}, box[%[[COLUMN]], %[[I]]] {redKind = #nvvm.tma_redux_kind<add>}
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // CHECK-NOT: nvvm.cp.async.bulk.tensor
  tile_gpu.tma_store %d[%i, %j] from %b across 32 {add} : !tile.desc<64x32xf32>, !tile_gpu.buffer<128x32xf32, swizzle = 128>
  tile.return
}

// CHECK-LABEL: llvm.func @barriers
tile.func @barriers(%i: i32) attributes {tile_gpu.shared_bytes = 64 : i32} {
  %r = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<1xi64, stages = 2>
  // CHECK: scf.if
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.fence.mbarrier.init
  tile_gpu.barrier_init %r count 2 : !tile_gpu.buffer<1xi64, stages = 2>
  %c1 = arith.constant 1 : i32
  %b = tile_gpu.buffer_stage %r[%c1] : !tile_gpu.buffer<1xi64, stages = 2> -> !bar
  // One that lies in one place: the branch has its address from a register.
  // CHECK: %[[HELD:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.b64 $0, $1;", "=l,l" %{{.*}} : (!llvm.ptr<3>) -> !llvm.ptr<3>
  // CHECK: scf.if
  // CHECK-NEXT: nvvm.mbarrier.arrive %[[HELD]]
  tile_gpu.barrier_arrive %b : !bar
  // CHECK-NOT: llvm.inline_asm
  // CHECK: scf.if
  // CHECK-NEXT: nvvm.mbarrier.arrive %
  %d = tile_gpu.buffer_stage %r[%i] : !tile_gpu.buffer<1xi64, stages = 2> -> !bar
  tile_gpu.barrier_arrive %d : !bar
  // Of each warp one thread, behind what all of the warp have read; no other warp is waited for.
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK-NOT: nvvm.barrier
  // CHECK: nvvm.bar.warp.sync
  // CHECK: arith.cmpi eq
  // CHECK-NEXT: scf.if
  // CHECK: nvvm.mbarrier.arrive %
  tile_gpu.barrier_arrive %b {tile_gpu.each_warp} : !bar
  tile.return
}

// A number that LLVM does not move.
// CHECK-LABEL: llvm.func @pin
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: %[[PINNED:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, $1;", "=r,r" %[[SUM]] : (i32) -> i32
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %[[PINNED]]]
tile.func @pin(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile_gpu.shared_bytes = 16384 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !desc
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !slot
  %sum = arith.addi %i, %n : i32
  %row = tile_gpu.pin %sum : i32
  tile_gpu.tma_store %d[%row, %i] from %b : !desc, !slot
  tile.return
}

// The block has a warp group more than hold tiles; its registers go where they are needed.
// CHECK-LABEL: llvm.func @roles
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-SAME: nvvm.reqntid = array<i32: 384>
tile.func @roles(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile_gpu.shared_bytes = 20480 : i32, tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !desc
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !slot
  %f = tile_gpu.alloc_shared {offset = 16384 : i32} : !bar
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK: scf.if
  // CHECK: nvvm.setmaxregister increase 232
  // CHECK: llvm.inline_asm has_side_effects {{.*}}mbarrier.try_wait.parity.shared.b64 done, [$0], $1, 10000000;\0A@!done bra wait;
  // The consumers' own barrier: the producer is not at it.
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  // CHECK: } else {
  // CHECK: nvvm.setmaxregister decrease 40
  // CHECK: %[[ONE:.*]] = nvvm.elect.sync
  // CHECK: scf.if %[[ONE]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  tile_gpu.warp_specialize producer {
    %one = tile_gpu.elect
    scf.if %one {
      tile_gpu.tma_load %d[%i, %i] into %b signal %f : !desc -> !slot, !bar
    }
  } consumer {
    tile_gpu.barrier_wait %f parity %i : !bar
    gpu.barrier
  }
  tile.return
}

// Without a pipeline: one barrier in the op's scratch, and everybody waits.
// CHECK-LABEL: llvm.func @at_once
tile.func @at_once(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32) attributes {tile_gpu.shared_bytes = 20480 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !desc
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !slot
  // CHECK: nvvm.mbarrier.init
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: llvm.inline_asm has_side_effects {{.*}}mbarrier.try_wait.parity.shared.b64 done, [$0], $1, 10000000;\0A@!done bra wait;
  // CHECK: nvvm.mbarrier.inval
  tile_gpu.desc_copy %d[%i, %i] into %b {offset = 16384 : i32} : !desc -> !slot
  // The branch has the box's place from a register.
  // CHECK: %[[PLACE:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, $1;", "=r,r" %{{.*}} : (i32) -> i32
  // CHECK: scf.if
  // CHECK: llvm.getelementptr %{{.*}}[%[[PLACE]]]
  // CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
  // CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
  tile_gpu.desc_write %d[%i, %i] from %b : !desc, !slot
  tile.return
}

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#half = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
// A part of a tile is some of its registers; fragments of 16 bits are stored as matrices.
// CHECK-LABEL: llvm.func @part
tile.func @part(%x: f16) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  %a = tile.splat %x : f16 -> tensor<64x64xf16, #acc>
  // CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
  %p = tile_gpu.extract_tile %a [0, 32] : tensor<64x64xf16, #acc> -> tensor<64x32xf16, #half>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x32xf16, swizzle = 64>
  // CHECK-COUNT-2: nvvm.stmatrix
  // CHECK-NOT: nvvm.stmatrix
  tile_gpu.buffer_store %p, %b : tensor<64x32xf16, #half> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  // CHECK: llvm.return
  tile.return
}

// What an author allows a thread is not asked for where warps hand registers on: with fewer than an equal share at the start,
// those that take more would wait for ever. Beside one warp that copies nobody does.
// CHECK-LABEL: llvm.func @limited
// CHECK-NOT: nvvm.maxnreg
// CHECK: nvvm.setmaxregister increase 232
tile.func @limited() attributes {tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32, tile.maxnreg = 80 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// CHECK-LABEL: llvm.func @limited_by_one
// CHECK-SAME: nvvm.maxnreg = 80
// CHECK-NOT: nvvm.setmaxregister
// CHECK: llvm.return
tile.func @limited_by_one() attributes {tile.num_warps = 8 : i32, tile_gpu.block_warps = 9 : i32, tile.maxnreg = 80 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// Of two groups the second gives the first its first turn. A group waits at a barrier of its own, for 128 threads of the
// group before and its own 128.
// CHECK-LABEL: llvm.func @turns
tile.func @turns() attributes {tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    // CHECK: nvvm.setmaxregister increase
    // CHECK: %[[LAST:.*]] = arith.cmpi eq, %{{.*}}, %c1_i32 : i32
    // CHECK: scf.if %[[LAST]] {
    // CHECK: %[[FIRST:.*]] = arith.addi %c0_i32{{.*}}, %c6_i32 : i32
    // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 256;", "r" %[[FIRST]]
    // CHECK: %[[MINE:.*]] = arith.addi %{{.*}}, %c6_i32 : i32
    // CHECK: nvvm.barrier id = %[[MINE]] number_of_threads = %c256_i32
    tile_gpu.turn_wait
    // CHECK: %[[NEXT:.*]] = arith.andi %{{.*}}, %c1_i32 : i32
    // CHECK: %[[OTHER:.*]] = arith.addi %[[NEXT]], %c6_i32 : i32
    // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, 256;", "r" %[[OTHER]]
    tile_gpu.turn_pass
  }
  tile.return
}

// Two warps produce in turn: the second gives the first its first one. Each waits at a barrier of its own, for the 32
// threads of the other and its own.
// CHECK-LABEL: llvm.func @producers
tile.func @producers(%zero: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32} {
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
  tile_gpu.warp_specialize producer {
    tile_gpu.turn_wait
    %number = tile_gpu.producer
    %first = arith.cmpi eq, %number, %zero : i32
    scf.if %first {
      tile_gpu.turn_pass
    }
  } consumer {
  } {pair}
  tile.return
}

// The first 256 columns, 4 lines of 128 bytes a row: one for each of the grid's threads, of each block's last first.
// CHECK-LABEL: llvm.func @columns
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[S:[a-z0-9]+]]: i64
tile.func @columns(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {tile_gpu.persistent, tile.num_warps = 4 : i32, tile_gpu.block_warps = 8 : i32} {
  %d = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  // CHECK: %[[BASE:.*]] = llvm.ptrtoint %[[P]]
  // CHECK-NOT: ctaid.y
  // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK: %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[BEHIND:.*]] = arith.subi %c255_i32, %[[THREAD]] : i32
  // CHECK: %[[BEFORE:.*]] = arith.muli %[[BEHIND]], %[[BLOCKS]] : i32
  // CHECK: %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[BLOCK]] : i32
  // CHECK: %[[LINE:.*]] = arith.remui %[[NUMBER]], %c4_i32 : i32
  // CHECK: %[[ROW:.*]] = arith.divui %[[NUMBER]], %c4_i32 : i32
  // CHECK: %[[WIDE:.*]] = arith.extui %[[LINE]] : i32 to i64
  // CHECK: %[[COLUMN:.*]] = arith.muli %[[WIDE]], %c128_i64 : i64
  // CHECK: %[[COLUMNS:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK: %[[END:.*]] = arith.muli %[[COLUMNS]], %{{.*}} : i64
  // CHECK: %[[IS_ROW:.*]] = arith.cmpi ult, %[[ROW]], %[[M]] : i32
  // CHECK: %[[IS_LINE:.*]] = arith.cmpi slt, %[[COLUMN]], %[[END]] : i64
  // CHECK: %[[ASKS:.*]] = arith.andi %[[IS_ROW]], %[[IS_LINE]] : i1
  // CHECK: scf.if %[[ASKS]] {
  // CHECK: %[[PITCH:.*]] = arith.muli %[[S]], %{{.*}} : i64
  // CHECK: %[[WIDE_ROW:.*]] = arith.extui %[[ROW]] : i32 to i64
  // CHECK: %[[ABOVE:.*]] = arith.muli %[[WIDE_ROW]], %[[PITCH]] : i64
  // CHECK: %[[OFFSET:.*]] = arith.addi %[[ABOVE]], %[[COLUMN]] : i64
  // CHECK: %[[AT:.*]] = arith.addi %[[BASE]], %[[OFFSET]] : i64
  // CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[AT]] : i64 to !llvm.ptr<1>
  // CHECK: nvvm.prefetch level = L2, %[[POINTER]] : !llvm.ptr<1>
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.return
  tile_gpu.prefetch_array %d first 256 of 1 : !tile.desc<128x64xf16>
  tile.return
}

// The first 64 rows, as many lines of each as there are threads for; blocks of a grid of three dimensions.
// CHECK-LABEL: llvm.func @rows
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
tile.func @rows(%p: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) {
  %d = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x32xf32>
  // CHECK: %[[Z:.*]] = nvvm.read.ptx.sreg.ctaid.z
  // CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.y
  // CHECK: %[[NY:.*]] = nvvm.read.ptx.sreg.nctaid.y
  // CHECK: %[[ABOVE:.*]] = arith.muli %[[Z]], %[[NY]] : i32
  // CHECK: %[[LAYER:.*]] = arith.addi %[[ABOVE]], %[[Y]] : i32
  // CHECK: %[[X:.*]] = nvvm.read.ptx.sreg.ctaid.x
  // CHECK: %[[NX:.*]] = nvvm.read.ptx.sreg.nctaid.x
  // CHECK: %[[BEFORE:.*]] = arith.muli %[[LAYER]], %[[NX]] : i32
  // CHECK: %[[BLOCK:.*]] = arith.addi %[[BEFORE]], %[[X]] : i32
  // CHECK: %[[NUMBER:.*]] = arith.addi %{{.*}}, %[[BLOCK]] : i32
  // CHECK: %[[ROW:.*]] = arith.remui %[[NUMBER]], %c64_i32 : i32
  // CHECK: %[[LINE:.*]] = arith.divui %[[NUMBER]], %c64_i32 : i32
  // CHECK: arith.extui %[[LINE]] : i32 to i64
  // CHECK: arith.cmpi ult, %[[ROW]], %[[M]] : i32
  // CHECK: nvvm.prefetch level = L2
  tile_gpu.prefetch_array %d first 64 of 0 : !tile.desc<64x32xf32>
  tile.return
}

// Four blocks divide steps of 64 of a row: part p begins behind p / 4 of them, and a step for each part in front of it that
// has one more. Those of a part count blocks among themselves.
// CHECK-LABEL: llvm.func @divided
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1>, %{{[a-z0-9]+}}: i32, %[[N:[a-z0-9]+]]: i32
tile.func @divided(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) {
  %d = tile.make_desc %p, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  // CHECK: %[[PART:.*]] = arith.remui %[[BLOCK:.*]], %c4_i32 : i32
  // CHECK: %[[OWN:.*]] = arith.divui %[[BLOCK]], %c4_i32 : i32
  // CHECK: %[[NUMBER:.*]] = arith.addi %{{.*}}, %[[OWN]] : i32
  // CHECK: arith.remui %[[NUMBER]], %c4_i32{{.*}} : i32
  // CHECK: %[[STEPS:.*]] = arith.ceildivsi %[[N]], %c64_i32 : i32
  // CHECK: %[[EACH:.*]] = arith.divui %[[STEPS]], %c4_i32{{.*}} : i32
  // CHECK: %[[REST:.*]] = arith.remui %[[STEPS]], %c4_i32{{.*}} : i32
  // CHECK: %[[BEFORE:.*]] = arith.muli %[[PART]], %[[EACH]] : i32
  // CHECK: %[[MORE:.*]] = arith.minui %[[PART]], %[[REST]] : i32
  // CHECK: %[[ALL:.*]] = arith.addi %[[BEFORE]], %[[MORE]] : i32
  // CHECK: arith.muli %[[ALL]], %c64_i32{{.*}} : i32
  // CHECK: nvvm.prefetch level = L2
  tile_gpu.prefetch_array %d first 256 of 1 {parts = 4 : i32, step = 64 : i32} : !tile.desc<128x64xf16>
  tile.return
}
