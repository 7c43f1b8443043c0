// What masks and the ways to a choice may look like, and what is left of each.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-choose-pointers,canonicalize,cse))' 2>/dev/null | FileCheck %s

// Up to a number, and above it: all that there are.
// CHECK-LABEL: tile.func @up_to
// CHECK-SAME: %[[IN:[^ :]*]]: tensor<64xi1>
// CHECK: tile.load %{{.*}}, %[[IN]], %{{.*}}
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @up_to(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi sle, %i, %b : tensor<64xi32>
  %last = arith.cmpi sgt, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Loads that caches treat differently are one that says nothing.
// CHECK-LABEL: tile.func @evicted
// CHECK: tile.load
// CHECK-NOT: evict
// CHECK: tile.return
tile.func @evicted(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero evict last : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero evict first : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// An equality is no range: the mask says where one of the two is read.
// CHECK-LABEL: tile.func @equal
// CHECK: %[[ANY:.*]] = arith.ori
// CHECK: %[[MASK:.*]] = arith.andi %[[ANY]], %{{.*}}
// CHECK: tile.load %{{.*}}, %[[MASK]], %{{.*}}
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @equal(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi eq, %i, %b : tensor<64xi32>
  %last = arith.cmpi sgt, %i, %b : tensor<64xi32>
  %m0 = arith.andi %in, %first : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Nor are ranges of two values one, nor bounds that are no constants.
// CHECK-LABEL: tile.func @of_two
// CHECK: arith.ori
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @of_two(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>, %j: tensor<64xi32>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %j, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @up_to_argument
// CHECK: arith.ori
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @up_to_argument(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>, %n: tensor<64xi32>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %n : tensor<64xi32>
  %last = arith.cmpi sge, %i, %n : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A mask of more than eight truths is not known.
// CHECK-LABEL: tile.func @many_truths
// CHECK-COUNT-2: tile.load
// CHECK: tile.return
tile.func @many_truths(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>, %a0: tensor<64xi1>, %a1: tensor<64xi1>, %a2: tensor<64xi1>, %a3: tensor<64xi1>, %a4: tensor<64xi1>, %a5: tensor<64xi1>, %a6: tensor<64xi1>, %a7: tensor<64xi1>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %t0 = arith.andi %in, %a0 : tensor<64xi1>
  %t1 = arith.andi %t0, %a1 : tensor<64xi1>
  %t2 = arith.andi %t1, %a2 : tensor<64xi1>
  %t3 = arith.andi %t2, %a3 : tensor<64xi1>
  %t4 = arith.andi %t3, %a4 : tensor<64xi1>
  %t5 = arith.andi %t4, %a5 : tensor<64xi1>
  %t6 = arith.andi %t5, %a6 : tensor<64xi1>
  %t7 = arith.andi %t6, %a7 : tensor<64xi1>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %t7 : tensor<64xi1>
  %m1 = arith.andi %last, %t7 : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A load that stands for more than its value stays, and so do those that a branch or a loop stands behind.
// CHECK-LABEL: tile.func @cached
// CHECK-COUNT-2: tile.load
// CHECK: tile.return
tile.func @cached(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero cache cv : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @branch
// CHECK-COUNT-2: tile.load
// CHECK: tile.return
tile.func @branch(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  scf.if %c {
    tile.store %out, %zero, %in : tensor<64x!tile.ptr<f32>>
  }
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// What is taken of an arm are its own elements, not those of others.
// CHECK-LABEL: tile.func @turned
// CHECK-COUNT-2: tile.load
// CHECK: tile.return
tile.func @turned(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %w = tile.reshape %y : tensor<64xf32> -> tensor<8x8xf32>
  %wt = tile.trans %w order [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %u = tile.reshape %wt : tensor<8x8xf32> -> tensor<64xf32>
  %v = arith.select %first, %x, %u : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// An arm may be computed of several ops that read the same.
// CHECK-LABEL: tile.func @squares
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @squares(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %yy = arith.mulf %y, %y : tensor<64xf32>
  %u = arith.addf %yy, %y : tensor<64xf32>
  %v = arith.select %first, %x, %u : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// What nobody takes decides nothing.
// CHECK-LABEL: tile.func @unread
// CHECK-COUNT-2: tile.load
// CHECK: tile.return
tile.func @unread(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %i: tensor<64xi32>, %in: tensor<64xi1>,
    %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %b = arith.constant dense<10> : tensor<64xi32>
  %first = arith.cmpi slt, %i, %b : tensor<64xi32>
  %last = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m0 = arith.andi %first, %in : tensor<64xi1>
  %m1 = arith.andi %last, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %zero : tensor<64x!tile.ptr<f32>>
  %d = arith.mulf %y, %y : tensor<64xf32>
  %v = arith.select %first, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
