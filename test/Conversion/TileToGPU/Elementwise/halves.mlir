// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts),convert-tile-to-gpu)' | FileCheck %s

// What is narrowed and widened again, to cut f32 into halves, is narrowed by twos; what is only stored LLVM puts together.
// CHECK-LABEL: llvm.func @cut
// CHECK-COUNT-2: "llvm.nvvm.ff2bf16x2.rn"
// CHECK: arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
// CHECK: arith.subf
// CHECK-NOT: ff2bf16x2
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
tile.func @cut(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %high: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %low: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<512xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %at = tile.addptr %ps, %i : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %x = tile.load %at : tensor<512x!tile.ptr<f32>>
  %h = arith.truncf %x : tensor<512xf32> to tensor<512xbf16>
  %wide = arith.extf %h : tensor<512xbf16> to tensor<512xf32>
  %rest = arith.subf %x, %wide : tensor<512xf32>
  %l = arith.truncf %rest : tensor<512xf32> to tensor<512xbf16>
  %hs = tile.splat %high : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>>
  %to = tile.addptr %hs, %i : tensor<512x!tile.ptr<bf16>>, tensor<512xi32>
  tile.store %to, %h : tensor<512x!tile.ptr<bf16>>
  %ls = tile.splat %low : !tile.ptr<bf16> -> tensor<512x!tile.ptr<bf16>>
  %too = tile.addptr %ls, %i : tensor<512x!tile.ptr<bf16>>, tensor<512xi32>
  tile.store %too, %l : tensor<512x!tile.ptr<bf16>>
  tile.return
}

// Numbers of 16 bits are shifted two by two.
// CHECK-LABEL: llvm.func @shifted
tile.func @shifted(%p: !tile.ptr<i16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<i16> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<512xi32>
  %ps = tile.splat %p : !tile.ptr<i16> -> tensor<512x!tile.ptr<i16>>
  %at = tile.addptr %ps, %i : tensor<512x!tile.ptr<i16>>, tensor<512xi32>
  %x = tile.load %at : tensor<512x!tile.ptr<i16>>
  %six = arith.constant dense<6> : tensor<512xi16>
  // CHECK: %[[UP:.*]] = arith.shli %{{.*}}, %{{.*}} : vector<2xi32>
  // CHECK: %[[LEFT:.*]] = arith.constant dense<-4128832> : vector<2xi32>
  // CHECK: arith.andi %[[UP]], %[[LEFT]] : vector<2xi32>
  %y = arith.shli %x, %six : tensor<512xi16>
  // CHECK: %[[DOWN:.*]] = arith.shrui %{{.*}}, %{{.*}} : vector<2xi32>
  // CHECK: arith.constant dense<67044351> : vector<2xi32>
  // CHECK: arith.constant dense<65537> : vector<2xi32>
  // CHECK: arith.muli %{{.*}}, %{{.*}} : vector<2xi32>
  %z = arith.shrsi %y, %six : tensor<512xi16>
  %qs = tile.splat %q : !tile.ptr<i16> -> tensor<512x!tile.ptr<i16>>
  %to = tile.addptr %qs, %i : tensor<512x!tile.ptr<i16>>, tensor<512xi32>
  tile.store %to, %z : tensor<512x!tile.ptr<i16>>
  tile.return
}
