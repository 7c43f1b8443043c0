// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
//
// What the reader of TTIR prints is what it reads; the rest is in
// test/Conversion/TritonToTile/convert-triton-to-tile.mlir.

// CHECK-LABEL: tt.func public @ops
tt.func public @ops(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %x: tensor<8xf32>, %n: i32, %d: !tt.tensordesc<8x8xf32>,
    %box: tensor<8x8xf32>, %rows: tensor<8xi32>, %a: tensor<32x16xi8>, %b: tensor<16x32xi8>, %s: tensor<32x1xi8>, %c: tensor<32x32xf32>) {
  // CHECK: tt.get_program_id x : i32
  %pid = tt.get_program_id x : i32
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  %v = tt.load %p, %m, %x cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>} : tensor<8x!tt.ptr<f32>>
  %w = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_first>} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wt : tensor<8x!tt.ptr<f32>>
  tt.store %p, %w, %m cacheModifier = wt : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = ca : !tt.tensordesc<tensor<8x8xf32>> -> tensor<8x8xf32>
  %l = tt.descriptor_load %d[%n, %n] cacheModifier = ca : !tt.tensordesc<tensor<8x8xf32>> -> tensor<8x8xf32>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<tensor<8x8xf32>>, tensor<8xi32>, i32) -> tensor<8x8xf32>
  %g = tt.descriptor_gather %d[%rows, %n] : (!tt.tensordesc<tensor<8x8xf32>>, tensor<8xi32>, i32) -> tensor<8x8xf32>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<8x8xf32>>, tensor<8xi32>, i32, tensor<8x8xf32>
  tt.descriptor_scatter %d[%rows, %n], %g : !tt.tensordesc<tensor<8x8xf32>>, tensor<8xi32>, i32, tensor<8x8xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<32x16xi8>, tensor<32x1xi8> * tensor<16x32xi8> -> tensor<32x32xf32>
  %ds = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<32x16xi8>, tensor<32x1xi8> * tensor<16x32xi8> -> tensor<32x32xf32>
  // CHECK: tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : tensor<8xf32> -> tensor<8xi32>
  %i = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<8xf32> -> tensor<8xi32>
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f32>
  %q = tt.ptr_to_int %p : tensor<8x!tt.ptr<f32>> -> tensor<8xi64>
  %zero = arith.constant 0 : i64
  %z = tt.int_to_ptr %zero : i64 -> !tt.ptr<f32>
  // CHECK: tt.atomic_load acquire, gpu, %{{.*}}, %{{.*}} : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  %al = tt.atomic_load acquire, gpu, %p, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<8xf32>
  // CHECK: tt.atomic_store release, cta, %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tt.ptr<f32>>
  tt.atomic_store release, cta, %p, %x, %m : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.atomic_poll relaxed, sys, %{{.*}}, %{{.*}} : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  %pi = tt.bitcast %p : tensor<8x!tt.ptr<f32>> -> tensor<8x!tt.ptr<i32>>
  %ap = tt.atomic_poll relaxed, sys, %pi, %rows : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  // CHECK: tt.atomic_poll acquire, gpu, %{{.*}}, %{{.*}} timeout %{{.*}} : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  %at = tt.atomic_poll acquire, gpu, %pi, %rows timeout %zero : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  // CHECK: ttg.barrier local
  ttg.barrier local
  tt.grid_dependency_wait
  tt.grid_dependency_launch_dependents
  tt.return
}

// Address spaces by number, and by name as 3.9 has them.
// CHECK-LABEL: tt.func public @spaces
// CHECK-SAME: %{{.*}}: !tt.ptr<f32, 4>, %{{.*}}: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f32, 3>
tt.func public @spaces(%c: !tt.ptr<f32, "constant">, %g: !tt.ptr<f32, "global">, %s: !tt.ptr<f32, 3>) {
  // CHECK: tt.load %{{.*}} : !tt.ptr<f32, 4>
  %x = tt.load %c : !tt.ptr<f32, "constant">
  tt.store %g, %x : !tt.ptr<f32>
  tt.return
}
