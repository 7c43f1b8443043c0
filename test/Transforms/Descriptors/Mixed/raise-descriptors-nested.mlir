// Scores of parts of a depth, in a loop of two steps within one over blocks of keys: what is done between is long beside the
// products, and of a program of one warp group it is other blocks that run meanwhile, of which there are more without a warp
// that copies. Of eight steps boxes stay, and so they do where a program has two warp groups.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=4},canonicalize,cse))' 2>&1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=TWO

// CHECK-DAG: remark: stays an access through pointers: expected a loop of more steps within another one, or several warp groups, found few and one

// CHECK-LABEL: tile.func @two
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// TWO-LABEL: tile.func @two
// TWO: tile.desc_load
// TWO: tile.return
tile.func @two(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 128 : i32}) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %depth = arith.constant 256 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c128 : i32
  %row = tile.expr col(%first + arange(128)) * 256
  %o = scf.for %at = %c0 to %n step %c128 iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %s = scf.for %d = %c0 to %depth step %c128 iter_args(%sum = %none) -> (tensor<128x128xf32>) : i32 {
      %pq = tile.expr %q + (%row + row(%d + arange(128)))
      %x = tile.load %pq
      %pk = tile.expr %k + (col(%at + arange(128)) * 256 + row(%d + arange(128)))
      %y = tile.load %pk
      %yt = tile.trans %y order [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
      %t = tile.dot %x, %yt, %sum : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
      scf.yield %t : tensor<128x128xf32>
    }
    %p = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
    %pv = tile.expr %v + (col(%at + arange(128)) * 128 + row(arange(128)))
    %w = tile.load %pv
    %u = tile.dot %p, %w, %acc : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %u : tensor<128x128xf32>
  }
  %po = tile.expr %out + (col(%first + arange(128)) * 128 + row(arange(128)))
  tile.store %po, %o
  tile.return
}

// CHECK-LABEL: tile.func @eight
// CHECK: tile.desc_load
// CHECK: tile.return
// TWO-LABEL: tile.func @eight
// TWO: tile.desc_load
// TWO: tile.return
tile.func @eight(%q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 128 : i32}) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %depth = arith.constant 1024 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %pid = tile.program_id x
  %first = arith.muli %pid, %c128 : i32
  %row = tile.expr col(%first + arange(128)) * 1024
  %o = scf.for %at = %c0 to %n step %c128 iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %s = scf.for %d = %c0 to %depth step %c128 iter_args(%sum = %none) -> (tensor<128x128xf32>) : i32 {
      %pq = tile.expr %q + (%row + row(%d + arange(128)))
      %x = tile.load %pq
      %pk = tile.expr %k + (col(%at + arange(128)) * 1024 + row(%d + arange(128)))
      %y = tile.load %pk
      %yt = tile.trans %y order [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
      %t = tile.dot %x, %yt, %sum : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
      scf.yield %t : tensor<128x128xf32>
    }
    %p = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
    %pv = tile.expr %v + (col(%at + arange(128)) * 128 + row(arange(128)))
    %w = tile.load %pv
    %u = tile.dot %p, %w, %acc : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %u : tensor<128x128xf32>
  }
  %po = tile.expr %out + (col(%first + arange(128)) * 128 + row(arange(128)))
  tile.store %po, %o
  tile.return
}
