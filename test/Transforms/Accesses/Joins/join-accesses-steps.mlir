// How the halves of offsets run that pairs of neighbours are accessed at, by how the offsets are computed.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-join-accesses,cse))' | FileCheck %s

// Twice as far by a shift.
// CHECK-LABEL: tile.func @shifted
// CHECK: arith.shrsi %{{.*}}, %{{.*}} {tile.contiguity = array<i64: 512>, tile.divisibility = array<i64: {{[0-9]+}}>} : tensor<512xi32>
// CHECK: tile.load %{{.*}} : tensor<512x!tile.ptr<i64>>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @shifted(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %twice = arith.shli %lanes, %one : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// From where a row begins: at a multiple of 16 a run of 8 pairs passes none.
// CHECK-LABEL: tile.func @rows
// CHECK: arith.shrsi %{{.*}}, %{{.*}} {tile.contiguity = array<i64: 8>, tile.divisibility = array<i64: 8>} : tensor<512xi32>
// CHECK: tile.load %{{.*}} : tensor<512x!tile.ptr<i64>>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %start: i32 {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  %dbl = arith.muli %lanes, %two : tensor<512xi32>
  %starts = tile.splat %start : i32 -> tensor<512xi32>
  %twice = arith.addi %dbl, %starts : tensor<512xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// And of several rows, in the sum of the other order.
// CHECK-LABEL: tile.func @short
// CHECK: arith.shrsi %{{.*}}, %{{.*}} {tile.contiguity = array<i64: 1, 8>, tile.divisibility = array<i64: 1, 8>} : tensor<8x64xi32>
// CHECK: tile.load %{{.*}} : tensor<8x64x!tile.ptr<i64>>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @short(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %starts: tensor<8x1xi32>) {
  %lanes = tile.arange : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %one = arith.constant dense<1> : tensor<8x64xi32>
  %dbl = arith.muli %lanes, %two : tensor<64xi32>
  %row = tile.expand_dims %dbl axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rows = tile.broadcast %row : tensor<1x64xi32> -> tensor<8x64xi32>
  %c16 = arith.constant dense<16> : tensor<8x1xi32>
  %st = arith.muli %starts, %c16 : tensor<8x1xi32>
  %sts = tile.broadcast %st : tensor<8x1xi32> -> tensor<8x64xi32>
  %twice = arith.addi %sts, %rows : tensor<8x64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<8x64x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<8x64x!tile.ptr<f32>>, tensor<8x64xi32>
  %q = tile.addptr %p, %one : tensor<8x64x!tile.ptr<f32>>, tensor<8x64xi32>
  %re = tile.load %p : tensor<8x64x!tile.ptr<f32>>
  %im = tile.load %q : tensor<8x64x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<8x64xf32>
  tile.store %p, %sum : tensor<8x64x!tile.ptr<f32>>
  tile.return
}

// A shift by more than a run has says nothing of steps.
// CHECK-LABEL: tile.func @far
// CHECK: arith.shrsi %{{.*}}, %{{.*}} {tile.divisibility = array<i64: {{[0-9]+}}>} : tensor<512xi64>
// CHECK: tile.load %{{.*}} : tensor<512x!tile.ptr<i64>>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @far(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<512xi32>
  %long = arith.extsi %lanes : tensor<512xi32> to tensor<512xi64>
  %one = arith.constant dense<1> : tensor<512xi64>
  %forty = arith.constant dense<40> : tensor<512xi64>
  %at = arith.shli %long, %forty : tensor<512xi64>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %at : tensor<512x!tile.ptr<f32>>, tensor<512xi64>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi64>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  %sum = arith.addf %re, %im : tensor<512xf32>
  tile.store %p, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}
