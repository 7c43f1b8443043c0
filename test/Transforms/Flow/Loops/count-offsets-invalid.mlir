// What keeps offsets carried.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,tile-count-offsets,canonicalize))' | FileCheck %s --implicit-check-not=arith.muli

// CHECK-LABEL: tile.func @several
tile.func @several(%out: tensor<16x!tile.ptr<i32>>, %first: tensor<16xi32>, %by: tensor<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{offsets are carried: expected one number to be added to all of the tile}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%k = %first) -> (tensor<16xi32>) : i32 {
    tile.store %out, %k : tensor<16x!tile.ptr<i32>>
    %next = arith.addi %k, %by : tensor<16xi32>
    scf.yield %next : tensor<16xi32>
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.func @behind
tile.func @behind(%out: tensor<16x!tile.ptr<i32>>, %first: tensor<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<6> : tensor<16xi32>
  // expected-remark @+1 {{offsets are carried: expected nothing that reads them behind the loop}}
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%k = %first) -> (tensor<16xi32>) : i32 {
    %next = arith.addi %k, %by : tensor<16xi32>
    scf.yield %next : tensor<16xi32>
  }
  tile.store %out, %last : tensor<16x!tile.ptr<i32>>
  tile.return
}
