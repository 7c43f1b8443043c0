// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_80},tile.func(tile-accelerate-dot))' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.func @f16
tile.func @f16(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by mma_sync : tensor<64x32xf16>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @bf16
tile.func @bf16(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<64x32xbf16>
  %b = arith.constant dense<1.0> : tensor<32x64xbf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x32xbf16>
  %d = tile.dot %a, %b, %c : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.return
}

// The smallest product of the instruction, and a batch of them.
// CHECK-LABEL: tile.func @smallest
tile.func @smallest(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x8xf16>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<16x16xf16>, tensor<16x8xf16>
  %d = tile.dot %a, %b, %c : tensor<16x16xf16>, tensor<16x8xf16> -> tensor<16x8xf32>
  %a3 = arith.constant dense<1.0> : tensor<4x16x16xf16>
  %b3 = arith.constant dense<1.0> : tensor<4x16x8xf16>
  %c3 = arith.constant dense<0.0> : tensor<4x16x8xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<4x16x16xf16>, tensor<4x16x8xf16>
  %d3 = tile.dot %a3, %b3, %c3 : tensor<4x16x16xf16>, tensor<4x16x8xf16> -> tensor<4x16x8xf32>
  tile.return
}

// CHECK-LABEL: tile.func @too_small
tile.func @too_small(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<16x8xf16>
  %b = arith.constant dense<1.0> : tensor<8x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: tile.dot {{.*}} by fma : tensor<16x8xf16>
  // expected-warning @+1 {{dot is computed by fma: expected 16 or more of K for mma.sync}}
  %d = tile.dot %a, %b, %c : tensor<16x8xf16>, tensor<8x16xf16> -> tensor<16x16xf32>
  tile.return
}

// CHECK-LABEL: tile.func @few_rows
tile.func @few_rows(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<4x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x2xf16>
  %c = arith.constant dense<0.0> : tensor<4x2xf32>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<4x16xf16>
  %d = tile.dot %a, %b, %c : tensor<4x16xf16>, tensor<16x2xf16> -> tensor<4x2xf32>
  tile.return
}

// CHECK-LABEL: tile.func @f32
tile.func @f32(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by fma : tensor<64x32xf32>
  // expected-warning @+1 {{dot is computed by fma: expected operands that tensor cores multiply (precision tf32, or tf32x3 with an error like that of f32), found f32 of all its bits}}
  %d = tile.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return
}

// What has been chosen stays, and without a remark.
// CHECK-LABEL: tile.func @chosen
tile.func @chosen(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by fma : tensor<64x32xf16>
  %d = tile.dot %a, %b, %c by fma : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.return
}

// 8-bit floats are numbers of f16.
// CHECK-LABEL: tile.func @float8
tile.func @float8(%p: !tile.ptr<f16>) {
  // CHECK: %[[A8:.*]] = arith.constant dense<1.000000e+00> : tensor<64x32xf8E4M3FN>
  // CHECK: %[[B8:.*]] = arith.constant dense<1.000000e+00> : tensor<32x64xf8E5M2>
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E5M2>
  %bb = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %aa = arith.constant dense<1.0> : tensor<64x32xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: %[[A:.*]] = arith.extf %[[A8]] : tensor<64x32xf8E4M3FN> to tensor<64x32xf16>
  // CHECK: tile.dot %[[A]], %{{.*}} by mma_sync : tensor<64x32xf16>, tensor<32x64xf16>
  // expected-warning @+1 {{8-bit floats are multiplied as f16: expected a target with an instruction for them (sm_89 and later), found another}}
  %d = tile.dot %a, %bb, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  // CHECK: %[[B:.*]] = arith.extf %[[B8]] : tensor<32x64xf8E5M2> to tensor<32x64xf16>
  // CHECK: tile.dot %{{.*}}, %[[B]], %{{.*}} by mma_sync : tensor<64x32xf16>, tensor<32x64xf16>
  // expected-warning @+1 {{8-bit floats are multiplied as f16: expected a target with an instruction for them (sm_89 and later), found another}}
  %e = tile.dot %aa, %b, %c : tensor<64x32xf8E5M2>, tensor<32x64xf8E5M2> -> tensor<64x64xf32>
  tile.return
}
