// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-unroll-loops))' --verify-diagnostics -split-input-file | FileCheck %s

// Loops of few, known steps that stay, and what their steps would have to be.

// CHECK-LABEL: tile.func @crosses
// CHECK: scf.for
tile.func @crosses(%p: tensor<256x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // expected-remark @+1 {{loop of 3 steps is not unrolled: expected loads, stores and what gives each element by itself}}
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %v = tile.load %p : tensor<256x!tile.ptr<f32>>
    %s = tile.reduce add %v axis 0 : tensor<256xf32> -> f32
    %w = tile.splat %s : f32 -> tensor<256xf32>
    tile.store %p, %w : tensor<256x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.func @large
// CHECK: scf.for
tile.func @large(%q: tensor<64x128x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %one = arith.constant dense<1.0> : tensor<64x128xf32>
  // expected-remark @+1 {{loop of 3 steps is not unrolled: expected fewer elements of a thread in all steps}}
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %v = tile.load %q : tensor<64x128x!tile.ptr<f32>>
    %a = arith.addf %v, %one : tensor<64x128xf32>
    %b = arith.mulf %a, %v : tensor<64x128xf32>
    tile.store %q, %b : tensor<64x128x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.func @lengthy
// CHECK: scf.for
tile.func @lengthy(%q: tensor<1024x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  // expected-remark @+1 {{loop of 8 steps is not unrolled: expected fewer instructions in all steps}}
  scf.for %i = %c0 to %c8 step %c1 : i32 {
    %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
    %a = math.powf %v, %v : tensor<1024xf32>
    %b = math.powf %a, %v : tensor<1024xf32>
    %c = math.sin %b : tensor<1024xf32>
    tile.store %q, %c : tensor<1024x!tile.ptr<f32>>
  }
  tile.return
}

// -----

// Nothing is on its way in a loop of arithmetic alone, and no step has numbers that the others have not.
// CHECK-LABEL: tile.func @arithmetic
// CHECK: scf.for
tile.func @arithmetic(%q: tensor<1024x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  // expected-remark @+1 {{loop of 3 steps is not unrolled: expected loads, or arithmetic with the number of a step}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %v) -> (tensor<1024xf32>) : i32 {
    %a = arith.mulf %s, %v : tensor<1024xf32>
    scf.yield %a : tensor<1024xf32>
  }
  tile.store %q, %r : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// -----

// Rows that begin anywhere, whose elements a thread loads one by one: one step has enough on its way.
// CHECK-LABEL: tile.func @singles
// CHECK: scf.for
tile.func @singles(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8192 = arith.constant 8192 : i32
  %i = tile.arange : tensor<8192xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>>
  %p = tile.addptr %xs, %i : tensor<8192x!tile.ptr<f32>>, tensor<8192xi32>
  %r = tile.addptr %ys, %i : tensor<8192x!tile.ptr<f32>>, tensor<8192xi32>
  // expected-remark @+1 {{loop of 3 steps is not unrolled: expected fewer words that a thread loads one by one in each, found 64}}
  scf.for %k = %c0 to %c3 step %c1 : i32 {
    %first = arith.muli %k, %c8192 : i32
    %far = tile.splat %first : i32 -> tensor<8192xi32>
    %q = tile.addptr %p, %far : tensor<8192x!tile.ptr<f32>>, tensor<8192xi32>
    %v = tile.load %q : tensor<8192x!tile.ptr<f32>>
    %w = tile.addptr %r, %far : tensor<8192x!tile.ptr<f32>>, tensor<8192xi32>
    tile.store %w, %v : tensor<8192x!tile.ptr<f32>>
  }
  tile.return
}
