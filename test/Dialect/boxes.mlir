// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!desc = !tile.desc<128x64xf16>
!slot = !tile.buffer<128x64xf16, swizzle = 128>
!bar = !tile.buffer<1xi64>

// CHECK-LABEL: tile.func @copies
tile.func @copies(%d: !desc, %i: i32, %s: !slot, %t: !tile.buffer<64x128xf16, swizzle = 128, order = [0, 1]>) {
  // CHECK: tile.desc_copy %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} : !tile.desc<128x64xf16> -> !tile.buffer<128x64xf16, swizzle = 128>
  tile.desc_copy %d[%i, %i] into %s : !desc -> !slot
  // The same bytes, read as the transposed matrix.
  // CHECK: tile.desc_copy {{.*}} -> !tile.buffer<64x128xf16, swizzle = 128, order = [0, 1]>
  tile.desc_copy %d[%i, %i] into %t : !desc -> !tile.buffer<64x128xf16, swizzle = 128, order = [0, 1]>
  // CHECK: tile.desc_write %{{.*}}[%{{.*}}, %{{.*}}] from %{{.*}} : !tile.desc<128x64xf16>, !tile.buffer<128x64xf16, swizzle = 128>
  tile.desc_write %d[%i, %i] from %s : !desc, !slot
  tile.return
}

// CHECK-LABEL: tile.func @unit_extents
tile.func @unit_extents(%d: !tile.desc<1x128x64xf16>, %i: i32, %s: !slot) {
  // CHECK: tile.desc_copy
  tile.desc_copy %d[%i, %i, %i] into %s : !tile.desc<1x128x64xf16> -> !slot
  tile.return
}

// CHECK-LABEL: tile.func @engine
tile.func @engine(%d: !desc, %h: !tile.desc<64x64xf16>, %i: i32, %s: !slot, %b: !bar) {
  // CHECK: tile.tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} signal %{{.*}} : !tile.desc<128x64xf16> -> !tile.buffer<128x64xf16, swizzle = 128>, !tile.buffer<1xi64>
  tile.tma_load %d[%i, %i] into %s signal %b : !desc -> !slot, !bar
  // CHECK: tile.tma_store %{{.*}}[%{{.*}}, %{{.*}}] from %{{.*}} : !tile.desc<64x64xf16>, !tile.buffer<128x64xf16, swizzle = 128>
  tile.tma_store %h[%i, %i] from %s : !tile.desc<64x64xf16>, !slot
  // CHECK: tile.prefetch_array %{{.*}} first 256 of 1 : !tile.desc<128x64xf16>
  tile.prefetch_array %d first 256 of 1 : !desc
  // CHECK: tile.tma_store_wait 1
  tile.tma_store_wait 1
  tile.return
}

// CHECK-LABEL: tile.func @when
tile.func @when(%s: !tile.buffer<64x64xf16, swizzle = 128>, %acc: tensor<64x64xf32>) {
  // CHECK: %[[GROUP:.*]] = tile.warp_group
  %g = tile.warp_group
  %c0 = arith.constant 0 : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[GROUP]]
  %first = arith.cmpi eq, %g, %c0 : i32
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma async when %[[FIRST]] : !tile.buffer
  %d = tile.dot %s, %s, %acc by wgmma async when %first : !tile.buffer<64x64xf16, swizzle = 128>, !tile.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @cluster
tile.func @cluster(%d: !desc, %h: !tile.desc<64x64xf16>, %i: i32, %s: !slot, %b: !bar) {
  // CHECK: %[[RANK:.*]] = tile.cluster_rank
  %r = tile.cluster_rank
  // CHECK: tile.cluster_arrive
  tile.cluster_arrive
  // CHECK: tile.cluster_wait
  tile.cluster_wait
  // The whole box, with or without descriptors of its parts.
  // CHECK: tile.tma_multicast %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} signal %{{.*}} part %[[RANK]] splits %{{.*}} to %{{.*}} : !tile.desc<128x64xf16> -> !tile.buffer<128x64xf16, swizzle = 128>, !tile.buffer<1xi64>
  tile.tma_multicast %d[%i, %i] into %s signal %b part %r splits %i to %i : !desc -> !slot, !bar
  // CHECK: tile.tma_multicast %{{.*}}[%{{.*}}, %{{.*}}] cuts %[[HALF:.*]] into {{.*}} : !tile.desc<128x64xf16>, !tile.desc<64x64xf16> -> !tile.buffer<128x64xf16, swizzle = 128>, !tile.buffer<1xi64>
  tile.tma_multicast %d[%i, %i] cuts %h into %s signal %b part %r splits %i to %i : !desc, !tile.desc<64x64xf16> -> !slot, !bar
  // CHECK: %[[BLOCK:.*]] = tile.cluster_lane
  %block = tile.cluster_lane
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[BLOCK]]
  %same = arith.cmpi eq, %block, %i : i32
  // CHECK: tile.cluster_vote %[[SAME]]
  %vote = tile.cluster_vote %same
  // CHECK: tile.barrier_arrive %{{.*}} {cluster} : !tile.buffer<1xi64>
  tile.barrier_arrive %b {cluster} : !bar
  tile.return
}

// CHECK-LABEL: tile.func @barriers
tile.func @barriers(%p: i32) {
  // CHECK: tile.alloc_shared {guarded} : !tile.buffer<1xi64, stages = 4>
  %ring = tile.alloc_shared {guarded} : !tile.buffer<1xi64, stages = 4>
  // CHECK: tile.barrier_init %{{.*}} count 2 : !tile.buffer<1xi64, stages = 4>
  tile.barrier_init %ring count 2 : !tile.buffer<1xi64, stages = 4>
  %b = tile.buffer_stage %ring[%p] : !tile.buffer<1xi64, stages = 4> -> !bar
  // CHECK: tile.barrier_expect %{{.*}} bytes 49152 : !tile.buffer<1xi64>
  tile.barrier_expect %b bytes 49152 : !bar
  // CHECK: tile.barrier_wait %{{.*}} parity %{{.*}} : !tile.buffer<1xi64>
  tile.barrier_wait %b parity %p : !bar
  // CHECK: tile.barrier_arrive %{{.*}} : !tile.buffer<1xi64>
  tile.barrier_arrive %b : !bar
  // CHECK: tile.group_barrier
  tile.group_barrier
  // CHECK: tile.turn_wait
  tile.turn_wait
  // CHECK: tile.turn_pass
  tile.turn_pass
  tile.return
}

// CHECK-LABEL: tile.func @roles
tile.func @roles(%d: !desc, %i: i32, %s: !slot, %b: !bar) {
  // CHECK: tile.warp_specialize producer {
  // CHECK-NEXT: tile.tma_load
  // CHECK-NEXT: } consumer {
  // CHECK-NEXT: tile.barrier_wait
  // CHECK-NEXT: }
  tile.warp_specialize producer {
    tile.tma_load %d[%i, %i] into %s signal %b : !desc -> !slot, !bar
  } consumer {
    tile.barrier_wait %b parity %i : !bar
  }
  // CHECK: tile.warp_specialize producer {
  // CHECK-NEXT: %[[ONE:.*]] = tile.elect
  // CHECK-NEXT: tile.producer
  // CHECK-NEXT: scf.if %[[ONE]] {
  // CHECK: } consumer {
  // CHECK-NEXT: %[[ROW:.*]] = tile.pin %{{.*}}
  // CHECK-NEXT: tile.tma_store %{{.*}}[%[[ROW]], %{{.*}}]
  // CHECK-NEXT: } {pair}
  tile.warp_specialize producer {
    %one = tile.elect
    %number = tile.producer
    scf.if %one {
      tile.tma_load %d[%i, %number] into %s signal %b : !desc -> !slot, !bar
    }
  } consumer {
    %row = tile.pin %i
    tile.tma_store %d[%row, %i] from %s : !desc, !slot
  } {pair}
  tile.return
}

// CHECK-LABEL: tile.func private @in_flight
tile.func private @in_flight(%a: !slot, %b: !tile.buffer<64x64xf16, swizzle = 128>, %c: tensor<128x64xf32>) -> tensor<64x32xf32> {
  // CHECK: tile.dot {{.*}} by wgmma async :
  %d = tile.dot %a, %b, %c by wgmma async : !slot, !tile.buffer<64x64xf16, swizzle = 128> -> tensor<128x64xf32>
  // CHECK: tile.dot_wait %{{.*}} pending 1 : tensor<128x64xf32>
  %e = tile.dot_wait %d pending 1 : tensor<128x64xf32>
  // CHECK: tile.extract_tile %{{.*}} [64, 32] : tensor<128x64xf32> -> tensor<64x32xf32>
  %f = tile.extract_tile %e [64, 32] : tensor<128x64xf32> -> tensor<64x32xf32>
  tile.return %f : tensor<64x32xf32>
}
