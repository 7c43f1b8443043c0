// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-store-once))' | FileCheck %s
// RUN: env TILE_TRACE=store-once tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-store-once))' 2>&1 >/dev/null | FileCheck %s --check-prefix=TRACE

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#turned = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]]>
!box = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!back = !tile_gpu.buffer<64x64xf16, swizzle = 128, order = [0, 1]>
!v = tensor<64x64xf16, #acc>
!vt = tensor<64x64xf16, #turned>
!sum = tensor<64x64xf32, #acc>

// What three dots read, one of them the other way round, is stored once; what is stored in another way is stored again.
// TRACE: operands that are stored already: 2
// CHECK-LABEL: tile.func @thrice
// CHECK: tile_gpu.desc_copy
// CHECK: tile_gpu.buffer_store %[[X:.*]], %[[B:.*]] :
// CHECK: tile.dot %[[B]],
// CHECK: tile.dot %[[B]],
// CHECK: %[[T:.*]] = tile_gpu.buffer_trans %[[B]] order [1, 0]
// CHECK: tile.dot %[[T]],
// CHECK: tile_gpu.buffer_store %[[X]], %{{.*}} : {{.*}}swizzle = 64
tile.func @thrice(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: !v) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !box
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !box
    %b0 = tile_gpu.alloc_shared : !box
    tile_gpu.buffer_store %x, %b0 : !v -> !box
    %d0 = tile.dot %b0, %box, %acc by wgmma : !box, !box -> !sum
    %b1 = tile_gpu.alloc_shared : !box
    tile_gpu.buffer_store %x, %b1 : !v -> !box
    %d1 = tile.dot %b1, %box, %d0 by wgmma : !box, !box -> !sum
    %t = tile.trans %x order [1, 0] : !v -> !vt
    %b2 = tile_gpu.alloc_shared : !back
    tile_gpu.buffer_store %t, %b2 : !vt -> !back
    %d2 = tile.dot %b2, %box, %d1 by wgmma : !back, !box -> !sum
    %b3 = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 64>
    tile_gpu.buffer_store %x, %b3 : !v -> !tile_gpu.buffer<64x64xf16, swizzle = 64>
    %d3 = tile.dot %b3, %box, %d2 by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 64>, !box -> !sum
    scf.yield %d3 : !sum
  }
  tile.return
}

// What is loaded is left to rings.
// CHECK-LABEL: tile.func @loaded
// CHECK-COUNT-2: tile_gpu.buffer_store
tile.func @loaded(%p: !tile.ptr<f16>, %n: i32, %s: i64, %ptrs: tensor<64x64x!tile.ptr<f16>, #acc>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!sum) : i32 {
    %box = tile_gpu.alloc_shared : !box
    tile_gpu.desc_copy %d[%i, %c0] into %box : !tile.desc<64x64xf16> -> !box
    %x = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>, #acc>
    %b0 = tile_gpu.alloc_shared : !box
    tile_gpu.buffer_store %x, %b0 : !v -> !box
    %d0 = tile.dot %b0, %box, %acc by wgmma : !box, !box -> !sum
    %b1 = tile_gpu.alloc_shared : !box
    tile_gpu.buffer_store %x, %b1 : !v -> !box
    %d1 = tile.dot %b1, %box, %d0 by wgmma : !box, !box -> !sum
    scf.yield %d1 : !sum
  }
  tile.return
}
