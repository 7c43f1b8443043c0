// RUN: tile-opt %s --tile-set-target=arch=sm_80 --convert-tile-to-gpu | FileCheck %s
// RUN: tile-opt %s --tile-set-target=arch=sm_90a --convert-tile-to-gpu | FileCheck %s --check-prefix=CHIP

#row = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

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
  // Chips that multiply them extend two at a time.
  // CHIP-LABEL: llvm.func @extend
  // CHIP: %[[W:.*]] = llvm.bitcast %{{.*}} : vector<4xi8> to vector<2xi16>
  // CHIP: %[[A:.*]] = vector.extract %[[W]][0] : i16 from vector<2xi16>
  // CHIP: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%[[A]]) : (i16) -> vector<2xf16>
  // CHIP: %[[B:.*]] = vector.extract %[[W]][1] : i16 from vector<2xi16>
  // CHIP: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%[[B]]) : (i16) -> vector<2xf16>
  // CHIP: vector.from_elements {{.*}} : vector<4xf16>
  // CHIP-NOT: arith.truncf
  // CHIP: llvm.return
  %a = tile.splat %x : f8E4M3FN -> tensor<512xf8E4M3FN, #row>
  %h = arith.extf %a : tensor<512xf8E4M3FN, #row> to tensor<512xf16, #row>
  tile.return
}

// CHECK-LABEL: llvm.func @round
tile.func @round(%x: f16) {
  // CHECK: arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: arith.trunci {{.*}} : vector<4xi32> to vector<4xi8>
  // Two at a time, the first in the low byte; then infinity in the place of what was saturated.
  // CHIP-LABEL: llvm.func @round
  // CHIP: %[[V:.*]] = arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  // CHIP: %[[A:.*]] = vector.extract %[[V]][0]
  // CHIP: %[[B:.*]] = vector.extract %[[V]][1]
  // CHIP: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"(%[[B]], %[[A]]) : (f32, f32) -> i16
  // CHIP: llvm.bitcast %{{.*}} : vector<2xi16> to vector<4xi8>
  // CHIP: dense<1198522368> : vector<4xi32>
  // CHIP: arith.cmpi uge
  // CHIP: arith.select
  %a = tile.splat %x : f16 -> tensor<512xf16, #row>
  %h = arith.truncf %a : tensor<512xf16, #row> to tensor<512xf8E5M2, #row>
  tile.return
}

// What is clamped to the format's numbers needs no more than the chip, which clamps by itself.
// CHIP-LABEL: llvm.func @saturate(
// CHIP: %[[A:.*]] = vector.broadcast
// CHIP: %[[A0:.*]] = vector.extract %[[A]][0]
// CHIP: %[[A1:.*]] = vector.extract %[[A]][1]
// CHIP-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
// CHIP: llvm.bitcast %{{.*}} : vector<2xi16> to vector<4xi8>
// CHIP-NOT: arith.select
// CHIP: llvm.return
tile.func @saturate(%x: f32) {
  %most = arith.constant dense<448.0> : tensor<512xf32, #row>
  %least = arith.constant dense<-448.0> : tensor<512xf32, #row>
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %b = arith.minimumf %a, %most : tensor<512xf32, #row>
  %c = arith.maximumf %b, %least : tensor<512xf32, #row>
  %h = arith.truncf %c : tensor<512xf32, #row> to tensor<512xf8E4M3FN, #row>
  tile.return
}

// In the other order, too. A narrower clamp stays.
// CHIP-LABEL: llvm.func @saturate_from_below(
// CHIP: %[[A:.*]] = vector.broadcast
// CHIP: vector.extract %[[A]][0]
// CHIP: %[[LOW:.*]] = llvm.call_intrinsic "llvm.minimum"
// CHIP: vector.extract %[[LOW]][0]
tile.func @saturate_from_below(%x: f32) {
  %most = arith.constant dense<57344.0> : tensor<512xf32, #row>
  %least = arith.constant dense<-57344.0> : tensor<512xf32, #row>
  %few = arith.constant dense<448.0> : tensor<512xf32, #row>
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %b = arith.maximumf %a, %least : tensor<512xf32, #row>
  %c = arith.minimumf %b, %most : tensor<512xf32, #row>
  %h = arith.truncf %c : tensor<512xf32, #row> to tensor<512xf8E5M2, #row>
  %d = arith.minimumf %b, %few : tensor<512xf32, #row>
  %i = arith.truncf %d : tensor<512xf32, #row> to tensor<512xf8E5M2, #row>
  tile.return
}

// 1.5 is 0 0111 100 in f8E4M3FN.
// CHECK-LABEL: llvm.func @constant
tile.func @constant() {
  // CHECK: arith.constant dense<60> : vector<4xi8>
  %a = arith.constant dense<1.5> : tensor<512xf8E4M3FN, #row>
  tile.return
}

// Arithmetic is done in f32 and rounded, op by op; integers and f64 go the same way, f64 through an
// f32 that is odd where it lost something.
// CHECK-LABEL: llvm.func @compute
tile.func @compute(%x: f8E4M3FN, %n: i8, %d: f64) {
  // CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
  // CHECK: arith.bitcast %[[S]] : f32 to i32
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  // CHECK: %[[U:.*]] = arith.uitofp %{{.*}} : i8 to f32
  // CHECK: arith.bitcast %[[U]] : f32 to i32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.f2i.rz"(%{{.*}}) : (f32) -> i32
  // CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
  // CHECK: %[[NEAR:.*]] = arith.truncf %{{.*}} : f64 to f32
  // CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f32 to f64
  // CHECK: %[[LOST:.*]] = arith.cmpf une, %[[BACK]], %{{.*}} : f64
  // CHECK: arith.select %[[LOST]]
  // CHECK: llvm.call_intrinsic "llvm.exp2"({{.*}}) : (f32) -> f32
  %s = arith.addf %x, %x : f8E4M3FN
  %u = arith.uitofp %n : i8 to f8E4M3FN
  %i = arith.fptosi %x : f8E4M3FN to i32
  %c = arith.cmpf olt, %x, %s : f8E4M3FN
  %r = arith.truncf %d : f64 to f8E4M3FN
  %e = math.exp2 %x : f8E4M3FN
  tile.return
}

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// Reductions shuffle bytes and combine in f32.
// CHECK-LABEL: llvm.func @combine
tile.func @combine(%x: f8E5M2, %p: !tile.ptr<f8E5M2>) attributes {tile.num_warps = 1 : i32} {
  // CHECK-COUNT-5: llvm.call_intrinsic "llvm.maximum"(%{{.*}}, %{{.*}}) : (vector<1xf32>, vector<1xf32>)
  %a = tile.splat %x : f8E5M2 -> tensor<32xf8E5M2, #line>
  %s = tile.reduce max %a axis 0 : tensor<32xf8E5M2, #line> -> f8E5M2
  tile.store %p, %s : !tile.ptr<f8E5M2>
  tile.return
}

// One alone goes with a zero; f32 and bf16 come from f16, which holds them all.
// CHIP-LABEL: llvm.func @one
tile.func @one(%x: f8E5M2, %p: !tile.ptr<bf16>) {
  // CHIP: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHIP: %[[PAIR:.*]] = vector.from_elements %{{.*}}, %[[ZERO]] : vector<2xi8>
  // CHIP: llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"
  // CHIP: vector.from_elements {{.*}} : vector<2xf16>
  // CHIP: %[[H:.*]] = vector.extract %{{.*}}[0] : f16 from vector<2xf16>
  // CHIP: %[[F:.*]] = arith.extf %[[H]] : f16 to f32
  // CHIP: arith.truncf %[[F]] : f32 to bf16
  %h = arith.extf %x : f8E5M2 to bf16
  tile.store %p, %h : !tile.ptr<bf16>
  tile.return
}
