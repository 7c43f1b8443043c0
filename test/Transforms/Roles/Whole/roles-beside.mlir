// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},tile-defer-reductions,canonicalize,cse,tile-narrow-boxes,tile-plan-roles{num-stages=4},%roles,canonicalize,cse))' --verify-each | FileCheck %s

// Threads read A's box beside the dot that reads it: both boxes are one channel's, the dot stays in flight, and what
// threads compute of the box runs under the dot before. All threads have read the box when the next step's dot frees
// the slot, behind a barrier of their warp group.
// CHECK-LABEL: tile.func @beside
// CHECK-SAME: stores = boxes
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:       tile_gpu.barrier_expect %{{.*}} bytes 24576
// CHECK: } consumer {
// CHECK:     scf.for
// CHECK:       scf.for {{.*}} -> (tensor<128x64xf32
// CHECK:       tile_gpu.barrier_wait
// CHECK-NOT:   tile_gpu.barrier_wait
// CHECK:       tile_gpu.buffer_load
// CHECK-NOT:   gpu.barrier
// CHECK-NOT:   tile_gpu.convert_layout
// CHECK:       %[[D:.*]] = tile.dot {{.*}} by wgmma async
// CHECK-NEXT:  tile_gpu.dot_wait %[[D]] pending 1
// CHECK:       tile_gpu.group_barrier
// CHECK-NEXT:  tile_gpu.buffer_stage
// CHECK-NEXT:  tile_gpu.barrier_arrive
// CHECK:       scf.yield
// CHECK:     tile_gpu.dot_wait {{.*}} pending 0
// CHECK:     tile_gpu.group_barrier
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     tile.reduce add
tile.func @beside(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %k: i32) {
  tile.grid(%m : i32) {
    %bm = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    tile.yield %x : i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s64 = arith.constant 64 : i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %m0 = arith.muli %pm, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128xf32>
  %all:2 = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero, %q = %none) -> (tensor<128x64xf32>, tensor<128xf32>) : i32 {
    %ta = tile.desc_load %da[%m0, %i] : !tile.desc<128x64xf16>
    %tb = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %wide = arith.extf %ta : tensor<128x64xf16> to tensor<128x64xf32>
    %square = arith.mulf %wide, %wide : tensor<128x64xf32>
    %r = tile.reduce add %square axis 1 : tensor<128x64xf32> -> tensor<128xf32>
    %more = arith.addf %q, %r : tensor<128xf32>
    %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d, %more : tensor<128x64xf32>, tensor<128xf32>
  }
  %one = tile.expand_dims %all#1 axis 1 : tensor<128xf32> -> tensor<128x1xf32>
  %row = tile.broadcast %one : tensor<128x1xf32> -> tensor<128x64xf32>
  %y = arith.mulf %all#0, %row : tensor<128x64xf32>
  %h = arith.truncf %y : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %c0], %h : !tile.desc<128x64xf16>
  tile.return
}
