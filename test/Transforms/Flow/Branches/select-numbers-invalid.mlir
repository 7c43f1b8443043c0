// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-select-numbers))' -verify-diagnostics | FileCheck %s

// More than is worth computing where it is not wanted.
// CHECK: scf.if
tile.func @many(%a: tensor<16x16xf16>, %x: !tile.ptr<i32>, %p: tensor<16x16x!tile.ptr<f32>>, %each: i32, %more: i1) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-remark @+1 {{branches stay: expected at most 16 ops, found 17}}
  %tiles = scf.if %more -> (i32) {
    %n1 = arith.muli %each, %each : i32
    %n2 = arith.muli %n1, %n1 : i32
    %n3 = arith.muli %n2, %n2 : i32
    %n4 = arith.muli %n3, %n3 : i32
    %n5 = arith.muli %n4, %n4 : i32
    %n6 = arith.muli %n5, %n5 : i32
    %n7 = arith.muli %n6, %n6 : i32
    %n8 = arith.muli %n7, %n7 : i32
    %n9 = arith.muli %n8, %n8 : i32
    %n10 = arith.muli %n9, %n9 : i32
    %n11 = arith.muli %n10, %n10 : i32
    %n12 = arith.muli %n11, %n11 : i32
    %n13 = arith.muli %n12, %n12 : i32
    %n14 = arith.muli %n13, %n13 : i32
    %n15 = arith.muli %n14, %n14 : i32
    %n16 = arith.muli %n15, %n15 : i32
    %n17 = arith.muli %n16, %n16 : i32
    scf.yield %n17 : i32
  } else {
    scf.yield %each : i32
  }
  tile.store %x, %tiles : !tile.ptr<i32>
  %sum = tile.dot %a, %a, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %p, %sum : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
