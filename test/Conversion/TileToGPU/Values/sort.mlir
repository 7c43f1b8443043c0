// tile.sort and tile.histogram on the GPU.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#lanes = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#warps = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#bins = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>

// Keys in unsigned order above their positions; registers, then lanes; at the end the elements, from
// where their pairs say.
// CHECK-LABEL: llvm.func @packed
tile.func @packed(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %v = tile.splat %x : f32 -> tensor<64xf32, #lanes>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<2xf32> to vector<2xi32>
  // CHECK: %[[SIGNS:.*]] = arith.shrsi %[[BITS]]
  // CHECK: %[[FLIP:.*]] = arith.ori %[[SIGNS]]
  // CHECK: %[[KEY:.*]] = arith.xori %[[BITS]], %[[FLIP]]
  // CHECK: %[[NAN:.*]] = arith.cmpi ugt
  // CHECK: %[[ORDERED:.*]] = arith.select %[[NAN]], %{{.*}}, %[[KEY]]
  // CHECK: %[[WIDE:.*]] = arith.extui %[[ORDERED]] : vector<2xi32> to vector<2xi64>
  // CHECK: %[[HIGH:.*]] = arith.shli %[[WIDE]]
  // CHECK: %[[PAIR:.*]] = arith.ori %[[HIGH]]
  // CHECK: %[[OTHER:.*]] = llvm.shufflevector %[[PAIR]], %[[PAIR]] [1, 0]
  // CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[OTHER]], %[[PAIR]]
  // CHECK: %[[TAKE:.*]] = arith.xori %[[LESS]]
  // CHECK: arith.select %[[TAKE]], %[[OTHER]], %[[PAIR]]
  // CHECK: nvvm.shfl.sync bfly
  // CHECK: %[[FROM:.*]] = arith.trunci %{{.*}} : vector<2xi64> to vector<2xi32>
  // CHECK: gpu.barrier
  // CHECK-COUNT-2: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: vector.extract %[[FROM]][0]
  // CHECK: llvm.load %{{.*}} -> f32
  %s = tile.sort %v axis 0 {offset = 0 : i32} : tensor<64xf32, #lanes>
  tile.return
}

// Keys of 64 bits have their positions beside them. Warps exchange through scratch; a descending
// order is that of the inverted bits, for which equal keys stay in place too.
// CHECK-LABEL: llvm.func @wide
tile.func @wide(%x: i64) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 768 : i32} {
  %v = tile.splat %x : i64 -> tensor<64xi64, #warps>
  // CHECK: arith.xori %{{.*}}, %{{.*}} : vector<1xi64>
  // CHECK: arith.xori %{{.*}}, %{{.*}} : vector<1xi64>
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}} : vector<1xi64>
  // CHECK: %[[BEFORE:.*]] = arith.cmpi ult, %{{.*}} : vector<1xi32>
  // CHECK: arith.andi %[[SAME]], %[[BEFORE]]
  // CHECK: gpu.barrier
  // CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<3>
  // CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load %{{.*}} -> i64
  // CHECK: llvm.load %{{.*}} -> i32
  %s = tile.sort %v axis 0 {descending, offset = 0 : i32} : tensor<64xi64, #warps>
  tile.return
}

// Counters cleared, counted up by the values below their number, read.
// CHECK-LABEL: llvm.func @histogram
tile.func @histogram(%x: i32, %m: i1) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 64 : i32} {
  %v = tile.splat %x : i32 -> tensor<64xi32, #lanes>
  %mask = tile.splat %m : i1 -> tensor<64xi1, #lanes>
  // CHECK: %[[MASK:.*]] = vector.broadcast %{{.*}} : i1 to vector<2xi1>
  // CHECK: scf.if
  // CHECK: llvm.store %c0_i32
  // CHECK: gpu.barrier
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c16_i32
  // CHECK: %[[ON:.*]] = vector.extract %[[MASK]][0]
  // CHECK: %[[COUNTS:.*]] = arith.andi %[[IN]], %[[ON]]
  // CHECK: scf.if %[[COUNTS]] {
  // CHECK:   llvm.atomicrmw add %{{.*}}, %c1_i32 monotonic : !llvm.ptr<3>, i32
  // CHECK: llvm.atomicrmw add
  // CHECK: gpu.barrier
  // CHECK: llvm.load %{{.*}} -> vector<1xi32>
  %h = tile.histogram %v, %mask {offset = 0 : i32} : tensor<64xi32, #lanes> -> tensor<16xi32, #bins>
  tile.return
}
