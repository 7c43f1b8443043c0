// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu)' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!acc = tensor<64x32xf32, #acc>

// 16 words of each of 128 threads in each of two blocks: four chunks, of which each block adds two, first its own
// number's. A program is a cluster's.
// CHECK-LABEL: llvm.func @two
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-SAME: tile_gpu.cluster = 2 : i32
// CHECK: %[[WARPS:.*]] = arith.shli %{{.*}}, %c5_i32 : i32
// CHECK: %[[THREAD:.*]] = arith.ori %[[WARPS]], %{{.*}} : i32
// CHECK: %[[AT:.*]] = arith.muli %[[THREAD]], %c16_i32 : i32
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr %[[BASE]][1024]
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK: llvm.store %{{.*}}, %[[OWN]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: %[[OWN1:.*]] = llvm.getelementptr %[[OWN]][2048]
// CHECK: llvm.store %{{.*}}, %[[OWN1]]
// CHECK: llvm.getelementptr %[[OWN]][4096]
// CHECK: llvm.getelementptr %[[OWN]][6144]
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %{{.*}} : i32
// CHECK: %[[M0:.*]] = nvvm.mapa %[[OWN]], %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[M0]][%[[FIRST]]]
// CHECK: %[[M1:.*]] = nvvm.mapa %[[OWN]], %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[M1]][%[[FIRST]]]
// CHECK-NOT: scf.if
// CHECK: %[[X0:.*]] = llvm.load %[[P0]] {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4xf32>
// CHECK: %[[X1:.*]] = llvm.load %[[P1]]
// All are read before any is written.
// CHECK: %[[P2:.*]] = llvm.getelementptr %[[P0]][4096]
// CHECK: %[[X2:.*]] = llvm.load %[[P2]]
// CHECK: %[[X3:.*]] = llvm.load
// CHECK: %[[S:.*]] = arith.addf %[[X0]], %[[X1]] : vector<4xf32>
// CHECK: llvm.store %[[S]], %[[P0]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<7>
// CHECK: %[[T:.*]] = arith.addf %[[X2]], %[[X3]] : vector<4xf32>
// CHECK: %[[Q2:.*]] = llvm.getelementptr %[[P0]][4096]
// CHECK: llvm.store %[[T]], %[[Q2]]
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
// CHECK: llvm.load %[[OWN]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-3: llvm.load
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: arith.divui %[[BLOCK]], %c2_i32 : i32
// CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.y
// CHECK-NOT: arith.divui %[[Y]]
// CHECK: %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// CHECK: arith.divui %[[BLOCKS]], %c2_i32 : i32
tile.func @two(%p: !tile.ptr<i32>, %q: !tile.ptr<f32>, %f: f32) attributes {tile_gpu.shared_bytes = 9216 : i32, tile_gpu.cluster = 2 : i32} {
  %x = tile.splat %f : f32 -> !acc
  %s = tile_gpu.add_parts %x {offset = 1024 : i32} : !acc
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
  tile.store %qs, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  %i = tile.program_id x
  %j = tile.program_id y
  %n = tile.num_programs x
  %ij = arith.addi %i, %j : i32
  %ijn = arith.addi %ij, %n : i32
  tile.store %p, %ijn : !tile.ptr<i32>
  tile.return
}

// Eight blocks have four chunks: the first four of them add one.
// CHECK-LABEL: llvm.func @eight
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK-COUNT-8: nvvm.mapa
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %[[RANK]], %c4_i32 : i32
// CHECK: scf.if %[[HAS]] {
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<7>
// CHECK-COUNT-7: arith.addi {{.*}} : vector<4xi32>
// CHECK: llvm.store
// CHECK: }
tile.func @eight(%n: i32) attributes {tile_gpu.shared_bytes = 8192 : i32, tile_gpu.cluster = 8 : i32} {
  %x = tile.splat %n : i32 -> tensor<64x32xi32, #acc>
  %s = tile_gpu.add_parts %x {offset = 0 : i32} : tensor<64x32xi32, #acc>
  tile.return
}

// Each of two blocks ends with a share of its own: columns 0 to 15, or 16 to 23. It adds as many chunks as the longest share has, the
// second from the chunk before its own on, and keeps them in registers; columns 24 to 31 are padding, which nobody shows.
// CHECK-LABEL: llvm.func @shares
// CHECK-COUNT-3: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK-NOT: llvm.store {{.*}}!llvm.ptr<3>
// CHECK: nvvm.cluster.arrive
// CHECK: %[[SECOND:.*]] = arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK: %[[FROM:.*]] = arith.select %[[SECOND]], %c2048_i32, %c0_i32
// CHECK: %[[M0:.*]] = nvvm.mapa
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[M0]][%[[FROM]]]
// CHECK: %[[M1:.*]] = nvvm.mapa
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[M1]][%[[FROM]]]
// CHECK: %[[X0:.*]] = llvm.load %[[P0]]
// CHECK: %[[X1:.*]] = llvm.load %[[P1]]
// CHECK: %[[X2:.*]] = llvm.load
// CHECK: %[[X3:.*]] = llvm.load
// CHECK: %[[S:.*]] = arith.addf %[[X0]], %[[X1]] : vector<4xf32>
// CHECK: %[[T:.*]] = arith.addf %[[X2]], %[[X3]] : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
// CHECK-NOT: llvm.load
// CHECK: llvm.return
tile.func @shares(%q: !tile.ptr<f32>, %f: f32) attributes {tile_gpu.shared_bytes = 9216 : i32, tile_gpu.cluster = 2 : i32} {
  %x = tile.splat %f : f32 -> !acc
  %s = tile_gpu.add_parts %x {offset = 1024 : i32, period = 16 : i64, shares = array<i64: 0, 8, 12>} : !acc
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
  tile.store %qs, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  tile.return
}

// Chunks of 16 bytes are two of f64, and 16 of them a thread are eight chunks.
// CHECK-LABEL: llvm.func @wide
// CHECK: arith.muli %{{.*}}, %c16_i32 : i32
// CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 16 : i64} : vector<2xf64>, !llvm.ptr<3>
// CHECK: nvvm.cluster.arrive
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<7> -> vector<2xf64>
// CHECK: arith.addf %{{.*}} : vector<2xf64>
// CHECK: nvvm.cluster.arrive
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<2xf64>
tile.func @wide(%q: !tile.ptr<f64>, %f: f64) attributes {tile_gpu.shared_bytes = 17408 : i32, tile_gpu.cluster = 2 : i32} {
  %x = tile.splat %f : f64 -> tensor<64x32xf64, #acc>
  %s = tile_gpu.add_parts %x {offset = 1024 : i32} : tensor<64x32xf64, #acc>
  %qs = tile.splat %q : !tile.ptr<f64> -> tensor<64x32x!tile.ptr<f64>, #acc>
  tile.store %qs, %s : tensor<64x32x!tile.ptr<f64>, #acc>
  tile.return
}
