// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// Two warp groups start their dots in turn.
// CHECK-LABEL: tile.func @chained
// CHECK: scf.for
// CHECK: tile_gpu.barrier_wait
// CHECK: tile_gpu.turn_wait
// CHECK-NEXT: tile.dot {{.*}} by wgmma async
// CHECK: tile.dot {{.*}} by wgmma async
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK-NOT: tile_gpu.turn
tile.func @chained(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %half = arith.constant dense<0.5> : tensor<128x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<128x64xf16>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %e = math.exp2 %p : tensor<128x64xf32>
    %h = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
    %old = arith.mulf %acc, %half : tensor<128x64xf32>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %old : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<128x64xf32>
  tile.return
}

// So do they where a dot takes A from registers, in which the loop makes it: what makes A of one group runs under the other's dot. The
// last dot waits for nobody.
// CHECK-LABEL: tile.func @weights
// CHECK: scf.for
// CHECK: tile_gpu.barrier_wait
// CHECK: tile_gpu.turn_wait
// CHECK-NEXT: tile.dot {{.*}} by wgmma async
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK-NEXT: tile_gpu.dot_wait %{{.*}} pending 1
// CHECK: arith.sitofp
// CHECK: tile_gpu.turn_wait
// CHECK-NEXT: tile.dot {{.*}} by wgmma async
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK: scf.yield
// CHECK: tile_gpu.turn_wait
// CHECK-NEXT: tile.dot {{.*}} by wgmma async
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK-NOT: tile_gpu.turn
tile.func @weights(%w: !tile.ptr<i8>, %b: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s = arith.constant 4096 : i64
  %dw = tile.make_desc %w, [%c128, %n], [%s] : !tile.ptr<i8> -> !tile.desc<128x64xi8>
  %db = tile.make_desc %b, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%c128, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %wt = tile.desc_load %dw[%c0, %i] : !tile.desc<128x64xi8>
    %h = arith.sitofp %wt : tensor<128x64xi8> to tensor<128x64xf16>
    %bt = tile.desc_load %db[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %bt, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<128x64xf32>
  tile.return
}
