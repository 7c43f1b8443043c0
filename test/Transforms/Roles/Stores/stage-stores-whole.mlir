// A result that is stored whole, by warps that own neither rows nor columns, leaves under the next program's dots: who stages the
// next one waits until the copy engine has read it. It has its place for itself.
// DEFINE: %{stage} = tile-opt --pass-pipeline='builtin.module(tile.func(tile-stage-stores))' --verify-each
// RUN: %{stage} %s | FileCheck %s
// RUN: %{stage} %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-allocate-shared))' | FileCheck %s --check-prefix=PLACE

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16], [16, 0]]>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>

// CHECK-LABEL: tile.func @flies
// CHECK: %[[KEPT:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf64, swizzle = 128>
// CHECK: gpu.barrier
// CHECK: } consumer {
// CHECK: tile_gpu.tma_store_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[KEPT]]
// CHECK: tile_gpu.desc_write %{{.*}} from %[[KEPT]] {tile_gpu.flies}
// CHECK: } {tile_gpu.programs}
// CHECK-NEXT: tile_gpu.tma_store_wait 0

// A barrier is between what is stored and the copy engine, none more in front.
// PLACE-LABEL: tile.func @flies
// PLACE: tile_gpu.tma_store_wait 0
// PLACE-NEXT: gpu.barrier
// PLACE-NEXT: tile_gpu.buffer_store
// PLACE-NEXT: gpu.barrier
// PLACE-NEXT: tile_gpu.desc_write
tile.func @flies(%c: !tile.ptr<f64>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = whole>} {
  %zero = arith.constant dense<0.0> : tensor<32x64xf64, #acc>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f64> -> !tile.desc<32x64xf64>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %i = %c0 to %m step %c1 : i32 {
      %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf64, swizzle = 128>
      tile_gpu.buffer_store %zero, %sc : tensor<32x64xf64, #acc> -> !tile_gpu.buffer<32x64xf64, swizzle = 128>
      tile_gpu.desc_write %dc[%i, %n] from %sc : !tile.desc<32x64xf64>, !tile_gpu.buffer<32x64xf64, swizzle = 128>
    } {tile_gpu.programs}
  }
  tile.return
}

// What changes its layout may have that place meanwhile.
// CHECK-LABEL: tile.func @others
// CHECK-NOT: tile_gpu.flies
// CHECK: tile.return
tile.func @others(%c: !tile.ptr<f64>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = whole>} {
  %zero = arith.constant dense<0.0> : tensor<32x64xf64, #rows>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f64> -> !tile.desc<32x64xf64>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %i = %c0 to %m step %c1 : i32 {
      %value = tile_gpu.convert_layout %zero : tensor<32x64xf64, #rows> -> tensor<32x64xf64, #acc>
      %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<32x64xf64, swizzle = 128>
      tile_gpu.buffer_store %value, %sc : tensor<32x64xf64, #acc> -> !tile_gpu.buffer<32x64xf64, swizzle = 128>
      tile_gpu.desc_write %dc[%i, %n] from %sc : !tile.desc<32x64xf64>, !tile_gpu.buffer<32x64xf64, swizzle = 128>
    } {tile_gpu.programs}
  }
  tile.return
}
