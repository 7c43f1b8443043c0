// RUN: not tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=17}))' -split-input-file 2>&1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' -split-input-file -verify-diagnostics
// CHECK: error: expected 1 to 16 stages, found 17

// expected-error @+1 {{expected 1 to 16 stages, found -2}}
tile.func @kernel(%n: i32) attributes {tile.num_stages = -2 : i32} {
  tile.return
}

// -----

tile.func @loop(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{expected 1 to 16 stages, found 20}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {tile.num_stages = 20 : i32}
  tile.return
}
