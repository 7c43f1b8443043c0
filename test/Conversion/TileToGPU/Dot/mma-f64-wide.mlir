// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90},tile.func(tile-accelerate-dot,tile-assign-layouts{num-warps=1},tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// On sm_90 an instruction takes 16 rows, and 16 of K where there are so many.
// CHECK-LABEL: llvm.func @deep
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7, $8, $9, $10, $11}, {$12, $13, $14, $15}, {$16, $17, $18, $19};", "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d"
// CHECK-NOT: mma.sync
tile.func @deep(%p: !tile.ptr<f64>) {
  %a = arith.constant dense<1.0> : tensor<16x32xf64>
  %b = arith.constant dense<1.0> : tensor<32x8xf64>
  %c = arith.constant dense<0.0> : tensor<16x8xf64>
  %d = tile.dot %a, %b, %c : tensor<16x32xf64>, tensor<32x8xf64> -> tensor<16x8xf64>
  %s = tile.splat %p : !tile.ptr<f64> -> tensor<16x8x!tile.ptr<f64>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<f64>>
  tile.return
}

// CHECK-LABEL: llvm.func @shallow
// CHECK: "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};"
tile.func @shallow(%p: !tile.ptr<f64>) {
  %a = arith.constant dense<1.0> : tensor<16x4xf64>
  %b = arith.constant dense<1.0> : tensor<4x8xf64>
  %c = arith.constant dense<0.0> : tensor<16x8xf64>
  %d = tile.dot %a, %b, %c : tensor<16x4xf64>, tensor<4x8xf64> -> tensor<16x8xf64>
  %s = tile.splat %p : !tile.ptr<f64> -> tensor<16x8x!tile.ptr<f64>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<f64>>
  tile.return
}

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!a = !tile_gpu.buffer<16x16xf64, swizzle = 128>
!b = !tile_gpu.buffer<16x8xf64, swizzle = 128, order = [0, 1]>

// Of 16 of K a lane has four that follow each other, two a load: two rows of A, and a column of B.
// CHECK-LABEL: llvm.func @quads
// CHECK: %[[QUAD:.*]] = arith.andi %{{.*}}, %c3_i32
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<2xf64>
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<2xf64>
// CHECK-NOT: llvm.load
// CHECK: "mma.sync.aligned.m16n8k16
tile.func @quads(%x: f64) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 3072 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !a
  %b = tile_gpu.alloc_shared {offset = 2048 : i32} : !b
  %c = tile.splat %x : f64 -> tensor<16x8xf64, #acc>
  %d = tile.dot %a, %b, %c by mma_sync : !a, !b -> tensor<16x8xf64, #acc>
  tile.return
}

#held = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!wide_a = !tile_gpu.buffer<32x16xf64, swizzle = 128>
!wide_b = !tile_gpu.buffer<16x32xf64, swizzle = 128, order = [0, 1]>

// All of A, which has no more words than B and which ptxas moves into place, is held for one column of B after the other.
// CHECK-LABEL: llvm.func @held
// CHECK-COUNT-6: llvm.load
// CHECK: "mma.sync.aligned.m16n8k16
// CHECK-COUNT-4: llvm.load
// CHECK: "mma.sync.aligned.m16n8k16
// CHECK-COUNT-2: llvm.load
// CHECK-NOT: llvm.load
// CHECK-COUNT-2: "mma.sync.aligned.m16n8k16
// CHECK-COUNT-2: llvm.load
// CHECK-COUNT-2: "mma.sync.aligned.m16n8k16
// CHECK-COUNT-2: llvm.load
// CHECK-COUNT-2: "mma.sync.aligned.m16n8k16
// CHECK-NOT: mma.sync
tile.func @held(%x: f64) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 8192 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !wide_a
  %b = tile_gpu.alloc_shared {offset = 4096 : i32} : !wide_b
  %c = tile.splat %x : f64 -> tensor<32x32xf64, #held>
  %d = tile.dot %a, %b, %c by mma_sync : !wide_a, !wide_b -> tensor<32x32xf64, #held>
  tile.return
}
