// A product that the next step scales stays on its way across steps, where that is behind the start of another dot.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-pipeline{num-stages=2}))' | FileCheck %s --check-prefix=TWO

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#half = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!ptrs = tensor<64x64x!tile.ptr<f16>, #v>
!index = tensor<64x64xi32, #v>
!tile = tensor<64x64xf16, #v>
!acc = tensor<128x64xf32, #acc>
!half = tensor<128x64xf16, #acc>
!rows = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!buffer = !tile_gpu.buffer<64x64xf16, swizzle = 128>
#line = #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// As in attention: what scales the sums follows from the scores, for which all wait; so the product of the step before runs under
// the start of this one. Four slots are filled two steps after they were read; of two each step waits for its own. So does a
// product of 128 cycles (@short); of fewer than 64 the step waits at its end.
// CHECK-LABEL: tile.func @scaled
// CHECK: scf.for {{.*}} iter_args(%[[V:[a-z0-9]+]] =
// CHECK: tile_gpu.async_wait 1
// CHECK: %[[S:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: tile_gpu.async_copy
// CHECK: %[[SW:.*]] = tile_gpu.dot_wait %[[S]] pending 0 tied
// CHECK: %[[VW:.*]] = tile_gpu.dot_wait %[[V]] pending 0 tied
// CHECK: %[[E:.*]] = math.exp2 %[[SW]]
// CHECK: %[[M:.*]] = arith.mulf %[[VW]], %[[E]]
// CHECK: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[M]] by wgmma async
// CHECK-NOT: dot_wait
// CHECK: scf.yield %[[D]]
// CHECK: tile_gpu.dot_wait %{{.*}}#0 pending 0 tied
// TWO-LABEL: tile.func @scaled
// TWO: scf.for
// TWO: tile.dot %{{.*}} by wgmma async
// TWO: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// TWO: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// TWO: scf.yield %[[W]]
tile.func @scaled(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !acc
  %own = tile_gpu.alloc_shared : !rows
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %s = tile.dot %own, %b, %zero by wgmma : !rows, !buffer -> !acc
    %e = math.exp2 %s : !acc
    %a = arith.truncf %e : !acc to !half
    %m = arith.mulf %v, %e : !acc
    %d = tile.dot %a, %b, %m by wgmma : !half, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// The next step reads it in front of its first dot.
// CHECK-LABEL: tile.func @early
// CHECK: scf.for
// CHECK: tile.dot %{{.*}} by wgmma async
// CHECK: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK: scf.yield %[[W]]
tile.func @early(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !acc
  %own = tile_gpu.alloc_shared : !rows
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %m = arith.negf %v : !acc
    %s = tile.dot %own, %b, %zero by wgmma : !rows, !buffer -> !acc
    %e = math.exp2 %s : !acc
    %a = arith.truncf %e : !acc to !half
    %d = tile.dot %a, %b, %m by wgmma : !half, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// It reads what threads store in each step.
// CHECK-LABEL: tile.func @filled
// CHECK: scf.for
// CHECK: tile.dot %{{.*}} by wgmma async
// CHECK: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK: scf.yield %[[W]]
tile.func @filled(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !acc
  %own = tile_gpu.alloc_shared : !rows
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %s = tile.dot %own, %b, %zero by wgmma : !rows, !buffer -> !acc
    %e = math.exp2 %s : !acc
    %m = arith.mulf %v, %e : !acc
    %u = arith.negf %t : !tile
    %g = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %u, %g : !tile -> !buffer
    %d = tile.dot %own, %g, %m by wgmma : !rows, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// It takes 128 cycles.
!acc64 = tensor<64x64xf32, #half>
!half64 = tensor<64x64xf16, #half>
// CHECK-LABEL: tile.func @short
// CHECK: scf.for
// CHECK: tile.dot %{{.*}} by wgmma async
// CHECK: %[[D:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK-NOT: dot_wait
// CHECK: scf.yield %[[D]]
tile.func @short(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc64) {
  %i = tile.arange : tensor<4096xi32, #line>
  %o = tile.reshape %i : tensor<4096xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !acc64
  %own = tile_gpu.alloc_shared : !buffer
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %c) -> (!acc64) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %s = tile.dot %own, %b, %zero by wgmma : !buffer, !buffer -> !acc64
    %e = math.exp2 %s : !acc64
    %a = arith.truncf %e : !acc64 to !half64
    %m = arith.mulf %v, %e : !acc64
    %d = tile.dot %a, %b, %m by wgmma : !half64, !buffer -> !acc64
    scf.yield %d : !acc64
  }
  tile.return
}
