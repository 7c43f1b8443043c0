// Steps of 5 KB: of four blocks of a multiprocessor each runs three slots ahead and no more. Of steps of 12 KB it has what fits, and who
// asks for slots gets them.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-plan-roles))' -split-input-file 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-plan-roles{num-stages=6}))' -split-input-file 2>/dev/null | FileCheck %s --check-prefix=ASKED

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x32xf16, swizzle = 64>
!b = !tile_gpu.buffer<32x16xf16, swizzle = 32>
!sum = tensor<64x16xf32, #acc>

// CHECK-LABEL: tile.func @short
// CHECK-SAME: stages = 3
// CHECK-SAME: blocks = 4
// ASKED-LABEL: tile.func @short
// ASKED-SAME: stages = 6
tile.func @short(%p: !tile.ptr<f16>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %da = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %db = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<32x16xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
    %a = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%c0, %i] into %a : !tile.desc<64x32xf16> -> !a
    %b = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %c0] into %b : !tile.desc<32x16xf16> -> !b
    %e = tile.dot %a, %b, %state by wgmma : !a, !b -> !sum
    scf.yield %e : !sum
  }
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x32xf16, swizzle = 64>
!b = !tile_gpu.buffer<32x16xf16, swizzle = 32>
!sum = tensor<64x16xf32, #acc>

// A launch of fewer than two programs for each multiprocessor: no others run while a block waits.
// CHECK-LABEL: tile.func @few
// CHECK-SAME: stages = 8
// CHECK-SAME: blocks = 2
tile.func @few(%p: !tile.ptr<f16>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32, tile_gpu.programs = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %da = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %db = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<32x16xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
    %a = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%c0, %i] into %a : !tile.desc<64x32xf16> -> !a
    %b = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %c0] into %b : !tile.desc<32x16xf16> -> !b
    %e = tile.dot %a, %b, %state by wgmma : !a, !b -> !sum
    scf.yield %e : !sum
  }
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x32xf16, swizzle = 64>
!sum = tensor<64x32xf32, #acc>

// CHECK-LABEL: tile.func @long
// CHECK-SAME: stages = 4
// CHECK-SAME: blocks = 4
tile.func @long(%p: !tile.ptr<f16>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %da = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
    %a = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%c0, %i] into %a : !tile.desc<64x64xf16> -> !a
    %b = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %c0] into %b : !tile.desc<64x32xf16> -> !b
    %e = tile.dot %a, %b, %state by wgmma : !a, !b -> !sum
    scf.yield %e : !sum
  }
  tile.return
}
