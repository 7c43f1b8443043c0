// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// The second product of a step runs in the next one, beside the first product of that; what lies between them runs
// under the second. P and the cursor of V are carried to it.
// CHECK-LABEL: tile.func @chained
// CHECK: } consumer {
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LOWER:.*]], %[[UPPER:.*]] :
// CHECK: scf.if %[[ANY]] -> (
// The first half of the first step.
// CHECK:   tile_gpu.barrier_wait
// CHECK:   %[[S0:.*]] = tile.dot {{.*}} by wgmma :
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   %[[E0:.*]] = math.exp2 %[[S0]]
// CHECK:   %[[P0:.*]] = arith.truncf %[[E0]]
// CHECK-NOT: tile.dot
// CHECK:   %[[NEXT:.*]] = arith.addi %[[LOWER]], %c64_i32
// CHECK:   %[[R:.*]]:{{.*}} = scf.for %{{.*}} = %[[NEXT]] to %[[UPPER]] {{.*}} = %[[P0]]
// CHECK:     %[[OLD:.*]] = arith.mulf
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[S:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:     tile_gpu.barrier_wait
// CHECK:     %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[OLD]] by wgmma async : tensor<64x64xf16
// CHECK:     %[[SW:.*]] = tile_gpu.dot_wait %[[S]] pending 1 tied
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     %[[E:.*]] = math.exp2 %[[SW]]
// CHECK:     %[[DW:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// A of the next, in registers that the second product read, comes after it.
// CHECK:     %[[P:.*]] = arith.truncf %[[E]]
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     scf.yield {{.*}}%[[P]]{{.*}}%[[DW]]
// The second half of the last.
// CHECK:   tile_gpu.barrier_wait
// CHECK:   tile.dot {{.*}} by wgmma : tensor<64x64xf16
// CHECK:   tile_gpu.barrier_arrive
// CHECK:   scf.yield
// CHECK: } else {
// CHECK-NOT: {{tile(_gpu|_host)?\.}}
// CHECK:   scf.yield
// CHECK-NOT: tile_gpu.turn
tile.func @chained(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %e = math.exp2 %p : tensor<64x64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %old = arith.mulf %acc, %half : tensor<64x64xf32>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// Where a step's boxes lie is read from a list, which nobody writes: by the warp that copies, and here as well, as what weighs
// the scores. It is read in the first half of a step, beside the products.
// CHECK-LABEL: tile.func @listed
// CHECK: } consumer {
// CHECK: scf.if
// CHECK:   tile.load
// CHECK:   math.exp2
// CHECK:   scf.for
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK:     tile.dot {{.*}} by wgmma async : tensor<64x64xf16
// CHECK:     tile_gpu.dot_wait %{{.*}} pending 1 tied
// CHECK:     math.exp2
// CHECK:     tile_gpu.dot_wait %{{.*}} pending 0 tied
// CHECK:     scf.yield
// CHECK:   tile.dot {{.*}} by wgmma : tensor<64x64xf16
tile.func @listed(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %list: !tile.ptr<i32>, %n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %entry = tile.addptr %list, %i : !tile.ptr<i32>, i32
    %at = tile.load %entry : !tile.ptr<i32>
    %kt = tile.desc_load %dk[%at, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %weight = arith.sitofp %at : i32 to f32
    %weights = tile.splat %weight : f32 -> tensor<64x64xf32>
    %w = arith.mulf %p, %weights : tensor<64x64xf32>
    %e = math.exp2 %w : tensor<64x64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %old = arith.mulf %acc, %half : tensor<64x64xf32>
    %vt = tile.desc_load %dv[%at, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}

// A mask that some steps have: both branches' numbers, and a choice of them, under the second product.
// CHECK-LABEL: tile.func @masked
// CHECK: } consumer {
// CHECK: scf.for
// CHECK:   tile.dot {{.*}} by wgmma async
// CHECK:   tile.dot {{.*}} by wgmma async : tensor<64x64xf16
// CHECK:   %[[SEEN:.*]] = arith.cmpi sge, {{.*}} tensor<64x64xi32
// CHECK:   %[[MASKED:.*]] = arith.select %[[SEEN]],
// CHECK:   arith.select %{{.*}}, %[[MASKED]], %{{.*}} : tensor<64x64xf32
// CHECK:   math.exp2
// CHECK:   scf.yield
tile.func @masked(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32, %causal: i1) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 8, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %off = arith.constant dense<-1.0e9> : tensor<64x64xf32>
  %range = tile.arange : tensor<64xi32>
  %row = tile.expand_dims %range axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %column = tile.expand_dims %range axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rows = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %x = scf.if %causal -> tensor<64x64xf32> {
      %first = tile.splat %i : i32 -> tensor<64x64xi32>
      %place = arith.addi %columns, %first : tensor<64x64xi32>
      %seen = arith.cmpi sge, %rows, %place : tensor<64x64xi32>
      %chosen = arith.select %seen, %p, %off : tensor<64x64xi1>, tensor<64x64xf32>
      scf.yield %chosen : tensor<64x64xf32>
    } else {
      scf.yield %p : tensor<64x64xf32>
    }
    %e = math.exp2 %x : tensor<64x64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}
