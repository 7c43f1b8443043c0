// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-prefetch-operands))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
!acc = tensor<32x32xf32, #acc>
!rings = !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>

// The dot in two halves. The first is read at the end of the iteration before, behind the wait and the
// barrier, which so have the second product behind them; the second under the first product.
// CHECK-LABEL: tile.func @halves
tile.func @halves(%p: !ptrs, %n: i32, %c: !acc) {
  // CHECK: %[[RA:.*]] = tile_gpu.alloc_shared
  // CHECK: %[[RB:.*]] = tile_gpu.alloc_shared
  // CHECK: tile_gpu.async_wait 1
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: %[[VA:.*]] = tile_gpu.buffer_stage %[[RA]][%c0_i32{{.*}}]
  // CHECK-NEXT: %[[A0:.*]] = tile_gpu.buffer_load %[[VA]] at [0, 0] : {{.*}} -> tensor<32x16xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 0], [16, 0]]>>
  // CHECK-NEXT: %[[VB:.*]] = tile_gpu.buffer_stage %[[RB]][%c0_i32{{.*}}]
  // CHECK-NEXT: %[[B0:.*]] = tile_gpu.buffer_load %[[VB]] at [0, 0] : {{.*}} -> tensor<16x32xf16,
  // CHECK-NEXT: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[FILL:.*]] = %{{.*}}, %[[USE:.*]] = %{{.*}}, %[[FA:.*]] = %[[A0]], %[[FB:.*]] = %[[B0]])
  // CHECK-NOT: tile_gpu.async_wait
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[UA:.*]] = tile_gpu.buffer_stage %[[RA]][%[[USE]]]
  // CHECK: %[[UB:.*]] = tile_gpu.buffer_stage %[[RB]][%[[USE]]]
  // CHECK: %[[A1:.*]] = tile_gpu.buffer_load %[[UA]] at [0, 16] : {{.*}} -> tensor<32x16xf16,
  // CHECK: %[[B1:.*]] = tile_gpu.buffer_load %[[UB]] at [16, 0] : {{.*}} -> tensor<16x32xf16,
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK-NEXT: %[[D0:.*]] = tile.dot %[[FA]], %[[FB]], %[[ACC]] by mma_sync : tensor<32x16xf16, {{.*}}>, tensor<16x32xf16, {{.*}}> ->
  // CHECK: %[[NEXT:.*]] = arith.select
  // CHECK: tile_gpu.async_wait 1
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: %[[NA:.*]] = tile_gpu.buffer_stage %[[RA]][%[[NEXT]]]
  // CHECK-NEXT: %[[A2:.*]] = tile_gpu.buffer_load %[[NA]] at [0, 0]
  // CHECK-NEXT: %[[NB:.*]] = tile_gpu.buffer_stage %[[RB]][%[[NEXT]]]
  // CHECK-NEXT: %[[B2:.*]] = tile_gpu.buffer_load %[[NB]] at [0, 0]
  // CHECK-NEXT: %[[D1:.*]] = tile.dot %[[A1]], %[[B1]], %[[D0]] by mma_sync
  // CHECK: scf.yield %[[D1]], %{{.*}}, %[[NEXT]], %[[A2]], %[[B2]]
  // CHECK: }
  // CHECK-NEXT: tile_gpu.async_wait 0
  %ra = tile_gpu.alloc_shared : !rings
  %rb = tile_gpu.alloc_shared : !rings
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %fill = %c2, %use = %c0) -> (!acc, i32, i32) : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    %fa = tile_gpu.buffer_stage %ra[%fill] : !rings -> !buffer
    tile_gpu.async_copy %p into %fa : !ptrs -> !buffer
    %fb = tile_gpu.buffer_stage %rb[%fill] : !rings -> !buffer
    tile_gpu.async_copy %p into %fb : !ptrs -> !buffer
    tile_gpu.async_commit
    %va = tile_gpu.buffer_stage %ra[%use] : !rings -> !buffer
    %vb = tile_gpu.buffer_stage %rb[%use] : !rings -> !buffer
    %d = tile.dot %va, %vb, %a by mma_sync : !buffer, !buffer -> !acc
    %c3 = arith.constant 3 : i32
    %f1 = arith.addi %fill, %c1 : i32
    %fe = arith.cmpi eq, %f1, %c3 : i32
    %fn = arith.select %fe, %c0, %f1 : i32
    %u1 = arith.addi %use, %c1 : i32
    %ue = arith.cmpi eq, %u1, %c3 : i32
    %un = arith.select %ue, %c0, %u1 : i32
    scf.yield %d, %fn, %un : !acc, i32, i32
  }
  tile_gpu.async_wait 0
  tile.return
}

// Of three parts in front of the barrier each has its share of the copies under its products.
// CHECK-LABEL: tile.func @quarters
tile.func @quarters(%p: tensor<32x64x!tile.ptr<f16>>, %n: i32, %c: !acc) {
  // CHECK: scf.for
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 16]
  // CHECK: tile_gpu.buffer_load %{{.*}} at [16, 0]
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile.dot
  // CHECK-NEXT: tile_gpu.buffer_load %{{.*}} at [0, 32]
  // CHECK-NEXT: tile_gpu.buffer_load %{{.*}} at [32, 0]
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile.dot
  // CHECK-NEXT: tile_gpu.buffer_load %{{.*}} at [0, 48]
  // CHECK-NEXT: tile_gpu.buffer_load %{{.*}} at [48, 0]
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK-NEXT: tile.dot
  // CHECK: tile_gpu.async_wait 1
  // CHECK-NEXT: gpu.barrier
  // CHECK: tile.dot
  // CHECK-NOT: tile.dot
  // CHECK: scf.yield
  %ra = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 3>
  %rb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = tile.trans %p order [1, 0] : tensor<32x64x!tile.ptr<f16>> -> tensor<64x32x!tile.ptr<f16>>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    %un = arith.xori %use, %c1 : i32
    %fa = tile_gpu.buffer_stage %ra[%un] : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 3> -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    tile_gpu.async_copy %p into %fa : tensor<32x64x!tile.ptr<f16>> -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    %fb = tile_gpu.buffer_stage %rb[%un] : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
    tile_gpu.async_copy %q into %fb : tensor<64x32x!tile.ptr<f16>> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
    tile_gpu.async_commit
    %va = tile_gpu.buffer_stage %ra[%use] : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 3> -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    %vb = tile_gpu.buffer_stage %rb[%use] : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
    %d = tile.dot %va, %vb, %a by mma_sync : !tile_gpu.buffer<32x64xf16, swizzle = 128>, !tile_gpu.buffer<64x32xf16, swizzle = 64> -> !acc
    scf.yield %d, %un : !acc, i32
  }
  tile.return
}

// With two stages an iteration waits for its own copies: all start at once.
// CHECK-LABEL: tile.func @two_stages
tile.func @two_stages(%p: tensor<32x64x!tile.ptr<f16>>, %n: i32, %c: !acc) {
  // CHECK: scf.for
  // CHECK: tile_gpu.buffer_load %{{.*}} at [16, 0]
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK-NEXT: tile.dot
  // CHECK-NOT: tile_gpu.async_copy
  // CHECK: tile_gpu.async_wait 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NOT: tile_gpu.async_copy
  // CHECK: scf.yield
  %ra = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 2>
  %rb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = tile.trans %p order [1, 0] : tensor<32x64x!tile.ptr<f16>> -> tensor<64x32x!tile.ptr<f16>>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
    tile_gpu.async_wait 0
    gpu.barrier
    %un = arith.xori %use, %c1 : i32
    %fa = tile_gpu.buffer_stage %ra[%un] : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 2> -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    tile_gpu.async_copy %p into %fa : tensor<32x64x!tile.ptr<f16>> -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    %fb = tile_gpu.buffer_stage %rb[%un] : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 2> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
    tile_gpu.async_copy %q into %fb : tensor<64x32x!tile.ptr<f16>> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
    tile_gpu.async_commit
    %va = tile_gpu.buffer_stage %ra[%use] : !tile_gpu.buffer<32x64xf16, swizzle = 128, stages = 2> -> !tile_gpu.buffer<32x64xf16, swizzle = 128>
    %vb = tile_gpu.buffer_stage %rb[%use] : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 2> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
    %d = tile.dot %va, %vb, %a by mma_sync : !tile_gpu.buffer<32x64xf16, swizzle = 128>, !tile_gpu.buffer<64x32xf16, swizzle = 64> -> !acc
    scf.yield %d, %un : !acc, i32
  }
  tile.return
}

// A loop that tile-pipeline has not made is none of this pass's.
// CHECK-LABEL: tile.func @plain
// CHECK-NOT: tile_gpu.buffer_load
// CHECK: tile.return
tile.func @plain(%n: i32, %c: !acc) {
  %b = tile_gpu.alloc_shared : !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

!boxes = !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 2>
!signals = !tile_gpu.buffer<1xi64, stages = 2>
!signal = !tile_gpu.buffer<1xi64>

// Where another role copies, the next step's boxes are waited for in front of the last part's product, and read under it; the slot is given back
// behind all. Of a loop without steps nothing comes, and behind the last step it is its own slot that is read again.
// CHECK-LABEL: tile.func @received
tile.func @received(%n: i32, %c: !acc) {
  // CHECK: %[[RA:.*]] = tile_gpu.alloc_shared
  // CHECK: %[[FULL:.*]] = tile_gpu.alloc_shared
  // CHECK: %[[EMPTY:.*]] = tile_gpu.alloc_shared
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %c0_i32, %arg0
  // CHECK: %[[FIRST:.*]]:2 = scf.if %[[ANY]]
  // CHECK-NEXT: %[[S0:.*]] = tile_gpu.buffer_stage %[[FULL]][%c0_i32]
  // CHECK-NEXT: tile_gpu.barrier_wait %[[S0]] parity %c0_i32
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 0]
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 0]
  // CHECK: } else {
  // CHECK-NOT: tile_gpu.b
  // CHECK: }
  // CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[USE:.*]] = %{{.*}}, %[[PHASE:.*]] = %{{.*}}, %[[FA:.*]] = %[[FIRST]]#0, %[[FB:.*]] = %[[FIRST]]#1)
  // CHECK-NOT: tile_gpu.barrier_wait
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 16]
  // CHECK: tile_gpu.buffer_load %{{.*}} at [16, 0]
  // CHECK: tile.dot %[[FA]], %[[FB]]
  // CHECK: %[[NEXT:.*]] = arith.select
  // CHECK: %[[NEXTPHASE:.*]] = arith.select
  // CHECK: %[[STEP:.*]] = arith.addi %[[K]], %c1_i32
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[STEP]], %arg0
  // CHECK: %[[AT:.*]] = arith.select %[[MORE]], %[[NEXT]], %[[USE]]
  // CHECK: %[[OF:.*]] = arith.select %[[MORE]], %[[NEXTPHASE]], %[[PHASE]]
  // CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage %[[FULL]][%[[AT]]]
  // CHECK-NEXT: tile_gpu.barrier_wait %[[SLOT]] parity %[[OF]]
  // CHECK-NEXT: tile_gpu.buffer_stage %[[RA]][%[[AT]]]
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 0]
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 0]
  // CHECK: tile.dot
  // CHECK: tile_gpu.group_barrier
  // CHECK: %[[GIVEN:.*]] = tile_gpu.buffer_stage %[[EMPTY]][%[[USE]]]
  // CHECK: tile_gpu.barrier_arrive %[[GIVEN]]
  // CHECK: scf.yield
  %ra = tile_gpu.alloc_shared : !boxes
  %full = tile_gpu.alloc_shared : !signals
  %empty = tile_gpu.alloc_shared : !signals
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0, %phase = %c0) -> (!acc, i32, i32) : i32 {
    %f = tile_gpu.buffer_stage %full[%use] : !signals -> !signal
    tile_gpu.barrier_wait %f parity %phase : !signal
    %va = tile_gpu.buffer_stage %ra[%use] : !boxes -> !tile_gpu.buffer<32x32xf16, swizzle = 64>
    %d = tile.dot %va, %va, %a by mma_sync : !tile_gpu.buffer<32x32xf16, swizzle = 64>, !tile_gpu.buffer<32x32xf16, swizzle = 64> -> !acc
    tile_gpu.group_barrier
    %e = tile_gpu.buffer_stage %empty[%use] : !signals -> !signal
    tile_gpu.barrier_arrive %e : !signal
    %other = arith.xori %phase, %c1 : i32
    %u1 = arith.addi %use, %c1 : i32
    %ue = arith.cmpi eq, %u1, %c2 : i32
    %un = arith.select %ue, %c0, %u1 : i32
    %pn = arith.select %ue, %other, %phase : i32
    scf.yield %d, %un, %pn : !acc, i32, i32
  }
  tile.return
}

#sums = #tile_gpu.layout<register = [[0, 8], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0], [0, 16]]>
!sums = tensor<16x32xf32, #sums>

// A dot by FMA in parts of 16 bytes, each of which has of A what a thread's rows are, and of B its columns: K first, as both lie. B is shown the
// other way round.
// CHECK-LABEL: tile.func @by_fma
tile.func @by_fma(%n: i32, %c: !sums) {
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 0] : {{.*}} -> tensor<16x4xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [8, 0]], lane = {{\[\[}}0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [0, 0]]>>
  // CHECK: %[[SHOWN:.*]] = tile_gpu.buffer_trans %{{.*}} order [1, 0]
  // CHECK-NEXT: tile_gpu.buffer_load %[[SHOWN]] at [0, 0] : {{.*}} -> tensor<4x32xf32, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [0, 8]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 0], [0, 0]], warp = {{\[\[}}0, 0], [0, 16]]>>
  // CHECK: scf.for
  // CHECK: tile_gpu.buffer_load %{{.*}} at [0, 4]
  // CHECK: tile_gpu.buffer_load %{{.*}} at [4, 0]
  // CHECK: tile.dot {{.*}} by fma : tensor<16x4xf32
  // CHECK: tile_gpu.async_wait 0
  // CHECK: tile.dot
  // CHECK-NOT: tile.dot
  // CHECK: scf.yield
  %ra = tile_gpu.alloc_shared : !tile_gpu.buffer<16x8xf32, stages = 2>
  %rb = tile_gpu.alloc_shared : !tile_gpu.buffer<32x8xf32, stages = 2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!sums, i32) : i32 {
    tile_gpu.async_wait 0
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%use] : !tile_gpu.buffer<16x8xf32, stages = 2> -> !tile_gpu.buffer<16x8xf32>
    %vb = tile_gpu.buffer_stage %rb[%use] : !tile_gpu.buffer<32x8xf32, stages = 2> -> !tile_gpu.buffer<32x8xf32>
    %tb = tile_gpu.buffer_trans %vb order [1, 0] : !tile_gpu.buffer<32x8xf32> -> !tile_gpu.buffer<8x32xf32, order = [0, 1]>
    %d = tile.dot %va, %tb, %a by fma : !tile_gpu.buffer<16x8xf32>, !tile_gpu.buffer<8x32xf32, order = [0, 1]> -> !sums
    %un = arith.xori %use, %c1 : i32
    scf.yield %d, %un : !sums, i32
  }
  tile.return
}
