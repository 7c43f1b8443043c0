// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-warm-cache))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// 2 steps of 64: the first 128 columns of A, and rows of B. C is only written.
// CHECK-LABEL: tile.func @warm
// CHECK: %[[A:.*]] = tile.make_desc %arg0
// CHECK: %[[B:.*]] = tile.make_desc %arg1
// CHECK: tile_gpu.prefetch_array %[[A]] first 128 of 1
// CHECK: tile_gpu.prefetch_array %[[B]] first 128 of 0
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @warm(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, warm_steps = 2>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// Of six blocks that divide the loop each asks for where its own part begins.
// CHECK-LABEL: tile.func @divided
// CHECK: %[[A:.*]] = tile.make_desc %arg0
// CHECK: %[[B:.*]] = tile.make_desc %arg1
// CHECK: tile_gpu.prefetch_array %[[A]] first 128 of 1 {parts = 6 : i32, step = 64 : i32}
// CHECK: tile_gpu.prefetch_array %[[B]] first 128 of 0 {parts = 6 : i32, step = 64 : i32}
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @divided(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, warm_steps = 2, programs = grid, parts = 2, splits = 3>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// Nobody has counted A's rows: what lies behind the last one would be asked for.
// CHECK-LABEL: tile.func @uncounted
// CHECK: %[[B:.*]] = tile.make_desc %arg1
// CHECK-NOT: first 128 of 1
// CHECK: tile_gpu.prefetch_array %[[B]] first 128 of 0
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @uncounted(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, warm_steps = 2>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %far = arith.constant 2147483647 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%far, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// CHECK-LABEL: tile.func @cold
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @cold(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}
