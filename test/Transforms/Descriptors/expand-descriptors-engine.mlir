// On sm_90a boxes that dots in loops read stay; others of theirs are read through pointers, with a remark.
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-expand-descriptors{num-warps=4}))' | FileCheck %s

// CHECK-LABEL: tile.func @stays
tile.func @stays(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.desc_load
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.return
}

// -----

// Padding is for pointers: 48 rows become 64 there, and perhaps a box again.
// CHECK-LABEL: tile.func @padding
tile.func @padding(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<48x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<48x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<48x16xf32> : i32 {
    // CHECK: tile.load {{.*}} : tensor<48x64x!tile.ptr<f16>>
    // expected-remark @+1 {{box is read through pointers: expected extents that are powers of two}}
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<48x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<48x64xf16>, tensor<64x16xf16> -> tensor<48x16xf32>
    scf.yield %m : tensor<48x16xf32>
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.func @strides
tile.func @strides(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.load
    // expected-remark @+1 {{box is read through pointers: expected strides that are multiples of 16 bytes}}
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.return
}

// -----

// The host knows nothing of an array whose address the kernel loads.
// CHECK-LABEL: tile.func @unknown
tile.func @unknown(%list: !tile.ptr<!tile.ptr<f16>>, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %p = tile.load %list {tile.divisibility = array<i64: 16>} : !tile.ptr<!tile.ptr<f16>>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>>
    // expected-remark @+1 {{box is read through pointers: expected a descriptor made of kernel arguments}}
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.return
}

// -----

// A loop's boxes are there before it goes on to a barrier, and stay; behind one, and where one is in the loop, the
// engine would read ahead of what the program waits for.
// CHECK-LABEL: tile.func @barriers
tile.func @barriers(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.desc_load
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.barrier
  // CHECK: tile.barrier
  // CHECK-NOT: tile.desc_load
  // CHECK: tile.load
  // CHECK: tile.dot
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> tensor<64x16xf32> : i32 {
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.print "sum" %q : tensor<64x16xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.func @barrier_around
// CHECK-NOT: tile.desc_load
// CHECK: tile.load
// CHECK: tile.return
tile.func @barrier_around(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  scf.for %j = %c0 to %n step %c1 : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
      %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
      %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
      scf.yield %m : tensor<64x16xf32>
    }
    tile.print "sum" %r : tensor<64x16xf32>
    tile.barrier
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.func @short_rows
tile.func @short_rows(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<4x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x4xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.load
    // expected-remark @+1 {{box is read through pointers: expected rows of 16 bytes or more}}
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x4xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x4xf16>, tensor<4x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.return
}

// -----

// CHECK-LABEL: tile.func @base
tile.func @base(%p: !tile.ptr<f16>, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.load
    // expected-remark @+1 {{box is read through pointers: expected a base that is a multiple of 16 bytes}}
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.return
}

// -----

// The engine ends a box that begins within 16 bytes of its rows by an illegal instruction.
// CHECK-LABEL: tile.func @within
tile.func @within(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> : i32 {
    // CHECK: tile.load
    // expected-remark @+1 {{box is read through pointers: expected rows that begin at multiples of 16 bytes, found no such fact}}
    %a = tile.desc_load %d[%c0, %i] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %m : tensor<64x16xf32>
  }
  tile.return
}

// -----

// What sums are multiplied by behind their loop comes by the engine as well, ahead of them. What lies in front of the loop, is
// no sum's, or is more than a quarter of shared memory, does not.
// CHECK-LABEL: tile.func @beside
tile.func @beside(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %s: i64 {tile.divisibility = 8 : i32}, %wide: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %b: tensor<64x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %more: tensor<64x256x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %w = tile.make_desc %wide, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x256xf32>
  // CHECK: tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>>
  // CHECK: scf.for
  %first = tile.desc_load %d[%c1, %c0] : !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %m : tensor<64x64xf32>
  }
  // CHECK: tile.dot
  // CHECK: tile.desc_load
  // CHECK: tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>>
  // CHECK: tile.load {{.*}} : tensor<64x256x!tile.ptr<f32>>
  // CHECK: tile.return
  %gate = tile.desc_load %d[%c0, %c0] : !tile.desc<64x64xf16>
  %other = tile.desc_load %d[%c1, %c0] : !tile.desc<64x64xf16>
  %large = tile.desc_load %w[%c0, %c0] : !tile.desc<64x256xf32>
  %sum = arith.addf %first, %gate : tensor<64x64xf16>
  %f = arith.extf %sum : tensor<64x64xf16> to tensor<64x64xf32>
  %x = arith.mulf %r, %f : tensor<64x64xf32>
  tile.store %to, %x : tensor<64x64x!tile.ptr<f32>>
  %y = arith.extf %other : tensor<64x64xf16> to tensor<64x64xf32>
  tile.store %to, %y : tensor<64x64x!tile.ptr<f32>>
  %bb = arith.constant dense<1.0> : tensor<64x256xf16>
  %z = arith.constant dense<0.0> : tensor<64x256xf32>
  %e = tile.dot %b, %bb, %z : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
  %v = arith.mulf %e, %large : tensor<64x256xf32>
  tile.store %more, %v : tensor<64x256x!tile.ptr<f32>>
  tile.return
}

// -----

// What a box holds arrives when nobody waits for it: where the program adds to the array, or reads it again, threads store.
// CHECK-LABEL: tile.func @added
tile.func @added(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %e: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}, %s: i64 {tile.divisibility = 8 : i32}, %b: tensor<64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %to = tile.make_desc %c, [%n, %n], [%s] : !tile.ptr<f32> -> !tile.desc<64x64xf32>
  %other = tile.make_desc %e, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    // CHECK: tile.desc_load
    %a = tile.desc_load %d[%i, %c0] : !tile.desc<64x64xf16>
    %m = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %m : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  // CHECK: tile.store
  // CHECK: tile.desc_store {{.*}} {add}
  // CHECK: tile.desc_store
  tile.desc_store %to[%c0, %c0], %r : !tile.desc<64x64xf32>
  tile.desc_store %to[%c0, %c0], %r {add} : !tile.desc<64x64xf32>
  tile.desc_store %other[%c0, %c0], %h : !tile.desc<64x64xf16>
  tile.return
}
