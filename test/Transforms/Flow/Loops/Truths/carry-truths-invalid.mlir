// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-carry-truths{num-warps=4}))' -verify-diagnostics

// One truth a thread is a predicate.
tile.func @few(%x: tensor<128x!tile.ptr<f32>>, %n: i32) {
  %none = arith.constant dense<false> : tensor<128xi1>
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{truths stay truths: expected more than 3 that a thread has of what the loop carries, found 1}}
  %any = scf.for %i = %c0 to %n step %c1 iter_args(%a = %none) -> (tensor<128xi1>) : i32 {
    %v = tile.load %x : tensor<128x!tile.ptr<f32>>
    %is = arith.cmpf une, %v, %zero : tensor<128xf32>
    %or = arith.ori %a, %is : tensor<128xi1>
    scf.yield %or : tensor<128xi1>
  }
  tile.store %x, %zero, %any : tensor<128x!tile.ptr<f32>>
  tile.return
}
