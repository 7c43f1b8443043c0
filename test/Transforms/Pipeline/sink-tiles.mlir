// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-sink-tiles))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#col = #tile_gpu.layout<register = [[0], [8], [0], [0], [0]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>
!a = !tile_gpu.buffer<64x16xf16, swizzle = 32>
!b = !tile_gpu.buffer<16x64xf16, swizzle = 128>

// Offsets of 32 registers, from in front of the loop over programs, and a mask of as many truths, from in front of the loop of
// dots: both are computed behind it, the first of a number that is pinned there. Nothing of them is left in front.
// CHECK-LABEL: tile.func private @result
// CHECK-SAME: %[[STRIDE:[a-z0-9]*]]: i32, %[[N:[a-z0-9]*]]: i32
// CHECK-NOT: tile.splat %[[STRIDE]]
// CHECK: scf.for
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]]
// CHECK-NOT: tile.splat %[[LEFT]]
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: tile.dot
// CHECK: scf.yield
// CHECK: %[[PIN:.*]] = tile_gpu.pin %[[STRIDE]] : i32
// CHECK: %[[COL:.*]] = tile.arange
// CHECK: %[[ROWS:.*]] = tile.expand_dims %[[COL]]
// CHECK: %[[STRIDES:.*]] = tile.splat %[[PIN]]
// CHECK: %[[ROWOFFS:.*]] = arith.muli %[[ROWS]], %[[STRIDES]]
// CHECK: %[[OFFS:.*]] = tile.broadcast %[[ROWOFFS]]
// CHECK: %[[PTRS:.*]] = tile.addptr %{{.*}}, %[[OFFS]]
// CHECK: %[[LEFTS:.*]] = tile.splat %[[LEFT]]
// CHECK: %[[ROWIN:.*]] = arith.cmpi slt, %[[ROWS]], %[[LEFTS]]
// CHECK: %[[IN:.*]] = tile.broadcast %[[ROWIN]]
// CHECK: tile.store %[[PTRS]], %[[SUM]], %[[IN]]
tile.func private @result(%a: !a, %b: !b, %zero: tensor<64x64xf32, #acc>, %k: i32, %c: !tile.ptr<f32>, %stride: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.arange : tensor<64xi32, #col>
  %rows = tile.expand_dims %r axis 1 : tensor<64xi32, #col> -> tensor<64x1xi32, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
  %strides = tile.splat %stride : i32 -> tensor<64x1xi32, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
  %row_offs = arith.muli %rows, %strides : tensor<64x1xi32, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
  %offs = tile.broadcast %row_offs : tensor<64x1xi32, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>> -> tensor<64x64xi32, #acc>
  scf.for %p = %c0 to %n step %c1 : i32 {
    %left = arith.subi %n, %p : i32
    %lefts = tile.splat %left : i32 -> tensor<64x1xi32, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
    %row_in = arith.cmpi slt, %rows, %lefts : tensor<64x1xi32, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>>
    %in = tile.broadcast %row_in : tensor<64x1xi1, #tile_gpu.layout<register = [[0, 0], [8, 0], [0, 0], [0, 0], [0, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>> -> tensor<64x64xi1, #acc>
    %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
      %d = tile.dot %a, %b, %s by wgmma : !a, !b -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    %base = tile.addptr %c, %p : !tile.ptr<f32>, i32
    %bases = tile.splat %base : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>, #acc>
    %ptrs = tile.addptr %bases, %offs : tensor<64x64x!tile.ptr<f32>, #acc>, tensor<64x64xi32, #acc>
    tile.store %ptrs, %sum, %in : tensor<64x64x!tile.ptr<f32>, #acc>
  }
  tile.return
}

// What a loop reads, loads and small tiles stay; so does what follows from a large one that stays.
// CHECK-LABEL: tile.func private @stays
// CHECK: %[[V:.*]] = tile.load
// CHECK: %[[W:.*]] = arith.addi %[[V]], %[[V]]
// CHECK: scf.for
// CHECK-NOT: tile_gpu.pin
// CHECK: tile.return
tile.func private @stays(%a: !a, %b: !b, %zero: tensor<64x64xf32, #acc>, %k: i32, %at: tensor<64x64x!tile.ptr<i32>, #acc>, %to: tensor<64x64x!tile.ptr<i32>, #acc>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.load %at : tensor<64x64x!tile.ptr<i32>, #acc>
  %w = arith.addi %v, %v : tensor<64x64xi32, #acc>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  tile.store %to, %w : tensor<64x64x!tile.ptr<i32>, #acc>
  tile.return
}

// A row in front of the loop, of which each thread has one number, is wanted as the sum has its columns, 32 registers: it is
// extended and spread behind the loop. What the loop reads is spread in front of it.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#cols = #tile_gpu.layout<register = [[1], [0], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>
#cols2 = #tile_gpu.layout<register = [[0, 1], [0, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
// CHECK-LABEL: tile.func private @spreads
// CHECK-SAME: %[[SCALES:[a-z0-9]*]]: tensor<64xbf16, {{.*}}>, %[[BIAS:[a-z0-9]*]]: tensor<64xf32
// CHECK-NOT: %[[SCALES]]
// CHECK: tile_gpu.convert_layout %[[BIAS]]
// CHECK-NOT: %[[SCALES]]
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: tile.dot
// CHECK: scf.yield
// CHECK: %[[SPREAD:.*]] = tile_gpu.convert_layout %[[SCALES]]
// CHECK: %[[WIDE:.*]] = arith.extf %[[SPREAD]]
// CHECK: %[[ROW:.*]] = tile.expand_dims %[[WIDE]]
// CHECK: %[[ALL:.*]] = tile.broadcast %[[ROW]]
// CHECK: arith.mulf %[[SUM]], %[[ALL]]
tile.func private @spreads(%scales: tensor<64xbf16, #row>, %bias: tensor<64xf32, #row>, %a: !a, %b: !b, %zero: tensor<64x64xf32, #acc>, %k: i32, %c: tensor<64x64x!tile.ptr<f32>, #acc>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %spread = tile_gpu.convert_layout %scales : tensor<64xbf16, #row> -> tensor<64xbf16, #cols>
  %wide = arith.extf %spread : tensor<64xbf16, #cols> to tensor<64xf32, #cols>
  %wide_bias = tile_gpu.convert_layout %bias : tensor<64xf32, #row> -> tensor<64xf32, #cols>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %bias_row = tile.expand_dims %wide_bias axis 0 : tensor<64xf32, #cols> -> tensor<1x64xf32, #cols2>
    %biases = tile.broadcast %bias_row : tensor<1x64xf32, #cols2> -> tensor<64x64xf32, #acc>
    %biased = arith.addf %s, %biases : tensor<64x64xf32, #acc>
    %d = tile.dot %a, %b, %biased by wgmma : !a, !b -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  %row = tile.expand_dims %wide axis 0 : tensor<64xf32, #cols> -> tensor<1x64xf32, #cols2>
  %all = tile.broadcast %row : tensor<1x64xf32, #cols2> -> tensor<64x64xf32, #acc>
  %scaled = arith.mulf %sum, %all : tensor<64x64xf32, #acc>
  tile.store %c, %scaled : tensor<64x64x!tile.ptr<f32>, #acc>
  tile.return
}

#each = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
// What may do more than compute stays in front of the loop, however wide it makes a row.
// CHECK-LABEL: tile.func private @may_do_more
// CHECK: tile.inline_ptx
// CHECK: scf.for
// CHECK-NOT: tile.inline_ptx
// CHECK: tile.return
tile.func private @may_do_more(%scales: tensor<64xbf16, #row>, %a: !a, %b: !b, %zero: tensor<64x64xf32, #acc>, %k: i32, %c: tensor<64x64x!tile.ptr<f32>, #acc>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %spread = tile_gpu.convert_layout %scales : tensor<64xbf16, #row> -> tensor<64xbf16, #cols>
  %wide = tile.inline_ptx "cvt.f32.bf16 $0, $1;" constraints "=f,h" (%spread) : (tensor<64xbf16, #cols>) -> tensor<64xf32, #cols>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !a, !b -> tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  }
  %row = tile.expand_dims %wide axis 0 : tensor<64xf32, #cols> -> tensor<1x64xf32, #cols2>
  %all = tile.broadcast %row : tensor<1x64xf32, #cols2> -> tensor<64x64xf32, #acc>
  %scaled = arith.mulf %sum, %all : tensor<64x64xf32, #acc>
  tile.store %c, %scaled : tensor<64x64x!tile.ptr<f32>, #acc>
  tile.return
}

// A row that a step has, two numbers a thread, spreads in front of the wait for the dot under which it is computed with, not in front of the
// dots: their sums have its registers until then. What the step reads in front of its dots stays.
// CHECK-LABEL: tile.func private @within
// CHECK-SAME: %[[ROW:[a-z0-9]*]]: tensor<64xf32, {{.*}}>, %[[OTHER:[a-z0-9]*]]: tensor<64xf32
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.convert_layout %[[OTHER]]
// CHECK-NOT: %[[ROW]]
// CHECK: %[[S:.*]] = tile.dot
// CHECK-NEXT: %[[P:.*]] = tile.dot
// CHECK-NEXT: tile_gpu.dot_wait %[[S]] pending 1
// CHECK-NEXT: math.exp2
// CHECK-NEXT: tile_gpu.convert_layout %[[ROW]]
// CHECK-NEXT: tile_gpu.dot_wait %[[P]] pending 0
// CHECK: tile.expand_dims
// CHECK-NEXT: tile.broadcast
// CHECK-NEXT: arith.subf
tile.func private @within(%row: tensor<64xf32, #each>, %other: tensor<64xf32, #each>, %a: !a, %b: !b, %zero: tensor<64x64xf32, #acc>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%t = %zero) -> tensor<64x64xf32, #acc> : i32 {
    %spread = tile_gpu.convert_layout %row : tensor<64xf32, #each> -> tensor<64xf32, #cols>
    %wide = tile_gpu.convert_layout %other : tensor<64xf32, #each> -> tensor<64xf32, #cols>
    %others = tile.expand_dims %wide axis 0 : tensor<64xf32, #cols> -> tensor<1x64xf32, #cols2>
    %begin = tile.broadcast %others : tensor<1x64xf32, #cols2> -> tensor<64x64xf32, #acc>
    %s = tile.dot %a, %b, %begin by wgmma async : !a, !b -> tensor<64x64xf32, #acc>
    %p = tile.dot %a, %b, %zero by wgmma async : !a, !b -> tensor<64x64xf32, #acc>
    %sw = tile_gpu.dot_wait %s pending 1 tied : tensor<64x64xf32, #acc>
    %e = math.exp2 %sw : tensor<64x64xf32, #acc>
    %pw = tile_gpu.dot_wait %p pending 0 tied : tensor<64x64xf32, #acc>
    %n = tile.expand_dims %spread axis 0 : tensor<64xf32, #cols> -> tensor<1x64xf32, #cols2>
    %ns = tile.broadcast %n : tensor<1x64xf32, #cols2> -> tensor<64x64xf32, #acc>
    %d = arith.subf %pw, %ns : tensor<64x64xf32, #acc>
    %m = arith.mulf %e, %d : tensor<64x64xf32, #acc>
    %u = arith.addf %t, %m : tensor<64x64xf32, #acc>
    scf.yield %u : tensor<64x64xf32, #acc>
  }
  tile.return
}
