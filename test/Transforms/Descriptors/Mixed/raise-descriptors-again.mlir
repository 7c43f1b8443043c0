// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' | FileCheck %s

// What a later step loads has to be there, and a box leaves by itself: sums that each step adds to stay where threads load and
// store them, though what is multiplied comes as boxes.
// CHECK-LABEL: tile.func @again
// CHECK: tile.desc_load
// CHECK: %[[BEFORE:.*]] = tile.load
// CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]]
// CHECK: tile.store %{{.*}}, %[[SUM]]
tile.func @again(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: tensor<256x64xf16>, %sums: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  scf.for %first = %c0 to %k step %c64 : i32 {
    scf.for %at = %c0 to %k step %c64 : i32 {
      %p = tile.expr %a + (%row * %k + row(%at + arange(256)))
      %x = tile.load %p
      %t = tile.dot %x, %b, %zero
      %q = tile.expr %sums + (%row * %k + row(%at + arange(64)))
      %before = tile.load %q
      %half = arith.truncf %t : tensor<128x64xf32> to tensor<128x64xf16>
      %sum = arith.addf %before, %half : tensor<128x64xf16>
      // expected-remark @+1 {{stays an access through pointers: expected an array that the program does not read again or add to, found one}}
      tile.store %q, %sum
    }
  }
  tile.return
}

// So is what threads add to behind the store: the box may arrive later than the sums.
// CHECK-LABEL: tile.func @added
// CHECK: tile.desc_load
// CHECK: tile.store
// CHECK: tile.atomic_rmw
tile.func @added(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: tensor<64x64xf16>, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(arange(128))
  %r = scf.for %at = %c0 to %k step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %p = tile.expr %a + (%row * %k + row(%at + arange(64)))
    %x = tile.load %p
    %t = tile.dot %x, %b, %acc
    scf.yield %t : tensor<128x64xf32>
  }
  %half = arith.truncf %r : tensor<128x64xf32> to tensor<128x64xf16>
  %q = tile.expr %c + (%row * %k + row(arange(64)))
  // expected-remark @+1 {{stays an access through pointers: expected an array that the program does not read again or add to, found one}}
  tile.store %q, %half
  %old = tile.atomic_rmw fadd relaxed gpu %q, %half : tensor<128x64x!tile.ptr<f16>>
  tile.return
}
