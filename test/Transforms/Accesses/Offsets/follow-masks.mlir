// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-follow-masks,canonicalize))' | FileCheck %s
// RUN: tile-opt %examples/Layers/softmax.mlir --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize,tile.func(tile-expand-ops,canonicalize,cse,tile-follow-masks))' | FileCheck %s --check-prefix=GALLERY

// Places of the gallery that a mask leaves out point nowhere else.
// GALLERY-LABEL: tile.func @softmax
// GALLERY-NOT: arith.select
// GALLERY: tile.store

// A load, an add and a store whose masks imply what the choice asks: the place as it is.
// CHECK-LABEL: tile.func @all
// CHECK-NOT: arith.select
// CHECK: tile.return
tile.func @all(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %more: tensor<64xi1>) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %i = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %seen = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %safe = arith.select %seen, %i, %zero : tensor<64xi1>, tensor<64xi32>
  %twice = arith.muli %safe, %two : tensor<64xi32>
  %mask = arith.andi %seen, %more : tensor<64xi1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %twice : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %xp, %mask, %none : tensor<64x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %safe : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %yp, %v, %seen : tensor<64x!tile.ptr<f32>>
  %old = tile.atomic_rmw fadd relaxed gpu %xp, %v, %mask : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Rows that are chosen, and spread: the mask is the same, spread alike. What asks for several
// truths is implied where each is.
// CHECK-LABEL: tile.func @rows
// CHECK-NOT: arith.select
// CHECK: tile.return
tile.func @rows(%x: !tile.ptr<f32>, %n: i32, %also: tensor<16xi1>, %columns: tensor<16x32xi1>) {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %pitch = arith.constant dense<32> : tensor<16x32xi32>
  %none = arith.constant dense<0.0> : tensor<16x32xf32>
  %i = tile.arange : tensor<16xi32>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %below = arith.cmpi slt, %i, %ns : tensor<16xi32>
  %seen = arith.andi %below, %also : tensor<16xi1>
  %safe = arith.select %seen, %i, %zero : tensor<16xi1>, tensor<16xi32>
  %column = tile.expand_dims %safe axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %spread = tile.broadcast %column : tensor<16x1xi32> -> tensor<16x32xi32>
  %rows = arith.muli %spread, %pitch : tensor<16x32xi32>
  %s = tile.expand_dims %seen axis 1 : tensor<16xi1> -> tensor<16x1xi1>
  %ss = tile.broadcast %s : tensor<16x1xi1> -> tensor<16x32xi1>
  %mask = arith.andi %columns, %ss : tensor<16x32xi1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %rows : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %v = tile.load %xp, %mask, %none : tensor<16x32x!tile.ptr<f32>>
  tile.store %xp, %v, %mask : tensor<16x32x!tile.ptr<f32>>
  tile.return
}

// Another mask, no mask, and a place that is stored as a number: the choice stays.
// CHECK-LABEL: tile.func @seen
// CHECK-COUNT-3: arith.select
tile.func @seen(%x: !tile.ptr<i32>, %a: tensor<64xi1>, %b: tensor<64xi1>) {
  %zero = arith.constant dense<0> : tensor<64xi32>
  %i = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %p0 = arith.select %a, %i, %zero : tensor<64xi1>, tensor<64xi32>
  %xp = tile.addptr %xs, %p0 : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %xp, %zero, %b : tensor<64x!tile.ptr<i32>>
  %one = arith.constant dense<1> : tensor<64xi32>
  %p1 = arith.select %a, %i, %one : tensor<64xi1>, tensor<64xi32>
  %xq = tile.addptr %xs, %p1 : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %v = tile.load %xq : tensor<64x!tile.ptr<i32>>
  %p2 = arith.select %b, %i, %one : tensor<64xi1>, tensor<64xi32>
  %xr = tile.addptr %xs, %p2 : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %xr, %p2, %b : tensor<64x!tile.ptr<i32>>
  tile.store %xs, %v : tensor<64x!tile.ptr<i32>>
  tile.return
}

// Pointers that are chosen are places, too.
// CHECK-LABEL: tile.func @pointers
// CHECK-NOT: arith.select
// CHECK: tile.store %arg0
tile.func @pointers(%p: tensor<64x!tile.ptr<i32>>, %q: tensor<64x!tile.ptr<i32>>, %seen: tensor<64xi1>) {
  %safe = arith.select %seen, %p, %q : tensor<64xi1>, tensor<64x!tile.ptr<i32>>
  %i = tile.arange : tensor<64xi32>
  tile.store %safe, %i, %seen : tensor<64x!tile.ptr<i32>>
  tile.return
}

// Rows whose mask lies along the columns, and a choice between whole tiles: both stay.
// CHECK-LABEL: tile.func @across
// CHECK-COUNT-2: arith.select
tile.func @across(%x: tensor<16x16x!tile.ptr<i32>>, %seen: tensor<16xi1>, %all: i1) {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %zeros = arith.constant dense<0> : tensor<16x16xi32>
  %i = tile.arange : tensor<16xi32>
  %safe = arith.select %seen, %i, %zero : tensor<16xi1>, tensor<16xi32>
  %column = tile.expand_dims %safe axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %rows = tile.broadcast %column : tensor<16x1xi32> -> tensor<16x16xi32>
  %s = tile.expand_dims %seen axis 0 : tensor<16xi1> -> tensor<1x16xi1>
  %mask = tile.broadcast %s : tensor<1x16xi1> -> tensor<16x16xi1>
  %xp = tile.addptr %x, %rows : tensor<16x16x!tile.ptr<i32>>, tensor<16x16xi32>
  tile.store %xp, %zeros, %mask : tensor<16x16x!tile.ptr<i32>>
  %either = arith.select %all, %rows, %zeros : tensor<16x16xi32>
  %xq = tile.addptr %x, %either : tensor<16x16x!tile.ptr<i32>>, tensor<16x16xi32>
  tile.store %xq, %zeros, %mask : tensor<16x16x!tile.ptr<i32>>
  tile.return
}
