// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu{arch=sm_90a})' | FileCheck %s

!bar = !tile.buffer<1xi64>

// CHECK-LABEL: llvm.func @parts
// CHECK-SAME: i64, %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i32, %[[PARTS:[a-z0-9]+]]: i32, %[[TO:[a-z0-9]+]]: i32,
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-SAME: tile.cluster = 2 : i32
tile.func @parts(%p: !tile.ptr<f16>, %n: i32, %s: i64, %i: i32, %j: i32, %parts: i32, %to: i32) attributes {tile.shared_bytes = 40960 : i32, tile.cluster = 2 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %h = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %b = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<128x128xf16, swizzle = 128>
  %c = tile.alloc_shared {offset = 0 : i32} : !tile.buffer<128x64xf16, swizzle = 128>
  %f = tile.alloc_shared {offset = 32768 : i32} : !bar
  // Two copies of 64 columns are a part each.
  // CHECK: %[[MASK:.*]] = arith.trunci %[[TO]] : i32 to i16
  // CHECK: arith.andi %[[PARTS]], %{{.*}} : i32
  // CHECK: scf.if
  // CHECK: %[[THERE:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[THERE]], %{{.*}}, %{{.*}}, box[%[[J:.*]], %[[I:.*]]] multicast_mask = %[[MASK]]
  // CHECK: scf.if
  // CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %{{.*}} : i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, box[%[[NEXT]], %[[I]]] multicast_mask = %[[MASK]]
  tile.tma_multicast %d[%i, %j] into %b signal %f parts %parts to %to : !tile.desc<128x128xf16> -> !tile.buffer<128x128xf16, swizzle = 128>, !bar
  // And so are two boxes of 64 rows.
  // CHECK: scf.if
  // CHECK: box[%[[J]], %[[I]]] multicast_mask
  // CHECK: scf.if
  // CHECK: %[[LOW:.*]] = arith.addi %[[I]], %{{.*}} : i32
  // CHECK: box[%[[J]], %[[LOW]]] multicast_mask
  tile.tma_multicast %h[%i, %j] into %c signal %f parts %parts to %to : !tile.desc<64x64xf16> -> !tile.buffer<128x64xf16, swizzle = 128>, !bar
  tile.return
}

// CHECK-LABEL: llvm.func @barriers
tile.func @barriers(%out: !tile.ptr<i32>) attributes {tile.shared_bytes = 64 : i32, tile.num_warps = 8 : i32, tile.cluster = 4 : i32} {
  %r = tile.alloc_shared {offset = 0 : i32} : !bar
  tile.barrier_init %r count 8 : !bar
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: nvvm.cluster.arrive.relaxed
  // CHECK: nvvm.cluster.wait
  tile.cluster_barrier
  // One thread for each block: the number of the thread is that of the block.
  // CHECK: %[[THREAD:.*]] = arith.ori
  // CHECK: %[[FOUR:.*]] = arith.cmpi ult, %[[THREAD]], %{{.*}} : i32
  // CHECK: scf.if %[[FOUR]]
  // CHECK: %[[THERE:.*]] = nvvm.mapa %{{.*}}, %[[THREAD]] : !llvm.ptr<3> -> !llvm.ptr<7>
  // Release at cluster scope would be a fence of the whole GPU.
  // CHECK: nvvm.mbarrier.arrive %[[THERE]] : !llvm.ptr<7>
  tile.barrier_arrive %r {cluster} : !bar
  // CHECK: nvvm.read.ptx.sreg.cluster.ctarank
  %n = tile.cluster_rank
  tile.store %out, %n : !tile.ptr<i32>
  tile.return
}

// Without a cluster each block is the first of its own.
// CHECK-LABEL: llvm.func @alone
// CHECK-NOT: cluster
tile.func @alone(%out: !tile.ptr<i32>) {
  %n = tile.cluster_rank
  tile.store %out, %n : !tile.ptr<i32>
  // CHECK: llvm.return
  tile.return
}
