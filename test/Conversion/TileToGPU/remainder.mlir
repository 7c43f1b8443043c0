// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

// CHECK-LABEL: llvm.func @f32
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32
tile.func @f32(%x: f32, %y: f32, %p: !tile.ptr<f32>) {
  // CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : f32 to f64
  // CHECK: %[[MODULUS:.*]] = arith.mulf
  // CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[MODULUS]] : f64
  // CHECK-COUNT-7: llvm.call_intrinsic "llvm.roundeven"
  // CHECK-NOT: llvm.roundeven
  // CHECK: %[[SIGNED:.*]] = llvm.call_intrinsic "llvm.copysign"(%{{.*}}, %[[WIDE]])
  // CHECK: %[[REST:.*]] = arith.truncf %[[SIGNED]] : f64 to f32
  // CHECK: %[[LESS:.*]] = arith.cmpf olt
  // CHECK: arith.select %[[LESS]], %[[X]], %[[REST]] : f32
  %r = arith.remf %x, %y : f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: llvm.func @float8
tile.func @float8(%x: f8E4M3FN, %p: !tile.ptr<f8E4M3FN>) {
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  %r = arith.remf %x, %x : f8E4M3FN
  tile.store %p, %r : !tile.ptr<f8E4M3FN>
  tile.return
}
