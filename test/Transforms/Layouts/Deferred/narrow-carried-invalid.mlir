// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-narrow-carried))'

// Nobody has said which thread has what.
tile.func private @nobody(%x: tensor<64x128xf32>, %n: i32) -> tensor<128xf32> attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %zero) -> (tensor<64x128xf32>) : i32 {
    %next = arith.addf %sum, %x : tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  }
  // expected-remark @+1 {{a loop carries all that is reduced behind it: expected a layout, found none}}
  %r = tile.reduce add %all axis 0 : tensor<64x128xf32> -> tensor<128xf32>
  tile.return %r : tensor<128xf32>
}
