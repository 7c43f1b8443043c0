// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-narrow-depth))' -verify-diagnostics

// Of pointers that a loop carries there is no first part.
tile.func @carried(%start: tensor<64x64x!tile.ptr<f16>>, %n: i32, %zero: tensor<64x64xf32>, %out: tensor<64x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.constant dense<3> : tensor<64xi32>
  %far = arith.constant dense<64> : tensor<64x64xi32>
  %ks = tile.arange : tensor<64xi32>
  %in = arith.cmpi slt, %ks, %end : tensor<64xi32>
  %i1 = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
  %i = tile.broadcast %i1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %sum:2 = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero, %pa = %start) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %a = tile.load %pa, %i : tensor<64x64x!tile.ptr<f16>>
    %b = tile.trans %a order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-remark @+1 {{zeros of the operands are multiplied: expected operands that are computed and loaded beside the dot, found others}}
    %d = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tile.addptr %pa, %far : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.store %out, %sum#0 : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// What is multiplied is read in front of a store over it, and stays there.
tile.func @overwritten(%p: !tile.ptr<f16>, %c: tensor<64x64xf32>, %new: tensor<64x64xf16>, %out: tensor<64x64x!tile.ptr<f32>>) {
  %end = arith.constant dense<3> : tensor<64xi32>
  %ks = tile.arange : tensor<64xi32>
  %in = arith.cmpi slt, %ks, %end : tensor<64xi32>
  %k1 = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %k = tile.broadcast %k1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %i1 = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
  %i = tile.broadcast %i1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %ps, %k : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %a = tile.load %pa, %i : tensor<64x64x!tile.ptr<f16>>
  tile.store %pa, %new : tensor<64x64x!tile.ptr<f16>>
  %b = tile.trans %a order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-remark @+1 {{zeros of the operands are multiplied: expected operands that are computed and loaded beside the dot, found others}}
  %d = tile.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %out, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
