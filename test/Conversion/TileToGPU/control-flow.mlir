// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// Loops carry what a thread holds; pointers are numbers. Hints for the pipeliner go no further.
// CHECK-LABEL: llvm.func @for
tile.func @for(%x: !tile.ptr<f32>, %n: i32) {
  // CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xi64>) : i32 {
  // CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]] : vector<4xf32>
  // CHECK: scf.yield %[[B]], %{{.*}} : vector<4xf32>, vector<4xi64>
  // CHECK-NEXT: }{{$}}
  // CHECK: arith.negf %[[R]]#0
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<512xf32, #v>
  %one = arith.constant dense<1> : tensor<512xi32, #v>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>, #v>
  %s, %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %p = %xs) -> (tensor<512xf32, #v>, tensor<512x!tile.ptr<f32>, #v>) : i32 {
    %b = arith.addf %a, %a : tensor<512xf32, #v>
    %r = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>, #v>, tensor<512xi32, #v>
    scf.yield %b, %r : tensor<512xf32, #v>, tensor<512x!tile.ptr<f32>, #v>
  } {tile.num_stages = 3 : i32}
  %t = arith.negf %s : tensor<512xf32, #v>
  tile.return
}

// CHECK-LABEL: llvm.func @if
tile.func @if(%c: i1, %x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast
  // CHECK: scf.if %{{.*}} -> (vector<4xf32>) {
  // CHECK: %[[B:.*]] = arith.negf %[[A]]
  // CHECK: scf.yield %[[B]] : vector<4xf32>
  // CHECK: } else {
  // CHECK-NEXT: scf.yield %[[A]] : vector<4xf32>
  // CHECK: scf.if %{{.*}} {
  // CHECK-NOT: else
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<512xf32, #v>
  %r = scf.if %c -> tensor<512xf32, #v> {
    %b = arith.negf %a : tensor<512xf32, #v>
    scf.yield %b : tensor<512xf32, #v>
  } else {
    scf.yield %a : tensor<512xf32, #v>
  }
  scf.if %c {
    %d = arith.negf %r : tensor<512xf32, #v>
  }
  tile.return
}

// CHECK-LABEL: llvm.func @while
tile.func @while(%x: i32, %n: i32) {
  // CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (vector<4xi32>) -> vector<4xi32> {
  // CHECK: scf.condition(%{{.*}}) %[[A]] : vector<4xi32>
  // CHECK: ^bb0(%[[B:.*]]: vector<4xi32>):
  // CHECK: %[[C:.*]] = arith.addi %[[B]], %[[B]]
  // CHECK: %[[D:.*]] = llvm.shufflevector %[[C]], %[[C]] [0, 0, 0, 0]
  // CHECK: scf.yield %[[D]] : vector<4xi32>
  %a = tile.splat %x : i32 -> tensor<512xi32, #v>
  %r = scf.while (%b = %a) : (tensor<512xi32, #v>) -> tensor<512xi32, #v> {
    %go = arith.cmpi slt, %x, %n : i32
    scf.condition(%go) %b : tensor<512xi32, #v>
  } do {
  ^bb0(%b: tensor<512xi32, #v>):
    %c = arith.addi %b, %b : tensor<512xi32, #v>
    scf.yield %c : tensor<512xi32, #v>
  }
  tile.return
}

// What only the host evaluates leaves nothing, and host functions are dropped.
// CHECK-LABEL: llvm.func @host
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK-NOT: arith.ceildivsi
// CHECK: llvm.return
// CHECK-NOT: func.func
tile.func @host(%n: i32) {
  tile.grid(%n : i32) {
    %g = arith.ceildivsi %n, %n : i32
    tile.yield %g : i32
  }
  tile.return
}

func.func @main() {
  return
}

// What an untaken branch gives is anything, a number as a tile.
// CHECK-LABEL: llvm.func @open
// CHECK: %[[T:.*]]:2 = scf.if
// CHECK: } else {
// CHECK-DAG: %[[V:.*]] = llvm.mlir.poison : vector<4xf32>
// CHECK-DAG: %[[N:.*]] = llvm.mlir.poison : i32
// CHECK: scf.yield %[[V]], %[[N]] : vector<4xf32>, i32
tile.func @open(%c: i1, %n: i32) {
  %a = arith.constant dense<1.0> : tensor<512xf32, #v>
  %r:2 = scf.if %c -> (tensor<512xf32, #v>, i32) {
    scf.yield %a, %n : tensor<512xf32, #v>, i32
  } else {
    %p = ub.poison : tensor<512xf32, #v>
    %q = ub.poison : i32
    scf.yield %p, %q : tensor<512xf32, #v>, i32
  }
  tile.return
}
