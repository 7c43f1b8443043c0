// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-invert-divisors))' --verify-diagnostics | FileCheck %s

// A division that has to be right to the last bit is one of each element.
// CHECK-LABEL: tile.func @exact
// CHECK: arith.divf %{{.*}}, %{{.*}} : tensor<16x64xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<contract> : tensor<16x64xf32>
// CHECK-NOT: arith.mulf
tile.func @exact(%x: tensor<16x64xf32>, %sum: tensor<16x1xf32>, %p: tensor<16x64x!tile.ptr<f32>>) {
  %all = tile.broadcast %sum : tensor<16x1xf32> -> tensor<16x64xf32>
  // expected-remark @+1 {{each element is divided: expected fastmath<arcp> or <afn>}}
  %y = arith.divf %x, %all : tensor<16x64xf32>
  // expected-remark @+1 {{each element is divided: expected fastmath<arcp> or <afn>}}
  %z = arith.divf %y, %all fastmath<contract> : tensor<16x64xf32>
  tile.store %p, %z : tensor<16x64x!tile.ptr<f32>>
  tile.return
}
