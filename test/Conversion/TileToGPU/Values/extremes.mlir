// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#line = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#four = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#half = #tile_gpu.layout<register = [[1]], lane = [[0], [2], [4], [8], [16]], warp = []>

// Floats meet as integers of the same order, of which a NaN is the least one.
// CHECK-LABEL: llvm.func @greatest
tile.func @greatest(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: %[[B:.*]] = arith.bitcast %[[X:.*]] : f32 to i32
  // CHECK: %[[S:.*]] = arith.shrsi %[[B]]
  // CHECK: %[[T:.*]] = arith.andi %[[S]]
  // CHECK: %[[K:.*]] = arith.xori %[[B]], %[[T]]
  // CHECK: %[[N:.*]] = arith.cmpf uno, %[[X]], %[[X]]
  // CHECK: %[[KEY:.*]] = arith.select %[[N]], %c-2147483648_i32, %[[K]]
  // CHECK: nvvm.redux.sync max %[[KEY]]
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  %s = tile.reduce %a axis 0 : tensor<32xf32, #line> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %g = arith.maxnumf %l, %r : f32
    tile.yield %g : f32
  }
  tile.store %p, %s : !tile.ptr<f32>
  tile.return
}

// A NaN is the least one of a minimum that hands it on, too.
// CHECK-LABEL: llvm.func @least_or_nan
tile.func @least_or_nan(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.select %{{.*}}, %c-2147483648_i32, %
  // CHECK: nvvm.redux.sync min
  %a = tile.splat %x : f32 -> tensor<32xf32, #line>
  %s = tile.reduce %a axis 0 : tensor<32xf32, #line> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %g = arith.minimumf %l, %r : f32
    tile.yield %g : f32
  }
  tile.store %p, %s : !tile.ptr<f32>
  tile.return
}

// The greatest and where it is, of equal ones the first: four of a thread by three comparisons, for their indices grow;
// then two instructions, in which 0 and -0 are one.
// CHECK-LABEL: llvm.func @argmax
tile.func @argmax(%x: f32, %p: !tile.ptr<i32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK: arith.cmpf oge, {{.*}} : vector<2xf32>
  // CHECK: arith.cmpf oge, {{.*}} : vector<1xf32>
  // CHECK-NOT: arith.cmpf oge
  // CHECK: arith.addf
  // CHECK: %[[BEST:.*]] = nvvm.redux.sync max %[[KEY:.*]], %{{.*}} : i32 -> i32
  // CHECK: %[[HAS:.*]] = arith.cmpi eq, %[[KEY]], %[[BEST]]
  // CHECK: %[[MINE:.*]] = arith.select %[[HAS]]
  // CHECK: nvvm.redux.sync min %[[MINE]]
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<128xf32, #four>
  %n = tile.arange : tensor<128xi32, #four>
  %m, %i = tile.reduce %a, %n axis 0 : tensor<128xf32, #four>, tensor<128xi32, #four> -> f32, i32 {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1: i32):
    %same = arith.cmpf oeq, %v0, %v1 : f32
    %first = arith.cmpi slt, %i0, %i1 : i32
    %tie = arith.andi %same, %first : i1
    %more = arith.cmpf ogt, %v0, %v1 : f32
    %g = arith.ori %more, %tie : i1
    %v = arith.select %g, %v0, %v1 : f32
    %k = arith.select %g, %i0, %i1 : i32
    tile.yield %v, %k : f32, i32
  }
  tile.store %p, %i : !tile.ptr<i32>
  tile.return
}

// Sixteen lanes are no warp.
// CHECK-LABEL: llvm.func @half_a_warp
tile.func @half_a_warp(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  // CHECK-COUNT-4: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.redux.sync
  // CHECK: llvm.return
  %a = tile.splat %x : f32 -> tensor<32xf32, #half>
  %s = tile.reduce %a axis 0 : tensor<32xf32, #half> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %g = arith.maxnumf %l, %r : f32
    tile.yield %g : f32
  }
  tile.store %p, %s : !tile.ptr<f32>
  tile.return
}
