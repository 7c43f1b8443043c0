// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-warp-specialize))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// A ring whose dots the step waits for has as many slots as the schedule gives such, one whose dots stay in flight those of others.
// CHECK-LABEL: tile.func @waited
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 3>
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 3>
// CHECK: consumer
// The one slot's parity turns in each step.
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SLOT:.*]] = %{{.*}}, %[[PHASE:.*]] = %
// CHECK: tile_gpu.barrier_wait %{{.*}} parity %[[PHASE]]
// CHECK: tile.dot {{.*}} by wgmma
// CHECK: tile_gpu.barrier_arrive
// CHECK: %[[NEXT:.*]] = arith.xori %[[PHASE]]
tile.func @waited(%p: !tile.ptr<f16>, %n: i32, %s: i64, %q: !a) attributes {tile.num_warps = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 3, waited = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %half = arith.constant dense<0.5> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !a
    %x = tile.dot %q, %box, %acc by wgmma : !a, !a -> !sum
    %y = arith.mulf %x, %half : !sum
    scf.yield %y : !sum
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (!sum) : i32 {
    %first = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %first : !tile.desc<64x64xf16> -> !a
    %second = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%c0, %i] into %second : !tile.desc<64x64xf16> -> !a
    %x = tile.dot %first, %second, %acc by wgmma : !a, !a -> !sum
    scf.yield %x : !sum
  }
  tile.return
}
