// Attention whose step multiplies for 512 cycles, by two warp groups: each step waits for its products, and two blocks by threads have
// twice as many warps to compute meanwhile. Twice the keys in a step are boxes.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(canonicalize,tile-raise-descriptors))' 2>&1 | FileCheck %s

// CHECK: expected products that take longer in a step that waits for them, found others
// CHECK-LABEL: tile.func @short
// CHECK-NOT: tile.desc_load
// CHECK-LABEL: tile.func @halves
// CHECK-NOT: tile.desc_load
// CHECK-LABEL: tile.func @long
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: tile.desc_load

tile.func @short(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %bn = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %qo = tile.expr col(%m0 + arange(128)) * 64 + row(arange(64))
  %qp = tile.expr %q + %qo
  %x = tile.load %qp : tensor<128x64x!tile.ptr<f16>>
  %acc = scf.for %j = %c0 to %n step %bn iter_args(%s = %none) -> tensor<128x64xf32> : i32 {
    %ko = tile.expr col(%j + arange(64)) * 64 + row(arange(64))
    %kp = tile.expr %k + %ko
    %y = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %t = tile.trans %y order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %t, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %e = math.exp2 %d : tensor<128x64xf32>
    %h = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
    %vp = tile.expr %v + %ko
    %w = tile.load %vp : tensor<64x64x!tile.ptr<f16>>
    %o = tile.dot %h, %w, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %o : tensor<128x64xf32>
  }
  %op = tile.expr %out + %qo
  tile.store %op, %acc
  tile.return
}

// Scores in two halves of the depth, as where these are turned.
tile.func @halves(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %bn = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf32>
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %qo = tile.expr col(%m0 + arange(128)) * 128 + row(arange(64))
  %q0 = tile.expr %q + %qo
  %q1 = tile.expr %q + (%qo + 64)
  %x0 = tile.load %q0 : tensor<128x64x!tile.ptr<f16>>
  %x1 = tile.load %q1 : tensor<128x64x!tile.ptr<f16>>
  %acc = scf.for %j = %c0 to %n step %bn iter_args(%s = %none) -> tensor<128x128xf32> : i32 {
    %ko = tile.expr col(%j + arange(32)) * 128 + row(arange(64))
    %k0 = tile.expr %k + %ko
    %k1 = tile.expr %k + (%ko + 64)
    %y0 = tile.load %k0 : tensor<32x64x!tile.ptr<f16>>
    %y1 = tile.load %k1 : tensor<32x64x!tile.ptr<f16>>
    %t0 = tile.trans %y0 order [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
    %t1 = tile.trans %y1 order [1, 0] : tensor<32x64xf16> -> tensor<64x32xf16>
    %d0 = tile.dot %x0, %t0, %zero : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
    %d = tile.dot %x1, %t1, %d0 : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
    %e = math.exp2 %d : tensor<128x32xf32>
    %h = arith.truncf %e : tensor<128x32xf32> to tensor<128x32xf16>
    %vo = tile.expr col(%j + arange(32)) * 128 + row(arange(128))
    %vp = tile.expr %v + %vo
    %w = tile.load %vp : tensor<32x128x!tile.ptr<f16>>
    %o = tile.dot %h, %w, %s : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    scf.yield %o : tensor<128x128xf32>
  }
  %oo = tile.expr col(%m0 + arange(128)) * 128 + row(arange(128))
  %op = tile.expr %out + %oo
  tile.store %op, %acc
  tile.return
}

tile.func @long(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %bn = arith.constant 128 : i32
  %c128 = arith.constant 128 : i32
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %qo = tile.expr col(%m0 + arange(128)) * 64 + row(arange(64))
  %qp = tile.expr %q + %qo
  %x = tile.load %qp : tensor<128x64x!tile.ptr<f16>>
  %acc = scf.for %j = %c0 to %n step %bn iter_args(%s = %none) -> tensor<128x64xf32> : i32 {
    %ko = tile.expr col(%j + arange(128)) * 64 + row(arange(64))
    %kp = tile.expr %k + %ko
    %y = tile.load %kp : tensor<128x64x!tile.ptr<f16>>
    %t = tile.trans %y order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %t, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %d : tensor<128x128xf32>
    %h = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %vp = tile.expr %v + %ko
    %w = tile.load %vp : tensor<128x64x!tile.ptr<f16>>
    %o = tile.dot %h, %w, %s : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
    scf.yield %o : tensor<128x64xf32>
  }
  %op = tile.expr %out + %qo
  tile.store %op, %acc
  tile.return
}
