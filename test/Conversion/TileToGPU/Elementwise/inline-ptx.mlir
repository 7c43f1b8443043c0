// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#four = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

// One text an element; what is pure has no effects.
// CHECK-LABEL: llvm.func @single
// CHECK: llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %{{.*}} : (f32) -> f32
// CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, %clock;", "=r" : () -> i32
// CHECK: %[[W:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[R:.*]] = llvm.inline_asm "popc.b32 $0, $1;", "=r,r" %[[W]] : (i32) -> i32
// CHECK: arith.trunci %[[R]] : i32 to i8
tile.func @single(%p: !tile.ptr<f32>, %q: !tile.ptr<i8>, %x: f32, %b: i8) attributes {tile.num_warps = 1 : i32} {
  %y = tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure (%x) : (f32) -> f32
  %c = tile.inline_ptx "mov.b32 $0, %clock;" constraints "=r" () : () -> i32
  %n = tile.inline_ptx "popc.b32 $0, $1;" constraints "=r,r" pure (%b) : (i8) -> i8
  // CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, 1; fence.acq_rel.gpu;", "=r,~{memory}" : () -> i32
  %f = tile.inline_ptx "mov.b32 $0, 1; fence.acq_rel.gpu;" constraints "=r,~{memory}" () : () -> i32
  tile.store %p, %y : !tile.ptr<f32>
  tile.store %q, %n : !tile.ptr<i8>
  tile.return
}

// Four bytes are one register, and the four f32 that come of them four.
// CHECK-LABEL: llvm.func @packed
// CHECK: %[[B:.*]] = llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK: %[[ALL:.*]] = llvm.inline_asm "{{.*}}", "=f,=f,=f,=f,r" %[[B]] : (i32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-COUNT-4: llvm.extractvalue %[[ALL]]
tile.func @packed() attributes {tile.num_warps = 1 : i32} {
  %c = arith.constant dense<3> : tensor<128xi8, #four>
  %y = tile.inline_ptx "{ mov.b32 $0, $4; mov.b32 $1, $4; mov.b32 $2, $4; mov.b32 $3, $4; }" constraints "=f,=f,=f,=f,r" pack 4 pure (%c)
      : (tensor<128xi8, #four>) -> tensor<128xf32, #four>
  %lane = tile.arange : tensor<128xi32, #four>
  %a = arith.constant 0 : i64
  %q = tile.ptr_cast %a : i64 -> !tile.ptr<f32>
  %s = tile.splat %q : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %t = tile.addptr %s, %lane : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  tile.store %t, %y : tensor<128x!tile.ptr<f32>, #four>
  tile.return
}

// Two outputs of four registers each: the second has the last four.
// CHECK-LABEL: llvm.func @several
// CHECK: %[[ALL:.*]] = llvm.inline_asm "{{.*}}", "=r,=r,=r,=r,=f,=f,=f,=f,r" %{{.*}} : (i32) -> !llvm.struct<(i32, i32, i32, i32, f32, f32, f32, f32)>
// CHECK: llvm.extractvalue %[[ALL]][4]
// CHECK: llvm.extractvalue %[[ALL]][7]
tile.func @several() attributes {tile.num_warps = 1 : i32} {
  %c = arith.constant dense<3> : tensor<128xi8, #four>
  %y = tile.inline_ptx "TEXT" constraints "=r,=r,=r,=r,=f,=f,=f,=f,r" pack 4 pure of [i32, f32] output 1 (%c)
      : (tensor<128xi8, #four>) -> tensor<128xf32, #four>
  %lane = tile.arange : tensor<128xi32, #four>
  %a = arith.constant 0 : i64
  %q = tile.ptr_cast %a : i64 -> !tile.ptr<f32>
  %s = tile.splat %q : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #four>
  %t = tile.addptr %s, %lane : tensor<128x!tile.ptr<f32>, #four>, tensor<128xi32, #four>
  tile.store %t, %y : tensor<128x!tile.ptr<f32>, #four>
  tile.return
}
