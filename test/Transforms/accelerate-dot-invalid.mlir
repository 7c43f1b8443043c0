// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot))' -verify-diagnostics

tile.func @f8(%p: !tile.ptr<f16>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{expected f16, bf16, f32, f64 or i8 operands of tile.dot on this target, found f8}}
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.return
}
