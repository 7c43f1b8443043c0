// A recurrence of one warp group waits for its product in each step: two blocks of a multiprocessor, of three slots each, which
// are too few where products stay in flight, and where registers have room for two blocks alone.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-plan-roles))' -split-input-file 2>/dev/null | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!made = !tile_gpu.buffer<64x256xf16, swizzle = 128>
!box = !tile_gpu.buffer<256x64xf16, swizzle = 128>
!a = !tile_gpu.buffer<64x128xf16, swizzle = 128>
!b = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!sum = tensor<64x64xf32, #acc>
#broad = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!long = !tile_gpu.buffer<64x128xf16, swizzle = 128>
!square = !tile_gpu.buffer<128x128xf16, swizzle = 128>
!wide = tensor<64x128xf32, #broad>

// CHECK-LABEL: tile.func @waits
// CHECK-SAME: stages = 3
// CHECK-SAME: blocks = 2
tile.func @waits(%p: !tile.ptr<f16>, %n: i32, %s: i64, %a: !made) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<256x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !box
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<256x64xf16> -> !box
    %e = tile.dot %a, %box, %state by wgmma : !made, !box -> !sum
    scf.yield %e : !sum
  }
  tile.return
}

// CHECK-LABEL: tile.func @flies
// CHECK-SAME: stages = {{[5-9]}}
// CHECK-NOT: blocks = 2
// CHECK: tile.return
tile.func @flies(%p: !tile.ptr<f16>, %n: i32, %s: i64) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %da = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %db = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
    %a = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%c0, %i] into %a : !tile.desc<64x128xf16> -> !a
    %b = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %c0] into %b : !tile.desc<128x64xf16> -> !b
    %e = tile.dot %a, %b, %state by wgmma : !a, !b -> !sum
    scf.yield %e : !sum
  }
  tile.return
}

// CHECK-LABEL: tile.func @computes
// CHECK-SAME: stages = 3
// CHECK-SAME: blocks = 2
tile.func @computes(%p: !tile.ptr<f16>, %n: i32, %s: i64, %a: !made) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<256x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !box
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<256x64xf16> -> !box
    %e = tile.dot %a, %box, %zero by wgmma : !made, !box -> !sum
    %next = arith.mulf %state, %e : !sum
    scf.yield %next : !sum
  }
  tile.return
}

// What a step computes takes more registers than two blocks have in each quarter of a multiprocessor, though all together have them.
// CHECK-LABEL: tile.func @computes_more
// CHECK-SAME: stages = 7
// CHECK-NOT: blocks = 2
// CHECK: tile.return
tile.func @computes_more(%p: !tile.ptr<f16>, %n: i32, %s: i64, %a: !long) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !wide
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zero) -> (!wide) : i32 {
    %box = tile_gpu.alloc_shared : !square
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<128x128xf16> -> !square
    %e = tile.dot %a, %box, %zero by wgmma : !long, !square -> !wide
    %next = arith.mulf %state, %e : !wide
    scf.yield %next : !wide
  }
  tile.return
}
