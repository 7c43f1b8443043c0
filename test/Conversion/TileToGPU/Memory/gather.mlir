// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// The source goes to shared memory whole; each result is read where its index points, and an index
// beyond the end reads the last element.
// CHECK-LABEL: llvm.func @table
// CHECK-SAME: tile_gpu.shared_bytes = 512
tile.func @table(%x: !tile.ptr<f32>, %i: !tile.ptr<i32>) {
  %a = tile.arange : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %is = tile.splat %i : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %a : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %ip = tile.addptr %is, %a : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %v = tile.load %xp : tensor<128x!tile.ptr<f32>>
  %k = tile.load %ip : tensor<128x!tile.ptr<i32>>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
  // CHECK: gpu.barrier
  // CHECK: %[[LAST:.*]] = arith.constant 127 : i32
  // CHECK: %[[AT:.*]] = arith.minui %{{.*}}, %[[LAST]] : i32
  // CHECK: arith.muli %[[AT]], %c4_i32
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
  // CHECK-NOT: gpu.barrier
  %g = tile.gather %v, %k axis 0 : tensor<128xf32>, tensor<128xi32> -> tensor<128xf32>
  tile.store %xp, %g : tensor<128x!tile.ptr<f32>>
  tile.return
}

#row = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>

// What lies in a buffer already is read from it: no store, and no barrier.
// CHECK-LABEL: llvm.func @staged
tile.func @staged(%k: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 2560 : i32} {
  // CHECK-NOT: llvm.store
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[LAST:.*]] = arith.constant 15 : i32
  // CHECK: %[[AT:.*]] = arith.minui %{{.*}}, %[[LAST]] : i32
  // CHECK: arith.muli %[[AT]], %c4_i32
  // CHECK: arith.muli %{{.*}}, %c64_i32
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
  // CHECK: llvm.return
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<16x32xf32, order = [0, 1]>
  %i = tile.splat %k : i32 -> tensor<1x32xi32, #row>
  %r = tile_gpu.buffer_gather %b, %i axis 0 : !tile_gpu.buffer<16x32xf32, order = [0, 1]>, tensor<1x32xi32, #row> -> tensor<1x32xf32, #row>
  tile.return
}

// Places with some bits turned, a thread's own among them: one address, with the bits in which its registers differ left out, and what each
// adds to it.
// CHECK-LABEL: llvm.func @turned
tile.func @turned(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = tile.arange : tensor<512xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %a : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %v = tile.load %xp : tensor<512x!tile.ptr<f32>>
  %c = arith.constant dense<37> : tensor<512xi32>
  %k = arith.xori %a, %c : tensor<512xi32>
  // CHECK: gpu.barrier
  // CHECK-NOT: arith.minui
  // CHECK: %[[REST:.*]] = arith.andi %{{.*}}, %c-4_i32
  // CHECK: arith.muli %[[REST]], %c4_i32
  // CHECK: %[[BASE:.*]] = llvm.getelementptr
  // CHECK: %[[P0:.*]] = llvm.getelementptr %[[BASE]][4]
  // CHECK: %[[P2:.*]] = llvm.getelementptr %[[BASE]][12]
  // CHECK: %[[P3:.*]] = llvm.getelementptr %[[BASE]][8]
  // CHECK: llvm.load %[[P0]]
  // CHECK: llvm.load %[[BASE]]
  // CHECK: llvm.load %[[P2]]
  // CHECK: llvm.load %[[P3]]
  // CHECK: llvm.return
  %g = tile.gather %v, %k axis 0 : tensor<512xf32>, tensor<512xi32> -> tensor<512xf32>
  tile.store %xp, %g : tensor<512x!tile.ptr<f32>>
  tile.return
}
