// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_89},tile.func(tile-accelerate-dot,tile-assign-layouts{num-warps=1},tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s

// CHECK-LABEL: llvm.func @tf32
// CHECK-COUNT-2: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NOT: nvvm.mma.sync
tile.func @tf32(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  %b = arith.constant dense<1.0> : tensor<16x8xf32>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  %d = tile.dot %a, %b, %c precision tf32 : tensor<16x16xf32>, tensor<16x8xf32> -> tensor<16x8xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<f32>>
  tile.return
}

// All bits of f32, in parts that are computed in registers: per step what tensor cores see of A and B, and, with a sum of its own,
// what they do not see of A, then of B. Both sums begin at zero, and f32 adds them to what there was.
// CHECK-LABEL: llvm.func @tf32x3
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>
// CHECK: arith.minsi
// CHECK-COUNT-5: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-8: arith.addf
tile.func @tf32x3(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  %b = arith.constant dense<1.0> : tensor<16x8xf32>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  %d = tile.dot %a, %b, %c precision tf32x3 : tensor<16x16xf32>, tensor<16x8xf32> -> tensor<16x8xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: llvm.func @s8
// CHECK: nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
tile.func @s8(%p: !tile.ptr<i32>) {
  %a = arith.constant dense<1> : tensor<16x32xi8>
  %b = arith.constant dense<1> : tensor<32x8xi8>
  %c = arith.constant dense<0> : tensor<16x8xi32>
  %d = tile.dot %a, %b, %c : tensor<16x32xi8>, tensor<32x8xi8> -> tensor<16x8xi32>
  %s = tile.splat %p : !tile.ptr<i32> -> tensor<16x8x!tile.ptr<i32>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<i32>>
  tile.return
}

// CHECK-LABEL: llvm.func @mixed
// CHECK: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
tile.func @mixed(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x32xf8E5M2>
  %b = arith.constant dense<1.0> : tensor<32x8xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<16x8xf32>
  %d = tile.dot %a, %b, %c : tensor<16x32xf8E5M2>, tensor<32x8xf8E4M3FN> -> tensor<16x8xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: llvm.func @f64
// Two steps of two times 8 rows.
// CHECK-COUNT-4: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
// CHECK-NOT: nvvm.mma.sync
tile.func @f64(%p: !tile.ptr<f64>) {
  %a = arith.constant dense<1.0> : tensor<16x8xf64>
  %b = arith.constant dense<1.0> : tensor<8x8xf64>
  %c = arith.constant dense<0.0> : tensor<16x8xf64>
  %d = tile.dot %a, %b, %c : tensor<16x8xf64>, tensor<8x8xf64> -> tensor<16x8xf64>
  %s = tile.splat %p : !tile.ptr<f64> -> tensor<16x8x!tile.ptr<f64>>
  tile.store %s, %d : tensor<16x8x!tile.ptr<f64>>
  tile.return
}
