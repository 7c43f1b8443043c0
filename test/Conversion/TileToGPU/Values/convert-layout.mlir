// RUN: tile-opt %s --convert-tile-to-gpu | FileCheck %s

#quads = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#renamed = #tile_gpu.layout<register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

// CHECK-LABEL: llvm.func @registers
tile.func @registers(%x: f32) {
  // CHECK: %[[A:.*]] = vector.broadcast
  // CHECK-NEXT: %[[B:.*]] = llvm.shufflevector %[[A]], %[[A]] [0, 2, 1, 3]
  // CHECK-NOT: nvvm.shfl
  // CHECK: arith.addf %[[B]], %[[B]]
  %a = tile.splat %x : f32 -> tensor<512xf32, #quads>
  %b = tile_gpu.convert_layout %a : tensor<512xf32, #quads> -> tensor<512xf32, #renamed>
  %c = arith.addf %b, %b : tensor<512xf32, #renamed>
  tile.return
}

#lanes = #tile_gpu.layout<register = [[1], [4]], lane = [[2], [8], [16], [32], [64]], warp = [[128], [256]]>

// One register bit and one lane bit change places: half the registers move to the other side of
// the lane bit.
// CHECK-LABEL: llvm.func @shuffles
tile.func @shuffles(%x: f32) {
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: %[[LANE:.*]] = arith.andi
  // CHECK: %[[A:.*]] = vector.broadcast
  // CHECK: arith.select {{.*}} : vector<4xf32>
  // CHECK-COUNT-2: nvvm.shfl.sync bfly {{.*}}, {{.*}}, %[[ONE]], {{.*}} : i32 -> i32
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: arith.select {{.*}} : vector<4xf32>
  // CHECK-NOT: gpu.barrier
  // CHECK: arith.addf
  %a = tile.splat %x : f32 -> tensor<512xf32, #quads>
  %b = tile_gpu.convert_layout %a : tensor<512xf32, #quads> -> tensor<512xf32, #lanes>
  %c = arith.addf %b, %b : tensor<512xf32, #lanes>
  tile.return
}

// Two 16-bit elements travel in one word.
// CHECK-LABEL: llvm.func @packed
tile.func @packed(%x: f16) {
  // CHECK: llvm.bitcast {{.*}} : vector<2xf16> to vector<1xi32>
  // CHECK: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: arith.addf
  %a = tile.splat %x : f16 -> tensor<512xf16, #quads>
  %b = tile_gpu.convert_layout %a : tensor<512xf16, #quads> -> tensor<512xf16, #lanes>
  %c = arith.addf %b, %b : tensor<512xf16, #lanes>
  tile.return
}

#rows = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#columns = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 8], [0, 16]]>

// Both sides move 16 bytes at a time.
// CHECK-LABEL: llvm.func @through_shared
// CHECK-SAME: tile_gpu.shared_bytes = 4096
tile.func @through_shared(%x: f32) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  // CHECK: gpu.barrier
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  // CHECK-NOT: gpu.barrier
  // CHECK: arith.addf
  %a = tile.splat %x : f32 -> tensor<16x32xf32, #rows>
  %b = tile_gpu.convert_layout %a {offset = 2048 : i32} : tensor<16x32xf32, #rows> -> tensor<16x32xf32, #columns>
  %c = arith.addf %b, %b : tensor<16x32xf32, #columns>
  tile.return
}

// i1 travels as bytes.
// CHECK-LABEL: llvm.func @mask
tile.func @mask(%x: i1) attributes {tile_gpu.shared_bytes = 512 : i32} {
  // CHECK: arith.extui {{.*}} : vector<4xi1> to vector<4xi8>
  // CHECK: llvm.store {{.*}} : vector<4xi8>, !llvm.ptr<3>
  // CHECK: llvm.load {{.*}} -> vector<4xi8>
  // CHECK: arith.trunci {{.*}} : vector<4xi8> to vector<4xi1>
  %a = tile.splat %x : i1 -> tensor<16x32xi1, #rows>
  %b = tile_gpu.convert_layout %a : tensor<16x32xi1, #rows> -> tensor<16x32xi1, #columns>
  %c = arith.andi %b, %b : tensor<16x32xi1, #columns>
  tile.return
}

#once = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0], [0]]>
#spread = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>

// Warps that hold copies keep out of the store.
// CHECK-LABEL: llvm.func @copies
tile.func @copies(%x: f32) attributes {tile_gpu.shared_bytes = 512 : i32} {
  // CHECK: scf.if
  // CHECK-NEXT: llvm.getelementptr
  // CHECK: gpu.barrier
  %a = tile.splat %x : f32 -> tensor<128xf32, #once>
  %b = tile_gpu.convert_layout %a : tensor<128xf32, #once> -> tensor<128xf32, #spread>
  %c = arith.addf %b, %b : tensor<128xf32, #spread>
  tile.return
}
