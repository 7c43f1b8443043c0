// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-join-sums))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-join-sums,tile-join-sums))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// What stands behind the last sum is the first block's alone; what stands before is everybody's.
// CHECK-LABEL: tile.func @roles
// CHECK: } consumer {
// CHECK-NEXT: tile_gpu.add_parts
// CHECK-NEXT: %[[SUM:.*]] = tile_gpu.add_parts
// CHECK-NEXT: %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %[[ZERO]] : i32
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT:   arith.truncf %[[SUM]]
// CHECK-NEXT:   tile_gpu.group_barrier
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func @roles(%x: !acc, %y: !acc) attributes {tile.num_warps = 8 : i32, tile_gpu.cluster = 4 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    %s = tile_gpu.add_parts %x : !acc
    %t = tile_gpu.add_parts %y : !acc
    %h = arith.truncf %t : !acc to tensor<128x128xf16, #acc>
    tile_gpu.group_barrier
  }
  tile.return
}

// The end of a kernel stays its end.
// CHECK-LABEL: tile.func @alone
// CHECK: tile_gpu.add_parts
// CHECK: scf.if
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func @alone(%x: !acc, %p: !tile.ptr<i32>, %n: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.cluster = 2 : i32} {
  %s = tile_gpu.add_parts %x : !acc
  tile.store %p, %n : !tile.ptr<i32>
  tile.return
}

// Blocks of no cluster go on where they have a share, or all.
// CHECK-LABEL: tile.func @shared
// CHECK: %[[SUM:.*]], %[[GOES:.*]], %{{.*}} = tile_gpu.share_parts
// CHECK-NEXT: scf.if %[[GOES]] {
// CHECK-NEXT:   arith.truncf %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func @shared(%x: !acc) attributes {tile.num_warps = 8 : i32, tile_gpu.splits = 2 : i32} {
  %s, %goes, %all = tile_gpu.share_parts %x {period = 64, shares = array<i64: 0, 32, 64>} : !acc -> !acc
  %h = arith.truncf %s : !acc to tensor<128x128xf16, #acc>
  tile.return
}

// A turn that has part of a program goes on where it came last; what the next program wants stays.
// CHECK-LABEL: tile.func @turns
// CHECK: scf.for
// CHECK:   %[[SLOT:.*]] = arith.addi
// CHECK:   %[[SUM:.*]], %[[LAST:.*]] = tile_gpu.collect_turns
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT:   arith.truncf %[[SUM]]
// CHECK-NEXT:   tile_gpu.group_barrier
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[SLOT]]
tile.func @turns(%x: !acc, %n: i32, %split: i1) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%slot = %c0) -> (i32) : i32 {
      %next = arith.addi %slot, %c1 : i32
      %s, %last = tile_gpu.collect_turns %x part %t of %slot when %split together %split {parts = 2} : !acc -> !acc
      %h = arith.truncf %s : !acc to tensor<128x128xf16, #acc>
      tile_gpu.group_barrier
      scf.yield %next : i32
    } {tile_gpu.programs}
  }
  tile.return
}

// Or as the others of its program do, where each has a share.
// CHECK-LABEL: tile.func @shared_turns
// CHECK: scf.for
// CHECK:   %[[SUM:.*]], %[[GOES:.*]], %{{.*}} = tile_gpu.share_turns
// CHECK-NEXT: scf.if %[[GOES]] {
// CHECK-NEXT:   arith.truncf %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.func @shared_turns(%x: !acc, %n: i32, %split: i1) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %t = %c0 to %n step %c1 : i32 {
      %s, %goes, %all = tile_gpu.share_turns %x part %t of %t when %split together %split {period = 64, shares = array<i64: 0, 32, 64>} : !acc -> !acc
      %h = arith.truncf %s : !acc to tensor<128x128xf16, #acc>
    } {tile_gpu.programs}
  }
  tile.return
}

// CHECK-LABEL: tile.func @none
// CHECK-NOT: scf.if
tile.func @none(%p: !tile.ptr<i32>, %n: i32) {
  tile.store %p, %n : !tile.ptr<i32>
  tile.return
}

// Of clusters that add up in memory the last one goes on; block 0 of it, where no other one has a share.
// CHECK-LABEL: tile.func @collected_by_first
// CHECK: %[[SUM:.*]], %[[LAST:.*]] = tile_gpu.collect_parts
// CHECK-NEXT: %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]],
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[LAST]]
// CHECK-NEXT: scf.if %[[BOTH]] {
// CHECK-NEXT:   arith.truncf %[[SUM]]
tile.func @collected_by_first(%x: !acc) attributes {tile.num_warps = 8 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.splits = 4 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    %own = tile_gpu.add_parts %x : !acc
    %s, %last = tile_gpu.collect_parts %own : !acc -> !acc
    %h = arith.truncf %s : !acc to tensor<128x128xf16, #acc>
    tile_gpu.group_barrier
  }
  tile.return
}

// CHECK-LABEL: tile.func @collected_shares
// CHECK: %[[SUM:.*]], %[[LAST:.*]] = tile_gpu.collect_parts
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT:   arith.truncf %[[SUM]]
tile.func @collected_shares(%x: !acc) attributes {tile.num_warps = 8 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.splits = 4 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    %own = tile_gpu.add_parts %x {shares = array<i64: 0, 32, 64>, period = 64} : !acc
    %s, %last = tile_gpu.collect_parts %own {shares = array<i64: 0, 32, 64>, period = 64} : !acc -> !acc
    %h = arith.truncf %s : !acc to tensor<128x128xf16, #acc>
    tile_gpu.group_barrier
  }
  tile.return
}

// CHECK-LABEL: tile.func @collected
// CHECK: } consumer {
// CHECK-NEXT: %[[SUMS:.*]]:2, %[[LAST:.*]] = tile_gpu.collect_parts
// CHECK-NEXT: scf.if %[[LAST]] {
// CHECK-NEXT:   arith.truncf %[[SUMS]]#1
// CHECK-NEXT:   tile_gpu.group_barrier
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.func @collected(%x: !acc, %y: !acc) attributes {tile.num_warps = 8 : i32, tile_gpu.splits = 4 : i32} {
  tile_gpu.warp_specialize producer {
  } consumer {
    %s:2, %last = tile_gpu.collect_parts %x, %y : !acc, !acc -> !acc, !acc
    %h = arith.truncf %s#1 : !acc to tensor<128x128xf16, #acc>
    tile_gpu.group_barrier
  }
  tile.return
}
