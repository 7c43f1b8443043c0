// Boxes whose readers are not known to leave out padding stay as they are, and say so where a dot leaves some out.
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-narrow-boxes))' | FileCheck %s

#sum = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// By mma.sync threads read whole tiles.
// CHECK-LABEL: tile.func @by_threads
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
tile.func @by_threads(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #sum>
  %n64 = arith.extsi %n : i32 to i64
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %y = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
  tile_gpu.desc_copy %db[%c0, %c0] into %y : !tile.desc<64x256xf16> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
  %d = tile.dot %x, %y, %zero by mma_sync {tile.extents = array<i64: 128, 144>} : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x256xf16, swizzle = 128> -> tensor<128x256xf32, #sum>
  tile.return
}

// -----

#sum = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// A box of which the kernel knows no more than its shape.
// CHECK-LABEL: tile.func @given
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
tile.func @given(%db: !tile.desc<64x256xf16>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #sum>
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %y = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
  // expected-remark @+1 {{columns of padding are copied: expected a box that the kernel describes, in a buffer of its own}}
  tile_gpu.desc_copy %db[%c0, %c0] into %y : !tile.desc<64x256xf16> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
  %d = tile.dot %x, %y, %zero by wgmma {tile.extents = array<i64: 128, 144>} : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x256xf16, swizzle = 128> -> tensor<128x256xf32, #sum>
  tile.return
}

// -----

#square = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// A square of itself: as A all its rows are wanted, of which B has no more than 64.
// CHECK-LABEL: tile.func @square
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
tile.func @square(%b: !tile.ptr<f16>, %m: i32, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #square>
  %n64 = arith.extsi %n : i32 to i64
  %db = tile.make_desc %b, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %y = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_copy %db[%c0, %c0] into %y : !tile.desc<128x128xf16> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  %d = tile.dot %y, %y, %zero by wgmma {tile.depth = 64 : i64, tile.extents = array<i64: 128, 64>} : !tile_gpu.buffer<128x128xf16, swizzle = 128>, !tile_gpu.buffer<128x128xf16, swizzle = 128> -> tensor<128x128xf32, #square>
  tile.return
}
