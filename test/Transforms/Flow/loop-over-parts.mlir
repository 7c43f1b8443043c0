// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-loop-over-parts,canonicalize,cse))' | FileCheck %s

// A row of 512 words a thread: both readers loop over 32 parts, and threads meet once.
// CHECK-LABEL: tile.func @normalize
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32>, %[[Y:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32
// CHECK-DAG: %[[PARTS:.*]] = arith.constant 32 : i32
// CHECK-DAG: %[[LENGTH:.*]] = arith.constant 2048 : i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: %[[E0:.*]] = math.exp %{{.*}} : tensor<2048xf32>
// CHECK: %[[ES:.*]] = scf.for %[[I:.*]] = %[[C1]] to %[[PARTS]] step %[[C1]] iter_args(%[[BEFORE:.*]] = %[[E0]]) -> (tensor<2048xf32>)
// CHECK: %[[FIRST:.*]] = arith.muli %[[I]], %[[LENGTH]]
// CHECK: %[[ALL:.*]] = tile.splat %[[FIRST]] : i32 -> tensor<2048xi32>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[ALL]]
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[AT]]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[AT]]
// CHECK: %[[V:.*]] = tile.load %[[P]], %[[IN]] : tensor<2048x!tile.ptr<f32>>
// CHECK: %[[E:.*]] = math.exp %[[V]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[BEFORE]], %[[E]] : tensor<2048xf32>
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[SUM:.*]] = tile.reduce add %[[ES]] axis 0 : tensor<2048xf32> -> f32
// CHECK: scf.for %{{.*}} = %[[C0]] to %[[PARTS]] step %[[C1]]
// CHECK: tile.load
// CHECK: math.exp
// CHECK: tile.splat %[[SUM]]
// CHECK: arith.divf
// CHECK: tile.store {{.*}} : tensor<2048x!tile.ptr<f32>>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @normalize(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %at = tile.expr arange(65536)
  %in = tile.expr %at < %n
  %p = tile.expr %x + %at
  %v = tile.load %p, %in
  %e = tile.expr math.exp(%v)
  %sum = tile.reduce add %e axis 0 : tensor<65536xf32> -> f32
  %r = tile.expr %e / %sum
  %q = tile.expr %y + %at
  tile.store %q, %r, %in
  tile.return
}

// What rows are reduced to is stored a few rows at a time: each is read whole, and nothing is carried.
// CHECK-LABEL: tile.func @sums_of_rows
// CHECK-NOT: tile.reduce
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} : i32 {
// CHECK: %[[V:.*]] = tile.load {{.*}} : tensor<8x256x!tile.ptr<f16>>
// CHECK: %[[S:.*]] = tile.reduce add %{{.*}} axis 1 : tensor<8x256xf32> -> tensor<8xf32>
// CHECK: tile.store %{{.*}}, %[[S]]
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @sums_of_rows(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) {
  %at = tile.expr col(arange(256)) * 256 + row(arange(256))
  %p = tile.expr %x + %at
  %v = tile.load %p
  %w = tile.expr f32(%v)
  %sum = tile.reduce add %w axis 1 : tensor<256x256xf32> -> tensor<256xf32>
  %q = tile.expr %y + arange(256)
  tile.store %q, %sum
  tile.return
}

// Not those of columns, whose neighbours lie in other columns.
// CHECK-LABEL: tile.func @sums_of_columns
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.load {{.*}} : tensor<8x256x!tile.ptr<f16>>
// CHECK: tile.reduce add %{{.*}} axis 0 : tensor<8x256xf32> -> tensor<256xf32>
// CHECK: tile.return
tile.func @sums_of_columns(%x: !tile.ptr<f16>, %y: !tile.ptr<f32>) {
  %at = tile.expr col(arange(256)) * 256 + row(arange(256))
  %p = tile.expr %x + %at
  %v = tile.load %p
  %w = tile.expr f32(%v)
  %sum = tile.reduce add %w axis 0 : tensor<256x256xf32> -> tensor<256xf32>
  %q = tile.expr %y + arange(256)
  tile.store %q, %sum
  tile.return
}

// Each block of rows has its sums to itself: one loop, and no array is read twice.
// CHECK-LABEL: tile.func @rows
// CHECK-NOT: tile.reduce
// CHECK: scf.for
// CHECK: %[[V:.*]] = tile.load {{.*}} : tensor<2x1024x!tile.ptr<f32>>
// CHECK: %[[S:.*]] = tile.reduce add %[[V]] axis 1 : tensor<2x1024xf32> -> tensor<2xf32>
// CHECK: tile.store
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr col(arange(64)) * 1024 + row(arange(1024))
  %p = tile.expr %x + %at
  %v = tile.load %p
  %sum = tile.reduce add %v axis 1 : tensor<64x1024xf32> -> tensor<64xf32>
  %r = tile.expr %v - col(%sum)
  %q = tile.expr %y + %at
  tile.store %q, %r
  tile.return
}

// Sums of columns are of tiles, and are stored in one piece.
// CHECK-LABEL: tile.func @columns
// CHECK: scf.for {{.*}} -> (tensor<2x1024xf32>)
// CHECK: arith.addf {{.*}} : tensor<2x1024xf32>
// CHECK: tile.reduce add %{{.*}} axis 0 : tensor<2x1024xf32> -> tensor<1024xf32>
// CHECK: tile.store
tile.func @columns(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr col(arange(64)) * 1024 + row(arange(1024))
  %p = tile.expr %x + %at
  %v = tile.load %p
  %sum = tile.reduce add %v axis 0 : tensor<64x1024xf32> -> tensor<1024xf32>
  %q = tile.expr %y + arange(1024)
  tile.store %q, %sum
  tile.return
}

// Values and positions are combined together, tile by tile.
// CHECK-LABEL: tile.func @largest
// CHECK: scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[I:.*]] = %{{.*}}) -> (tensor<2048xf32>, tensor<2048xi32>)
// CHECK: %[[MORE:.*]] = arith.cmpf ogt, %[[M]], %[[V:.*]] : tensor<2048xf32>
// CHECK: %[[NEXT:.*]] = arith.select %[[MORE]], %[[M]], %[[V]] : tensor<2048xi1>, tensor<2048xf32>
// CHECK: %[[PLACE:.*]] = arith.select %[[MORE]], %[[I]], %{{.*}} : tensor<2048xi1>, tensor<2048xi32>
// CHECK: scf.yield %[[NEXT]], %[[PLACE]]
// CHECK: tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<2048xf32>, tensor<2048xi32> -> f32, i32
tile.func @largest(%x: !tile.ptr<f32>, %y: !tile.ptr<i32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  %m, %i = tile.reduce %v, %at axis 0 : tensor<65536xf32>, tensor<65536xi32> -> f32, i32 {
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %c = arith.select %more, %a, %b : f32
    %ci = arith.select %more, %ai, %bi : i32
    tile.yield %c, %ci : f32, i32
  }
  tile.store %y, %i : !tile.ptr<i32>
  tile.return
}

// What an atomic changes is read once, in parts.
// CHECK-LABEL: tile.func @added
// CHECK: scf.for
// CHECK: tile.load {{.*}} : tensor<2048x!tile.ptr<f32>>
// CHECK: tile.atomic_rmw fadd relaxed gpu {{.*}} : tensor<2048x!tile.ptr<f32>>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @added(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(65536)
  %p = tile.expr %x + %at
  %v = tile.load %p
  %q = tile.expr %y + %at
  %was = tile.atomic_rmw fadd relaxed gpu %q, %v : tensor<65536x!tile.ptr<f32>>
  tile.return
}

// What registers hold is loaded once.
// CHECK-LABEL: tile.func @small
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @small(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(16384)
  %p = tile.expr %x + %at
  %v = tile.load %p
  %sum = tile.reduce add %v axis 0 : tensor<16384xf32> -> f32
  %r = tile.expr %v - %sum
  %q = tile.expr %y + %at
  tile.store %q, %r
  tile.return
}

// Eleven windows of 32 words a thread that are added up one after the other: no more than two are held at a time, and all are
// read at once. Where all are read before they are added, a loop reads parts.
// CHECK-LABEL: tile.func @taps
// CHECK-NOT: scf.for
// CHECK: tile.return
// CHECK-LABEL: tile.func @held
// CHECK: scf.for
tile.func @taps(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(4096)
  %p0 = tile.expr %x + %at
  %v0 = tile.load %p0
  %p1 = tile.expr %x + %at + 1
  %v1 = tile.load %p1
  %a1 = tile.expr %v0 + %v1
  %p2 = tile.expr %x + %at + 2
  %v2 = tile.load %p2
  %a2 = tile.expr %a1 + %v2
  %p3 = tile.expr %x + %at + 3
  %v3 = tile.load %p3
  %a3 = tile.expr %a2 + %v3
  %p4 = tile.expr %x + %at + 4
  %v4 = tile.load %p4
  %a4 = tile.expr %a3 + %v4
  %p5 = tile.expr %x + %at + 5
  %v5 = tile.load %p5
  %a5 = tile.expr %a4 + %v5
  %p6 = tile.expr %x + %at + 6
  %v6 = tile.load %p6
  %a6 = tile.expr %a5 + %v6
  %p7 = tile.expr %x + %at + 7
  %v7 = tile.load %p7
  %a7 = tile.expr %a6 + %v7
  %p8 = tile.expr %x + %at + 8
  %v8 = tile.load %p8
  %a8 = tile.expr %a7 + %v8
  %p9 = tile.expr %x + %at + 9
  %v9 = tile.load %p9
  %a9 = tile.expr %a8 + %v9
  %p10 = tile.expr %x + %at + 10
  %v10 = tile.load %p10
  %a10 = tile.expr %a9 + %v10
  %q = tile.expr %y + %at
  tile.store %q, %a10
  tile.return
}
tile.func @held(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %at = tile.expr arange(4096)
  %p0 = tile.expr %x + %at
  %v0 = tile.load %p0
  %p1 = tile.expr %x + %at + 1
  %v1 = tile.load %p1
  %p2 = tile.expr %x + %at + 2
  %v2 = tile.load %p2
  %p3 = tile.expr %x + %at + 3
  %v3 = tile.load %p3
  %p4 = tile.expr %x + %at + 4
  %v4 = tile.load %p4
  %p5 = tile.expr %x + %at + 5
  %v5 = tile.load %p5
  %p6 = tile.expr %x + %at + 6
  %v6 = tile.load %p6
  %p7 = tile.expr %x + %at + 7
  %v7 = tile.load %p7
  %p8 = tile.expr %x + %at + 8
  %v8 = tile.load %p8
  %p9 = tile.expr %x + %at + 9
  %v9 = tile.load %p9
  %p10 = tile.expr %x + %at + 10
  %v10 = tile.load %p10
  %a1 = tile.expr %v0 + %v1
  %a2 = tile.expr %a1 + %v2
  %a3 = tile.expr %a2 + %v3
  %a4 = tile.expr %a3 + %v4
  %a5 = tile.expr %a4 + %v5
  %a6 = tile.expr %a5 + %v6
  %a7 = tile.expr %a6 + %v7
  %a8 = tile.expr %a7 + %v8
  %a9 = tile.expr %a8 + %v9
  %a10 = tile.expr %a9 + %v10
  %q = tile.expr %y + %at
  tile.store %q, %a10
  tile.return
}

// 256 words a thread, of 255 registers: few, but no layout holds them.
// CHECK-LABEL: tile.func @greatest
// CHECK: scf.for {{.*}} -> (tensor<2048xf32>)
// CHECK: tile.reduce maxnum {{.*}} : tensor<2048xf32> -> f32
// CHECK-NOT: tensor<32768xf32>
// CHECK: tile.return
tile.func @greatest(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %p = tile.expr %x + arange(32768)
  %v = tile.load %p
  %most = tile.reduce maxnum %v axis 0 : tensor<32768xf32> -> f32
  tile.store %y, %most : !tile.ptr<f32>
  tile.return
}
