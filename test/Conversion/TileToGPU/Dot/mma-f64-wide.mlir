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
