// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts{num-warps=1},tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_100a},tile.func(tile-accelerate-dot,tile-assign-layouts{num-warps=1},tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_120a},tile.func(tile-accelerate-dot,tile-assign-layouts{num-warps=1},tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s --check-prefix=WHOLE

// These chips multiply f16 where mma.sync is given 8-bit floats. Each word is extended once: four of A, two for each eight columns of B,
// and a step of 32 is two of 16: those of the lower halves for all columns, none of which waits for another, then those of the upper
// halves on top of them.
// CHECK-LABEL: llvm.func @mixed
// CHECK-NOT: llvm.inline_asm
// CHECK-DAG: llvm.nvvm.e5m2x2.to.f16x2.rn
// CHECK-DAG: llvm.nvvm.e4m3x2.to.f16x2.rn
// CHECK: %[[LOWER:.*]] = nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {layoutA = {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK: %[[SUM:.*]] = llvm.extractvalue %[[LOWER]][0]
// CHECK-NOT: C[%[[SUM]]
// CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[%[[SUM]], {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK-COUNT-1: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// WHOLE-LABEL: llvm.func @mixed
// WHOLE-COUNT-2: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32
// WHOLE-NOT: mma.sync
tile.func @mixed(%p: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x32xf8E5M2>
  %b = arith.constant dense<1.0> : tensor<32x16xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %c : tensor<16x32xf8E5M2>, tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  tile.store %s, %d : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
