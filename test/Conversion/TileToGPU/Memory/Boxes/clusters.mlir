// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu)' | FileCheck %s

!bar = !tile_gpu.buffer<1xi64>

// CHECK-LABEL: llvm.func @parts
// CHECK-SAME: i64, %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i32, %[[PART:[a-z0-9]+]]: i32, %[[SPLITS:[a-z0-9]+]]: i32, %[[TO:[a-z0-9]+]]: i32,
// CHECK-SAME: nvvm.cluster_dim = array<i32: 4, 1, 1>
// CHECK-SAME: tile_gpu.cluster = 4 : i32
tile.func @parts(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32, %j: i32, %part: i32, %splits: i32, %to: i32) attributes {tile_gpu.shared_bytes = 40960 : i32, tile_gpu.cluster = 4 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %e = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  %f = tile_gpu.alloc_shared {offset = 32768 : i32} : !bar
  // Two copies of 64 columns are halved between them first, then each of them by its rows.
  // CHECK: %[[MASK:.*]] = arith.trunci %[[TO]] : i32 to i16
  // CHECK: %[[BEYOND:.*]] = arith.shrui %[[PART]], %[[SPLITS]] : i32
  // CHECK: %[[MINE:.*]] = arith.cmpi eq, %[[BEYOND]], %{{.*}} : i32
  // CHECK: %[[HALVED:.*]] = arith.minui %[[SPLITS]], %{{.*}} : i32
  // CHECK: %[[CUT:.*]] = arith.subi %[[SPLITS]], %[[HALVED]] : i32
  // CHECK: %[[ONCE:.*]] = arith.cmpi eq, %[[CUT]], %{{.*}} : i32
  // CHECK: %[[MAP:.*]] = arith.select %[[ONCE]], %{{.*}}, %{{.*}} : !llvm.ptr
  // CHECK: scf.if %[[MINE]]
  // CHECK: %[[THERE:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[THERE]], %[[MAP]], %{{.*}}, box[%[[J:.*]], %[[I:.*]]] multicast_mask = %[[MASK]]
  // The second copy only where the part is both.
  // CHECK: %[[EACH:.*]] = arith.shrui %{{.*}}, %[[HALVED]] : i32
  // CHECK: %[[BOTH:.*]] = arith.cmpi ult, %{{.*}}, %[[EACH]] : i32
  // CHECK: scf.if %[[BOTH]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], {{.*}} multicast_mask = %[[MASK]]
  tile_gpu.tma_multicast %d[%i, %j] cuts %e into %b signal %f part %part splits %splits to %to : !tile.desc<128x128xf16>, !tile.desc<64x128xf16> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>, !bar
  tile.return
}

// A thread stands for the block of its number, and what they find is a bit for each.
// CHECK-LABEL: llvm.func @vote
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: !llvm.ptr<1>, %[[X:[a-z0-9]+]]: i32
tile.func @vote(%out: !tile.ptr<i32>, %x: i32) attributes {tile_gpu.cluster = 4 : i32} {
  // CHECK: %[[LANE:.*]] = arith.andi %{{.*}}, %c3_i32 : i32
  %lane = tile_gpu.cluster_lane
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[LANE]], %[[X]] : i32
  %same = arith.cmpi eq, %lane, %x : i32
  // CHECK: %[[ALL:.*]] = nvvm.vote.sync ballot %{{.*}}, %[[SAME]] -> i32
  // CHECK: %[[BITS:.*]] = arith.andi %[[ALL]], %c15_i32 : i32
  %bits = tile_gpu.cluster_vote %same
  // CHECK: %[[BITS]]
  tile.store %out, %bits : !tile.ptr<i32>
  tile.return
}

// CHECK-LABEL: llvm.func @barriers
tile.func @barriers(%out: !tile.ptr<i32>) attributes {tile_gpu.shared_bytes = 64 : i32, tile.num_warps = 8 : i32, tile_gpu.cluster = 4 : i32} {
  %r = tile_gpu.alloc_shared {offset = 0 : i32} : !bar
  tile_gpu.barrier_init %r count 8 : !bar
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: nvvm.cluster.arrive.relaxed
  tile_gpu.cluster_arrive
  // CHECK: nvvm.cluster.wait
  tile_gpu.cluster_wait
  // One thread for each block: the number of the thread is that of the block.
  // CHECK: %[[THREAD:.*]] = arith.ori
  // CHECK: %[[FOUR:.*]] = arith.cmpi ult, %[[THREAD]], %{{.*}} : i32
  // CHECK: scf.if %[[FOUR]]
  // CHECK: %[[THERE:.*]] = nvvm.mapa %{{.*}}, %[[THREAD]] : !llvm.ptr<3> -> !llvm.ptr<7>
  // Release at cluster scope would be a fence of the whole GPU.
  // CHECK: nvvm.mbarrier.arrive %[[THERE]] : !llvm.ptr<7>
  tile_gpu.barrier_arrive %r {cluster} : !bar
  // CHECK: nvvm.read.ptx.sreg.cluster.ctarank
  %n = tile_gpu.cluster_rank
  tile.store %out, %n : !tile.ptr<i32>
  tile.return
}

// Without a cluster each block is the first of its own.
// CHECK-LABEL: llvm.func @alone
// CHECK-NOT: cluster
tile.func @alone(%out: !tile.ptr<i32>) {
  %n = tile_gpu.cluster_rank
  tile.store %out, %n : !tile.ptr<i32>
  // CHECK: llvm.return
  tile.return
}

// Whoever arrived waits: so do warps of the producers' group that produce nothing.
// CHECK-LABEL: llvm.func @idle
tile.func @idle() attributes {tile.num_warps = 8 : i32, tile_gpu.block_warps = 12 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.persistent} {
  // CHECK: nvvm.cluster.arrive.relaxed
  tile_gpu.cluster_arrive
  // CHECK: nvvm.setmaxregister decrease
  // CHECK: scf.if
  // CHECK: } else {
  // CHECK-NEXT: nvvm.cluster.wait
  // CHECK-NEXT: }
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}
