// Dots of one step start early and are waited for late; sums stay on their way across steps where rings have four slots, or
// three and a step one dot.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-pipeline{num-stages=3}))' | FileCheck %s --check-prefix=THREE

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!ptrs = tensor<64x64x!tile.ptr<f16>, #v>
!index = tensor<64x64xi32, #v>
!tile = tensor<64x64xf16, #v>
!acc = tensor<64x64xf32, #acc>
!half = tensor<64x64xf16, #acc>
!buffer = !tile_gpu.buffer<64x64xf16, swizzle = 128>
#line = #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// Copies come behind the dot; at its end, the dot of the step before is over. Of three slots they come behind a barrier, when all have
// waited for the dot of the step before, which read the slot.
// CHECK-LABEL: tile.func @sum
// CHECK: scf.for
// CHECK: tile_gpu.async_wait 1
// CHECK-NEXT: gpu.barrier {tile_gpu.unfenced}
// CHECK-NOT: tile_gpu.async_copy
// CHECK: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: tile_gpu.async_copy
// CHECK: tile_gpu.async_commit
// CHECK: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 1 :
// CHECK-NEXT: scf.yield %[[W]]
// CHECK: tile_gpu.dot_wait %{{.*}} pending 0 tied
// THREE-LABEL: tile.func @sum
// THREE: tile_gpu.async_wait 1
// THREE: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// THREE-NEXT: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 1 :
// THREE-NEXT: gpu.barrier {tile_gpu.unfenced}
// THREE: tile_gpu.async_commit
// THREE: scf.yield %[[W]]
tile.func @sum(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by wgmma : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// As in attention's backward: the second dot does not follow from the first, and starts with it; what lies between runs
// under it. Before operands are made in registers, all are over.
// CHECK-LABEL: tile.func @chain
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK-NEXT: %[[P:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: %[[SW:.*]] = tile_gpu.dot_wait %[[S]] pending 1 tied
// CHECK-NEXT: %[[E:.*]] = math.exp2 %[[SW]]
// CHECK-NEXT: %[[PW:.*]] = tile_gpu.dot_wait %[[P]] pending 0 tied
// CHECK-NEXT: %[[A:.*]] = arith.truncf %[[E]]
// CHECK-NEXT: %[[V:.*]] = tile.dot %[[A]], {{.*}} by wgmma async
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[E]], %[[PW]]
// CHECK-NEXT: %[[VW:.*]] = tile_gpu.dot_wait %[[V]] pending 0 tied
// CHECK-NEXT: %[[B:.*]] = arith.truncf %[[M]]
// CHECK-NEXT: %[[K:.*]] = tile.dot %[[B]], {{.*}} by wgmma async
// CHECK: scf.yield %[[VW]], %[[K]]
// CHECK: tile_gpu.dot_wait %{{.*}}#1 pending 0 tied
// CHECK-NOT: dot_wait
tile.func @chain(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !acc
  %own = tile_gpu.alloc_shared : !buffer
  %first = tile.load %p : !ptrs
  tile_gpu.buffer_store %first, %own : !tile -> !buffer
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%v = %c, %w = %c) -> (!acc, !acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %s = tile.dot %own, %b, %zero by wgmma : !buffer, !buffer -> !acc
    %e = math.exp2 %s : !acc
    %a = arith.truncf %e : !acc to !half
    %d = tile.dot %a, %b, %v by wgmma : !half, !buffer -> !acc
    %q = tile.dot %own, %b, %zero by wgmma : !buffer, !buffer -> !acc
    %m = arith.mulf %e, %q : !acc
    %f = arith.truncf %m : !acc to !half
    %g = tile.dot %f, %b, %w by wgmma : !half, !buffer -> !acc
    scf.yield %d, %g : !acc, !acc
  }
  tile.return
}

// What threads write to shared memory in the step asks for a fence, and for all dots to be over.
// CHECK-LABEL: tile.func @stored
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NOT: unfenced
// CHECK: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK-NEXT: tile_gpu.buffer_store
tile.func @stored(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %w = %c) -> (!acc, !acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by wgmma : !buffer, !buffer -> !acc
    %u = arith.negf %t : !tile
    %e = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %u, %e : !tile -> !buffer
    %f = tile.dot %b, %e, %w by wgmma : !buffer, !buffer -> !acc
    scf.yield %d, %f : !acc, !acc
  }
  tile.return
}

// Of four slots of 32 KiB one block has a multiprocessor to itself, of three two have it.
#v2 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0]]>
#acc2 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#line2 = #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048], [4096], [8192]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
!ptrs2 = tensor<128x128x!tile.ptr<f16>, #v2>
!acc2 = tensor<128x128xf32, #acc2>
!buffer2 = !tile_gpu.buffer<128x128xf16, swizzle = 128>
// CHECK-LABEL: tile.func @room
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128, stages = 3>
// THREE-LABEL: tile.func @room
// THREE: tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128, stages = 3>
tile.func @room(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc2) {
  %i = tile.arange : tensor<16384xi32, #line2>
  %o = tile.reshape %i : tensor<16384xi32, #line2> -> tensor<128x128xi32, #v2>
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs2
  %p = tile.addptr %xs, %o : !ptrs2, tensor<128x128xi32, #v2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc2) : i32 {
    %t = tile.load %p : !ptrs2
    %b = tile_gpu.alloc_shared : !buffer2
    tile_gpu.buffer_store %t, %b : tensor<128x128xf16, #v2> -> !buffer2
    %d = tile.dot %b, %b, %a by wgmma : !buffer2, !buffer2 -> !acc2
    scf.yield %d : !acc2
  }
  tile.return
}

// A sum that goes to the next dot has no wait of its own: that would read registers that the next dot adds to, and ptxas would
// have each dot wait for the one before (C7514).
// CHECK-LABEL: tile.func @taken_on
// CHECK: scf.for
// CHECK: %[[X:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK-NOT: dot_wait
// CHECK: %[[Y:.*]] = tile.dot %{{.*}}, %[[X]] by wgmma async
// CHECK-NOT: dot_wait
// CHECK: %[[YW:.*]] = tile_gpu.dot_wait %[[Y]] pending 0 tied
// CHECK-NEXT: arith.addf %{{.*}}, %[[YW]]
// CHECK-NOT: dot_wait
// CHECK: scf.yield
// CHECK-NOT: dot_wait
tile.func @taken_on(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !acc
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %zero by wgmma : !buffer, !buffer -> !acc
    %e = tile.dot %b, %b, %d by wgmma : !buffer, !buffer -> !acc
    %s = arith.addf %a, %e : !acc
    scf.yield %s : !acc
  }
  tile.return
}
