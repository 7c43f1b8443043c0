// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// Pointers that walk by a splat stay an expression: the loop carries one number, no tile of them.
// CHECK-LABEL: func.func @walk
// CHECK: %[[SUM:.*]] = llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for %{{.*}} iter_args(%[[FAR:.*]] = %c0_i64) -> (i64)  : i32 {
// CHECK:   scf.for
// CHECK:     %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[FAR]]]
// CHECK:     llvm.load %[[AT]] {{.*}} -> vector<8xf32>
// CHECK:     arith.addf
// CHECK:     llvm.store
// CHECK:   %[[STEP:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:   %[[NEXT:.*]] = arith.addi %[[FAR]], %[[STEP]] : i64
// CHECK:   scf.yield %[[NEXT]] : i64
tile.func @walk(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = tile.arange : tensor<32xi32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %step = tile.splat %n : i32 -> tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %first = tile.addptr %xs, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %sum, %end = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %p = %first) -> (tensor<32xf32>, tensor<32x!tile.ptr<f32>>) : i32 {
    %v = tile.load %p : tensor<32x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<32xf32>
    %next = tile.addptr %p, %step : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    scf.yield %t, %next : tensor<32xf32>, tensor<32x!tile.ptr<f32>>
  }
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %op = tile.addptr %os, %lane : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %op, %sum : tensor<32x!tile.ptr<f32>>
  tile.return
}

// A swap is written chunk by chunk: both are read before either is overwritten.
// CHECK-LABEL: func.func @swap
// CHECK-COUNT-2: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<8xi32>
// CHECK: %[[Y:.*]] = llvm.load %{{.*}} -> vector<8xi32>
// CHECK: llvm.store %[[X]]
// CHECK: llvm.store %[[Y]]
tile.func @swap(%out: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = tile.arange : tensor<8xi32>
  %ones = arith.constant dense<1> : tensor<8xi32>
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %lane, %y = %ones) -> (tensor<8xi32>, tensor<8xi32>) : i32 {
    scf.yield %y, %x : tensor<8xi32>, tensor<8xi32>
  }
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %op = tile.addptr %os, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %op, %a : tensor<8x!tile.ptr<i32>>
  tile.return
}

// What is read at another place than it is written at goes through a third buffer: anything less would read what is
// overwritten.
// CHECK-LABEL: func.func @turned
// CHECK-COUNT-3: llvm.alloca
tile.func @turned(%out: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = tile.expr col(arange(8)) * 8 + row(arange(8))
  %ones = arith.constant dense<1> : tensor<8x8xi32>
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%v = %lane, %w = %ones) -> (tensor<8x8xi32>, tensor<8x8xi32>) : i32 {
    %t = tile.trans %v order [1, 0] : tensor<8x8xi32> -> tensor<8x8xi32>
    scf.yield %w, %t : tensor<8x8xi32>, tensor<8x8xi32>
  }
  %op = tile.expr %out + %lane
  tile.store %op, %a : tensor<8x8x!tile.ptr<i32>>
  tile.return
}
