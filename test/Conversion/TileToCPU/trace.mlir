// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=128 trace" | FileCheck %s

// CHECK: module attributes {tile.sites = [
// CHECK-SAME: kind = "value", {{[^}]*}} op = "tile.arange", {{[^}]*}} type = tensor<6xi32>}
// CHECK-SAME: {argument = 0 : i64, kind = "value", {{[^}]*}} op = "tile.splat"
// CHECK-SAME: {argument = 0 : i64, kind = "value", {{[^}]*}} op = "tile.addptr"
// CHECK-SAME: kind = "iteration", {{[^}]*}} op = "scf.for", {{[^}]*}} type = index}
// CHECK-SAME: kind = "value", {{[^}]*}} op = "tile.load", {{[^}]*}} type = tensor<6xf32>}
// CHECK-SAME: kind = "op", {{[^}]*}} op = "tile.store"
// CHECK-SAME: kind = "op", {{[^}]*}} op = "scf.for"

// Only the traced program comes to a call. An inline tile is written for it into a buffer that all
// such tiles share; one that is in a buffer is shown where it is.
// CHECK-LABEL: func.func @double(
// CHECK: %[[TRACED:.*]] = call @tileCheckEnter(
// CHECK: scf.if %[[TRACED]] {
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: func.call @tileTraceValue(%[[CHECKER:.*]], %c0_i32, %[[SPARE:.*]], %c6_i64)
// CHECK: scf.if %[[TRACED]] {
// CHECK: func.call @tileTraceValue(%[[CHECKER]], %c1_i32, %[[POINTERS:.*]], %c6_i64)
// CHECK: scf.if %[[TRACED]] {
// CHECK: func.call @tileTraceValue(%[[CHECKER]], %c2_i32, %[[POINTERS]], %c6_i64)
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.if %[[TRACED]] {
// CHECK-NEXT: %[[NUMBER:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT: llvm.store %[[NUMBER]], %[[ROOM:.*]] {
// CHECK-NEXT: func.call @tileTraceValue(%[[CHECKER]], %c3_i32, %[[ROOM]], %c1_i64)
// CHECK: scf.if %[[TRACED]] {
// CHECK-NEXT: func.call @tileTraceValue(%[[CHECKER]], %c4_i32, %{{.*}}, %c6_i64)
// Without results there is nothing to show.
// CHECK: scf.if %[[TRACED]] {
// CHECK-NEXT: %[[NOTHING:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT: func.call @tileTraceValue(%[[CHECKER]], %c5_i32, %[[NOTHING]], %c0_i64)
// CHECK-NOT: tileCheckAccess(%
tile.func @double(%x: !tile.ptr<f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %lanes = tile.arange : tensor<6xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<6x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lanes : tensor<6x!tile.ptr<f32>>, tensor<6xi32>
  scf.for %i = %zero to %two step %one {
    %v = tile.load %xp : tensor<6x!tile.ptr<f32>>
    tile.store %xp, %v : tensor<6x!tile.ptr<f32>>
  }
  tile.return
}
