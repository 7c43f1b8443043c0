// A step that adds to memory what it computes leaves registers for rings of two slots. What a loop around the steps adds, as one over
// programs, takes none beside them.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-plan-roles))' 2>/dev/null | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x128xf16, swizzle = 128>
!b = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!c = !tile_gpu.buffer<64x64xf32, swizzle = 128>
!sum = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.func @each_step
// CHECK-SAME: stages = 2
tile.func @each_step(%p: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %da = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %db = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dc = tile.make_desc %o, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%c0, %i] into %a : !tile.desc<64x128xf16> -> !a
    %b = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %c0] into %b : !tile.desc<128x64xf16> -> !b
    %e = tile.dot %a, %b, %zero by wgmma : !a, !b -> !sum
    %c = tile_gpu.alloc_shared : !c
    tile_gpu.buffer_store %e, %c : !sum -> !c
    tile_gpu.desc_write %dc[%i, %c0] from %c {add} : !tile.desc<64x64xf32>, !c
  }
  tile.return
}

// CHECK-LABEL: tile.func @around_steps
// CHECK-SAME: stages = {{[4-8]}}
tile.func @around_steps(%p: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %da = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %db = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dc = tile.make_desc %o, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  scf.for %t = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
      %a = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %da[%t, %i] into %a : !tile.desc<64x128xf16> -> !a
      %b = tile_gpu.alloc_shared : !b
      tile_gpu.desc_copy %db[%i, %c0] into %b : !tile.desc<128x64xf16> -> !b
      %e = tile.dot %a, %b, %state by wgmma : !a, !b -> !sum
      scf.yield %e : !sum
    }
    %c = tile_gpu.alloc_shared : !c
    tile_gpu.buffer_store %r, %c : !sum -> !c
    tile_gpu.desc_write %dc[%t, %c0] from %c {add} : !tile.desc<64x64xf32>, !c
  }
  tile.return
}
