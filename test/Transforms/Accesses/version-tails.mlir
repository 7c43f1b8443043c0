// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-version-tails))' -verify-diagnostics | FileCheck %s

// Extents that were loaded: one version for rows of whole 16 bytes, one for others.
// CHECK-LABEL: tile.func @loaded(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.ptr<f16>
tile.func @loaded(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %sizes: !tile.ptr<i32>, %m: i32) {
  // CHECK: %[[N:.*]] = tile.load
  %n = tile.load %sizes : !tile.ptr<i32>
  %pitch = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  // CHECK: %[[REST:.*]] = arith.remui %[[N]], %c8
  // CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
  // CHECK: scf.if %[[WHOLE]] {
  // CHECK: %[[QUOTIENT:.*]] = arith.divui %[[N]], %c8
  // CHECK: %[[ROUND:.*]] = arith.muli %[[QUOTIENT]], %c8
  // CHECK: %[[FAST:.*]] = tile.make_desc %[[X]], [%{{.*}}, %[[ROUND]]]
  // CHECK: %[[A:.*]] = tile.desc_load %[[FAST]]
  // CHECK: tile.desc_store %[[FAST]]{{.*}}, %[[A]]
  // CHECK: } else {
  // CHECK: %[[SLOW:.*]] = tile.make_desc %[[X]], [%{{.*}}, %[[N]]]
  // CHECK: %[[B:.*]] = tile.desc_load %[[SLOW]]
  // CHECK: tile.desc_store %[[SLOW]]{{.*}}, %[[B]]
  // CHECK: }
  // CHECK-NEXT: tile.return
  %d = tile.make_desc %x, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
  %a = tile.desc_load %d[%c0, %c0] : !tile.desc<16x64xf16>
  tile.desc_store %d[%c0, %c0], %a : !tile.desc<16x64xf16>
  tile.return
}

// Descriptors of one block ask together, each in elements of its own, and the block ends with what
// either version yields.
// CHECK-LABEL: tile.func @together(
tile.func @together(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                    %sizes: !tile.ptr<i32>, %m: i32, %some: i1) {
  %zero = arith.constant 0.0 : f32
  %pitch = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  // CHECK: %[[SUM:.*]] = scf.if %{{.*}} -> (f32) {
  %sum = scf.if %some -> f32 {
    // CHECK: %[[N:.*]] = tile.load
    // CHECK: arith.remui %[[N]], %c8
    // CHECK: arith.remui %[[K:.*]], %c4
    // CHECK: %[[BOTH:.*]] = arith.andi
    // CHECK: %[[EITHER:.*]] = scf.if %[[BOTH]] -> (f32) {
    // CHECK: scf.yield
    // CHECK: } else {
    // CHECK: scf.yield
    // CHECK: }
    // CHECK: scf.yield %[[EITHER]] : f32
    %n = tile.load %sizes : !tile.ptr<i32>
    %p = tile.addptr %sizes, %m : !tile.ptr<i32>, i32
    %k = tile.load %p : !tile.ptr<i32>
    %d = tile.make_desc %x, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
    %e = tile.make_desc %y, [%m, %k], [%pitch] : !tile.ptr<f32> -> !tile.desc<16x64xf32>
    %a = tile.desc_load %d[%c0, %c0] : !tile.desc<16x64xf16>
    %b = tile.desc_load %e[%c0, %c0] : !tile.desc<16x64xf32>
    %wide = arith.extf %a : tensor<16x64xf16> to tensor<16x64xf32>
    %added = arith.addf %wide, %b : tensor<16x64xf32>
    %rows = tile.reduce add %added axis 1 : tensor<16x64xf32> -> tensor<16xf32>
    %all = tile.reduce add %rows axis 0 : tensor<16xf32> -> f32
    scf.yield %all : f32
  } else {
    scf.yield %zero : f32
  }
  tile.store %y, %sum : !tile.ptr<f32>
  tile.return
}

// Extents of arguments are a launch's facts, and one that is known to be a multiple needs no question.
// CHECK-LABEL: tile.func @known(
// CHECK-NOT: scf.if
tile.func @known(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %sizes: !tile.ptr<i32>, %m: i32, %n: i32) {
  %pitch = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %eighths = tile.load %sizes : !tile.ptr<i32>
  %k = arith.muli %eighths, %c8 : i32
  %d = tile.make_desc %x, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
  %e = tile.make_desc %x, [%m, %k], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
  %a = tile.desc_load %d[%c0, %c0] : !tile.desc<16x64xf16>
  tile.desc_store %e[%c0, %c0], %a : !tile.desc<16x64xf16>
  tile.return
}

// Nothing is gained where rows may begin anywhere.
// CHECK-LABEL: tile.func @anywhere(
// CHECK-NOT: scf.if
tile.func @anywhere(%x: !tile.ptr<f16>, %sizes: !tile.ptr<i32>, %m: i32) {
  %pitch = arith.constant 64 : i64
  %c0 = arith.constant 0 : i32
  %n = tile.load %sizes : !tile.ptr<i32>
  %d = tile.make_desc %x, [%m, %n], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x64xf16>
  %a = tile.desc_load %d[%c0, %c0] : !tile.desc<16x64xf16>
  tile.desc_store %d[%c0, %c0], %a : !tile.desc<16x64xf16>
  tile.return
}
