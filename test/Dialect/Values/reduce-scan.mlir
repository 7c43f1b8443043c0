// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @named_forms
tile.func @named_forms(%x: tensor<8x64xf32>, %i: tensor<64xi32>) {
  // CHECK: tile.reduce add %{{.*}} axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  %0 = tile.reduce add %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  // CHECK: tile.reduce mul %{{.*}} axis 0 : tensor<8x64xf32> -> tensor<64xf32>
  %1 = tile.reduce mul %x axis 0 : tensor<8x64xf32> -> tensor<64xf32>
  // CHECK: tile.reduce max %{{.*}} axis 1
  %2 = tile.reduce max %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  // CHECK: tile.reduce min %{{.*}} axis 1
  %3 = tile.reduce min %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  // CHECK: tile.reduce maxnum %{{.*}} axis 1
  %4 = tile.reduce maxnum %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  // CHECK: tile.reduce minnum %{{.*}} axis 1
  %5 = tile.reduce minnum %x axis 1 : tensor<8x64xf32> -> tensor<8xf32>
  // CHECK: tile.reduce add %{{.*}} axis 0 : tensor<64xi32> -> i32
  %6 = tile.reduce add %i axis 0 : tensor<64xi32> -> i32
  // CHECK: tile.reduce umax %{{.*}} axis 0
  %7 = tile.reduce umax %i axis 0 : tensor<64xi32> -> i32
  // CHECK: tile.reduce umin %{{.*}} axis 0
  %8 = tile.reduce umin %i axis 0 : tensor<64xi32> -> i32
  // CHECK: tile.reduce and %{{.*}} axis 0
  %9 = tile.reduce and %i axis 0 : tensor<64xi32> -> i32
  // CHECK: tile.reduce or %{{.*}} axis 0
  %10 = tile.reduce or %i axis 0 : tensor<64xi32> -> i32
  // CHECK: tile.reduce xor %{{.*}} axis 0
  %11 = tile.reduce xor %i axis 0 : tensor<64xi32> -> i32
  // CHECK: tile.scan add %{{.*}} axis 0 {reverse} : tensor<64xi32> -> tensor<64xi32>
  %12 = tile.scan add %i axis 0 {reverse} : tensor<64xi32> -> tensor<64xi32>
  // CHECK: tile.scan max %{{.*}} axis 1 : tensor<8x64xf32> -> tensor<8x64xf32>
  %13 = tile.scan max %x axis 1 : tensor<8x64xf32> -> tensor<8x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @argmax
tile.func @argmax(%x: tensor<64xf32>, %i: tensor<64xi32>) {
  // CHECK: %{{.*}}:2 = tile.reduce %{{.*}}, %{{.*}} axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 {
  // CHECK-NEXT: ^bb0(%[[V0:.*]]: f32, %[[I0:.*]]: i32, %[[V1:.*]]: f32, %[[I1:.*]]: i32):
  // CHECK-NEXT: %[[FIRST:.*]] = arith.cmpf oge, %[[V0]], %[[V1]] : f32
  // CHECK-NEXT: arith.select %[[FIRST]], %[[V0]], %[[V1]] : f32
  // CHECK-NEXT: arith.select %[[FIRST]], %[[I0]], %[[I1]] : i32
  // CHECK-NEXT: tile.yield %{{.*}}, %{{.*}} : f32, i32
  %m, %at = tile.reduce %x, %i axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
    %first = arith.cmpf oge, %v0, %v1 : f32
    %v = arith.select %first, %v0, %v1 : f32
    %j = arith.select %first, %i0, %i1 : i32
    tile.yield %v, %j : f32, i32
  }
  tile.return
}

// A region of the one op that a name stands for prints as the name; with flags it stays a region.
// CHECK-LABEL: tile.func @regions
tile.func @regions(%x: tensor<64xf32>) {
  // CHECK: tile.reduce add %{{.*}} axis 0 : tensor<64xf32> -> f32{{$}}
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
  // CHECK: tile.reduce %{{.*}} axis 0 : tensor<64xf32> -> f32 {
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<fast> : f32
  %1 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b fastmath<fast> : f32
    tile.yield %s : f32
  }
  tile.return
}

// CHECK-LABEL: tile.func @names
tile.func @names(%x: tensor<?x?xf32, #tile.dims<[M, N]>>) {
  // CHECK: -> tensor<?xf32, #tile.dims<[M]>>
  %0 = tile.reduce add %x axis 1 : tensor<?x?xf32, #tile.dims<[M, N]>> -> tensor<?xf32, #tile.dims<[M]>>
  tile.return
}
