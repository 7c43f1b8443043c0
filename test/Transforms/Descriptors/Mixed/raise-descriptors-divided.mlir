// Two loops of products, one behind the other: the second one waits for each product and so has no boxes. Those of the first
// one's short steps would leave a multiprocessor one block, which waits in both; and no room for copies of the second one's, where
// that multiplies as long in a step. Of a program of one warp group those of longer steps than the other loop's stay boxes.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=4},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=ONE

// CHECK-DAG: remark: stays an access through pointers: expected products that take longer in a step that waits for them, found others
// CHECK-DAG: remark: stays an access through pointers: expected longer steps than those of a loop whose operands threads load, found others
// CHECK-LABEL: tile.func @states
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// ONE-LABEL: tile.func @states
// ONE-NOT: tile.desc_load
// ONE: tile.return
tile.func @states(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %row = tile.expr col(arange(64))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %pa = tile.expr %a + (%row * %n + row(%at + arange(64)))
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %scores = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  scf.for %at = %c0 to %k step %c64 : i32 {
    %pv = tile.expr %v + (%row * %n + row(%at + arange(64)))
    %w = tile.load %pv
    %t = tile.dot %scores, %w, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %h = arith.truncf %t : tensor<64x64xf32> to tensor<64x64xf16>
    %po = tile.expr %out + (%row * %n + row(%at + arange(64)))
    tile.store %po, %h
  }
  tile.return
}

// CHECK-LABEL: tile.func @longer
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// ONE-LABEL: tile.func @longer
// ONE-COUNT-2: tile.desc_load
tile.func @longer(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 64 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %row = tile.expr col(arange(64))
  %sum = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %pa = tile.expr %a + (%row * %n + row(%at + arange(64)))
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %scores = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  scf.for %at = %c0 to %k step %c64 : i32 {
    %pv = tile.expr %v + (%row * %n + row(%at + arange(32)))
    %w = tile.load %pv
    %t = tile.dot %scores, %w, %none : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    %h = arith.truncf %t : tensor<64x32xf32> to tensor<64x32xf16>
    %po = tile.expr %out + (%row * %n + row(%at + arange(32)))
    tile.store %po, %h
  }
  tile.return
}
