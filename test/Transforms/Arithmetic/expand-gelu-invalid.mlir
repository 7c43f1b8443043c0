// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-gelu,canonicalize))' -split-input-file -verify-diagnostics | FileCheck %s

// Seen in f32.
// CHECK-LABEL: tile.func private @seen
// CHECK: math.erf
tile.func private @seen(%h: f32) -> f32 {
  %c = arith.constant 1.41421356 : f32
  %t = arith.mulf %h, %c : f32
  // expected-remark @+1 {{erf is computed as it is: its sum is not rounded to 16 bits, nor may it be approximate}}
  %e = math.erf %t : f32
  %y = math.fma %h, %e, %h : f32
  tile.return %y : f32
}

// -----

// Of another value, of the other sign, used twice (as the gradient does), and of f64.
// CHECK-LABEL: tile.func private @others
// CHECK-COUNT-4: math.erf
// CHECK-NOT: math.exp2
tile.func private @others(%h: f32, %x: f32, %w: f64) -> (f16, f16, f16, f16, f16) {
  %c = arith.constant 1.41421356 : f32
  %n = arith.constant -1.41421356 : f32
  %e = math.erf %x : f32
  %y = math.fma %h, %e, %h : f32
  %z = arith.truncf %y : f32 to f16
  %t1 = arith.mulf %h, %n : f32
  %e1 = math.erf %t1 : f32
  %y1 = math.fma %h, %e1, %h : f32
  %z1 = arith.truncf %y1 : f32 to f16
  %t2 = arith.mulf %h, %c : f32
  %e2 = math.erf %t2 : f32
  %y2 = math.fma %h, %e2, %h : f32
  %z2 = arith.truncf %y2 : f32 to f16
  %d2 = arith.truncf %e2 : f32 to f16
  %e3 = math.erf %w : f64
  %y3 = math.fma %w, %e3, %w : f64
  %z3 = arith.truncf %y3 : f64 to f16
  tile.return %z, %z1, %z2, %d2, %z3 : f16, f16, f16, f16, f16
}
