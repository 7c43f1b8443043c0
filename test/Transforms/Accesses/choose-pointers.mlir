// What is put together of several arrays is loaded once, through the pointer of the one that it is taken from.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-choose-pointers,canonicalize,cse))' | FileCheck %s

// Three arrays side by side, as torch.compile writes it: one load, under the mask that all share, and of the bounds one
// for each but the last.
// CHECK-LABEL: tile.func @cat
// CHECK-SAME: %[[IN:[^ :]*]]: tensor<64xi1>
// CHECK-DAG: %[[FIRST:.*]] = arith.cmpi slt, %[[I:[^ ,]*]], %{{.*}} : tensor<64xi32>
// CHECK-DAG: %[[SECOND:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : tensor<64xi32>
// CHECK: arith.select %[[SECOND]], %{{.*}}, %{{.*}} : tensor<64xi1>, tensor<64x!tile.ptr<f32>>
// CHECK: arith.select %[[FIRST]], %{{.*}}, %{{.*}} : tensor<64xi1>, tensor<64x!tile.ptr<f32>>
// CHECK: %[[X:.*]] = tile.load %{{.*}}, %[[IN]], %{{.*}} evict last
// CHECK-NOT: tile.load
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[Z:.*]] = arith.select %[[SECOND]], %[[Y]], %[[X]]
// CHECK: arith.select %[[FIRST]], %[[X]], %[[Z]]
tile.func @cat(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %i: tensor<64xi32>, %in: tensor<64xi1>,
               %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %c = arith.constant dense<30> : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %rs = tile.splat %r : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %p0 = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %x = tile.load %p0, %m0, %zero evict last : tensor<64x!tile.ptr<f32>>
  %from = arith.cmpi sge, %i, %b : tensor<64xi32>
  %to = arith.cmpi slt, %i, %c : tensor<64xi32>
  %second = arith.andi %from, %to : tensor<64xi1>
  %m1 = arith.andi %second, %in : tensor<64xi1>
  %j = arith.subi %i, %b : tensor<64xi32>
  %q0 = tile.addptr %qs, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %y = tile.load %q0, %m1, %zero evict last : tensor<64x!tile.ptr<f32>>
  %yy = arith.mulf %y, %y : tensor<64xf32>
  %last = arith.cmpi sge, %i, %c : tensor<64xi32>
  %m2 = arith.andi %last, %in : tensor<64xi1>
  %k = arith.subi %i, %c : tensor<64xi32>
  %r0 = tile.addptr %rs, %k : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %z = tile.load %r0, %m2, %zero evict last : tensor<64x!tile.ptr<f32>>
  %u = arith.select %second, %yy, %z : tensor<64xi1>, tensor<64xf32>
  %v = arith.select %first, %x, %u : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Between the two arrays is a gap: the mask says where one of them is read. What lies where both lie is no choice.
// CHECK-LABEL: tile.func @gap
// CHECK-SAME: %[[INSIDE:[^ :]*]]: tensor<64xi1>
// CHECK: %[[ANY:.*]] = arith.ori %[[LOW:.*]], %[[HIGH:.*]] : tensor<64xi1>
// CHECK: %[[MASK:.*]] = arith.andi %[[ANY]], %[[INSIDE]]
// CHECK: tile.load %{{.*}}, %[[MASK]]
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @gap(%p: tensor<64x!tile.ptr<i32>>, %q: tensor<64x!tile.ptr<i32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
               %out: tensor<64x!tile.ptr<i32>>) {
  %seven = arith.constant dense<7> : tensor<64xi32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %c = arith.constant dense<30> : tensor<64xi32>
  %low = arith.cmpi slt, %i, %b : tensor<64xi32>
  %m0 = arith.andi %low, %in : tensor<64xi1>
  %x = tile.load %p, %m0 : tensor<64x!tile.ptr<i32>>
  %high = arith.cmpi sge, %i, %c : tensor<64xi32>
  %m1 = arith.andi %in, %high : tensor<64xi1>
  %y = tile.load %q, %m1 : tensor<64x!tile.ptr<i32>>
  %u = arith.select %high, %y, %seven : tensor<64xi1>, tensor<64xi32>
  %v = arith.select %low, %x, %u : tensor<64xi1>, tensor<64xi32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<i32>>
  tile.return
}

// An array beside one that is sampled up, of which two neighbours are one element: the first is read by 16 bytes, and stays so.
// CHECK-LABEL: tile.func @apart
// CHECK-COUNT-2: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @apart(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %b = arith.constant dense<32> : tensor<64xi32>
  %i = tile.arange : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %rs = tile.splat %r : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %p0 = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %x = tile.load %p0, %first, %zero : tensor<64x!tile.ptr<f32>>
  %half = arith.divui %i, %two : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %q0 = tile.addptr %qs, %half : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %y = tile.load %q0, %last, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  %r0 = tile.addptr %rs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %r0, %v : tensor<64x!tile.ptr<f32>>
  tile.return
}
