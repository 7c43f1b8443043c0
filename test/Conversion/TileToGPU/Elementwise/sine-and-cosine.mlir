// Sine and cosine of one angle: it is reduced once, and each polynomial is computed once, for the quadrant to choose.
//
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// CHECK-LABEL: llvm.func @both
tile.func @both(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: scf.if
  // CHECK: dense<2.71831141E-6>
  // CHECK: dense<2.43904487E-5>
  // CHECK-NOT: scf.if
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  %s = math.sin %a : tensor<32xf32, #line>
  %c = math.cos %a : tensor<32xf32, #line>
  %y = arith.mulf %s, %c : tensor<32xf32, #line>
  %r = tile.reduce add %y axis 0 : tensor<32xf32, #line> -> f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}

// One alone takes coefficients that are chosen.
// CHECK-LABEL: llvm.func @one
tile.func @one(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: scf.if
  // CHECK-COUNT-5: arith.select %{{.*}}, %cst{{.*}}, %{{.*}} : vector<1xi1>, vector<1xf32>
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  %c = math.cos %a : tensor<32xf32, #line>
  %r = tile.reduce add %c axis 0 : tensor<32xf32, #line> -> f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}
