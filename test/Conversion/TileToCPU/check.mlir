// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=128 check" | FileCheck %s

// CHECK: module attributes {tile.sites = [
// CHECK-SAME: {argument = 0 : i64, kind = "load", loc = #{{.*}}, op = "tile.load", rank = 1 : i64, result = 0 : i64, text = "", type = f32}
// CHECK-SAME: {argument = 1 : i64, kind = "store", {{[^}]*}} op = "tile.store", {{[^}]*}} type = f32}
// CHECK-SAME: {argument = 0 : i64, kind = "load", {{[^}]*}} rank = 0 : i64, {{[^}]*}} type = i64}
// CHECK-SAME: {argument = 0 : i64, kind = "relaxed", {{[^}]*}} op = "tile.atomic_rmw"
// CHECK-SAME: {argument = -1 : i64, kind = "overflow", {{[^}]*}} op = "arith.muli", rank = 0
// CHECK-SAME: {argument = -1 : i64, kind = "overflow", {{[^}]*}} op = "arith.addi", rank = 1
// CHECK-SAME: {argument = -1 : i64, kind = "assert", {{[^}]*}} op = "tile.assert", rank = 1 : i64, result = 0 : i64, text = "small", type = i1}
// CHECK-SAME: {argument = -1 : i64, kind = "load",

// The checker comes behind the arguments. Each access asks which of its lanes may run; an execution
// of an op ends with a report.
// CHECK-LABEL: func.func @copy(
// CHECK-SAME: %[[ARGS:[^:]*]]: !llvm.ptr, %[[X:[^:]*]]: i32, %[[Y:[^:]*]]: i32, %[[Z:[^:]*]]: i32,
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[ARGS]][%c2_i64]
// CHECK: %[[CHECKER:.*]] = llvm.load %[[SLOT]]
// CHECK: call @tileCheckEnter(%[[CHECKER]], %[[X]], %[[Y]], %[[Z]])
// CHECK: scf.for
// CHECK: llvm.store %{{.*}}, %[[POINTERS:.*]] {alignment = 1 : i64} : vector<4x!llvm.ptr>, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %[[MASK:.*]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK: func.call @tileCheckAccess(%[[CHECKER]], %c0_i32, %c4_i32, %c0_i32, %[[POINTERS]], %[[MASK]], %[[VALUES:.*]], %[[INDICES:.*]])
// CHECK: %[[BYTES:.*]] = llvm.load %[[MASK]]
// CHECK: %[[ON:.*]] = arith.cmpi ne, %[[BYTES]]
// CHECK: llvm.intr.masked.load %{{.*}}, %[[ON]],
// CHECK: call @tileCheckFlush(%[[CHECKER]], %c0_i32)
// What is stored is shown as well.
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.store %[[V]], %[[VALUES]] {alignment = 1 : i64} : vector<4xf32>
// CHECK: func.call @tileCheckAccess(%[[CHECKER]], %c1_i32,
// CHECK: llvm.intr.masked.store %[[V]],
// CHECK: call @tileCheckFlush(%[[CHECKER]], %c1_i32)
tile.func @copy(%x: !tile.ptr<f32>, %z: !tile.ptr<f32>) {
  %lanes = tile.arange : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lanes : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %xp : tensor<8x!tile.ptr<f32>>
  %zs = tile.splat %z : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %zp = tile.addptr %zs, %lanes : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %zp, %v : tensor<8x!tile.ptr<f32>>
  tile.return
}

// One element: the same with one lane. An atomic whose pointers may be outside runs under a test.
// CHECK-LABEL: func.func @scalars(
// CHECK: call @tileCheckAccess(%{{.*}}, %c2_i32, %c1_i32, %c-1_i32,
// CHECK: scf.if
// CHECK-NEXT: llvm.load %{{.*}} -> i64
// CHECK: call @tileCheckAccess(%{{.*}}, %c3_i32, %c1_i32, %c-1_i32,
// CHECK: scf.if
// CHECK-NEXT: llvm.atomicrmw add
tile.func @scalars(%x: !tile.ptr<i64>) {
  %v = tile.load %x : !tile.ptr<i64>
  %old = tile.atomic_rmw add relaxed gpu %x, %v : !tile.ptr<i64>
  tile.return
}

// Arithmetic that addresses and masks depend on is done again in 64 bits; other sums are not.
// CHECK-LABEL: func.func @overflow(
// CHECK: %[[A:.*]] = arith.extsi %[[N:.*]] : i32 to i64
// CHECK: %[[W:.*]] = arith.muli %[[A]], %{{.*}} : i64
// CHECK: %[[CUT:.*]] = arith.trunci %[[W]] : i64 to i32
// CHECK: %[[BACK:.*]] = arith.extsi %[[CUT]] : i32 to i64
// CHECK: %[[BAD:.*]] = arith.cmpi ne, %[[BACK]], %[[W]] : i64
// CHECK: scf.if %[[BAD]] {
// CHECK: func.call @tileCheckFail(%{{.*}}, %c4_i32, %c1_i32, %c-1_i32,
// CHECK: arith.addi %{{.*}} : vector<4xi64>
// CHECK: %[[ANY:.*]] = vector.reduction <or>
// CHECK: scf.if %[[ANY]] {
// CHECK: func.call @tileCheckFail(%{{.*}}, %c5_i32, %c4_i32, %c0_i32,
// CHECK-NOT: arith.addi %{{.*}} : vector<4xi64>
// CHECK: func.call @tileCheckFail(%{{.*}}, %c6_i32, %c4_i32, %c0_i32,
tile.func @overflow(%p: !tile.ptr<i32>, %n: i32) {
  %square = arith.muli %n, %n : i32
  %q = tile.addptr %p, %square : !tile.ptr<i32>, i32
  %lanes = tile.arange : tensor<4xi32>
  %ns = tile.splat %n : i32 -> tensor<4xi32>
  %sum = arith.addi %lanes, %ns : tensor<4xi32>
  %data = arith.addi %lanes, %lanes : tensor<4xi32>
  %small = arith.cmpi slt, %sum, %ns : tensor<4xi32>
  tile.assert %small, "small" : tensor<4xi1>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  tile.store %qs, %data, %small : tensor<4x!tile.ptr<i32>>
  tile.return
}

// A pointer that may belong to either array is looked up among all.
// CHECK-LABEL: func.func @either(
tile.func @either(%x: !tile.ptr<i32>, %z: !tile.ptr<i32>, %c: i1) {
  %p = arith.select %c, %x, %z : !tile.ptr<i32>
  %v = tile.load %p : !tile.ptr<i32>
  tile.return
}

// CHECK: func.func private @tileCheckAccess(!llvm.ptr, i32, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
