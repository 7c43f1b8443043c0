// tile.sort and tile.histogram on the GPU.
// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#lanes = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#warps = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#few = #tile_gpu.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
#bins = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = []>

// Keys alone, in unsigned order; the lesser of two registers goes to the first, of two lanes to the
// lower; keys become floats again.
// CHECK-LABEL: llvm.func @alone
tile.func @alone(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %v = tile.splat %x : f32 -> tensor<64xf32, #lanes>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<2xf32> to vector<2xi32>
  // CHECK: %[[SIGNS:.*]] = arith.shrsi %[[BITS]]
  // CHECK: %[[FLIP:.*]] = arith.ori %[[SIGNS]]
  // CHECK: %[[KEY:.*]] = arith.xori %[[BITS]], %[[FLIP]]
  // CHECK: %[[NAN:.*]] = arith.cmpi ugt
  // CHECK: %[[KEYS:.*]] = arith.select %[[NAN]], %{{.*}}, %[[KEY]]
  // CHECK: %[[A:.*]] = llvm.shufflevector %[[KEYS]], %[[KEYS]] [0]
  // CHECK: %[[B:.*]] = llvm.shufflevector %[[KEYS]], %[[KEYS]] [1]
  // CHECK: %[[SWAP:.*]] = arith.cmpi ult, %[[B]], %[[A]] : vector<1xi32>
  // CHECK: %[[LESSER:.*]] = arith.select %[[SWAP]], %[[B]], %[[A]]
  // CHECK: %[[GREATER:.*]] = arith.select %[[SWAP]], %[[A]], %[[B]]
  // CHECK: llvm.shufflevector %[[LESSER]], %[[GREATER]] [0, 1]
  // CHECK: %[[TURNED:.*]] = llvm.shufflevector %{{.*}} [1, 0]
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-NOT: {{gpu.barrier|nvvm.bar.warp.sync}}
  // CHECK: arith.shrsi
  // CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<2xf32>
  %s = tile.sort %v axis 0 {offset = 0 : i32} : tensor<64xf32, #lanes>
  tile.return
}

// A key and its position share a word. Positions are those of the words; what else moves along is
// read from there.
// CHECK-LABEL: llvm.func @packed
tile.func @packed(%x: f32, %y: i8) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %v = tile.splat %x : f32 -> tensor<64xf32, #lanes>
  %w = tile.splat %y : i8 -> tensor<64xi8, #lanes>
  %n = tile.arange : tensor<64xi32, #lanes>
  // CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : vector<2xi32> to vector<2xi64>
  // CHECK: %[[HIGH:.*]] = arith.shli %[[WIDE]]
  // CHECK: arith.ori %[[HIGH]]
  // CHECK: arith.cmpi ult, %{{.*}} : vector<1xi64>
  // CHECK-NOT: {{gpu.barrier|nvvm.bar.warp.sync}}
  // CHECK: %[[KEYS:.*]] = arith.shrui
  // CHECK: arith.trunci %[[KEYS]]
  // CHECK: %[[FROM:.*]] = arith.trunci %{{.*}} : vector<2xi64> to vector<2xi32>
  // CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<3>
  // CHECK: nvvm.bar.warp.sync
  // CHECK: vector.extract %[[FROM]][0]
  // CHECK: llvm.load %{{.*}} -> i8
  // CHECK-NOT: {{gpu.barrier|nvvm.bar.warp.sync}}
  %s:3 = tile.sort %v, %n, %w axis 0 {offset = 0 : i32} : tensor<64xf32, #lanes>, tensor<64xi32, #lanes>, tensor<64xi8, #lanes>
  // CHECK: llvm.return
  tile.return
}

// So do a short key and its position, in 32 bits.
// CHECK-LABEL: llvm.func @short
tile.func @short(%x: f16) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %v = tile.splat %x : f16 -> tensor<64xf16, #lanes>
  %n = tile.arange : tensor<64xi32, #lanes>
  // CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : vector<2xi16> to vector<2xi32>
  // CHECK: arith.shli %[[WIDE]]
  // CHECK: arith.cmpi ult, %{{.*}} : vector<1xi32>
  // CHECK: arith.andi %{{.*}} : vector<2xi32>
  %s:2 = tile.sort %v, %n axis 0 {offset = 0 : i32} : tensor<64xf16, #lanes>, tensor<64xi32, #lanes>
  tile.return
}

// Keys of 64 bits have their positions beside them. Warps exchange through scratch; a descending
// order is that of the inverted bits, for which equal keys stay in place too.
// CHECK-LABEL: llvm.func @wide
tile.func @wide(%x: i64) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 768 : i32} {
  %v = tile.splat %x : i64 -> tensor<64xi64, #warps>
  %n = tile.arange : tensor<64xi32, #warps>
  // CHECK: arith.xori %{{.*}}, %{{.*}} : vector<1xi64>
  // CHECK: arith.xori %{{.*}}, %{{.*}} : vector<1xi64>
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}} : vector<1xi64>
  // CHECK: %[[BEFORE:.*]] = arith.cmpi ult, %{{.*}} : vector<1xi32>
  // CHECK: arith.andi %[[SAME]], %[[BEFORE]]
  // CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<3>
  // CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: llvm.load %{{.*}} -> i64
  // CHECK: llvm.load %{{.*}} -> i32
  %s:2 = tile.sort %v, %n axis 0 {descending, offset = 0 : i32} : tensor<64xi64, #warps>, tensor<64xi32, #warps>
  tile.return
}

// The first four: runs of four lanes, of which every second descends. Lanes 4, 8 and 16 away have the
// other run; the lesser of both go on, and copies of them. Registers have a run each.
// CHECK-LABEL: llvm.func @part
tile.func @part(%x: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 512 : i32} {
  %v = tile.splat %x : i32 -> tensor<64xi32, #lanes>
  // CHECK-COUNT-14: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
  // CHECK: nvvm.bar.warp.sync
  // CHECK: llvm.load %{{.*}} -> i32
  %s = tile.partial_sort %v axis 0 {offset = 0 : i32} : (tensor<64xi32, #lanes>) -> tensor<4xi32, #few>
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
  // CHECK: nvvm.bar.warp.sync
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c16_i32
  // CHECK: %[[ON:.*]] = vector.extract %[[MASK]][0]
  // CHECK: %[[COUNTS:.*]] = arith.andi %[[IN]], %[[ON]]
  // CHECK: scf.if %[[COUNTS]] {
  // CHECK:   llvm.atomicrmw add %{{.*}}, %c1_i32 monotonic : !llvm.ptr<3>, i32
  // CHECK: llvm.atomicrmw add
  // CHECK: nvvm.bar.warp.sync
  // CHECK: llvm.load %{{.*}} -> vector<1xi32>
  %h = tile.histogram %v, %mask {offset = 0 : i32} : tensor<64xi32, #lanes> -> tensor<16xi32, #bins>
  tile.return
}
