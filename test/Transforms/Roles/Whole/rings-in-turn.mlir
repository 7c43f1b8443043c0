// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-warp-specialize))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// Loops that stand in two loops one behind the other take turns with one ring.
// CHECK-LABEL: tile.func @in_loops
// CHECK-COUNT-1: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 3>
// CHECK-NOT: !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 3>{{$}}
// CHECK: consumer
tile.func @in_loops(%p: !tile.ptr<f16>, %n: i32, %s: i64, %q: !a) attributes {tile.num_warps = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %half = arith.constant dense<0.5> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %x = scf.for %j = %c0 to %n step %c1 iter_args(%part = %acc) -> (!sum) : i32 {
      %box = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %d[%i, %j] into %box : !tile.desc<64x64xf16> -> !a
      %e = tile.dot %q, %box, %part by wgmma : !a, !a -> !sum
      scf.yield %e : !sum
    }
    %y = arith.mulf %x, %half : !sum
    scf.yield %y : !sum
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (!sum) : i32 {
    %x = scf.for %j = %c0 to %n step %c1 iter_args(%part = %acc) -> (!sum) : i32 {
      %box = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %d[%i, %j] into %box : !tile.desc<64x64xf16> -> !a
      %e = tile.dot %q, %box, %part by wgmma : !a, !a -> !sum
      scf.yield %e : !sum
    }
    %y = arith.mulf %x, %half : !sum
    scf.yield %y : !sum
  }
  tile.return
}

// What is read outside of loops has the place of what was, where it is copied behind its last reader: keys for one loop, queries
// for the next.
// CHECK-LABEL: tile.func @outside
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
// CHECK-NOT: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128>{{$}}
// CHECK: producer
tile.func @outside(%p: !tile.ptr<f16>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %k = tile_gpu.alloc_shared : !a
  tile_gpu.desc_copy %d[%c0, %n] into %k : !tile.desc<64x64xf16> -> !a
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%c0, %i] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %k, %box, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  %q = tile_gpu.alloc_shared : !a
  tile_gpu.desc_copy %d[%n, %c0] into %q : !tile.desc<64x64xf16> -> !a
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %q, %box, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  tile.return
}

// Copied in front of that loop it has its own: the copies would wait for each other.
// CHECK-LABEL: tile.func @at_first
// CHECK-COUNT-2: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
// CHECK: producer
tile.func @at_first(%p: !tile.ptr<f16>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %k = tile_gpu.alloc_shared : !a
  tile_gpu.desc_copy %d[%c0, %n] into %k : !tile.desc<64x64xf16> -> !a
  %q = tile_gpu.alloc_shared : !a
  tile_gpu.desc_copy %d[%n, %c0] into %q : !tile.desc<64x64xf16> -> !a
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%c0, %i] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %k, %box, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !a
    %e = tile.dot %q, %box, %acc by wgmma : !a, !a -> !sum
    scf.yield %e : !sum
  }
  tile.return
}

#half = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!h = !tile_gpu.buffer<64x32xf16, swizzle = 64>
!less = tensor<64x32xf32, #half>

// Boxes of another shape have a ring of their own.
// CHECK-LABEL: tile.func @other_boxes
// CHECK-DAG: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 3>
// CHECK-DAG: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3>
// CHECK: consumer
tile.func @other_boxes(%p: !tile.ptr<f16>, %n: i32, %s: i64, %q: !a) attributes {tile.num_warps = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %none = arith.constant dense<0.0> : !less
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %e = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %d[%c0, %i] into %box : !tile.desc<64x64xf16> -> !a
    %x = tile.dot %q, %box, %acc by wgmma : !a, !a -> !sum
    scf.yield %x : !sum
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> (!less) : i32 {
    %box = tile_gpu.alloc_shared : !h
    tile_gpu.desc_copy %e[%i, %c0] into %box : !tile.desc<64x32xf16> -> !h
    %x = tile.dot %q, %box, %acc by wgmma : !a, !h -> !less
    scf.yield %x : !less
  }
  tile.return
}
