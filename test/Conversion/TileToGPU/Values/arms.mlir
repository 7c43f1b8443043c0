// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#wide = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []>

// What one side of a choice alone reads, and takes long, has a branch; the choice within it one of its own. What both read is
// computed in front of them, and so is what is short.
// CHECK-LABEL: llvm.func @sides
tile.func @sides(%p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[X:.*]] = llvm.shufflevector %{{.*}} [0, 1] : vector<8xf32>
  // CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : vector<2xf32>
  // CHECK: %[[IS:.*]] = arith.cmpf olt, %[[X]]
  // CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[IS]] : vector<2xi1> into i1
  // CHECK: %[[LOW:.*]] = scf.if %[[ANY]] -> (vector<2xf32>) {
  // CHECK: arith.addf %{{.*}}, %[[SUM]]
  // CHECK: else
  // CHECK: llvm.mlir.poison
  // CHECK: %[[NOT:.*]] = arith.xori %[[IS]]
  // CHECK: %[[OTHER:.*]] = vector.reduction <or>, %[[NOT]] : vector<2xi1> into i1
  // CHECK: %[[HIGH:.*]] = scf.if %[[OTHER]] -> (vector<2xf32>) {
  // CHECK: %[[FAR:.*]] = vector.reduction <or>
  // CHECK: scf.if %[[FAR]] -> (vector<2xf32>) {
  // CHECK: arith.select %[[IS]], %[[LOW]], %[[HIGH]] : vector<2xi1>, vector<2xf32>
  %i = tile.arange : tensor<256xi32, #wide>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #wide>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f32>, #wide>, tensor<256xi32, #wide>
  %x = tile.load %q : tensor<256x!tile.ptr<f32>, #wide>
  %one = arith.constant dense<1.0> : tensor<256xf32, #wide>
  %ten = arith.constant dense<10.0> : tensor<256xf32, #wide>
  %sum = arith.addf %x, %x : tensor<256xf32, #wide>
  %is = arith.cmpf olt, %x, %one : tensor<256xf32, #wide>
  %log = math.asinh %x : tensor<256xf32, #wide>
  %low = arith.addf %log, %sum : tensor<256xf32, #wide>
  %cosine = math.acosh %x : tensor<256xf32, #wide>
  %near = arith.addf %cosine, %sum : tensor<256xf32, #wide>
  %isFar = arith.cmpf ogt, %x, %ten : tensor<256xf32, #wide>
  %far = arith.mulf %x, %x : tensor<256xf32, #wide>
  %high = arith.select %isFar, %far, %near : tensor<256xi1, #wide>, tensor<256xf32, #wide>
  %y = arith.select %is, %low, %high : tensor<256xi1, #wide>, tensor<256xf32, #wide>
  tile.store %q, %y : tensor<256x!tile.ptr<f32>, #wide>
  tile.return
}

// So does that of 64 bits, an element of which takes two registers; without such a choice it stays in one piece.
// CHECK-LABEL: llvm.func @wide
tile.func @wide(%p: !tile.ptr<f64>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.cmpf olt, %{{.*}} : vector<2xf64>
  // CHECK: scf.if %{{.*}} -> (vector<2xf64>) {
  // CHECK: arith.select %{{.*}} : vector<2xi1>, vector<2xf64>
  %i = tile.arange : tensor<256xi32, #wide>
  %ps = tile.splat %p : !tile.ptr<f64> -> tensor<256x!tile.ptr<f64>, #wide>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f64>, #wide>, tensor<256xi32, #wide>
  %x = tile.load %q : tensor<256x!tile.ptr<f64>, #wide>
  %one = arith.constant dense<1.0> : tensor<256xf64, #wide>
  %is = arith.cmpf olt, %x, %one : tensor<256xf64, #wide>
  %log = math.asinh %x : tensor<256xf64, #wide>
  %y = arith.select %is, %log, %x : tensor<256xi1, #wide>, tensor<256xf64, #wide>
  tile.store %q, %y : tensor<256x!tile.ptr<f64>, #wide>
  tile.return
}

// CHECK-LABEL: llvm.func @whole
tile.func @whole(%p: !tile.ptr<f64>) attributes {tile.num_warps = 1 : i32} {
  // CHECK-NOT: scf.if
  // CHECK: arith.addf %{{.*}} : vector<8xf64>
  %i = tile.arange : tensor<256xi32, #wide>
  %ps = tile.splat %p : !tile.ptr<f64> -> tensor<256x!tile.ptr<f64>, #wide>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f64>, #wide>, tensor<256xi32, #wide>
  %x = tile.load %q : tensor<256x!tile.ptr<f64>, #wide>
  %log = math.asinh %x : tensor<256xf64, #wide>
  %y = arith.addf %log, %x : tensor<256xf64, #wide>
  tile.store %q, %y : tensor<256x!tile.ptr<f64>, #wide>
  tile.return
}

// The sine of an angle and its cosine are made together, but not across branches: what one side has made is out of the other's reach,
// and of that of whoever asks behind both.
// CHECK-LABEL: llvm.func @angles
tile.func @angles(%p: !tile.ptr<f64>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: scf.if %{{.*}} -> (vector<2xf64>) {
  // CHECK: scf.if %{{.*}} -> (vector<2xf64>) {
  // CHECK: arith.select %{{.*}} : vector<2xi1>, vector<2xf64>
  %i = tile.arange : tensor<256xi32, #wide>
  %ps = tile.splat %p : !tile.ptr<f64> -> tensor<256x!tile.ptr<f64>, #wide>
  %q = tile.addptr %ps, %i : tensor<256x!tile.ptr<f64>, #wide>, tensor<256xi32, #wide>
  %x = tile.load %q : tensor<256x!tile.ptr<f64>, #wide>
  %one = arith.constant dense<1.0> : tensor<256xf64, #wide>
  %is = arith.cmpf olt, %x, %one : tensor<256xf64, #wide>
  %sine = math.sin %x : tensor<256xf64, #wide>
  %cosine = math.cos %x : tensor<256xf64, #wide>
  %y = arith.select %is, %sine, %cosine : tensor<256xi1, #wide>, tensor<256xf64, #wide>
  %again = math.sin %x : tensor<256xf64, #wide>
  %z = arith.addf %y, %again : tensor<256xf64, #wide>
  tile.store %q, %z : tensor<256x!tile.ptr<f64>, #wide>
  tile.return
}
