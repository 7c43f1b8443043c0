// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @addresses
tile.func @addresses(%p: !tile.ptr<i8>, %t: tensor<8x!tile.ptr<f32>>) {
  // CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<i8> -> !tile.ptr<f32>
  %q = tile.ptr_cast %p : !tile.ptr<i8> -> !tile.ptr<f32>
  // CHECK: tile.ptr_cast %{{.*}} : tensor<8x!tile.ptr<f32>> -> tensor<8xi64>
  %n = tile.ptr_cast %t : tensor<8x!tile.ptr<f32>> -> tensor<8xi64>
  // CHECK: tile.ptr_cast %{{.*}} : tensor<8xi64> -> tensor<8x!tile.ptr<f16>>
  %h = tile.ptr_cast %n : tensor<8xi64> -> tensor<8x!tile.ptr<f16>>
  // CHECK: tile.barrier
  tile.barrier
  tile.return
}
