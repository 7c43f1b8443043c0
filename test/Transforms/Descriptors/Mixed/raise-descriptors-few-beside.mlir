// The same where threads load the tile in the loop, beside what its product reads: a sum of features, say, that divides the
// results.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s
// RUN: sed 's/constant 128/constant 512/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=MORE

// CHECK: remark: stays an access through pointers: expected a loop of more steps beside tiles that threads load, found few
// CHECK-LABEL: tile.func @features
// CHECK-NOT: tile.desc_load
// CHECK: tile.return
// MORE-LABEL: tile.func @features
// MORE-COUNT-2: tile.desc_load
tile.func @features(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %k = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128xf32>
  %row = tile.expr col(arange(128))
  %both:2 = scf.for %at = %c0 to %k step %c64 iter_args(%s = %zero, %t = %none) -> (tensor<128x64xf32>, tensor<128xf32>) : i32 {
    %pa = tile.expr %a + (%row * %n + row(%at + arange(64)))
    %x = tile.load %pa
    %pb = tile.expr %b + (col(%at + arange(64)) * %n + row(arange(64)))
    %y = tile.load %pb
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %pg = tile.expr %g + (%row * %n + row(%at + arange(64)))
    %z = tile.load %pg
    %r = tile.reduce add %z axis 1
    %more = arith.addf %t, %r : tensor<128xf32>
    scf.yield %d, %more : tensor<128x64xf32>, tensor<128xf32>
  }
  %ts = tile.expand_dims %both#1 axis 1 : tensor<128xf32> -> tensor<128x1xf32>
  %tb = tile.broadcast %ts : tensor<128x1xf32> -> tensor<128x64xf32>
  %o = arith.divf %both#0, %tb : tensor<128x64xf32>
  %sums = tile.reduce add %o axis 1
  %po = tile.expr %out + arange(128)
  tile.store %po, %sums
  tile.return
}
