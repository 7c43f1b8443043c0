// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @rmw
tile.func @rmw(%p: tensor<8x!tile.ptr<f32>>, %x: tensor<8xf32>, %m: tensor<8xi1>, %q: !tile.ptr<i32>, %i: i32, %w: !tile.ptr<bf16>, %z: bf16) {
  // CHECK: tile.atomic_rmw fadd relaxed gpu %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
  %a = tile.atomic_rmw fadd relaxed gpu %p, %x, %m : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw xchg acquire sys %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
  %b = tile.atomic_rmw xchg acquire sys %p, %x : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw add release cta %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %c = tile.atomic_rmw add release cta %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw and acq_rel gpu
  %d = tile.atomic_rmw and acq_rel gpu %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw or relaxed gpu
  %e = tile.atomic_rmw or relaxed gpu %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw xor relaxed gpu
  %f = tile.atomic_rmw xor relaxed gpu %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw min relaxed gpu
  %g = tile.atomic_rmw min relaxed gpu %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw max relaxed gpu
  %h = tile.atomic_rmw max relaxed gpu %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw fmin relaxed gpu %{{.*}}, %{{.*}} : !tile.ptr<bf16>
  %least = tile.atomic_rmw fmin relaxed gpu %w, %z : !tile.ptr<bf16>
  // CHECK: tile.atomic_rmw umin relaxed gpu
  %j = tile.atomic_rmw umin relaxed gpu %q, %i : !tile.ptr<i32>
  // CHECK: tile.atomic_rmw umax relaxed gpu
  %k = tile.atomic_rmw umax relaxed gpu %q, %i : !tile.ptr<i32>
  tile.return
}

// CHECK-LABEL: tile.func @cas
tile.func @cas(%p: !tile.ptr<i64>, %x: i64, %y: i64) {
  // CHECK: tile.atomic_cas acq_rel sys %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i64>
  %a = tile.atomic_cas acq_rel sys %p, %x, %y : !tile.ptr<i64>
  tile.return
}

// CHECK-LABEL: tile.func @masked_cas
// CHECK-SAME: (%[[P:.*]]: tensor<8x!tile.ptr<i32>>, %[[X:.*]]: tensor<8xi32>, %[[M:.*]]: tensor<8xi1>)
tile.func @masked_cas(%p: tensor<8x!tile.ptr<i32>>, %x: tensor<8xi32>, %m: tensor<8xi1>) {
  // CHECK: tile.atomic_cas relaxed gpu %[[P]], %[[X]], %[[X]], %[[M]] : tensor<8x!tile.ptr<i32>>
  %a = tile.atomic_cas relaxed gpu %p, %x, %x, %m : tensor<8x!tile.ptr<i32>>
  tile.return
}
