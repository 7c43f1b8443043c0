// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @all
tile.func @all(%i: tensor<64xi32>, %m: tensor<64xi1>, %k: tensor<4x8xf16>, %v: tensor<4x8xi64>, %s: i64, %o: i32) {
  // CHECK: tile.histogram %{{.*}} : tensor<64xi32> -> tensor<10xi32>
  %0 = tile.histogram %i : tensor<64xi32> -> tensor<10xi32>
  // CHECK: tile.histogram %{{.*}}, %{{.*}} : tensor<64xi32> -> tensor<10xi32>
  %1 = tile.histogram %i, %m : tensor<64xi32> -> tensor<10xi32>
  // CHECK: tile.sort %{{.*}} axis 0 : tensor<64xi32>
  %2 = tile.sort %i axis 0 : tensor<64xi32>
  // CHECK: %{{.*}}:2 = tile.sort %{{.*}}, %{{.*}} axis 1 {descending} : tensor<4x8xf16>, tensor<4x8xi64>
  %3:2 = tile.sort %k, %v axis 1 {descending} : tensor<4x8xf16>, tensor<4x8xi64>
  // CHECK: tile.partial_sort %{{.*}} axis 0 : (tensor<64xi32>) -> tensor<5xi32>
  %6 = tile.partial_sort %i axis 0 : (tensor<64xi32>) -> tensor<5xi32>
  // CHECK: %{{.*}}:2 = tile.partial_sort %{{.*}}, %{{.*}} axis 1 {descending} : (tensor<4x8xf16>, tensor<4x8xi64>) -> (tensor<4x2xf16>, tensor<4x2xi64>)
  %7:2 = tile.partial_sort %k, %v axis 1 {descending} : (tensor<4x8xf16>, tensor<4x8xi64>) -> (tensor<4x2xf16>, tensor<4x2xi64>)
  // CHECK: tile.rand %{{.*}}, %{{.*}} : i64, tensor<64xi32>
  %4 = tile.rand %s, %i : i64, tensor<64xi32>
  // CHECK: tile.rand %{{.*}}, %{{.*}} : i32, i32
  %5 = tile.rand %o, %o : i32, i32
  tile.return
}
