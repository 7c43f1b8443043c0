// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!names = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// CHECK-LABEL: tile.func @splat
tile.func @splat(%x: f32, %p: !tile.ptr<f16>) {
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<4x8xf32>
  %a = tile.splat %x : f32 -> tensor<4x8xf32>
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<?x?xf32, #tile.dims<[BM, BN]>>
  %b = tile.splat %x : f32 -> !names
  // CHECK: tile.splat %{{.*}} : !tile.ptr<f16> -> tensor<16x!tile.ptr<f16>>
  %c = tile.splat %p : !tile.ptr<f16> -> tensor<16x!tile.ptr<f16>>
  tile.return
}

// CHECK-LABEL: tile.func @reshapes
tile.func @reshapes(%x: tensor<4xf32>, %y: tensor<4x1xf32>, %z: !names, %w: tensor<?xf32, #tile.dims<[BN]>>) {
  // CHECK: tile.expand_dims %{{.*}} axis 1 : tensor<4xf32> -> tensor<4x1xf32>
  %a = tile.expand_dims %x axis 1 : tensor<4xf32> -> tensor<4x1xf32>
  // CHECK: tile.expand_dims %{{.*}} axis 0 : tensor<?xf32, #tile.dims<[BN]>> -> tensor<1x?xf32, #tile.dims<[BN]>>
  %b = tile.expand_dims %w axis 0 : tensor<?xf32, #tile.dims<[BN]>> -> tensor<1x?xf32, #tile.dims<[BN]>>
  // CHECK: tile.broadcast %{{.*}} : tensor<4x1xf32> -> tensor<4x8xf32>
  %c = tile.broadcast %y : tensor<4x1xf32> -> tensor<4x8xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x?xf32, #tile.dims<[BN]>> -> tensor<?x?xf32, #tile.dims<[BM, BN]>>
  %d = tile.broadcast %b : tensor<1x?xf32, #tile.dims<[BN]>> -> !names
  // CHECK: tile.reshape %{{.*}} : tensor<4x8xf32> -> tensor<2x16xf32>
  %e = tile.reshape %c : tensor<4x8xf32> -> tensor<2x16xf32>
  // CHECK: tile.trans %{{.*}} order [1, 0] : tensor<?x?xf32, #tile.dims<[BM, BN]>> -> tensor<?x?xf32, #tile.dims<[BN, BM]>>
  %f = tile.trans %z order [1, 0] : !names -> tensor<?x?xf32, #tile.dims<[BN, BM]>>
  tile.return
}

// CHECK-LABEL: tile.func @pairs
tile.func @pairs(%x: tensor<4xf32>, %y: tensor<6xf32>, %i: tensor<3xi64>) {
  // CHECK: %[[J:.*]] = tile.join %{{.*}}, %{{.*}} : tensor<4xf32> -> tensor<4x2xf32>
  %j = tile.join %x, %x : tensor<4xf32> -> tensor<4x2xf32>
  // CHECK: %{{.*}}, %{{.*}} = tile.split %[[J]] : tensor<4x2xf32> -> tensor<4xf32>
  %a, %b = tile.split %j : tensor<4x2xf32> -> tensor<4xf32>
  // CHECK: tile.cat %{{.*}}, %{{.*}} axis 0 : tensor<4xf32>, tensor<6xf32> -> tensor<10xf32>
  %c = tile.cat %x, %y axis 0 : tensor<4xf32>, tensor<6xf32> -> tensor<10xf32>
  // CHECK: tile.gather %{{.*}}, %{{.*}} axis 0 : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  %g = tile.gather %x, %i axis 0 : tensor<4xf32>, tensor<3xi64> -> tensor<3xf32>
  tile.return
}
