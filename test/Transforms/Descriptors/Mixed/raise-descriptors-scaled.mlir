// Operands that threads compute with what they load themselves, and programs that leave early.
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s

// Weights of 8 bits with a scale for each column in a step: a product of 128 x 64 x 64 is done soon, and nothing becomes a box.
// CHECK-LABEL: tile.func @scaled
// CHECK-NOT: tile.make_desc
// CHECK: tile.return
tile.func @scaled(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %scales: !tile.ptr<f16>, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    // expected-remark @+1 {{expected operands of boxes alone, or products that take longer, found operands that threads compute with what they load}}
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    // expected-remark @+1 {{expected operands of boxes alone, or products that take longer, found operands that threads compute with what they load}}
    %y = tile.load %pb
    %ps = tile.expr %scales + (%at + arange(64))
    %f = tile.load %ps
    %w = arith.sitofp %y : tensor<64x64xi8> to tensor<64x64xf16>
    %of = tile.expand_dims %f axis 0 : tensor<64xf16> -> tensor<1x64xf16>
    %all = tile.broadcast %of : tensor<1x64xf16> -> tensor<64x64xf16>
    %v = arith.mulf %w, %all : tensor<64x64xf16>
    %t = tile.dot %x, %v, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %t : tensor<128x64xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %po = tile.expr %out + arange(128)
  tile.store %po, %sums
  tile.return
}

// -----

// States of chunks: a step scales its sums by a gate, and the values by others. No product waits for another one, and
// those are done soon: pointers.
// CHECK-LABEL: tile.func @states
// CHECK-NOT: tile.make_desc
// CHECK: tile.return
tile.func @states(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %gates: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    // expected-remark @+1 {{expected operands of boxes alone, or products that take longer, found operands that threads compute with what they load}}
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    // expected-remark @+1 {{expected operands of boxes alone, or products that take longer, found operands that threads compute with what they load}}
    %y = tile.load %pb
    %ps = tile.expr %gates + (%at + arange(64))
    %g = tile.load %ps
    %pl = tile.addptr %gates, %at : !tile.ptr<f32>, i32
    %last = tile.load %pl : !tile.ptr<f32>
    %f = arith.truncf %g : tensor<64xf32> to tensor<64xf16>
    %of = tile.expand_dims %f axis 1 : tensor<64xf16> -> tensor<64x1xf16>
    %all = tile.broadcast %of : tensor<64x1xf16> -> tensor<64x64xf16>
    %v = arith.mulf %y, %all : tensor<64x64xf16>
    %fall = tile.splat %last : f32 -> tensor<128x64xf32>
    %left = arith.mulf %s, %fall : tensor<128x64xf32>
    %t = tile.dot %x, %v, %left : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %t : tensor<128x64xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %po = tile.expr %out + arange(128)
  tile.store %po, %sums
  tile.return
}

// -----

// Without scales both are boxes; so they are with them where a step takes longer (128 x 256 x 128).
// CHECK-LABEL: tile.func @converted
// CHECK-COUNT-2: tile.desc_load
tile.func @converted(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(64)))
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    %y = tile.load %pb
    %w = arith.sitofp %y : tensor<64x64xi8> to tensor<64x64xf16>
    %t = tile.dot %x, %w, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %t : tensor<128x64xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %po = tile.expr %out + arange(128)
  tile.store %po, %sums
  tile.return
}

// -----

// CHECK-LABEL: tile.func @longer
// CHECK-COUNT-2: tile.desc_load
tile.func @longer(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %scales: !tile.ptr<f16>, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 128 : i32}) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %row = tile.expr col(arange(128))
  %sum = scf.for %at = %c0 to %k step %c128 iter_args(%s = %zero) -> (tensor<128x256xf32>) : i32 {
    %pa = tile.expr %a + (%row * %k + row(%at + arange(128)))
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(128)) * %n + row(arange(256)))
    %y = tile.load %pb
    %ps = tile.expr %scales + (%at + arange(256))
    %f = tile.load %ps
    %w = arith.sitofp %y : tensor<128x256xi8> to tensor<128x256xf16>
    %of = tile.expand_dims %f axis 0 : tensor<256xf16> -> tensor<1x256xf16>
    %all = tile.broadcast %of : tensor<1x256xf16> -> tensor<128x256xf16>
    %v = arith.mulf %w, %all : tensor<128x256xf16>
    %t = tile.dot %x, %v, %s : tensor<128x128xf16>, tensor<128x256xf16> -> tensor<128x256xf32>
    scf.yield %t : tensor<128x256xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %po = tile.expr %out + arange(128)
  tile.store %po, %sums
  tile.return
}

// -----

// Most programs of a grid for the longest segment return early, by what they load. That is not given up for boxes of one operand,
// where threads gather the other one and compute with it.
// CHECK-LABEL: tile.func @segments
// CHECK-NOT: tile.make_desc
// CHECK: scf.if
// CHECK: scf.for
tile.func @segments(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ids: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %out: !tile.ptr<f32>, %k: i32 {tile.divisibility = 64 : i32}) {
  %pid = tile.program_id x
  %count = tile.load %counts : !tile.ptr<i32>
  %outside = arith.cmpi sge, %pid, %count : i32
  scf.if %outside {
  } else {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %pi = tile.expr %ids + arange(128)
    %id = tile.load %pi
    %which = tile.load %ids : !tile.ptr<i32>
    %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
      %pa = tile.expr %a + (col(%id) * %k + row(%at + arange(64)))
      // expected-remark @+1 {{stays an access through pointers}}
      %x = tile.load %pa
      %h = arith.truncf %x : tensor<128x64xf32> to tensor<128x64xf16>
      %pb = tile.expr %b + ((%which * 128 + row(arange(128))) * %k + col(%at + arange(64)))
      // expected-remark @+1 {{stays an access through pointers}}
      %y = tile.load %pb
      %t = tile.dot %h, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %t : tensor<128x128xf32>
    }
    %sums = tile.reduce add %sum axis 1
    %po = tile.expr %out + arange(128)
    tile.store %po, %sums
  }
  tile.return
}
