// Rows that begin anywhere are copied chunk by chunk, and dots by mma.sync read them as they lie.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=3}))' -verify-diagnostics | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#line = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]], warp = [[2, 0], [4, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
!tile = tensor<32x32xf16, #v>
!index = tensor<32x32xi32, #v>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>
!acc = tensor<32x32xf32, #acc>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>
!turned = !tile_gpu.buffer<32x32xf16, swizzle = 64, order = [0, 1]>

// Of one dot as it is, of the other one turned. The mask is true up to some column; pointers move on
// by one number.
// CHECK-LABEL: tile.func @ragged
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, stages = 3, ragged>
// CHECK: tile_gpu.async_copy {{.*}} -> !tile_gpu.buffer<32x32xf16, ragged>
// CHECK: scf.for
// CHECK: tile_gpu.async_copy {{.*}} -> !tile_gpu.buffer<32x32xf16, ragged>
// CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage %[[RING]]
// CHECK: %[[TURNED:.*]] = tile_gpu.buffer_trans %{{.*}} order [1, 0] : !tile_gpu.buffer<32x32xf16, ragged> -> !tile_gpu.buffer<32x32xf16, order = [0, 1], ragged>
// CHECK: tile.dot %{{.*}}, %[[TURNED]], %{{.*}} by mma_sync
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @ragged(%x: !tile.ptr<f16>, %pitch: i32, %m: i32, %n: i32, %c: !acc) {
  %row = tile.arange : tensor<32xi32, #tile_gpu.layout<register = [], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]]>>
  %rows = tile.expand_dims %row axis 1 : tensor<32xi32, #tile_gpu.layout<register = [], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]]>> -> tensor<32x1xi32, #tile_gpu.layout<register = [], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>>
  %all_rows = tile.broadcast %rows : tensor<32x1xi32, #tile_gpu.layout<register = [], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>> -> !index
  %column = tile.arange : tensor<32xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]>>
  %columns = tile.expand_dims %column axis 0 : tensor<32xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [0], [0], [0]], warp = [[0], [0]]>> -> tensor<1x32xi32, #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %all_columns = tile.broadcast %columns : tensor<1x32xi32, #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> !index
  %pitches = tile.splat %pitch : i32 -> !index
  %far = arith.muli %all_rows, %pitches : !index
  %o = arith.addi %far, %all_columns : !index
  %ms = tile.splat %m : i32 -> !index
  %in = arith.cmpi slt, %all_columns, %ms : !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p0 = tile.addptr %xs, %o : !ptrs, !index
  %move = arith.constant dense<32> : !index
  %order = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r, %e = scf.for %k = %order to %n step %c1 iter_args(%a = %c, %p = %p0) -> (!acc, !ptrs) : i32 {
    %t = tile.load %p, %in : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %tt = tile.trans %t order [1, 0] : !tile -> tensor<32x32xf16, #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]>>
    %u = tile_gpu.alloc_shared : !turned
    tile_gpu.buffer_store %tt, %u : tensor<32x32xf16, #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]>> -> !turned
    %d = tile.dot %b, %u, %a by mma_sync : !buffer, !turned -> !acc
    %q = tile.addptr %p, %move : !ptrs, !index
    scf.yield %d, %q : !acc, !ptrs
  }
  tile.return
}

// A tile that something else reads, too, is loaded.
// CHECK-LABEL: tile.func @others
// CHECK-NOT: ragged
// CHECK: tile.load
// CHECK: tile.return
tile.func @others(%x: !tile.ptr<f16>, %n: i32, %c: !acc, %z: !tile) {
  %i = tile.arange : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>>
  %o = tile.reshape %i : tensor<1024xi32, #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r, %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %y = %z) -> (!acc, !tile) : i32 {
    // expected-warning @+1 {{load is not pipelined: expected runs of 4 bytes or more in memory}}
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %w = arith.addf %y, %t : !tile
    scf.yield %d, %w : !acc, !tile
  }
  tile.return
}

// What wgmma multiplies, which reads rows of a swizzle, threads store again.
// CHECK-LABEL: tile.func @wgmma
// CHECK: scf.for
// CHECK: %[[ROWS:.*]] = tile_gpu.buffer_load %{{.*}} : !tile_gpu.buffer<64x64xf16, ragged>
// CHECK: tile_gpu.buffer_store %[[ROWS]], %[[PLAIN:.*]] :
// CHECK: tile.dot %[[PLAIN]], %[[PLAIN]], %{{.*}} by wgmma
#v64 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc64 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @wgmma(%x: !tile.ptr<f16>, %n: i32, %c: tensor<64x64xf32, #acc64>) {
  %i = tile.arange : tensor<4096xi32, #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>>
  %o = tile.reshape %i : tensor<4096xi32, #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>> -> tensor<64x64xi32, #v64>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>, #v64>
  %p = tile.addptr %xs, %o : tensor<64x64x!tile.ptr<f16>, #v64>, tensor<64x64xi32, #v64>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<64x64xf32, #acc64>) : i32 {
    %t = tile.load %p : tensor<64x64x!tile.ptr<f16>, #v64>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
    tile_gpu.buffer_store %t, %b : tensor<64x64xf16, #v64> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>
    %d = tile.dot %b, %b, %a by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc64>
    scf.yield %d : tensor<64x64xf32, #acc64>
  }
  tile.return
}
