// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-step-branches))' -verify-diagnostics | FileCheck %s

// Something is done where the branch is not taken.
// CHECK-LABEL: tile.func @both(
// CHECK: scf.if
tile.func @both(%a: tensor<16x16x!tile.ptr<f32>>, %groups: i32, %steps: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  scf.for %g = %c0 to %groups step %c1 : i32 {
    // expected-remark @below {{branch around dots stays: expected nothing to do where it is not taken, found something}}
    scf.if %c {
      %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
        %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
        %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
        scf.yield %d : tensor<16x16xf32>
      }
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
    } else {
      tile.store %a, %zero : tensor<16x16x!tile.ptr<f32>>
    }
  }
  tile.return
}
