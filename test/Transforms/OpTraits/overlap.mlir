// What a pass takes along is said by the op's definition: this one names no tile.swizzle2d, which is element-wise, has
// no effects, and two results. The guide (docs/compiler/adding-a-pass.md) runs the same with an op that it adds.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse,tile-overlap-dots))' -verify-diagnostics | FileCheck %s

// The second product of a step runs beside the first one of the next; the op between them runs under it, in either half
// of a step as its operands are.
// CHECK-LABEL: tile.func @chained
// CHECK: } consumer {
// CHECK: tile.dot {{.*}} by wgmma :
// CHECK: tile.swizzle2d {{.*}} : tensor<64x64xi32
// CHECK: scf.for
// CHECK:   %[[S:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:   %[[D:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:   tile_gpu.dot_wait %[[S]] pending 1 tied
// CHECK:   tile.swizzle2d {{.*}} : tensor<64x64xi32
// CHECK:   tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK:   scf.yield
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
    %bits = arith.bitcast %p : tensor<64x64xf32> to tensor<64x64xi32>
    %x, %y = tile.swizzle2d %bits, %bits, %bits, %bits, %bits : tensor<64x64xi32>
    %e = arith.bitcast %x : tensor<64x64xi32> to tensor<64x64xf32>
    %h = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %old = arith.mulf %acc, %half : tensor<64x64xf32>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %old : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.return
}
