// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// A of the dot is made in its step, of bytes: that of the next step is made under the dot. The slot of the bytes is told free
// there too, that of B behind the wait. Two steps are a turn: the two A's are two values.
// CHECK-LABEL: tile.func @weights
// CHECK: } consumer {
// CHECK: scf.if %{{.*}} -> (
// CHECK:   tile_gpu.barrier_wait
// CHECK:   %[[B0:.*]] = tile_gpu.buffer_load
// CHECK:   tile_gpu.group_barrier
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   %[[A0:.*]] = arith.sitofp %[[B0]]
// CHECK-NOT: tile.dot
// CHECK:   %[[SECOND:.*]] = arith.addi %[[LOWER:.*]], %c64_i32
// CHECK:   %[[LAST:.*]] = arith.subi %[[UPPER:.*]], %c64_i32
// CHECK:   %[[TWO:.*]] = arith.addi %c64_i32, %c64_i32
// CHECK:   %[[LOOP:.*]]:7 = scf.for %{{.*}} = %[[SECOND]] to %[[LAST]] step %[[TWO]] iter_args({{.*}} = %[[A0]]
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[D:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[BYTES:.*]] = tile_gpu.buffer_load
// CHECK:     tile_gpu.group_barrier
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     %[[A1:.*]] = arith.sitofp %[[BYTES]]
// CHECK:     %[[SUM:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[D2:.*]] = tile.dot %[[A1]], %{{.*}}, %[[SUM]] by wgmma async
// CHECK:     %[[A2:.*]] = arith.sitofp
// CHECK:     %[[SUM2:.*]] = tile_gpu.dot_wait %[[D2]] pending 0 tied
// CHECK:     scf.yield {{.*}}%[[A2]], %[[SUM2]]
// The last step is left where their number is even.
// CHECK:   %[[ODD:.*]] = arith.cmpi slt, %[[LOOP]]#6, %[[UPPER]]
// CHECK:   scf.if %[[ODD]]
// CHECK:     tile.dot %[[LOOP]]#2, {{.*}} by wgmma async
// CHECK:     %[[A3:.*]] = arith.sitofp
// CHECK:     tile_gpu.dot_wait
// CHECK:     tile.dot %[[A3]], {{.*}} by wgmma :
// CHECK:     tile_gpu.barrier_arrive
// CHECK:   } else {
// CHECK:     tile.dot %[[LOOP]]#2, {{.*}} by wgmma :
// CHECK:     tile_gpu.barrier_arrive
// CHECK: } else {
// CHECK-NOT: tile_gpu.turn
tile.func @weights(%w: !tile.ptr<i8>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 4096 : i64
  %dw = tile.make_desc %w, [%c64, %n], [%s] : !tile.ptr<i8> -> !tile.desc<64x64xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%c64, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %wt = tile.desc_load %dw[%c0, %i] : !tile.desc<64x64xi8>
    %h = arith.sitofp %wt : tensor<64x64xi8> to tensor<64x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %bt, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}
