// Boxes that the kernel describes itself are held against rules of what gains nothing, as those that pointers become are: steps of 16
// bytes a thread are read through pointers, and the descriptor goes with its last reader. Of 32 bytes a thread they stay boxes.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-raise-descriptors{num-warps=8}))' 2>&1 | FileCheck %s

// CHECK: remark: box is read through pointers: expected boxes of more bytes a thread in a step, found fewer
// CHECK-LABEL: tile.func @short
// CHECK-NOT: make_desc
// CHECK: scf.for
// CHECK-NOT: desc_load
// CHECK: tile.load
// CHECK: tile.dot
tile.func @short(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: tensor<32x16x!tile.ptr<f32>>, %m: i32, %k: i32, %s: i64 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %b = arith.constant dense<1.0> : tensor<64x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %d = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<32x64xf16>
  %sum = scf.for %k0 = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %v = tile.desc_load %d[%c0, %k0] : !tile.desc<32x64xf16>
    %next = tile.dot %v, %b, %acc : tensor<32x64xf16>, tensor<64x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  tile.store %out, %sum : tensor<32x16x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @long
// CHECK: make_desc
// CHECK: tile.desc_load
tile.func @long(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: tensor<32x16x!tile.ptr<f32>>, %m: i32, %k: i32, %s: i64 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %b = arith.constant dense<1.0> : tensor<128x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %d = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<32x128xf16>
  %sum = scf.for %k0 = %c0 to %k step %c128 iter_args(%acc = %zero) -> (tensor<32x16xf32>) : i32 {
    %v = tile.desc_load %d[%c0, %k0] : !tile.desc<32x128xf16>
    %next = tile.dot %v, %b, %acc : tensor<32x128xf16>, tensor<128x16xf16> -> tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  tile.store %out, %sum : tensor<32x16x!tile.ptr<f32>>
  tile.return
}
