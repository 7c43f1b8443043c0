// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#row = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#wide = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 256]]>
#swapped = #tile_gpu.layout<register = [[0, 2], [0, 1]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 256]]>

// CHECK-LABEL: llvm.func @expand_dims
tile.func @expand_dims(%x: i32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : i32 to vector<4xi32>
  // CHECK-NEXT: arith.muli %[[A]], %[[A]] : vector<4xi32>
  %a = tile.splat %x : i32 -> tensor<512xi32, #row>
  %b = tile.expand_dims %a axis 0 : tensor<512xi32, #row> -> tensor<1x512xi32, #wide>
  %c = arith.muli %b, %b : tensor<1x512xi32, #wide>
  tile.return
}

// The result numbers the same registers otherwise: one shuffle.
// CHECK-LABEL: llvm.func @renumbered
tile.func @renumbered(%x: i32) {
  // CHECK: %[[A:.*]] = vector.broadcast
  // CHECK-NEXT: %[[B:.*]] = llvm.shufflevector %[[A]], %[[A]] [0, 2, 1, 3] : vector<4xi32>
  // CHECK-NEXT: arith.muli %[[B]], %[[B]]
  %a = tile.splat %x : i32 -> tensor<512xi32, #row>
  %b = tile.expand_dims %a axis 0 : tensor<512xi32, #row> -> tensor<1x512xi32, #swapped>
  %c = arith.muli %b, %b : tensor<1x512xi32, #swapped>
  tile.return
}

#box = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>

// CHECK-LABEL: llvm.func @reshape
tile.func @reshape(%x: f16) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f16 to vector<4xf16>
  // CHECK-NEXT: arith.addf %[[A]], %[[A]] : vector<4xf16>
  %a = tile.splat %x : f16 -> tensor<512xf16, #row>
  %b = tile.reshape %a : tensor<512xf16, #row> -> tensor<16x32xf16, #box>
  %c = arith.addf %b, %b : tensor<16x32xf16, #box>
  tile.return
}

// A leading extent need not be a power of two: the padding stays behind the tile.
// CHECK-LABEL: llvm.func @reshape_padded
tile.func @reshape_padded(%x: f16) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f16 to vector<4xf16>
  // CHECK-NEXT: arith.addf %[[A]], %[[A]] : vector<4xf16>
  %a = tile.splat %x : f16 -> tensor<416xf16, #row>
  %b = tile.reshape %a : tensor<416xf16, #row> -> tensor<13x32xf16, #box>
  %c = arith.addf %b, %b : tensor<13x32xf16, #box>
  tile.return
}

#turned = #tile_gpu.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]]>

// CHECK-LABEL: llvm.func @trans
tile.func @trans(%x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f32 to vector<4xf32>
  // CHECK-NEXT: arith.addf %[[A]], %[[A]]
  %a = tile.splat %x : f32 -> tensor<16x32xf32, #box>
  %b = tile.trans %a order [1, 0] : tensor<16x32xf32, #box> -> tensor<32x16xf32, #turned>
  %c = arith.addf %b, %b : tensor<32x16xf32, #turned>
  tile.return
}

#column = #tile_gpu.layout<register = [[1, 0]], lane = [[0, 0], [0, 0], [0, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#full = #tile_gpu.layout<register = [[0, 1], [1, 0], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// Registers repeat where the new coordinates lie in registers.
// CHECK-LABEL: llvm.func @broadcast
tile.func @broadcast(%x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f32 to vector<2xf32>
  // CHECK-NEXT: %[[B:.*]] = llvm.shufflevector %[[A]], %[[A]] [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xf32>
  // CHECK-NEXT: arith.addf %[[B]], %[[B]] : vector<8xf32>
  %a = tile.splat %x : f32 -> tensor<32x1xf32, #column>
  %b = tile.broadcast %a : tensor<32x1xf32, #column> -> tensor<32x32xf32, #full>
  %c = arith.addf %b, %b : tensor<32x32xf32, #full>
  tile.return
}

#pairs = #tile_gpu.layout<register = [[0, 1], [1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], warp = [[128, 0], [256, 0]]>

// CHECK-LABEL: llvm.func @join
tile.func @join(%x: f32, %y: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f32 to vector<4xf32>
  // CHECK-NEXT: %[[B:.*]] = vector.broadcast {{.*}} : f32 to vector<4xf32>
  // CHECK-NEXT: %[[J:.*]] = llvm.shufflevector %[[A]], %[[B]] [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xf32>
  // CHECK-NEXT: arith.addf %[[J]], %[[J]] : vector<8xf32>
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %b = tile.splat %y : f32 -> tensor<512xf32, #row>
  %j = tile.join %a, %b : tensor<512xf32, #row> -> tensor<512x2xf32, #pairs>
  %c = arith.addf %j, %j : tensor<512x2xf32, #pairs>
  tile.return
}

#pairs_last = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 1]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], warp = [[128, 0], [256, 0]]>

// The bit that tells the halves apart may be any register bit.
// CHECK-LABEL: llvm.func @split
tile.func @split(%x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f32 to vector<8xf32>
  // CHECK-NEXT: %[[L:.*]] = llvm.shufflevector %[[A]], %[[A]] [0, 1, 2, 3]
  // CHECK-NEXT: %[[R:.*]] = llvm.shufflevector %[[A]], %[[A]] [4, 5, 6, 7]
  // CHECK-NEXT: arith.subf %[[L]], %[[R]] : vector<4xf32>
  %a = tile.splat %x : f32 -> tensor<512x2xf32, #pairs_last>
  %l, %r = tile.split %a : tensor<512x2xf32, #pairs_last> -> tensor<512xf32, #row>
  %c = arith.subf %l, %r : tensor<512xf32, #row>
  tile.return
}

#longer = #tile_gpu.layout<register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// CHECK-LABEL: llvm.func @cat
tile.func @cat(%x: f32, %y: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast {{.*}} : f32 to vector<4xf32>
  // CHECK-NEXT: %[[B:.*]] = vector.broadcast {{.*}} : f32 to vector<4xf32>
  // CHECK-NEXT: %[[J:.*]] = llvm.shufflevector %[[A]], %[[B]] [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>
  // CHECK-NEXT: arith.addf %[[J]], %[[J]] : vector<8xf32>
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %b = tile.splat %y : f32 -> tensor<512xf32, #row>
  %j = tile.cat %a, %b axis 0 : tensor<512xf32, #row>, tensor<512xf32, #row> -> tensor<1024xf32, #longer>
  %c = arith.addf %j, %j : tensor<1024xf32, #longer>
  tile.return
}
