// What is looked up in a table for each score is not copied ahead: words of a list that is read again and again take several times as
// long to be copied one by one as they take to be loaded. A bias whose elements lie side by side is.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-pipeline{num-stages=3}))' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @scores
// CHECK: scf.for
// CHECK: tile.load {{.*}}64x64x!tile.ptr<f32>
// CHECK-NOT: tile_gpu.async_copy {{.*}}64x64xf32
// CHECK: scf.yield
tile.func @scores(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %table: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = tile.expr 0 : tensor<64x64xf32>
  %most = arith.constant dense<100> : tensor<64x64xi32>
  %rows = tile.expr program_id(x) * 64 + col(arange(64))
  %pa = tile.expr %a + (%rows * 64 + row(arange(64)))
  %x = tile.load %pa
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %pb = tile.expr %b + (col(arange(64)) + (%k + row(arange(64))) * 64)
    %y = tile.load %pb
    %s = tile.dot %x, %y, %zero
    %far = tile.expr %rows - (%k + row(arange(64)))
    %place = arith.minsi %far, %most : tensor<64x64xi32>
    %pt = tile.expr %table + %place
    %t = tile.load %pt // expected-warning {{load is not pipelined: expected elements that lie side by side in memory}}
    %biased = arith.addf %s, %t : tensor<64x64xf32>
    %p = arith.truncf %biased : tensor<64x64xf32> to tensor<64x64xf16>
    %pv = tile.expr %v + ((%k + col(arange(64))) * 64 + row(arange(64)))
    %w = tile.load %pv
    %next = tile.dot %p, %w, %acc
    scf.yield %next : tensor<64x64xf32>
  }
  %pc = tile.expr %c + (%rows * 64 + row(arange(64)))
  tile.store %pc, %sum
  tile.return
}

// CHECK-LABEL: @biased
// CHECK: scf.for
// CHECK: tile_gpu.async_copy {{.*}}64x64xf32
// CHECK: scf.yield
tile.func @biased(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                  %table: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = tile.expr 0 : tensor<64x64xf32>
  %rows = tile.expr program_id(x) * 64 + col(arange(64))
  %pa = tile.expr %a + (%rows * 64 + row(arange(64)))
  %x = tile.load %pa
  %sum = scf.for %k = %c0 to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %pb = tile.expr %b + (col(arange(64)) + (%k + row(arange(64))) * 64)
    %y = tile.load %pb
    %s = tile.dot %x, %y, %zero
    %pt = tile.expr %table + (%rows * 4096 + (%k + row(arange(64))))
    %t = tile.load %pt
    %biased = arith.addf %s, %t : tensor<64x64xf32>
    %p = arith.truncf %biased : tensor<64x64xf32> to tensor<64x64xf16>
    %pv = tile.expr %v + ((%k + col(arange(64))) * 64 + row(arange(64)))
    %w = tile.load %pv
    %next = tile.dot %p, %w, %acc
    scf.yield %next : tensor<64x64xf32>
  }
  %pc = tile.expr %c + (%rows * 64 + row(arange(64)))
  tile.store %pc, %sum
  tile.return
}
