// Of a step's sums the first starts behind what makes the second's operands, which would wait for it, and the second behind the dot
// whose result is read; what that is staged for runs under the sum. The barriers of staging stay where they are: they tell
// nobody of slots that dots read. Slots are given back behind the dots that read them.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-chain-dots))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#turned = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]]>
!acc = tensor<64x64xf32, #acc>
!half = tensor<64x64xf16, #acc>
!buffer = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!slot = !tile_gpu.buffer<64x64xf32, swizzle = 128>
!bar = !tile_gpu.buffer<1xi64>

// CHECK-LABEL: tile.func @late
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK-NEXT: %[[P:.*]] = tile.dot %{{.*}} by wgmma async
// CHECK: tile_gpu.dot_wait %[[S]] pending 1 tied
// CHECK-NEXT: %[[E:.*]] = math.exp2
// CHECK-NEXT: tile_gpu.dot_wait %[[P]] pending 0 tied
// CHECK-NEXT: %[[A:.*]] = arith.truncf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: %[[F:.*]] = arith.truncf
// CHECK-NEXT: %[[V:.*]] = tile.dot %[[A]], {{.*}} by wgmma async
// CHECK-NOT: tile_gpu.barrier_arrive
// CHECK: tile_gpu.buffer_store
// CHECK-NEXT: %[[Q:.*]] = tile.dot {{.*}} by wgmma async
// CHECK-NEXT: %[[K:.*]] = tile.dot %[[F]], {{.*}} by wgmma async
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: %[[VW:.*]] = tile_gpu.dot_wait %[[V]] pending 2 tied
// CHECK-NEXT: %[[QW:.*]] = tile_gpu.dot_wait %[[Q]] pending 1 tied
// CHECK-NEXT: tile_gpu.buffer_store %[[QW]]
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.tma_store
// CHECK-NEXT: %[[KW:.*]] = tile_gpu.dot_wait %[[K]] pending 0 tied
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: scf.yield %[[VW]], %[[KW]]
tile.func @late(%sums: !tile.ptr<f32>, %n: i32, %s: i64, %c: !acc) {
  %d = tile.make_desc %sums, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x32xf32>
  %x = tile_gpu.alloc_shared {guarded} : !buffer
  %y = tile_gpu.alloc_shared {guarded} : !buffer
  %own = tile_gpu.alloc_shared {guarded} : !buffer
  %staged = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x32xf32, swizzle = 128>
  %whole = tile_gpu.alloc_shared {guarded} : !slot
  %free_x = tile_gpu.alloc_shared {guarded} : !bar
  %free_y = tile_gpu.alloc_shared {guarded} : !bar
  %zero = arith.constant dense<0.0> : !acc
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%v = %c, %w = %c) -> (!acc, !acc) : i32 {
      %score = tile.dot %own, %x, %zero by wgmma : !buffer, !buffer -> !acc
      %e = math.exp2 %score : !acc
      %p = tile.dot %own, %y, %zero by wgmma : !buffer, !buffer -> !acc
      %a = arith.truncf %e : !acc to !half
      %dv = tile.dot %a, %y, %v by wgmma : !half, !buffer -> !acc
      tile_gpu.barrier_arrive %free_y : !bar
      %m = arith.mulf %e, %p : !acc
      %f = arith.truncf %m : !acc to !half
      %dk = tile.dot %f, %x, %w by wgmma : !half, !buffer -> !acc
      tile_gpu.barrier_arrive %free_x : !bar
      %t = tile.trans %f order [1, 0] : !half -> tensor<64x64xf16, #turned>
      %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128, order = [0, 1]>
      tile_gpu.buffer_store %t, %b : tensor<64x64xf16, #turned> -> !tile_gpu.buffer<64x64xf16, swizzle = 128, order = [0, 1]>
      %q = tile.dot %b, %own, %zero by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128, order = [0, 1]>, !buffer -> !acc
      tile_gpu.group_barrier
      tile_gpu.buffer_store %q, %whole : !acc -> !slot
      tile_gpu.group_barrier
      tile_gpu.tma_store %d[%i, %c0] from %staged {add} : !tile.desc<64x32xf32>, !tile_gpu.buffer<64x32xf32, swizzle = 128>
      scf.yield %dv, %dk : !acc, !acc
    }
    tile.print "sums" %r#0, %r#1 : !acc, !acc
  }
  tile.return
}
