// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#row = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// Whole vectors go to one instruction of the chip each.
// CHECK-LABEL: llvm.func @instructions
tile.func @instructions(%x: f32) {
  // CHECK: %[[X:.*]] = vector.broadcast
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%[[X]]) : (vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.fma"(%[[X]], %{{.*}}, %[[X]]) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.exp2"({{.*}}) : (vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call_intrinsic "llvm.fabs"
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %s = math.sqrt %a : tensor<512xf32, #row>
  %f = math.fma %a, %s, %a : tensor<512xf32, #row>
  %e = math.exp2 %f : tensor<512xf32, #row>
  %b = math.absf %e : tensor<512xf32, #row>
  tile.return
}

// exp(x) = 2^h (1 + r)
// CHECK-LABEL: llvm.func @exp
tile.func @exp(%x: f32) {
  // CHECK: %[[LO:.*]] = arith.maximumf
  // CHECK: %[[X:.*]] = arith.minimumf %[[LO]]
  // CHECK: %[[H:.*]] = arith.mulf %[[X]]
  // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.fma"(%[[H]], {{.*}}, %[[X]])
  // CHECK: %[[S:.*]] = llvm.call_intrinsic "llvm.fma"(%[[H]], {{.*}}, %[[R]])
  // CHECK: %[[T:.*]] = arith.addf %{{.*}}, %[[S]]
  // CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.exp2"(%[[H]])
  // CHECK: arith.mulf %[[P]], %[[T]] : vector<4xf32>
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %e = math.exp %a : tensor<512xf32, #row>
  tile.return
}

// 16-bit floats are computed in f32.
// CHECK-LABEL: llvm.func @narrow
tile.func @narrow(%x: f16) {
  // CHECK: %[[W:.*]] = arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: %[[E:.*]] = llvm.call_intrinsic "llvm.exp2"(%[[W]])
  // CHECK: arith.truncf %[[E]] : vector<4xf32> to vector<4xf16>
  // CHECK-COUNT-4: llvm.inline_asm "tanh.approx.f32 $0, $1;"
  // CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xf16>
  %a = tile.splat %x : f16 -> tensor<512xf16, #row>
  %e = math.exp2 %a : tensor<512xf16, #row>
  %t = math.tanh %e : tensor<512xf16, #row>
  tile.return
}

// CHECK-LABEL: llvm.func @scalars
tile.func @scalars(%x: f32, %n: i32, %d: f64) {
  // CHECK: llvm.inline_asm "rsqrt.approx.f32 $0, $1;", "=f,f" %arg0 : (f32) -> f32
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: llvm.call_intrinsic "llvm.ctlz"(%arg1, %[[NO]]) : (i32, i1) -> i32
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%arg2) : (f64) -> f64
  %r = math.rsqrt %x : f32
  %c = math.ctlz %n : i32
  %s = math.sqrt %d : f64
  tile.return
}

// f64 has no approximations: polynomials, and the exponent put in from bits.
// CHECK-LABEL: llvm.func @wide
tile.func @wide(%x: f64, %y: f64) {
  // CHECK-NOT: llvm.inline_asm
  // CHECK: %[[MAGIC:.*]] = arith.constant 0x4338000000000000 : f64
  // CHECK-COUNT-12: llvm.call_intrinsic "llvm.fma"({{.*}}) : (f64, f64, f64) -> f64
  // CHECK: arith.shli %{{.*}}, %{{.*}} : i64
  // CHECK: arith.bitcast %{{.*}} : i64 to f64
  // CHECK: llvm.call_intrinsic "llvm.trunc"
  // CHECK-NOT: math.
  %e = math.exp %x : f64
  %p = math.powf %e, %y : f64
  tile.return
}

// Arguments that three parts of pi/2 cannot reduce take a branch, all of a thread's together.
// CHECK-LABEL: llvm.func @sine
tile.func @sine(%x: f32) {
  // CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE:.*]] : vector<4xi1> into i1
  // CHECK: %[[R:.*]]:2 = scf.if %[[ANY]] -> (vector<4xf32>, vector<4xi32>)
  // CHECK: arith.mului_extended %{{.*}}, %{{.*}} : vector<4xi32>
  // CHECK: arith.select %[[LARGE]]
  // CHECK: arith.mulf %[[R]]#0, %[[R]]#0
  // CHECK-NOT: math.
  %a = tile.splat %x : f32 -> tensor<512xf32, #row>
  %s = math.sin %a : tensor<512xf32, #row>
  tile.return
}
