// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-compare-truths))' -verify-diagnostics

// What may be 2 is asked for as it is.
tile.func @three(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<4x!tile.ptr<f32>>) {
  %i = tile.arange : tensor<4xi32>
  %more = arith.cmpf ogt, %x, %y : tensor<4xf32>
  %number = arith.extui %more : tensor<4xi1> to tensor<4xi32>
  // expected-remark @+1 {{truth stays a number: expected to be compared with 0 and 1 alone, found other numbers}}
  %a = arith.cmpi ne, %number, %i : tensor<4xi32>
  tile.store %out, %x, %a : tensor<4x!tile.ptr<f32>>
  tile.return
}
