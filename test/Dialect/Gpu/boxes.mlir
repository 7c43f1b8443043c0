// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!desc = !tile.desc<128x64xf16>
!slot = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!bar = !tile_gpu.buffer<1xi64>

// CHECK-LABEL: tile.func @copies
tile.func @copies(%d: !desc, %i: i32, %s: !slot, %t: !tile_gpu.buffer<64x128xf16, swizzle = 128, order = [0, 1]>) {
  // CHECK: tile_gpu.desc_copy %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_copy %d[%i, %i] into %s : !desc -> !slot
  // The same bytes, read as the transposed matrix.
  // CHECK: tile_gpu.desc_copy {{.*}} -> !tile_gpu.buffer<64x128xf16, swizzle = 128, order = [0, 1]>
  tile_gpu.desc_copy %d[%i, %i] into %t : !desc -> !tile_gpu.buffer<64x128xf16, swizzle = 128, order = [0, 1]>
  // CHECK: tile_gpu.desc_write %{{.*}}[%{{.*}}, %{{.*}}] from %{{.*}} : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_write %d[%i, %i] from %s : !desc, !slot
  tile.return
}

// CHECK-LABEL: tile.func @unit_extents
tile.func @unit_extents(%d: !tile.desc<1x128x64xf16>, %i: i32, %s: !slot) {
  // CHECK: tile_gpu.desc_copy
  tile_gpu.desc_copy %d[%i, %i, %i] into %s : !tile.desc<1x128x64xf16> -> !slot
  tile.return
}

// CHECK-LABEL: tile.func @engine
tile.func @engine(%d: !desc, %h: !tile.desc<64x64xf16>, %f: !tile.desc<64x32xf32>, %i: i32, %s: !slot, %b: !bar,
                  %sums: !tile_gpu.buffer<128x32xf32, swizzle = 128>) {
  // CHECK: tile_gpu.tma_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} signal %{{.*}} : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.tma_load %d[%i, %i] into %s signal %b : !desc -> !slot, !bar
  // CHECK: tile_gpu.tma_store %{{.*}}[%{{.*}}, %{{.*}}] from %{{.*}} : !tile.desc<64x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.tma_store %h[%i, %i] from %s : !tile.desc<64x64xf16>, !slot
  // CHECK: tile_gpu.tma_store %{{.*}}[%{{.*}}, %{{.*}}] from %{{.*}} across 64 : !tile.desc<64x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.tma_store %h[%i, %i] from %s across 64 : !tile.desc<64x64xf16>, !slot
  // CHECK: tile_gpu.tma_store %{{.*}}[%{{.*}}, %{{.*}}] from %{{.*}} across 32 {add} : !tile.desc<64x32xf32>, !tile_gpu.buffer<128x32xf32, swizzle = 128>
  tile_gpu.tma_store %f[%i, %i] from %sums across 32 {add} : !tile.desc<64x32xf32>, !tile_gpu.buffer<128x32xf32, swizzle = 128>
  // CHECK: tile_gpu.prefetch_array %{{.*}} first 256 of 1 : !tile.desc<128x64xf16>
  tile_gpu.prefetch_array %d first 256 of 1 : !desc
  // CHECK: tile_gpu.prefetch_array %{{.*}} first 256 of 0 {parts = 4 : i32, step = 64 : i32} : !tile.desc<128x64xf16>
  tile_gpu.prefetch_array %d first 256 of 0 {parts = 4 : i32, step = 64 : i32} : !desc
  // CHECK: tile_gpu.tma_store_wait 1
  tile_gpu.tma_store_wait 1
  tile.return
}

// CHECK-LABEL: tile.func @when
tile.func @when(%s: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %acc: tensor<64x64xf32>) {
  // CHECK: %[[GROUP:.*]] = tile_gpu.warp_group
  %g = tile_gpu.warp_group
  %c0 = arith.constant 0 : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[GROUP]]
  %first = arith.cmpi eq, %g, %c0 : i32
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma async when %[[FIRST]] : !tile_gpu.buffer
  %d = tile.dot %s, %s, %acc by wgmma async when %first : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @cluster
tile.func @cluster(%d: !desc, %h: !tile.desc<64x64xf16>, %i: i32, %s: !slot, %b: !bar) {
  // CHECK: %[[RANK:.*]] = tile_gpu.cluster_rank
  %r = tile_gpu.cluster_rank
  // CHECK: tile_gpu.cluster_arrive
  tile_gpu.cluster_arrive
  // CHECK: tile_gpu.cluster_wait
  tile_gpu.cluster_wait
  // The whole box, with or without descriptors of its parts.
  // CHECK: tile_gpu.tma_multicast %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} signal %{{.*}} part %[[RANK]] splits %{{.*}} to %{{.*}} : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.tma_multicast %d[%i, %i] into %s signal %b part %r splits %i to %i : !desc -> !slot, !bar
  // CHECK: tile_gpu.tma_multicast %{{.*}}[%{{.*}}, %{{.*}}] cuts %[[HALF:.*]] into {{.*}} : !tile.desc<128x64xf16>, !tile.desc<64x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.tma_multicast %d[%i, %i] cuts %h into %s signal %b part %r splits %i to %i : !desc, !tile.desc<64x64xf16> -> !slot, !bar
  // CHECK: tile_gpu.desc_multicast %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} part %[[RANK]] splits %{{.*}} to %{{.*}} : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_multicast %d[%i, %i] into %s part %r splits %i to %i : !desc -> !slot
  // CHECK: tile_gpu.desc_multicast %{{.*}}[%{{.*}}, %{{.*}}] cuts %[[HALF]] into %{{.*}} part %[[RANK]] splits %{{.*}} to %{{.*}} : !tile.desc<128x64xf16>, !tile.desc<64x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_multicast %d[%i, %i] cuts %h into %s part %r splits %i to %i : !desc, !tile.desc<64x64xf16> -> !slot
  // CHECK: %[[BLOCK:.*]] = tile_gpu.cluster_lane
  %block = tile_gpu.cluster_lane
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[BLOCK]]
  %same = arith.cmpi eq, %block, %i : i32
  // CHECK: tile_gpu.cluster_vote %[[SAME]]
  %vote = tile_gpu.cluster_vote %same
  // CHECK: tile_gpu.barrier_arrive %{{.*}} {cluster} : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_arrive %b {cluster} : !bar
  tile.return
}

// CHECK-LABEL: tile.func @barriers
tile.func @barriers(%p: i32) {
  // CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
  %ring = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
  // CHECK: tile_gpu.barrier_init %{{.*}} count 2 : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.barrier_init %ring count 2 : !tile_gpu.buffer<1xi64, stages = 4>
  %b = tile_gpu.buffer_stage %ring[%p] : !tile_gpu.buffer<1xi64, stages = 4> -> !bar
  // CHECK: tile_gpu.barrier_expect %{{.*}} bytes 49152 : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_expect %b bytes 49152 : !bar
  // CHECK: tile_gpu.barrier_wait %{{.*}} parity %{{.*}} : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_wait %b parity %p : !bar
  // CHECK: tile_gpu.barrier_arrive %{{.*}} : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_arrive %b : !bar
  // CHECK: tile_gpu.group_barrier
  tile_gpu.group_barrier
  // CHECK: tile_gpu.turn_wait
  tile_gpu.turn_wait
  // CHECK: tile_gpu.turn_pass
  tile_gpu.turn_pass
  tile.return
}

// CHECK-LABEL: tile.func @roles
tile.func @roles(%d: !desc, %i: i32, %s: !slot, %b: !bar) {
  // CHECK: tile_gpu.warp_specialize producer {
  // CHECK-NEXT: tile_gpu.tma_load
  // CHECK-NEXT: } consumer {
  // CHECK-NEXT: tile_gpu.barrier_wait
  // CHECK-NEXT: }
  tile_gpu.warp_specialize producer {
    tile_gpu.tma_load %d[%i, %i] into %s signal %b : !desc -> !slot, !bar
  } consumer {
    tile_gpu.barrier_wait %b parity %i : !bar
  }
  // CHECK: tile_gpu.warp_specialize producer {
  // CHECK-NEXT: %[[ONE:.*]] = tile_gpu.elect
  // CHECK-NEXT: tile_gpu.producer
  // CHECK-NEXT: scf.if %[[ONE]] {
  // CHECK: } consumer {
  // CHECK-NEXT: %[[ROW:.*]] = tile_gpu.pin %{{.*}}
  // CHECK-NEXT: tile_gpu.tma_store %{{.*}}[%[[ROW]], %{{.*}}]
  // CHECK-NEXT: } {pair}
  tile_gpu.warp_specialize producer {
    %one = tile_gpu.elect
    %number = tile_gpu.producer
    scf.if %one {
      tile_gpu.tma_load %d[%i, %number] into %s signal %b : !desc -> !slot, !bar
    }
  } consumer {
    %row = tile_gpu.pin %i : i32
    tile_gpu.tma_store %d[%row, %i] from %s : !desc, !slot
  } {pair}
  tile.return
}

// CHECK-LABEL: tile.func private @in_flight
tile.func private @in_flight(%a: !slot, %b: !tile_gpu.buffer<64x64xf16, swizzle = 128>, %c: tensor<128x64xf32>) -> tensor<64x32xf32> {
  // CHECK: tile.dot {{.*}} by wgmma async :
  %d = tile.dot %a, %b, %c by wgmma async : !slot, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<128x64xf32>
  // CHECK: tile_gpu.dot_wait %{{.*}} pending 1 : tensor<128x64xf32>
  %e = tile_gpu.dot_wait %d pending 1 : tensor<128x64xf32>
  // CHECK: tile_gpu.extract_tile %{{.*}} [64, 32] : tensor<128x64xf32> -> tensor<64x32xf32>
  %f = tile_gpu.extract_tile %e [64, 32] : tensor<128x64xf32> -> tensor<64x32xf32>
  tile.return %f : tensor<64x32xf32>
}

// CHECK-LABEL: tile.func @parts_in_memory
tile.func @parts_in_memory(%x: tensor<64x64xf32>, %i: tensor<64x64xi32>) {
  // CHECK: tile_gpu.part
  %r = tile_gpu.part
  // CHECK: %{{.*}}, %{{.*}} = tile_gpu.collect_parts %{{.*}} : tensor<64x64xf32> -> tensor<64x64xf32>
  %s, %last = tile_gpu.collect_parts %x : tensor<64x64xf32> -> tensor<64x64xf32>
  // CHECK: %{{.*}}:2, %{{.*}} = tile_gpu.collect_parts %{{.*}}, %{{.*}} {offset = 1024 : i32} : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>, tensor<64x64xi32>
  %t:2, %last2 = tile_gpu.collect_parts %x, %i {offset = 1024 : i32} : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>, tensor<64x64xi32>
  // CHECK: tile_gpu.collect_parts %{{.*}} {period = 32 : i64, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  %u, %last3 = tile_gpu.collect_parts %x {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  // CHECK: %{{.*}}:2, %{{.*}}, %{{.*}} = tile_gpu.share_parts %{{.*}}, %{{.*}} {offset = 1024 : i32, period = 32 : i64, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>, tensor<64x64xi32>
  %v:2, %goes, %all = tile_gpu.share_parts %x, %i {offset = 1024 : i32, period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>, tensor<64x64xi32>
  tile.return
}

// CHECK-LABEL: tile.func @parts_of_turns
tile.func @parts_of_turns(%x: tensor<64x64xf32>, %i: tensor<64x64xi32>, %part: i32, %program: i32, %split: i1) {
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = tile_gpu.share_turns %{{.*}} part %{{.*}} of %{{.*}} when %{{.*}} together %{{.*}} {period = 32 : i64, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  %w, %goes3, %all3 = tile_gpu.share_turns %x part %part of %program when %split together %split {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  // CHECK: %{{.*}}, %{{.*}} = tile_gpu.collect_turns %{{.*}} part %{{.*}} of %{{.*}} when %{{.*}} together %{{.*}} {parts = 3 : i64} : tensor<64x64xf32> -> tensor<64x64xf32>
  %s, %last = tile_gpu.collect_turns %x part %part of %program when %split together %split {parts = 3} : tensor<64x64xf32> -> tensor<64x64xf32>
  // CHECK: %{{.*}}:2, %{{.*}} = tile_gpu.collect_turns %{{.*}}, %{{.*}} part %{{.*}} of %{{.*}} when %{{.*}} together %{{.*}} {offset = 1024 : i32, parts = 32 : i64} : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>, tensor<64x64xi32>
  %t:2, %last2 = tile_gpu.collect_turns %x, %i part %part of %program when %split together %split {offset = 1024 : i32, parts = 32} : tensor<64x64xf32>, tensor<64x64xi32> -> tensor<64x64xf32>, tensor<64x64xi32>
  tile.return
}

// CHECK-LABEL: tile.func @sums
tile.func @sums(%x: tensor<64x64xf32>, %i: tensor<64x64xi32>) {
  // CHECK: tile_gpu.add_parts %{{.*}} : tensor<64x64xf32>
  %s = tile_gpu.add_parts %x : tensor<64x64xf32>
  // CHECK: tile_gpu.add_parts %{{.*}} {offset = 1024 : i32} : tensor<64x64xi32>
  %t = tile_gpu.add_parts %i {offset = 1024 : i32} : tensor<64x64xi32>
  // CHECK: tile_gpu.add_parts %{{.*}} {period = 32 : i64, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32>
  %u = tile_gpu.add_parts %x {period = 32 : i64, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32>
  tile.return
}
