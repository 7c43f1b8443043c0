// Rows by index, which threads load in rings of their own, and behind them a product whose operands could be boxes: they are
// where shared memory has room for two steps of both, and else all are loads by threads, since no warp could copy ahead.
// RUN: sed 's/KA/128/g' %s | tile-opt --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16,2/16},tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>/dev/null | FileCheck %s --check-prefix=ROOM
// RUN: sed 's/KA/256/g' %s | tile-opt --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16,2/16},tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>&1 | FileCheck %s --check-prefix=NONE
// ROOM-LABEL: tile.func @prefixed
// ROOM: scf.for
// ROOM: tile.load {{.*}} : tensor<128x128x!tile.ptr<f16>>
// ROOM: scf.for
// ROOM-COUNT-2: tile.desc_load
// NONE: stays an access through pointers: expected room for two steps' boxes beside what threads copy, found less
// NONE-LABEL: tile.func @prefixed
// NONE-NOT: tile.desc_load
// NONE: tile.return
tile.func @prefixed(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %ids: !tile.ptr<i32>, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %weights = arith.constant dense<1.0> : tensor<KAx128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %first = scf.for %j = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> tensor<128x128xf32> : i32 {
    %pi = tile.expr %ids + (%j * 128 + arange(128))
    %id = tile.load %pi
    %pa = tile.expr %a + (col(%id) * KA + row(arange(KA)))
    %x = tile.load %pa
    %d = tile.dot %x, %weights, %acc
    scf.yield %d : tensor<128x128xf32>
  }
  %second = scf.for %j = %c0 to %c8 step %c1 iter_args(%acc = %first) -> tensor<128x128xf32> : i32 {
    %pb = tile.expr %b + (col(arange(128)) * 512 + row(%j * 64 + arange(64)))
    %pc = tile.expr %c + (col(%j * 64 + arange(64)) * 128 + row(arange(128)))
    %y = tile.load %pb
    %z = tile.load %pc
    %d = tile.dot %y, %z, %acc
    scf.yield %d : tensor<128x128xf32>
  }
  %total = tile.reduce add %second axis 1
  %to = tile.expr %out + arange(128)
  tile.store %to, %total
  tile.return
}
