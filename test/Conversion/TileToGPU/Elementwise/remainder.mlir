// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

// The factors of two between the numbers go in 16 at a time (f64: 40), as often as it takes.
// CHECK-LABEL: llvm.func @f32
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32
tile.func @f32(%x: f32, %y: f32, %p: !tile.ptr<f32>) {
  // CHECK: %[[SIZE:.*]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
  // CHECK: %[[MODULUS:.*]] = llvm.call_intrinsic "llvm.fabs"(%[[Y]])
  // CHECK: %[[STEPS:.*]] = arith.divsi %{{.*}}, %c16_i32
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[STEPS]] step %{{.*}} iter_args({{.*}}) -> (f32, i32)
  // CHECK:   llvm.call_intrinsic "llvm.fma"
  // CHECK:   llvm.call_intrinsic "llvm.fma"
  // CHECK:   scf.yield
  // CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[SIZE]], %[[MODULUS]]
  // CHECK: arith.select %[[LESS]], %[[X]], %{{.*}} : f32
  %r = arith.remf %x, %y : f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: llvm.func @f64
tile.func @f64(%x: f64, %y: f64, %p: !tile.ptr<f64>) {
  // CHECK: arith.divsi %{{.*}}, %c40_i64
  // CHECK: scf.for {{.*}} -> (f64, i64)
  %r = arith.remf %x, %y : f64
  tile.store %p, %r : !tile.ptr<f64>
  tile.return
}

// CHECK-LABEL: llvm.func @f16
tile.func @f16(%x: f16, %y: f16, %p: !tile.ptr<f16>) {
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: scf.for {{.*}} -> (f32, i32)
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %r = arith.remf %x, %y : f16
  tile.store %p, %r : !tile.ptr<f16>
  tile.return
}

// CHECK-LABEL: llvm.func @float8
tile.func @float8(%x: f8E4M3FN, %p: !tile.ptr<f8E4M3FN>) {
  // CHECK: scf.for {{.*}} -> (f32, i32)
  // CHECK: "llvm.nvvm.ff.to.e4m3x2.rn"
  %r = arith.remf %x, %x : f8E4M3FN
  tile.store %p, %r : !tile.ptr<f8E4M3FN>
  tile.return
}
