// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-accelerate-dot))' -verify-diagnostics | FileCheck %s

// Types of 8 to 32 bits have a wgmma; f64 has mma.sync alone.
// CHECK-LABEL: tile.func @tf32
tile.func @tf32(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma : tensor<64x32xf32>
  %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @e4m3
tile.func @e4m3(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma : tensor<64x32xf8E4M3FN>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @mixed
tile.func @mixed(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf8E5M2>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma : tensor<64x32xf8E5M2>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E5M2>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @s8
tile.func @s8(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1> : tensor<64x32xi8>
  %b = arith.constant dense<1> : tensor<32x64xi8>
  %c = arith.constant dense<0> : tensor<64x64xi32>
  // CHECK: tile.dot {{.*}} by wgmma : tensor<64x32xi8>
  %d = tile.dot %a, %b, %c : tensor<64x32xi8>, tensor<32x64xi8> -> tensor<64x64xi32>
  tile.return
}

// CHECK-LABEL: tile.func @f64
tile.func @f64(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x16xf64>
  %b = arith.constant dense<1.0> : tensor<16x64xf64>
  %c = arith.constant dense<0.0> : tensor<64x64xf64>
  // CHECK: tile.dot {{.*}} by mma_sync : tensor<64x16xf64>
  // expected-remark @+1 {{dot is computed by mma.sync: expected operands that wgmma multiplies, found others}}
  %d = tile.dot %a, %b, %c : tensor<64x16xf64>, tensor<16x64xf64> -> tensor<64x64xf64>
  tile.return
}

// A box of an array whose rows run along N, as tf32, which wgmma reads the other way round alone: threads turn it round
// (tile-assign-layouts). One whose rows run along K is as wgmma wants it.
// CHECK-LABEL: tile.func @boxes
tile.func @boxes(%a: !tile.ptr<f32>, %m: i32, %k: i32, %s: i64) {
  %c0 = arith.constant 0 : i32
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f32> -> !tile.desc<64x32xf32>
  %dk = tile.make_desc %a, [%k, %m], [%s] : !tile.ptr<f32> -> !tile.desc<32x64xf32>
  %x = tile.desc_load %da[%c0, %c0] : !tile.desc<64x32xf32>
  %y = tile.desc_load %da[%c0, %c0] : !tile.desc<64x32xf32>
  %z = tile.desc_load %dk[%c0, %c0] : !tile.desc<32x64xf32>
  %t = tile.trans %y order [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma
  %d = tile.dot %x, %t, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} by wgmma
  %e = tile.dot %x, %z, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return
}

// mma.sync has what is left of tf32x3: its parts are computed in registers.
// CHECK-LABEL: tile.func @parts
tile.func @parts(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tile.dot {{.*}} precision tf32x3 by mma_sync : tensor<64x32xf32>
  // expected-remark @+1 {{dot is computed by mma.sync: expected one product of tf32 for wgmma, found three of parts in registers}}
  %d = tile.dot %a, %b, %c precision tf32x3 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return
}
