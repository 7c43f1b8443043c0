// RUN: tile-opt %s -split-input-file --pass-pipeline='builtin.module(tile.func(tile-join-accesses,cse))' -verify-diagnostics | FileCheck %s

// Neighbours that stay two accesses, and why.

// CHECK-LABEL: tile.func @odd
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @odd(%x: !tile.ptr<f32> {tile.divisibility = 4 : i32}, %y: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  // expected-remark @+1 {{access of neighbours is not joined: the first of the two is not known to begin at a multiple of both}}
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// What is written in between may be what the second one reads.
// CHECK-LABEL: tile.func @written
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @written(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  tile.store %q, %re : tensor<512x!tile.ptr<f32>>
  // expected-remark @+1 {{access of neighbours is not joined: memory is accessed between the two}}
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  // expected-remark @+1 {{access of neighbours is not joined: memory is accessed between the two}}
  tile.store %p, %im : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// Other masks, and neighbours that are no pairs: nothing to say.
// CHECK-LABEL: tile.func @strangers
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @strangers(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %limit = tile.splat %n : i32 -> tensor<512xi32>
  %mask = arith.cmpi slt, %lanes, %limit : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q, %mask : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// One element further on in another array.
// CHECK-LABEL: tile.func @elsewhere
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @elsewhere(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %beside = tile.splat %z : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %r = tile.addptr %beside, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %r, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// One element further on, and by a number that nobody knows.
// CHECK-LABEL: tile.func @further
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @further(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %ns = tile.splat %n : i32 -> tensor<512xi32>
  %r = tile.addptr %p, %ns : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %r, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// One of them is read once, and leaves the caches to others.
// CHECK-LABEL: tile.func @caches
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @caches(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p {evict = #tile<evict first>} : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// What is told of one alone.
// CHECK-LABEL: tile.func @told
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @told(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p {tile.contiguity = array<i64: 1>} : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// One gives 1 where its mask is off, the other one anything.
// CHECK-LABEL: tile.func @others
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<512x!tile.ptr<f32>>
tile.func @others(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %ns = tile.splat %n : i32 -> tensor<512xi32>
  %in = arith.cmpi slt, %lanes, %ns : tensor<512xi32>
  %ones = arith.constant dense<1.0> : tensor<512xf32>
  %re = tile.load %p, %in, %ones : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q, %in : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}
