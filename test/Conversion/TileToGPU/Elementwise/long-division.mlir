// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#l = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

// Both are asked together whether 32 bits hold them; the remainder follows from the quotient.
// CHECK-LABEL: llvm.func @quotients
tile.func @quotients(%n: i64, %p: !tile.ptr<i64>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<128xi32, #l>
  %first = tile.program_id x
  %base = arith.extsi %first : i32 to i64
  %million = arith.constant 1000003 : i64
  %far = arith.muli %base, %million : i64
  %wide = arith.extsi %i : tensor<128xi32, #l> to tensor<128xi64, #l>
  %fars = tile.splat %far : i64 -> tensor<128xi64, #l>
  %x = arith.addi %wide, %fars : tensor<128xi64, #l>
  %ns = tile.splat %n : i64 -> tensor<128xi64, #l>
  // CHECK: %[[X:.*]] = arith.addi %{{.*}} : vector<4xi64>
  // CHECK: %[[N:.*]] = vector.broadcast %{{.*}} : i64 to vector<4xi64>
  // CHECK: arith.ori
  // CHECK: %[[UPPER:.*]] = arith.shrui
  // CHECK: %[[FIT:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[Q:.*]] = scf.if %[[FIT]] -> (vector<4xi64>) {
  // CHECK: arith.trunci %[[X]] : vector<4xi64> to vector<4xi32>
  // CHECK-COUNT-4: arith.divui %{{.*}} : i32
  // CHECK: arith.extui
  // CHECK: } else {
  // CHECK-COUNT-4: arith.divsi %{{.*}} : i64
  %q = arith.divsi %x, %ns {tile.nonnegative} : tensor<128xi64, #l>
  // CHECK: %[[WHOLE:.*]] = arith.muli %{{.*}}, %[[N]] : vector<4xi64>
  // CHECK: arith.subi %[[X]], %[[WHOLE]] : vector<4xi64>
  // CHECK-NOT: arith.remsi
  %r = arith.remsi %x, %ns : tensor<128xi64, #l>
  %sum = arith.addi %q, %r : tensor<128xi64, #l>
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>, #l>
  %to = tile.addptr %ps, %i : tensor<128x!tile.ptr<i64>, #l>, tensor<128xi32, #l>
  tile.store %to, %sum : tensor<128x!tile.ptr<i64>, #l>
  tile.return
}

// Without a sign, and without a quotient.
// CHECK-LABEL: llvm.func @rest
tile.func @rest(%x: !tile.ptr<i64>, %n: i64) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<128xi32, #l>
  %xs = tile.splat %x : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>, #l>
  %at = tile.addptr %xs, %i : tensor<128x!tile.ptr<i64>, #l>, tensor<128xi32, #l>
  %v = tile.load %at : tensor<128x!tile.ptr<i64>, #l>
  %ns = tile.splat %n : i64 -> tensor<128xi64, #l>
  // CHECK: scf.if
  // CHECK-COUNT-4: arith.remui %{{.*}} : i32
  // CHECK-COUNT-4: arith.remui %{{.*}} : i64
  %r = arith.remui %v, %ns : tensor<128xi64, #l>
  tile.store %at, %r : tensor<128x!tile.ptr<i64>, #l>
  tile.return
}

// Below 0, too: the size is divided where the lower half says all with its sign, and n is below 2^31. The quotient
// comes first, wherever it stands.
// CHECK-LABEL: llvm.func @around
tile.func @around(%n: i64, %p: !tile.ptr<i64>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<128xi32, #l>
  %three = arith.constant dense<3> : tensor<128xi32, #l>
  %before = arith.subi %i, %three : tensor<128xi32, #l>
  %x = arith.extsi %before : tensor<128xi32, #l> to tensor<128xi64, #l>
  %ns = tile.splat %n : i64 -> tensor<128xi64, #l>
  // CHECK: %[[HALF:.*]] = arith.trunci %{{.*}} : i64 to i32
  // CHECK: %[[SAME:.*]] = arith.extsi %[[HALF]] : i32 to i64
  // CHECK: arith.xori %{{.*}}, %[[SAME]] : i64
  // CHECK: scf.if %{{.*}} -> (vector<4xi64>) {
  // CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[H:.*]], %{{.*}} : vector<4xi32>
  // CHECK: %[[MINUS:.*]] = arith.subi %{{.*}}, %[[H]] : vector<4xi32>
  // CHECK: arith.select %[[BELOW]], %[[MINUS]], %[[H]]
  // CHECK-COUNT-4: arith.divui %{{.*}} : i32
  // CHECK: arith.select %[[BELOW]]
  // CHECK: arith.extsi %{{.*}} : vector<4xi32> to vector<4xi64>
  // CHECK: } else {
  // CHECK-COUNT-4: arith.divsi %{{.*}} : i64
  // CHECK: arith.muli
  // CHECK: arith.subi
  // CHECK-NOT: scf.if
  // CHECK: llvm.return
  %r = arith.remsi %x, %ns : tensor<128xi64, #l>
  %q = arith.divsi %x, %ns : tensor<128xi64, #l>
  %sum = arith.addi %q, %r : tensor<128xi64, #l>
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>, #l>
  %to = tile.addptr %ps, %i : tensor<128x!tile.ptr<i64>, #l>, tensor<128xi32, #l>
  tile.store %to, %sum : tensor<128x!tile.ptr<i64>, #l>
  tile.return
}
