// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_89},tile.func(tile-accelerate-dot))' -verify-diagnostics | FileCheck %s

// On sm_89 mma.sync has them all.
// CHECK-LABEL: tile.func @tf32
tile.func @tf32(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x32xf32>
  %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @e4m3
tile.func @e4m3(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x32xf8E4M3FN>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @mixed
tile.func @mixed(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E5M2>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x32xf8E5M2>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E5M2>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @s8
tile.func @s8(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1> : tensor<64x32xi8>
  %b = arith.constant dense<1> : tensor<32x64xi8>
  %c = arith.constant dense<0> : tensor<64x64xi32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x32xi8>
  %d = tile.dot %a, %b, %c : tensor<64x32xi8>, tensor<32x64xi8> -> tensor<64x64xi32>
  tile.return
}

// CHECK-LABEL: tile.func @f64
tile.func @f64(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x16xf64>
  %b = arith.constant dense<1.0> : tensor<16x64xf64>
  %c = arith.constant dense<0.0> : tensor<64x64xf64>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x16xf64>
  %d = tile.dot %a, %b, %c : tensor<64x16xf64>, tensor<16x64xf64> -> tensor<64x64xf64>
  tile.return
}

// CHECK-LABEL: tile.func @small_tf32
tile.func @small_tf32(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x4xf32>
  %b = arith.constant dense<1.0> : tensor<4x8xf32>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  // CHECK: tile.dot {{.*}} by fma : tensor<16x4xf32>
  // expected-warning @+1 {{dot is computed by fma: expected 8 or more of K for mma.sync}}
  %d = tile.dot %a, %b, %c precision tf32 : tensor<16x4xf32>, tensor<4x8xf32> -> tensor<16x8xf32>
  tile.return
}

// CHECK-LABEL: tile.func @small_s8
tile.func @small_s8(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1> : tensor<16x16xi8>
  %b = arith.constant dense<1> : tensor<16x8xi8>
  %c = arith.constant dense<0> : tensor<16x8xi32>
  // CHECK: tile.dot {{.*}} by fma : tensor<16x16xi8>
  // expected-warning @+1 {{dot is computed by fma: expected 32 or more of K for mma.sync}}
  %d = tile.dot %a, %b, %c : tensor<16x16xi8>, tensor<16x8xi8> -> tensor<16x8xi32>
  tile.return
}

// CHECK-LABEL: tile.func @small_f64
tile.func @small_f64(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<8x2xf64>
  %b = arith.constant dense<1.0> : tensor<2x8xf64>
  %c = arith.constant dense<0.0> : tensor<8x8xf64>
  // CHECK: tile.dot {{.*}} by fma : tensor<8x2xf64>
  // expected-warning @+1 {{dot is computed by fma: expected 4 or more of K for mma.sync}}
  %d = tile.dot %a, %b, %c : tensor<8x2xf64>, tensor<2x8xf64> -> tensor<8x8xf64>
  tile.return
}
