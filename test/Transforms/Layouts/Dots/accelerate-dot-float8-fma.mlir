// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot))' 2>/dev/null | FileCheck %s

// A product too small for any instruction is computed by FMA, which reads no 8-bit floats: they come as f16.
// CHECK-LABEL: tile.func @small
tile.func @small(%a: tensor<1x16xf8E5M2>, %b: tensor<16x4xf8E4M3FN>, %c: tensor<1x4xf32>) {
  // CHECK: %[[A:.*]] = arith.extf %{{.*}} : tensor<1x16xf8E5M2> to tensor<1x16xf16>
  // CHECK: %[[B:.*]] = arith.extf %{{.*}} : tensor<16x4xf8E4M3FN> to tensor<16x4xf16>
  // CHECK: tile.dot %[[A]], %[[B]], %{{.*}} by fma
  %d = tile.dot %a, %b, %c : tensor<1x16xf8E5M2>, tensor<16x4xf8E4M3FN> -> tensor<1x4xf32>
  tile.return
}
