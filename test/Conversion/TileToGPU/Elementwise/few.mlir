// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts),convert-tile-to-gpu)' | FileCheck %s

// Four bits out of words are small: two stand in the lowest bits of 1024, or 128, and what is more is taken off. One mask is for
// both, and so bytes alone are joined.
// CHECK-LABEL: llvm.func @halves
tile.func @halves(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<512xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %at = tile.addptr %ps, %i : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %w = tile.load %at : tensor<512x!tile.ptr<i32>>
  %four = arith.constant dense<4> : tensor<512xi32>
  %mask = arith.constant dense<15> : tensor<512xi32>
  %s = arith.shrsi %w, %four : tensor<512xi32>
  %n = arith.andi %s, %mask : tensor<512xi32>
  // CHECK-COUNT-2: llvm.nvvm.prmt"(%{{.*}}, %{{.*}}, %c17408_i32
  // CHECK: %[[MASK:.*]] = arith.constant dense<983055> : vector<2xi32>
  // CHECK: %[[FEW:.*]] = arith.andi %{{.*}}, %[[MASK]] : vector<2xi32>
  // CHECK: %[[ABOVE:.*]] = arith.constant dense<1677747200> : vector<2xi32>
  // CHECK: %[[ALL:.*]] = arith.ori %[[FEW]], %[[ABOVE]] : vector<2xi32>
  // CHECK: %[[PAIRS:.*]] = llvm.bitcast %[[ALL]] : vector<2xi32> to vector<4xf16>
  // CHECK: arith.constant dense<1.024000e+03> : vector<4xf16>
  // CHECK: arith.subf %[[PAIRS]], %{{.*}} : vector<4xf16>
  // CHECK-NOT: itofp
  %f = arith.sitofp %n : tensor<512xi32> to tensor<512xf16>
  %os = tile.splat %out : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>>
  %to = tile.addptr %os, %i : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  tile.store %to, %f : tensor<512x!tile.ptr<f16>>
  tile.return
}

// CHECK-LABEL: llvm.func @brains
tile.func @brains(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<512xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %at = tile.addptr %ps, %i : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %w = tile.load %at : tensor<512x!tile.ptr<i32>>
  %mask = arith.constant dense<127> : tensor<512xi32>
  %more = arith.constant dense<255> : tensor<512xi32>
  %n = arith.andi %w, %mask : tensor<512xi32>
  // CHECK: arith.constant dense<1124090624> : vector<2xi32>
  // CHECK: arith.constant dense<1.280000e+02> : vector<4xbf16>
  %f = arith.uitofp %n : tensor<512xi32> to tensor<512xbf16>
  // Eight bits have no room in bf16.
  // CHECK: arith.uitofp
  %m = arith.andi %w, %more : tensor<512xi32>
  %g = arith.uitofp %m : tensor<512xi32> to tensor<512xbf16>
  %sum = arith.addf %f, %g : tensor<512xbf16>
  %os = tile.splat %out : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>>
  %to = tile.addptr %os, %i : tensor<512x!tile.ptr<bf16>>, tensor<512xi32>
  tile.store %to, %sum : tensor<512x!tile.ptr<bf16>>
  tile.return
}

// Weights less their zeros: both above 1024, less each other.
// CHECK-LABEL: llvm.func @differences
tile.func @differences(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<512xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %at = tile.addptr %ps, %i : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %w = tile.load %at : tensor<512x!tile.ptr<i32>>
  %four = arith.constant dense<4> : tensor<512xi32>
  %mask = arith.constant dense<15> : tensor<512xi32>
  %n = arith.andi %w, %mask : tensor<512xi32>
  %s = arith.shrsi %w, %four : tensor<512xi32>
  %z = arith.andi %s, %mask : tensor<512xi32>
  %d = arith.subi %n, %z : tensor<512xi32>
  // CHECK-COUNT-2: llvm.nvvm.prmt
  // CHECK: %[[N:.*]] = llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
  // CHECK-COUNT-2: llvm.nvvm.prmt
  // CHECK: %[[Z:.*]] = llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xf16>
  // CHECK: arith.subf %[[N]], %[[Z]] : vector<4xf16>
  // CHECK-NOT: itofp
  %f = arith.sitofp %d : tensor<512xi32> to tensor<512xf16>
  %os = tile.splat %out : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>>
  %to = tile.addptr %os, %i : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  tile.store %to, %f : tensor<512x!tile.ptr<f16>>
  tile.return
}

// Others that may be below 0: the lower bits of 1536 have room on either side.
// CHECK-LABEL: llvm.func @negative
tile.func @negative(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<512xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %at = tile.addptr %ps, %i : tensor<512x!tile.ptr<i32>>, tensor<512xi32>
  %w = tile.load %at : tensor<512x!tile.ptr<i32>>
  %four = arith.constant dense<4> : tensor<512xi32>
  %mask = arith.constant dense<15> : tensor<512xi32>
  %n = arith.andi %w, %mask : tensor<512xi32>
  %s = arith.shrsi %w, %four : tensor<512xi32>
  %z = arith.andi %s, %mask : tensor<512xi32>
  %nine = arith.constant dense<9> : tensor<512xi32>
  %m = arith.muli %n, %nine : tensor<512xi32>
  %y = arith.subi %z, %m : tensor<512xi32>
  %d = arith.addi %y, %mask : tensor<512xi32>
  // CHECK: %[[ABOVE:.*]] = arith.constant dense<26112> : vector<4xi32>
  // CHECK: arith.addi %{{.*}}, %[[ABOVE]] : vector<4xi32>
  // CHECK-COUNT-2: llvm.nvvm.prmt
  // CHECK: arith.constant dense<1.536000e+03> : vector<4xf16>
  // CHECK-NOT: itofp
  %f = arith.sitofp %d : tensor<512xi32> to tensor<512xf16>
  %os = tile.splat %out : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>>
  %to = tile.addptr %os, %i : tensor<512x!tile.ptr<f16>>, tensor<512xi32>
  tile.store %to, %f : tensor<512x!tile.ptr<f16>>
  tile.return
}
