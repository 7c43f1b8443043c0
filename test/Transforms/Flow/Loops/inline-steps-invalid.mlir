// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-inline-steps))' -verify-diagnostics | FileCheck %s

// A loop of one step that holds a dot stays a loop, where there is none around it: its copies have roles.
// CHECK: scf.for
tile.func @dot(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %x: !tile.ptr<f32>, %n: i32) {
  %minus = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %steps = arith.divsi %n, %size : i32
  %start = arith.addi %steps, %minus : i32
  // expected-remark @+1 {{loop of one step stays a loop: it holds a dot, and no loop is around it}}
  %sum = scf.for %i = %start to %steps step %one iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %t = tile.dot %a, %b, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %t : tensor<16x16xf32>
  }
  %p = tile.splat %x : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
