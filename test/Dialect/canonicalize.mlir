// RUN: tile-opt %s --canonicalize | FileCheck %s
// RUN: tile-opt %s --cse --loop-invariant-code-motion | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: tile.func @splat_constant
// CHECK: arith.constant dense<5> : tensor<4x8xi32>
// CHECK-NEXT: tile.store
tile.func @splat_constant(%p: tensor<4x8x!tile.ptr<i32>>) {
  %c = arith.constant 5 : i32
  %s = tile.splat %c : i32 -> tensor<8xi32>
  %e = tile.expand_dims %s axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %b = tile.broadcast %e : tensor<1x8xi32> -> tensor<4x8xi32>
  tile.store %p, %b : tensor<4x8x!tile.ptr<i32>>
  tile.return
}

// CHECK-LABEL: tile.func @shape_of_splat
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[V:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[S:.*]] = tile.splat %[[P]] : !tile.ptr<f32> -> tensor<4x8x!tile.ptr<f32>>
// CHECK-NEXT: tile.store %[[S]], %[[V]]
tile.func @shape_of_splat(%p: !tile.ptr<f32>, %v: tensor<4x8xf32>) {
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %r = tile.reshape %s : tensor<32x!tile.ptr<f32>> -> tensor<8x4x!tile.ptr<f32>>
  %t = tile.trans %r order [1, 0] : tensor<8x4x!tile.ptr<f32>> -> tensor<4x8x!tile.ptr<f32>>
  tile.store %t, %v : tensor<4x8x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @twice
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x8xf32>
// CHECK: %[[T:.*]] = tile.trans %[[X]] order [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
// CHECK: %[[R:.*]] = tile.reshape %[[X]] : tensor<2x4x8xf32> -> tensor<16x4xf32>
// CHECK: tile.print "" %[[T]], %[[X]], %[[R]]
tile.func @twice(%x: tensor<2x4x8xf32>) {
  %a = tile.trans %x order [1, 2, 0] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %t = tile.trans %a order [1, 2, 0] : tensor<4x8x2xf32> -> tensor<8x2x4xf32>
  %i = tile.trans %t order [1, 2, 0] : tensor<8x2x4xf32> -> tensor<2x4x8xf32>
  %q = tile.reshape %x : tensor<2x4x8xf32> -> tensor<64xf32>
  %r = tile.reshape %q : tensor<64xf32> -> tensor<16x4xf32>
  tile.print "" %t, %i, %r : tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<16x4xf32>
  tile.return
}

// CHECK-LABEL: tile.func @join_split
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4x2xf32>)
// CHECK-NEXT: tile.print "" %[[X]], %[[Y]], %[[Z]]
tile.func @join_split(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4x2xf32>) {
  %j = tile.join %x, %y : tensor<4xf32> -> tensor<4x2xf32>
  %a, %b = tile.split %j : tensor<4x2xf32> -> tensor<4xf32>
  %c, %d = tile.split %z : tensor<4x2xf32> -> tensor<4xf32>
  %k = tile.join %c, %d : tensor<4xf32> -> tensor<4x2xf32>
  tile.print "" %a, %b, %k : tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>
  tile.return
}

// Halves in the other order are another tile.
// CHECK-LABEL: tile.func @join_swapped
// CHECK: tile.split
// CHECK: tile.join
tile.func @join_swapped(%z: tensor<4x2xf32>) {
  %c, %d = tile.split %z : tensor<4x2xf32> -> tensor<4xf32>
  %k = tile.join %d, %c : tensor<4xf32> -> tensor<4x2xf32>
  tile.print "" %k : tensor<4x2xf32>
  tile.return
}

// CHECK-LABEL: tile.func @masks
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[X:.*]]: f32)
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[A:.*]] = tile.load %[[P]] : !tile.ptr<f32>
// CHECK-NEXT: tile.store %[[P]], %[[A]] : !tile.ptr<f32>
// CHECK-NEXT: tile.print "" %[[X]], %[[ZERO]] : f32, f32
// CHECK-NEXT: tile.return
tile.func @masks(%p: !tile.ptr<f32>, %x: f32) {
  %yes = arith.constant true
  %no = arith.constant false
  %a = tile.load %p, %yes, %x : !tile.ptr<f32>
  %b = tile.load %p, %no, %x : !tile.ptr<f32>
  %c = tile.load %p, %no : !tile.ptr<f32>
  tile.store %p, %a, %yes : !tile.ptr<f32>
  tile.store %p, %b, %no : !tile.ptr<f32>
  tile.print "" %b, %c if %yes : f32, f32
  tile.print "never" if %no
  tile.assert %yes, "holds" : i1
  tile.assume %yes
  tile.return
}

// Unused reads go; writes, prints, asserts and assumptions stay.
// CHECK-LABEL: tile.func @dead
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[C:.*]]: i1)
// CHECK-NEXT: tile.print "kept"
// CHECK-NEXT: tile.assert %[[C]], "kept" : i1
// CHECK-NEXT: tile.assume %[[C]]
// CHECK-NEXT: tile.return
tile.func @dead(%p: !tile.ptr<f32>, %c: i1) {
  %a = tile.load %p : !tile.ptr<f32>
  %pid = tile.program_id x
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<8xf32>
  tile.print "kept"
  tile.assert %c, "kept" : i1
  tile.assume %c
  tile.return
}

// CHECK-LABEL: tile.func @no_offset
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>)
// CHECK-NEXT: tile.load %[[P]]
tile.func @no_offset(%p: !tile.ptr<f32>) {
  %zero = arith.constant 0 : i64
  %q = tile.addptr %p, %zero : !tile.ptr<f32>, i64
  %a = tile.load %q : !tile.ptr<f32>
  tile.store %p, %a : !tile.ptr<f32>
  tile.return
}

// Reads merge unless there is a write between; program ids merge and leave loops.
// CSE-LABEL: tile.func @merged
// CSE: %[[A:.*]] = tile.load
// CSE-NEXT: tile.print "" %[[A]], %[[A]]
// CSE-NEXT: tile.store
// CSE-NEXT: %[[B:.*]] = tile.load
// CSE-NEXT: tile.program_id x
// CSE-NEXT: tile.addptr
// CSE-NEXT: scf.for
// CSE-NEXT: tile.load
tile.func @merged(%p: !tile.ptr<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.load %p : !tile.ptr<f32>
  %b = tile.load %p : !tile.ptr<f32>
  tile.print "" %a, %b : f32, f32
  tile.store %p, %a : !tile.ptr<f32>
  %c = tile.load %p : !tile.ptr<f32>
  scf.for %i = %c0 to %n step %c1 {
    %pid = tile.program_id x
    %again = tile.program_id x
    %x = tile.load %p : !tile.ptr<f32>
    %q = tile.addptr %p, %pid : !tile.ptr<f32>, i32
    tile.store %q, %x : !tile.ptr<f32>
    tile.print "" %again, %c : i32, f32
  }
  tile.return
}

// A block's rank is the same wherever it is asked for; prefetches, barriers and copies stay.
// CSE-LABEL: tile.func @cluster
// CSE-NEXT: %[[R:.*]] = tile_gpu.cluster_rank
// CSE-NEXT: tile_gpu.prefetch_array
// CSE-NEXT: tile_gpu.cluster_arrive
// CSE-NEXT: tile_gpu.cluster_wait
// CSE-NEXT: tile_gpu.desc_multicast
// CSE-NEXT: tile_gpu.desc_multicast
// CSE-NEXT: tile_gpu.tma_multicast
// CSE-NEXT: tile_gpu.tma_multicast
// CSE-NEXT: tile_gpu.cluster_arrive
// CSE-NEXT: tile_gpu.cluster_wait
// CSE-NEXT: tile.print "" %[[R]], %[[R]]
tile.func @cluster(%d: !tile.desc<128x64xf16>, %s: !tile_gpu.buffer<128x64xf16, swizzle = 128>, %f: !tile_gpu.buffer<1xi64>) {
  %a = tile_gpu.cluster_rank
  tile_gpu.prefetch_array %d first 256 of 1 : !tile.desc<128x64xf16>
  tile_gpu.cluster_arrive
  tile_gpu.cluster_wait
  tile_gpu.desc_multicast %d[%a, %a] into %s part %a splits %a to %a : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.desc_multicast %d[%a, %a] into %s part %a splits %a to %a : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
  tile_gpu.tma_multicast %d[%a, %a] into %s signal %f part %a splits %a to %a : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.tma_multicast %d[%a, %a] into %s signal %f part %a splits %a to %a : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.cluster_arrive
  tile_gpu.cluster_wait
  %b = tile_gpu.cluster_rank
  tile.print "" %a, %b : i32, i32
  tile.return
}

// So is a warp group's number, a producer's, a thread's block, and what all of them say.
// CSE-LABEL: tile.func @warp_group
// CSE-NEXT: %[[G:.*]] = tile_gpu.warp_group
// CSE-NEXT: tile.print "" %[[G]], %[[G]]
// CSE-NEXT: %[[P:.*]] = tile_gpu.producer
// CSE-NEXT: tile.print "" %[[P]], %[[P]]
// CSE-NEXT: %[[L:.*]] = tile_gpu.cluster_lane
// CSE-NEXT: tile.print "" %[[L]], %[[L]]
// CSE-NEXT: %[[E:.*]] = tile_gpu.elect
// CSE-NEXT: %[[V:.*]] = tile_gpu.cluster_vote %[[E]]
// CSE-NEXT: tile.print "" %[[V]], %[[V]]
tile.func @warp_group() {
  %a = tile_gpu.warp_group
  %b = tile_gpu.warp_group
  tile.print "" %a, %b : i32, i32
  %p = tile_gpu.producer
  %q = tile_gpu.producer
  tile.print "" %p, %q : i32, i32
  %l = tile_gpu.cluster_lane
  %m = tile_gpu.cluster_lane
  tile.print "" %l, %m : i32, i32
  %e = tile_gpu.elect
  %f = tile_gpu.elect
  %v = tile_gpu.cluster_vote %e
  %w = tile_gpu.cluster_vote %f
  tile.print "" %v, %w : i32, i32
  tile.return
}

// What is pinned stays where it is, each for itself.
// CSE-LABEL: tile.func @pinned
// CSE: %[[X:.*]] = tile_gpu.pin %{{.*}}
// CSE-NEXT: %[[Y:.*]] = tile_gpu.pin %{{.*}}
// CSE-NEXT: tile.print "" %[[X]], %[[Y]]
tile.func @pinned(%i: i32) {
  %x = tile_gpu.pin %i : i32
  %y = tile_gpu.pin %i : i32
  tile.print "" %x, %y : i32, i32
  tile.return
}

// A part of one value everywhere is that value; a part of a part is one of the whole.
// CHECK-LABEL: tile.func private @slices
// CHECK-DAG: %[[S:.*]] = tile.splat %{{.*}} : f32 -> tensor<2xf32>
// CHECK-DAG: %[[P:.*]] = tile.slice %{{.*}}[5] : tensor<8xf32> -> tensor<2xf32>
// CHECK: tile.return %[[S]], %[[P]]
tile.func private @slices(%v: f32, %x: tensor<8xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %all = tile.splat %v : f32 -> tensor<8xf32>
  %s = tile.slice %all[1] : tensor<8xf32> -> tensor<2xf32>
  %right = tile.slice %x[4] : tensor<8xf32> -> tensor<4xf32>
  %p = tile.slice %right[1] : tensor<4xf32> -> tensor<2xf32>
  tile.return %s, %p : tensor<2xf32>, tensor<2xf32>
}

// tf32 has all bits of bf16: products of what was extended are those of what it was.
// CHECK-LABEL: tile.func @extended
// CHECK-SAME: (%[[A:.*]]: tensor<32x16xbf16>, %[[B:.*]]: tensor<64x16xbf16>, %[[C:.*]]: tensor<32x64xf32>
// CHECK: %[[T:.*]] = tile.trans %[[B]] order [1, 0] : tensor<64x16xbf16> -> tensor<16x64xbf16>
// CHECK: tile.dot %[[A]], %[[T]], %[[C]] : tensor<32x16xbf16>, tensor<16x64xbf16> -> tensor<32x64xf32>
tile.func @extended(%a: tensor<32x16xbf16>, %b: tensor<64x16xbf16>, %c: tensor<32x64xf32>, %p: tensor<32x64x!tile.ptr<f32>>) {
  %x = arith.extf %a : tensor<32x16xbf16> to tensor<32x16xf32>
  %y = arith.extf %b : tensor<64x16xbf16> to tensor<64x16xf32>
  %t = tile.trans %y order [1, 0] : tensor<64x16xf32> -> tensor<16x64xf32>
  %d = tile.dot %x, %t, %c precision tf32 : tensor<32x16xf32>, tensor<16x64xf32> -> tensor<32x64xf32>
  tile.store %p, %d : tensor<32x64x!tile.ptr<f32>>
  tile.return
}

// Not where all of f32 is asked for, of two types, of f8, whose dots sum up less, or of fewer columns than an instruction takes.
// CHECK-LABEL: tile.func @not_extended
// CHECK-COUNT-4: tile.dot {{.*}}xf32>, tensor<{{.*}}xf32> ->
tile.func @not_extended(%a: tensor<32x16xbf16>, %h: tensor<32x16xf16>, %e: tensor<32x16xf8E4M3FN>, %s: tensor<32x8xbf16>, %u: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %c: tensor<32x32xf32>, %p: tensor<32x32x!tile.ptr<f32>>) {
  %x = arith.extf %a : tensor<32x16xbf16> to tensor<32x16xf32>
  %y = arith.extf %b : tensor<16x32xbf16> to tensor<16x32xf32>
  %z = arith.extf %h : tensor<32x16xf16> to tensor<32x16xf32>
  %f = arith.extf %e : tensor<32x16xf8E4M3FN> to tensor<32x16xf32>
  %v = arith.extf %s : tensor<32x8xbf16> to tensor<32x8xf32>
  %w = arith.extf %u : tensor<8x32xbf16> to tensor<8x32xf32>
  %1 = tile.dot %x, %y, %c : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
  %2 = tile.dot %z, %y, %1 precision tf32 : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
  %3 = tile.dot %f, %y, %2 precision tf32 : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
  %4 = tile.dot %v, %w, %3 precision tf32 : tensor<32x8xf32>, tensor<8x32xf32> -> tensor<32x32xf32>
  tile.store %p, %4 : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
