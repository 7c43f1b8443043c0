// A product that its author wants in 16 bits, and only adds to sums of 32, is not rounded on the way. One that is stored,
// too, is what it is in memory.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-triton-to-tile,canonicalize)' | FileCheck %s

// CHECK-LABEL: tile.func @widened
// CHECK: %[[D:.*]] = tile.dot {{.*}} -> tensor<16x16xf32>
// CHECK-NEXT: arith.addf %{{.*}}, %[[D]]
// CHECK-NOT: arith.truncf
// CHECK: tile.return
tt.func public @widened(%p: tensor<16x16x!tt.ptr<f16>>, %q: tensor<16x16x!tt.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %h = tt.load %p : tensor<16x16x!tt.ptr<f16>>
  %s = tt.load %q : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %h, %h, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
  %w = arith.extf %d : tensor<16x16xf16> to tensor<16x16xf32>
  %n = arith.addf %s, %w : tensor<16x16xf32>
  tt.store %q, %n : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: tile.func @stored
// CHECK: %[[D:.*]] = tile.dot {{.*}} -> tensor<16x16xf32>
// CHECK: %[[N:.*]] = arith.truncf %[[D]]
// CHECK: arith.extf %[[N]]
// CHECK: tile.store %{{.*}}, %[[N]]
tt.func public @stored(%p: tensor<16x16x!tt.ptr<f16>>, %q: tensor<16x16x!tt.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %h = tt.load %p : tensor<16x16x!tt.ptr<f16>>
  %s = tt.load %q : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %h, %h, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
  %w = arith.extf %d : tensor<16x16xf16> to tensor<16x16xf32>
  %n = arith.addf %s, %w : tensor<16x16xf32>
  tt.store %q, %n : tensor<16x16x!tt.ptr<f32>>
  tt.store %p, %d : tensor<16x16x!tt.ptr<f16>>
  tt.return
}
