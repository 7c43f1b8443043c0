// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-narrow-arithmetic))' -verify-diagnostics

// The square of an f16 has more bits than f16.
tile.func private @cube(%x: tensor<64xf16>) -> tensor<64xf16> {
  %w = arith.extf %x : tensor<64xf16> to tensor<64xf32>
  %square = arith.mulf %w, %w : tensor<64xf32>
  // expected-remark @+1 {{arithmetic stays f32: expected operands that f16 has, found others}}
  %cube = arith.mulf %square, %w : tensor<64xf32>
  %narrow = arith.truncf %cube : tensor<64xf32> to tensor<64xf16>
  tile.return %narrow : tensor<64xf16>
}

// What a kernel wants as f32, too, is nobody's question.
tile.func private @both(%x: tensor<64xf16>) -> (tensor<64xf32>, tensor<64xf16>) {
  %w = arith.extf %x : tensor<64xf16> to tensor<64xf32>
  %square = arith.mulf %w, %w : tensor<64xf32>
  %narrow = arith.truncf %square : tensor<64xf32> to tensor<64xf16>
  tile.return %square, %narrow : tensor<64xf32>, tensor<64xf16>
}

// 301 has more bits than bf16.
tile.func private @large(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %w = arith.extf %x : tensor<64xbf16> to tensor<64xf32>
  %c = arith.constant dense<301.0> : tensor<64xf32>
  // expected-remark @+1 {{arithmetic stays f32: expected operands that bf16 has, found others}}
  %sum = arith.addf %w, %c : tensor<64xf32>
  %narrow = arith.truncf %sum : tensor<64xf32> to tensor<64xbf16>
  tile.return %narrow : tensor<64xbf16>
}
