// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-transpose-dots))' | FileCheck %s

!q = !tile.desc<32x64xf16>
!k = !tile.desc<128x64xf16>
!scores = tensor<32x128xf32>
!sum = tensor<128x64xf32>

// Scores of 32 queries, whose weights a gradient of values reads transposed: keys times queries, and what is computed of that lies as
// A does.
// CHECK-LABEL: tile.func @gradient
// CHECK: %[[K:.*]] = tile.desc_load {{.*}} : !tile.desc<128x64xf16>
// CHECK: scf.for
// CHECK: %[[Q:.*]] = tile.desc_load {{.*}} : !tile.desc<32x64xf16>
// CHECK: %[[QT:.*]] = tile.trans %[[Q]]
// CHECK: %[[T:.*]] = tile.dot %[[K]], %[[QT]], %{{.*}} -> tensor<128x32xf32>
// CHECK-NEXT: %[[S:.*]] = tile.trans %[[T]]
// CHECK-NEXT: math.exp2 %[[S]]
tile.func @gradient(%qs: !tile.ptr<f16>, %ks: !tile.ptr<f16>, %n: i32, %s: i64, %out: tensor<128x64x!tile.ptr<f32>>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0.0> : !sum
  %dq = tile.make_desc %qs, [%n, %n], [%s] : !tile.ptr<f16> -> !q
  %dk = tile.make_desc %ks, [%n, %n], [%s] : !tile.ptr<f16> -> !k
  %k = tile.desc_load %dk[%c0, %c0] : !k
  %kt = tile.trans %k order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %none) -> (!sum) : i32 {
    %q = tile.desc_load %dq[%i, %c0] : !q
    %x = tile.dot %q, %kt, %zero : tensor<32x64xf16>, tensor<64x128xf16> -> !scores
    %p = math.exp2 %x : !scores
    %h = arith.truncf %p : !scores to tensor<32x128xf16>
    %t = tile.trans %h order [1, 0] : tensor<32x128xf16> -> tensor<128x32xf16>
    %y = tile.dot %t, %q, %acc : tensor<128x32xf16>, tensor<32x64xf16> -> !sum
    scf.yield %y : !sum
  }
  tile.store %out, %r : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// Rows that are reduced stay rows.
// CHECK-LABEL: tile.func @reduced
// CHECK: tile.dot {{.*}} -> tensor<32x128xf32>
tile.func @reduced(%qs: !tile.ptr<f16>, %ks: !tile.ptr<f16>, %n: i32, %s: i64, %out: tensor<128x64x!tile.ptr<f32>>, %m: tensor<32x!tile.ptr<f32>>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0.0> : !sum
  %dq = tile.make_desc %qs, [%n, %n], [%s] : !tile.ptr<f16> -> !q
  %dk = tile.make_desc %ks, [%n, %n], [%s] : !tile.ptr<f16> -> !k
  %k = tile.desc_load %dk[%c0, %c0] : !k
  %kt = tile.trans %k order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %none) -> (!sum) : i32 {
    %q = tile.desc_load %dq[%i, %c0] : !q
    %x = tile.dot %q, %kt, %zero : tensor<32x64xf16>, tensor<64x128xf16> -> !scores
    %most = tile.reduce max %x axis 1 : !scores -> tensor<32xf32>
    tile.store %m, %most : tensor<32x!tile.ptr<f32>>
    %h = arith.truncf %x : !scores to tensor<32x128xf16>
    %t = tile.trans %h order [1, 0] : tensor<32x128xf16> -> tensor<128x32xf16>
    %y = tile.dot %t, %q, %acc : tensor<128x32xf16>, tensor<32x64xf16> -> !sum
    scf.yield %y : !sum
  }
  tile.store %out, %r : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// So do those that meet a bias, which lies as it is stored.
// CHECK-LABEL: tile.func @biased
// CHECK: tile.dot {{.*}} -> tensor<32x128xf32>
tile.func @biased(%qs: !tile.ptr<f16>, %ks: !tile.ptr<f16>, %n: i32, %s: i64, %out: tensor<128x64x!tile.ptr<f32>>, %b: tensor<32x128x!tile.ptr<f32>>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : !scores
  %none = arith.constant dense<0.0> : !sum
  %dq = tile.make_desc %qs, [%n, %n], [%s] : !tile.ptr<f16> -> !q
  %dk = tile.make_desc %ks, [%n, %n], [%s] : !tile.ptr<f16> -> !k
  %k = tile.desc_load %dk[%c0, %c0] : !k
  %kt = tile.trans %k order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %none) -> (!sum) : i32 {
    %q = tile.desc_load %dq[%i, %c0] : !q
    %x = tile.dot %q, %kt, %zero : tensor<32x64xf16>, tensor<64x128xf16> -> !scores
    %bias = tile.load %b : tensor<32x128x!tile.ptr<f32>>
    %z = arith.addf %x, %bias : !scores
    %h = arith.truncf %z : !scores to tensor<32x128xf16>
    %t = tile.trans %h order [1, 0] : tensor<32x128xf16> -> tensor<128x32xf16>
    %y = tile.dot %t, %q, %acc : tensor<128x32xf16>, tensor<32x64xf16> -> !sum
    scf.yield %y : !sum
  }
  tile.store %out, %r : tensor<128x64x!tile.ptr<f32>>
  tile.return
}
