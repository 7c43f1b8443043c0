// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-gelu,canonicalize))' -split-input-file | FileCheck %s

// h + h erf(sqrt 2 h), h = x / 2, as fma.
// CHECK-LABEL: tile.func private @halved
// CHECK-SAME: (%[[H:.*]]: tensor<64xf32>)
// CHECK-DAG: %[[LAST:.*]] = arith.constant dense<-2.30224824> : tensor<64xf32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<6.750000e+00> : tensor<64xf32>
// CHECK-NOT: math.erf
// CHECK: %[[SIZE:.*]] = math.absf %[[H]]
// CHECK: %[[S:.*]] = arith.minimumf %[[SIZE]], %[[MOST]]
// CHECK-COUNT-4: math.fma
// CHECK: %[[P:.*]] = math.fma %{{.*}}, %[[S]], %[[LAST]]
// CHECK: %[[POWER:.*]] = arith.mulf %[[P]], %[[S]]
// CHECK: %[[REST:.*]] = math.exp2 %[[POWER]] fastmath<afn>
// CHECK: %[[TWICE:.*]] = arith.addf %[[H]], %[[SIZE]]
// CHECK: %[[MINUS:.*]] = arith.negf %[[S]]
// CHECK: %[[Y:.*]] = math.fma %[[MINUS]], %[[REST]], %[[TWICE]]
// CHECK: arith.truncf %[[Y]]
tile.func private @halved(%h: tensor<64xf32>) -> tensor<64xf16> {
  %c = arith.constant dense<1.41421356> : tensor<64xf32>
  %t = arith.mulf %h, %c : tensor<64xf32>
  %e = math.erf %t : tensor<64xf32>
  %y = math.fma %h, %e, %h : tensor<64xf32>
  %z = arith.truncf %y : tensor<64xf32> to tensor<64xf16>
  tile.return %z : tensor<64xf16>
}

// -----

// x / 2 * (1 + erf(x / sqrt 2)), the same polynomial of x / 2; and multiplied before it is rounded.
// CHECK-LABEL: tile.func private @product
// CHECK-DAG: arith.constant -2.302248{{.*}} : f32
// CHECK-DAG: arith.constant 6.750000{{.*}} : f32
// CHECK-NOT: math.erf
// CHECK: math.exp2
// CHECK: math.fma
// CHECK-NEXT: arith.mulf
tile.func private @product(%x: f32, %gate: f32) -> bf16 {
  %half = arith.constant 0.5 : f32
  %c = arith.constant 1.41421354 : f32
  %one = arith.constant 1.0 : f32
  %h = arith.mulf %x, %half : f32
  %t = arith.divf %x, %c : f32
  %e = math.erf %t : f32
  %s = arith.addf %e, %one : f32
  %y = arith.mulf %s, %h : f32
  %g = arith.mulf %y, %gate : f32
  %z = arith.truncf %g : f32 to bf16
  tile.return %z : bf16
}

// -----

// x + x erf(x / sqrt 2), whose half is taken behind it: s is |x|, at most 13.5.
// CHECK-LABEL: tile.func private @sum
// CHECK-DAG: arith.constant 1.350000{{.*}} : f32
// CHECK-DAG: arith.constant -1.1511241{{.*}} : f32
// CHECK-NOT: math.erf
// CHECK: math.exp2
tile.func private @sum(%x: f32) -> f16 {
  %half = arith.constant 0.5 : f32
  %c = arith.constant 0.707106769 : f32
  %t = arith.mulf %c, %x : f32
  %e = math.erf %t : f32
  %p = arith.mulf %x, %e : f32
  %s = arith.addf %x, %p : f32
  %y = arith.mulf %s, %half : f32
  %z = arith.truncf %y : f32 to f16
  tile.return %z : f16
}

// -----

// Approximate where that is allowed, whoever sees it.
// CHECK-LABEL: tile.func private @approximate
// CHECK-NOT: math.erf
// CHECK: math.exp2
tile.func private @approximate(%h: f32) -> f32 {
  %c = arith.constant 1.41421356 : f32
  %t = arith.mulf %h, %c : f32
  %e = math.erf %t fastmath<afn> : f32
  %y = math.fma %e, %h, %h : f32
  tile.return %y : f32
}
