// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#row = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// 8-bit floats are bytes; their exponent and mantissa move to where f32 has them.
// CHECK-LABEL: llvm.func @extend
// CHECK-SAME: (%[[X:.*]]: i8)
tile.func @extend(%x: f8E4M3FN) {
  // CHECK: %[[V:.*]] = vector.broadcast %[[X]] : i8 to vector<4xi8>
  // CHECK: %[[W:.*]] = arith.extui %[[V]] : vector<4xi8> to vector<4xi32>
  // CHECK: %[[M:.*]] = arith.andi %[[W]]
  // CHECK: %[[TWENTY:.*]] = arith.constant dense<20> : vector<4xi32>
  // CHECK: %[[P:.*]] = arith.shli %{{.*}}, %[[TWENTY]]
  // CHECK: arith.mulf {{.*}} : vector<4xf32>
  // CHECK: %[[F:.*]] = arith.bitcast {{.*}} : vector<4xi32> to vector<4xf32>
  // CHECK: arith.truncf %[[F]] : vector<4xf32> to vector<4xf16>
  %a = tile.splat %x : f8E4M3FN -> tensor<512xf8E4M3FN, #row>
  %h = arith.extf %a : tensor<512xf8E4M3FN, #row> to tensor<512xf16, #row>
  tile.return
}

// CHECK-LABEL: llvm.func @round
tile.func @round(%x: f16) {
  // CHECK: arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: arith.trunci {{.*}} : vector<4xi32> to vector<4xi8>
  %a = tile.splat %x : f16 -> tensor<512xf16, #row>
  %h = arith.truncf %a : tensor<512xf16, #row> to tensor<512xf8E5M2, #row>
  tile.return
}

// 1.5 is 0 0111 100 in f8E4M3FN.
// CHECK-LABEL: llvm.func @constant
tile.func @constant() {
  // CHECK: arith.constant dense<60> : vector<4xi8>
  %a = arith.constant dense<1.5> : tensor<512xf8E4M3FN, #row>
  tile.return
}
