// A launch has a parameter of 128 bytes for each descriptor: what would be the 21st array stays one of pointers, and a box of
// an array that has one already is one more load of it. The kernel is compiled and assembled, where it was refused.
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s
// RUN: tile-run %s --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX
// PTX: .entry many(
// CHECK-LABEL: tile.func @many
// CHECK-COUNT-20: tile.make_desc
// CHECK-NOT: tile.make_desc
// CHECK-COUNT-20: tile.desc_load
// CHECK-COUNT-2: tile.load
// CHECK: tile.desc_load
// CHECK-NOT: tile.load
tile.func @many(%a0: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a1: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a2: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a3: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a4: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a5: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a6: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a7: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a8: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a9: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a10: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a11: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a12: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a13: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a14: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a15: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a16: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a17: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a18: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a19: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a20: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %a21: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f32>, %k: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %one = arith.constant dense<1.0> : tensor<64x64xf16>
  %cols64 = arith.constant dense<64> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x64xi32>
  %sum = scf.for %k0 = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x64xi32>
    %j = arith.addi %k0s, %cols : tensor<1x64xi32>
    %off_js = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x64xi32>
    %b0 = tile.splat %a0 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p0 = tile.addptr %b0, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v0 = tile.load %p0 : tensor<64x64x!tile.ptr<f16>>
    %s0 = tile.dot %v0, %one, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b1 = tile.splat %a1 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p1 = tile.addptr %b1, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v1 = tile.load %p1 : tensor<64x64x!tile.ptr<f16>>
    %s1 = tile.dot %v1, %one, %s0 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b2 = tile.splat %a2 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p2 = tile.addptr %b2, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v2 = tile.load %p2 : tensor<64x64x!tile.ptr<f16>>
    %s2 = tile.dot %v2, %one, %s1 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b3 = tile.splat %a3 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p3 = tile.addptr %b3, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v3 = tile.load %p3 : tensor<64x64x!tile.ptr<f16>>
    %s3 = tile.dot %v3, %one, %s2 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b4 = tile.splat %a4 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p4 = tile.addptr %b4, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v4 = tile.load %p4 : tensor<64x64x!tile.ptr<f16>>
    %s4 = tile.dot %v4, %one, %s3 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b5 = tile.splat %a5 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p5 = tile.addptr %b5, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v5 = tile.load %p5 : tensor<64x64x!tile.ptr<f16>>
    %s5 = tile.dot %v5, %one, %s4 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b6 = tile.splat %a6 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p6 = tile.addptr %b6, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v6 = tile.load %p6 : tensor<64x64x!tile.ptr<f16>>
    %s6 = tile.dot %v6, %one, %s5 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b7 = tile.splat %a7 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p7 = tile.addptr %b7, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v7 = tile.load %p7 : tensor<64x64x!tile.ptr<f16>>
    %s7 = tile.dot %v7, %one, %s6 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b8 = tile.splat %a8 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p8 = tile.addptr %b8, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v8 = tile.load %p8 : tensor<64x64x!tile.ptr<f16>>
    %s8 = tile.dot %v8, %one, %s7 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b9 = tile.splat %a9 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p9 = tile.addptr %b9, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v9 = tile.load %p9 : tensor<64x64x!tile.ptr<f16>>
    %s9 = tile.dot %v9, %one, %s8 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b10 = tile.splat %a10 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p10 = tile.addptr %b10, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v10 = tile.load %p10 : tensor<64x64x!tile.ptr<f16>>
    %s10 = tile.dot %v10, %one, %s9 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b11 = tile.splat %a11 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p11 = tile.addptr %b11, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v11 = tile.load %p11 : tensor<64x64x!tile.ptr<f16>>
    %s11 = tile.dot %v11, %one, %s10 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b12 = tile.splat %a12 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p12 = tile.addptr %b12, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v12 = tile.load %p12 : tensor<64x64x!tile.ptr<f16>>
    %s12 = tile.dot %v12, %one, %s11 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b13 = tile.splat %a13 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p13 = tile.addptr %b13, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v13 = tile.load %p13 : tensor<64x64x!tile.ptr<f16>>
    %s13 = tile.dot %v13, %one, %s12 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b14 = tile.splat %a14 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p14 = tile.addptr %b14, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v14 = tile.load %p14 : tensor<64x64x!tile.ptr<f16>>
    %s14 = tile.dot %v14, %one, %s13 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b15 = tile.splat %a15 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p15 = tile.addptr %b15, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v15 = tile.load %p15 : tensor<64x64x!tile.ptr<f16>>
    %s15 = tile.dot %v15, %one, %s14 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b16 = tile.splat %a16 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p16 = tile.addptr %b16, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v16 = tile.load %p16 : tensor<64x64x!tile.ptr<f16>>
    %s16 = tile.dot %v16, %one, %s15 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b17 = tile.splat %a17 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p17 = tile.addptr %b17, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v17 = tile.load %p17 : tensor<64x64x!tile.ptr<f16>>
    %s17 = tile.dot %v17, %one, %s16 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b18 = tile.splat %a18 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p18 = tile.addptr %b18, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v18 = tile.load %p18 : tensor<64x64x!tile.ptr<f16>>
    %s18 = tile.dot %v18, %one, %s17 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b19 = tile.splat %a19 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p19 = tile.addptr %b19, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v19 = tile.load %p19 : tensor<64x64x!tile.ptr<f16>>
    %s19 = tile.dot %v19, %one, %s18 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b20 = tile.splat %a20 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p20 = tile.addptr %b20, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected at most 20 different descriptors in a kernel, found more}}
    %v20 = tile.load %p20 : tensor<64x64x!tile.ptr<f16>>
    %s20 = tile.dot %v20, %one, %s19 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %b21 = tile.splat %a21 : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %p21 = tile.addptr %b21, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    // expected-remark @+1 {{stays an access through pointers: expected at most 20 different descriptors in a kernel, found more}}
    %v21 = tile.load %p21 : tensor<64x64x!tile.ptr<f16>>
    %s21 = tile.dot %v21, %one, %s20 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %p_again = tile.addptr %p0, %cols64 : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %again = tile.load %p_again : tensor<64x64x!tile.ptr<f16>>
    %last = tile.dot %again, %one, %s21 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %last : tensor<64x64xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %o = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %o, %r64 : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %total : tensor<64x!tile.ptr<f32>>
  tile.return
}
