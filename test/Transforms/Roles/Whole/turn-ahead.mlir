// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// V of bytes, as [keys, columns], is turned round into a ring of three slots, behind the start of both products of a step: its
// box is waited for, read, and given back there, and one barrier ends that. The weights, clamped and rounded behind both
// products, are A in the order of keys that V is turned into.
// CHECK-LABEL: tile.func @chained
// CHECK: %[[RING:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf8E4M3FN, swizzle = 64, order = [0, 1], stages = 3>
// CHECK: } consumer {
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK:   tile.dot {{.*}} by wgmma :
// CHECK:   tile_gpu.barrier_wait
// CHECK:   tile_gpu.buffer_load
// CHECK:   tile_gpu.group_barrier
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   tile_gpu.buffer_stage %[[RING]][%
// CHECK:   tile_gpu.buffer_store
// CHECK-NEXT: gpu.barrier
// CHECK:   math.exp2
// CHECK:   scf.for
// CHECK:     %[[S:.*]] = tile.dot {{.*}} by wgmma async : !tile_gpu.buffer
// CHECK:     %[[D:.*]] = tile.dot {{.*}} by wgmma async {tile_gpu.turns} : tensor<64x64xf8E4M3FN, {{.*}}, !tile_gpu.buffer<64x64xf8E4M3FN, swizzle = 64, order = [0, 1]>
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[V:.*]] = tile_gpu.buffer_load {{.*}} -> tensor<64x64xf8E4M3FN, #tile_gpu.layout<register = {{\[\[}}1, 0], [8, 0], [0, 1],
// CHECK:     tile_gpu.group_barrier
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     %[[APART:.*]] = tile.reshape %[[V]]
// CHECK:     %[[MOVED:.*]] = tile.trans %[[APART]] order [0, 2, 1, 3, 4]
// CHECK:     %[[KEYS:.*]] = tile.reshape %[[MOVED]]
// CHECK:     tile_gpu.buffer_store %[[KEYS]],
// CHECK-NEXT: gpu.barrier
// CHECK:     %[[SW:.*]] = tile_gpu.dot_wait %[[S]] pending 1 tied
// CHECK:     %[[E:.*]] = math.exp2 %[[SW]]
// CHECK:     tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK:     %[[LOW:.*]] = arith.minimumf %[[E]]
// CHECK:     %[[BOUND:.*]] = arith.maximumf %[[LOW]]
// CHECK:     arith.truncf %[[BOUND]]
// CHECK:     scf.yield
tile.func @chained(%q: !tile.ptr<f8E4M3FN>, %k: !tile.ptr<f8E4M3FN>, %v: !tile.ptr<f8E4M3FN>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f8E4M3FN> -> !tile.desc<64x64xf8E4M3FN>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f8E4M3FN> -> !tile.desc<64x64xf8E4M3FN>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f8E4M3FN> -> !tile.desc<64x64xf8E4M3FN>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %most = arith.constant dense<448.0> : tensor<64x64xf32>
  %least = arith.constant dense<-448.0> : tensor<64x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<64x64xf8E4M3FN>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf8E4M3FN>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %p = tile.dot %qt, %kk, %zero : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %e = math.exp2 %p : tensor<64x64xf32>
    %low = arith.minimumf %e, %most : tensor<64x64xf32>
    %bound = arith.maximumf %low, %least : tensor<64x64xf32>
    %h = arith.truncf %bound : tensor<64x64xf32> to tensor<64x64xf8E4M3FN>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf8E4M3FN>
    %d = tile.dot %h, %vt, %acc : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// B of a product alone is turned under the product of the step before, though A comes from shared memory.
// CHECK-LABEL: tile.func @scaled
// CHECK: } consumer {
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK:   tile_gpu.buffer_load
// CHECK:   tile_gpu.buffer_store
// CHECK-NEXT: gpu.barrier
// CHECK:   scf.for
// CHECK:     %[[D:.*]] = tile.dot {{.*}} by wgmma async {tile_gpu.turns} : !tile_gpu.buffer<64x128xi8, swizzle = 128>, !tile_gpu.buffer<128x64xi8, swizzle = 128, order = [0, 1]>
// CHECK-NOT: tile_gpu.dot_wait
// CHECK:     tile_gpu.buffer_load
// CHECK:     tile_gpu.buffer_store
// CHECK-NEXT: gpu.barrier
// CHECK:     %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK:     arith.sitofp %[[W]]
tile.func @scaled(%a: !tile.ptr<i8>, %b: !tile.ptr<i8>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s = arith.constant 64 : i64
  %wide = arith.constant 4096 : i64
  %da = tile.make_desc %a, [%c64, %n], [%wide] : !tile.ptr<i8> -> !tile.desc<64x128xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<i8> -> !tile.desc<128x64xi8>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0> : tensor<64x64xi32>
  %half = arith.constant dense<0.5> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.desc_load %da[%c0, %i] : !tile.desc<64x128xi8>
    %y = tile.desc_load %db[%i, %c0] : !tile.desc<128x64xi8>
    %d = tile.dot %x, %y, %none : tensor<64x128xi8>, tensor<128x64xi8> -> tensor<64x64xi32>
    %f = arith.sitofp %d : tensor<64x64xi32> to tensor<64x64xf32>
    %g = arith.mulf %f, %half : tensor<64x64xf32>
    %next = arith.addf %acc, %g : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}
