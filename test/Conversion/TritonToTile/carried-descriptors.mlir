// Descriptors that loops carry, branches make anew and choices pick: what they are made of is handed on, and what is the same in
// all of them is taken from where it was made.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-opt kernels.ttir --convert-triton-to-tile | FileCheck %s
// RUN: not tile-opt invalid.ttir --convert-triton-to-tile 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: tile-run kernels.ttir --kernel groups --target=cpu --repeat 1 --grid 1 --arg random:f32[24x16]:out=x.npy --arg zeros:f32[24x16]:out=y.npy --arg 6
// RUN: tile-run same.mlir --target=cpu
// RUN: tile-run kernels.ttir --kernel reduced --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX
// PTX: max.f16 sum, seen

// Only the base and the rows differ.
// CHECK-LABEL: tile.func @groups
// CHECK: %[[LOOP:.*]]:{{.*}} = scf.for
// CHECK: %[[IF:.*]]:4 = scf.if %{{.*}} -> (!tile.ptr<f32>, i32, i32, i64)
// CHECK: %[[D:.*]] = tile.make_desc %[[IF]]#0, [%[[IF]]#1, %[[N:.*]]], [%[[PITCH:.*]]] :
// CHECK: tile.desc_load %[[D]]
// CHECK-LABEL: tile.func @chosen
// CHECK: %[[BASE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f32>
// CHECK: tile.make_desc %[[BASE]], [
// CHECK-SAME: padding nan
// CHECK-LABEL: tile.func @turns
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: tile.make_desc
// CHECK-LABEL: tile.func @reduced
// CHECK: tile.atomic_rmw fmax relaxed gpu

//--- kernels.ttir
// y = x, four rows at a time: every second step has a descriptor of its own, of the eight rows that it and the next one read.
tt.func public @groups(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %all = arith.constant 24 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 16 : i64
  %first = tt.make_tensor_descriptor %x, [%all, %c16], [%pitch, %one] : <f32>, <tensor<4x16xf32>>
  %out = tt.make_tensor_descriptor %y, [%all, %c16], [%pitch, %one] : <f32>, <tensor<4x16xf32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %first) -> (!tt.tensordesc<tensor<4x16xf32>>) : i32 {
    %odd = arith.remsi %i, %c2 : i32
    %even = arith.cmpi eq, %odd, %c0 : i32
    %row = arith.muli %i, %c4 : i32
    %d = scf.if %even -> (!tt.tensordesc<tensor<4x16xf32>>) {
      %offset = arith.muli %row, %c16 : i32
      %p = tt.addptr %x, %offset : !tt.ptr<f32>, i32
      %new = tt.make_tensor_descriptor %p, [%c8, %c16], [%pitch, %one] : <f32>, <tensor<4x16xf32>>
      scf.yield %new : !tt.tensordesc<tensor<4x16xf32>>
    } else {
      scf.yield %carried : !tt.tensordesc<tensor<4x16xf32>>
    }
    %at = arith.muli %odd, %c4 : i32
    %v = tt.descriptor_load %d[%at, %c0] : !tt.tensordesc<tensor<4x16xf32>> -> tensor<4x16xf32>
    tt.descriptor_store %out[%row, %c0], %v : !tt.tensordesc<tensor<4x16xf32>>, tensor<4x16xf32>
    scf.yield %d : !tt.tensordesc<tensor<4x16xf32>>
  }
  tt.return
}

tt.func public @chosen(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %which: i1, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 16 : i64
  %a = tt.make_tensor_descriptor %x, [%c16, %c16], [%pitch, %one] {padding = 2 : i32} : <f32>, <tensor<4x16xf32>>
  %b = tt.make_tensor_descriptor %y, [%c16, %c16], [%pitch, %one] {padding = 2 : i32} : <f32>, <tensor<4x16xf32>>
  %d = arith.select %which, %a, %b : !tt.tensordesc<tensor<4x16xf32>>
  %v = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<4x16xf32>> -> tensor<4x16xf32>
  %to = tt.make_tensor_descriptor %out, [%c16, %c16], [%pitch, %one] : <f32>, <tensor<4x16xf32>>
  tt.descriptor_store %to[%c0, %c0], %v : !tt.tensordesc<tensor<4x16xf32>>, tensor<4x16xf32>
  tt.return
}

tt.func public @turns(%x: !tt.tensordesc<tensor<4x16xf32>>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 16 : i64
  %end:2 = scf.while (%i = %c0, %d = %x) : (i32, !tt.tensordesc<tensor<4x16xf32>>) -> (i32, !tt.tensordesc<tensor<4x16xf32>>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %d : i32, !tt.tensordesc<tensor<4x16xf32>>
  } do {
  ^bb0(%i: i32, %d: !tt.tensordesc<tensor<4x16xf32>>):
    %v = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<4x16xf32>> -> tensor<4x16xf32>
    tt.descriptor_store %d[%i, %c0], %v : !tt.tensordesc<tensor<4x16xf32>>, tensor<4x16xf32>
    %next = tt.make_tensor_descriptor %y, [%n, %c16], [%pitch, %one] : <f32>, <tensor<4x16xf32>>
    %j = arith.addi %i, %c4 : i32
    scf.yield %j, %next : i32, !tt.tensordesc<tensor<4x16xf32>>
  }
  tt.return
}

// A box that is reduced into, of a descriptor that a branch chose.
tt.func public @reduced(%x: !tt.tensordesc<tensor<4x16xf16>>, %y: !tt.tensordesc<tensor<4x16xf16>>, %which: i1) {
  %c0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<4x16xf16>
  %d = scf.if %which -> (!tt.tensordesc<tensor<4x16xf16>>) {
    scf.yield %x : !tt.tensordesc<tensor<4x16xf16>>
  } else {
    scf.yield %y : !tt.tensordesc<tensor<4x16xf16>>
  }
  tt.descriptor_reduce max, %d[%c0, %c0], %v : !tt.tensordesc<tensor<4x16xf16>>, tensor<4x16xf16>
  tt.return
}

//--- invalid.ttir
// ERROR: 'arith.select': expected descriptors that the kernel makes or is given, which all pad alike, found others
tt.func public @both(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %which: i1) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 16 : i64
  %a = tt.make_tensor_descriptor %x, [%c16, %c16], [%pitch, %one] {padding = 2 : i32} : <f32>, <tensor<4x16xf32>>
  %b = tt.make_tensor_descriptor %y, [%c16, %c16], [%pitch, %one] : <f32>, <tensor<4x16xf32>>
  %d = arith.select %which, %a, %b : !tt.tensordesc<tensor<4x16xf32>>
  %v = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<4x16xf32>> -> tensor<4x16xf32>
  tt.descriptor_store %d[%c0, %c0], %v : !tt.tensordesc<tensor<4x16xf32>>, tensor<4x16xf32>
  tt.return
}

//--- same.mlir
func.func @main() {
  %x = tile_host.read "x.npy" : memref<24x16xf32>
  %y = tile_host.read "y.npy" : memref<24x16xf32>
  tile_host.expect_close %y, %x {atol = 0.0, rtol = 0.0} : memref<24x16xf32>, memref<24x16xf32>
  return
}
