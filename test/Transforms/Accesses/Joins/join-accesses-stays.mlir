// RUN: tile-opt %s -split-input-file --pass-pipeline='builtin.module(tile.func(tile-join-accesses,cse))' -verify-diagnostics | FileCheck %s

// More neighbours that stay two accesses.

// Every other element, and the one two behind it.
// CHECK-LABEL: tile.func @two_apart
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func @two_apart(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f32>>) {
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<4> : tensor<64xi32>
  %apart = arith.constant dense<2> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %re = tile.load %p : tensor<64x!tile.ptr<f32>>
  %im = tile.load %q : tensor<64x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<64xf32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What is told of the second one alone.
// CHECK-LABEL: tile.func @told_of_the_second
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func @told_of_the_second(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f32>>) {
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.constant dense<1> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %re = tile.load %p : tensor<64x!tile.ptr<f32>>
  %im = tile.load %q {tile.extents = array<i64: 60>} : tensor<64x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<64xf32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// Two of 8 bytes are 16, and no element is.
// CHECK-LABEL: tile.func @wide
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<f64>>
tile.func @wide(%x: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f64>>) {
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.constant dense<1> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f64> -> tensor<64x!tile.ptr<f64>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f64>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f64>>, tensor<64xi32>
  %re = tile.load %p : tensor<64x!tile.ptr<f64>>
  %im = tile.load %q : tensor<64x!tile.ptr<f64>>
  %sum = arith.addf %re, %im : tensor<64xf64>
  tile.store %to, %sum : tensor<64x!tile.ptr<f64>>
  tile.return
}

// -----

// One is read where a condition says so.
// CHECK-LABEL: tile.func @in_a_branch
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func @in_a_branch(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f32>>, %c: i1) {
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.constant dense<1> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %re = tile.load %p : tensor<64x!tile.ptr<f32>>
  %sum = scf.if %c -> (tensor<64xf32>) {
    %im = tile.load %q : tensor<64x!tile.ptr<f32>>
    %both = arith.addf %re, %im : tensor<64xf32>
    scf.yield %both : tensor<64xf32>
  } else {
    scf.yield %re : tensor<64xf32>
  }
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What a branch writes between them may be what the second one reads.
// CHECK-LABEL: tile.func @written_in_a_branch
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func @written_in_a_branch(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f32>>, %c: i1) {
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.constant dense<1> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %re = tile.load %p : tensor<64x!tile.ptr<f32>>
  scf.if %c {
    tile.store %to, %re : tensor<64x!tile.ptr<f32>>
  }
  // expected-remark @+1 {{access of neighbours is not joined: memory is accessed between the two}}
  %im = tile.load %q : tensor<64x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<64xf32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What is read between two stores may be what the first one writes.
// CHECK-LABEL: tile.func @read_between
// CHECK: tile.store %{{.*}} : tensor<64x!tile.ptr<f32>>
// CHECK: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
// CHECK: tile.store %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func @read_between(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f32>>) {
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.constant dense<1> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %y = arith.constant dense<1.0> : tensor<64xf32>
  tile.store %p, %y : tensor<64x!tile.ptr<f32>>
  %z = tile.load %to : tensor<64x!tile.ptr<f32>>
  // expected-remark @+1 {{access of neighbours is not joined: memory is accessed between the two}}
  tile.store %q, %z : tensor<64x!tile.ptr<f32>>
  tile.return
}

// -----

// What they give where their mask is off follows from an argument behind the first one.
// CHECK-LABEL: tile.func @other_of_a_launch
// CHECK-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func @other_of_a_launch(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: tensor<64x!tile.ptr<f32>>, %in: tensor<64xi1>, %n: f32) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %lanes = tile.arange : tensor<64xi32>
  %scale = arith.constant dense<2> : tensor<64xi32>
  %apart = arith.constant dense<1> : tensor<64xi32>
  %far = arith.muli %lanes, %scale : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %base, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %q = tile.addptr %p, %apart : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %re = tile.load %p, %in, %zero : tensor<64x!tile.ptr<f32>>
  %one = tile.splat %n : f32 -> tensor<64xf32>
  // expected-remark @+1 {{access of neighbours is not joined: pointers of the first are made behind the second}}
  %im = tile.load %q, %in, %one : tensor<64x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<64xf32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}
