// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-scale-maxima,canonicalize))' --verify-diagnostics | FileCheck %s

// Sums are rounded as they are added; what is not subtracted from, not by one instruction, or somebody else reads, has nothing to gain.
// CHECK-LABEL: tile.func private @needless
// CHECK: tile.reduce add
// CHECK-COUNT-3: tile.reduce maxnum
// CHECK-NOT: arith.mulf
// CHECK: tile.return
tile.func private @needless(%x: tensor<64xf32>) -> (tensor<64xf32>, f32, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %half = arith.constant dense<0.3> : tensor<64xf32>
  %third = arith.constant dense<0.33> : tensor<64xf32>
  %quarter = arith.constant dense<0.25> : tensor<64xf32>
  %a = arith.mulf %x, %half fastmath<contract> : tensor<64xf32>
  %strict = arith.mulf %x, %quarter : tensor<64xf32>
  %read = arith.mulf %x, %third fastmath<contract> : tensor<64xf32>
  %sum = tile.reduce add %a axis 0 : tensor<64xf32> -> f32
  // expected-remark @+1 {{greatest of what is scaled: expected products that nobody reads but for differences from it, with fastmath<contract>}}
  %d = tile.reduce maxnum %a axis 0 : tensor<64xf32> -> f32
  // expected-remark @+1 {{greatest of what is scaled: expected products that nobody reads but for differences from it, with fastmath<contract>}}
  %e = tile.reduce maxnum %strict axis 0 : tensor<64xf32> -> f32
  // expected-remark @+1 {{greatest of what is scaled: expected products that nobody reads but for differences from it, with fastmath<contract>}}
  %f = tile.reduce maxnum %read axis 0 : tensor<64xf32> -> f32
  %sums = tile.splat %sum : f32 -> tensor<64xf32>
  %es = tile.splat %e : f32 -> tensor<64xf32>
  %fs = tile.splat %f : f32 -> tensor<64xf32>
  %1 = arith.subf %a, %sums fastmath<contract> : tensor<64xf32>
  %2 = arith.subf %strict, %es fastmath<contract> : tensor<64xf32>
  %3 = arith.subf %read, %fs fastmath<contract> : tensor<64xf32>
  tile.return %1, %d, %2, %3, %read : tensor<64xf32>, f32, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
