// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[1, 0], [2, 0], [4, 0], [0, 4], [0, 8]], warp = []>
#row = #tile_gpu.layout<register = [[0, 0], [0, 0], [8, 0]], lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]], warp = []>
#places = #tile_gpu.layout<register = [[0], [0], [8]], lane = [[1], [2], [4], [0], [0]], warp = []>
#columns = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 8]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = []>
#column = #tile_gpu.layout<register = [[1, 0], [2, 0], [0, 0]], lane = [[0, 0], [0, 0], [0, 0], [4, 0], [8, 0]], warp = []>
#along = #tile_gpu.layout<register = [[1], [2], [0]], lane = [[0], [0], [0], [4], [8]], warp = []>

// Rows are chosen whose columns lie side by side: two of f16 by one truth, and four bytes.
// CHECK-LABEL: llvm.func @rows
// CHECK: %[[T:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6] : vector<8xi1>
// CHECK: %[[X:.*]] = llvm.bitcast %{{.*}} : vector<8xf16> to vector<4xi32>
// CHECK: %[[Y:.*]] = llvm.bitcast %{{.*}} : vector<8xf16> to vector<4xi32>
// CHECK: %[[Z:.*]] = arith.select %[[T]], %[[X]], %[[Y]] : vector<4xi1>, vector<4xi32>
// CHECK: llvm.bitcast %[[Z]] : vector<4xi32> to vector<8xf16>
// CHECK: arith.select %{{.*}} : vector<2xi1>, vector<2xi32>
tile.func @rows(%a: f16, %b: f16, %c: i8, %d: i8, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<16xi32, #places>
  %m = tile.splat %n : i32 -> tensor<16xi32, #places>
  %s = arith.cmpi slt, %i, %m : tensor<16xi32, #places>
  %u = tile.expand_dims %s axis 1 : tensor<16xi1, #places> -> tensor<16x1xi1, #row>
  %t = tile.broadcast %u : tensor<16x1xi1, #row> -> tensor<16x16xi1, #rows>
  %x = tile.splat %a : f16 -> tensor<16x16xf16, #rows>
  %y = tile.splat %b : f16 -> tensor<16x16xf16, #rows>
  %z = arith.select %t, %x, %y : tensor<16x16xi1, #rows>, tensor<16x16xf16, #rows>
  %v = tile.splat %c : i8 -> tensor<16x16xi8, #rows>
  %w = tile.splat %d : i8 -> tensor<16x16xi8, #rows>
  %q = arith.select %t, %v, %w : tensor<16x16xi1, #rows>, tensor<16x16xi8, #rows>
  tile.return
}

// Where rows lie side by side each has its own truth.
// CHECK-LABEL: llvm.func @columns
// CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xf16>
tile.func @columns(%a: f16, %b: f16, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<16xi32, #along>
  %m = tile.splat %n : i32 -> tensor<16xi32, #along>
  %s = arith.cmpi slt, %i, %m : tensor<16xi32, #along>
  %u = tile.expand_dims %s axis 1 : tensor<16xi1, #along> -> tensor<16x1xi1, #column>
  %t = tile.broadcast %u : tensor<16x1xi1, #column> -> tensor<16x16xi1, #columns>
  %x = tile.splat %a : f16 -> tensor<16x16xf16, #columns>
  %y = tile.splat %b : f16 -> tensor<16x16xf16, #columns>
  %z = arith.select %t, %x, %y : tensor<16x16xi1, #columns>, tensor<16x16xf16, #columns>
  tile.return
}
