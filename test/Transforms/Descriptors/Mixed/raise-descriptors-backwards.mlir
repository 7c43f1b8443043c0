// Programs that are numbered from the last one, of a kernel whose grid the launch says: there are as many as it asks for, and
// no position is below 0. Of a program's number that is taken from something else nothing is known:
// its position is moved away from 0.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8}))' 2>&1 | FileCheck %s

// CHECK-NOT: remark

// CHECK-LABEL: tile.func @backwards
// CHECK-NOT: c67108864
// CHECK-LABEL: tile.func @other
// CHECK: tile.desc_load %{{.*}}[%c67108864

tile.func @backwards(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %c: !tile.ptr<f32>, %steps: i32) {
  %pid = tile.program_id z
  %count = tile.num_programs z
  %i = tile.expr %count - %pid - 1
  %row = tile.expr col(%i * 128 + arange(128))
  %column = tile.expr row(arange(128))
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %at = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (%row * 4096 + row(%at * 64 + arange(64)))
    %pb = tile.expr %b + (col(%at * 64 + arange(64)) * 128 + %column)
    %x = tile.load %pa
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %pt = tile.expr %c + (%i * 128 + arange(128))
  tile.store %pt, %sums
  tile.return
}

tile.func @other(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                 %c: !tile.ptr<f32>, %steps: i32) {
  %pid = tile.program_id z
  %count = tile.num_programs x
  %i = tile.expr %count - %pid - 1
  %row = tile.expr col(%i * 128 + arange(128))
  %column = tile.expr row(arange(128))
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %at = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %pa = tile.expr %a + (%row * 4096 + row(%at * 64 + arange(64)))
    %pb = tile.expr %b + (col(%at * 64 + arange(64)) * 128 + %column)
    %x = tile.load %pa
    %y = tile.load %pb
    %t = tile.dot %x, %y, %s
    scf.yield %t : tensor<128x128xf32>
  }
  %sums = tile.reduce add %sum axis 1
  %pt = tile.expr %c + (%i * 128 + arange(128))
  tile.store %pt, %sums
  tile.return
}
