// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-warp-specialize,canonicalize,cse))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#rows = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#turned = #tile_gpu.layout<register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0]],
                   lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32], [0, 64]]>

// The steps that a mask leaves alone, whose dot stays in flight, and those behind them, whose threads read A, have the same boxes: one
// ring for both, in which A lies the other way round for the second loop. That one waits for A and B at once, too.
// CHECK-LABEL: tile.func @gradient
// CHECK: %[[A:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1], stages = 4>
// CHECK: %[[B:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x128xf16, swizzle = 128, stages = 4>
// CHECK: %[[FULL:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
// CHECK: %[[EMPTY:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 5>
// CHECK-NOT: tile_gpu.alloc_shared {guarded}
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   scf.for
// CHECK:     tile_gpu.barrier_expect %{{.*}} bytes 32768
// CHECK:   scf.for
// CHECK:     tile_gpu.barrier_expect %{{.*}} bytes 32768
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK:   scf.for
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[SLOT:.*]] = tile_gpu.buffer_stage %[[A]]
// CHECK:     %[[BOX:.*]] = tile_gpu.buffer_trans %[[SLOT]] order [1, 0]
// CHECK-NOT: tile_gpu.barrier_wait
// CHECK:     tile_gpu.buffer_load %[[BOX]]
// CHECK:     tile.dot {{.*}} by wgmma :
// CHECK:     tile_gpu.group_barrier
// CHECK:     tile_gpu.barrier_arrive
tile.func @gradient(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %whole: i32, %k: i32, %out: tensor<128x128x!tile.ptr<f32>, #acc>) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %m64 = arith.extsi %m : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%k, %m], [%m64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %whole step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1]>
    tile_gpu.desc_copy %da[%i, %row] into %sa : !tile.desc<64x128xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1]>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1]>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %all = scf.for %i = %whole to %k step %c64 iter_args(%s = %sum) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%i, %row] into %sa : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %v = tile_gpu.buffer_load %sa : !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<64x128xf16, #turned>
    %w = arith.negf %v : tensor<64x128xf16, #turned>
    %t = tile.trans %w order [1, 0] : tensor<64x128xf16, #turned> -> tensor<128x64xf16, #rows>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %t, %sb, %s by wgmma : tensor<128x64xf16, #rows>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  tile.store %out, %all : tensor<128x128x!tile.ptr<f32>, #acc>
  tile.return
}
