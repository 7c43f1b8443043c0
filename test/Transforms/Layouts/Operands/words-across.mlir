// Words of A that lie along M, in rows that begin at multiples of 16 bytes: threads load them four at a time, and the dot
// takes them from registers.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @as_they_lie
// CHECK: %[[B:.*]] = tile.load {{.*}} : tensor<32x128x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2],
// CHECK: tile_gpu.convert_layout
// CHECK: tile.dot %{{.*}} by wgmma {{.*}}: tensor<128x32xf32,
tile.func @as_they_lie(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %w = arith.constant dense<1.0> : tensor<32x16xf32>
  %c = arith.constant dense<0.0> : tensor<128x16xf32>
  %k = tile.arange : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %kn = arith.muli %k, %ns : tensor<32xi32>
  %rows = tile.expand_dims %kn axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %i = tile.arange : tensor<128xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %r = tile.broadcast %rows : tensor<32x1xi32> -> tensor<32x128xi32>
  %s = tile.broadcast %columns : tensor<1x128xi32> -> tensor<32x128xi32>
  %o = arith.addi %r, %s : tensor<32x128xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x128x!tile.ptr<f32>>
  %q = tile.addptr %ps, %o : tensor<32x128x!tile.ptr<f32>>, tensor<32x128xi32>
  %b = tile.load %q : tensor<32x128x!tile.ptr<f32>>
  %a = tile.trans %b order [1, 0] : tensor<32x128xf32> -> tensor<128x32xf32>
  %d = tile.dot %a, %w, %c precision tf32 : tensor<128x32xf32>, tensor<32x16xf32> -> tensor<128x16xf32>
  tile.return
}

// Words of B that lie along N beside mma.sync: the eight columns that lanes read are twice four, 16 words apart, and warps divide
// columns first, an element of which takes twice the reads of one of A.
// CHECK-LABEL: tile.func @over_banks
// CHECK: tile.dot %{{.*}} by mma_sync {{.*}} -> tensor<32x32xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [16, 0]], lane = {{\[\[}}0, 2], [0, 16], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 4]]>>
tile.func @over_banks(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 2 : i32} {
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %pa = tile.expr %p + (col(arange(32)) * %n + row(arange(32)))
  %pb = tile.expr %q + (col(arange(32)) * %n + row(arange(32)))
  %a = tile.load %pa : tensor<32x32x!tile.ptr<f32>>
  %b = tile.load %pb : tensor<32x32x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %c precision tf32 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.return
}

// What is computed of such words lies so, too, and so do its sums: products of large and of small parts add to one another as they are.
// CHECK-LABEL: tile.func @computed_over_banks
// CHECK: %[[D:.*]] = tile.dot %{{.*}} by mma_sync {{.*}} -> tensor<32x32xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [16, 0]], lane = {{\[\[}}0, 2], [0, 16], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 4]]>>
// CHECK-NOT: tile_gpu.convert_layout %[[D]]
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[D]] {{.*}} by mma_sync
tile.func @computed_over_banks(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                               %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 2 : i32} {
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %pa = tile.expr %p + (col(arange(32)) * %n + row(arange(32)))
  %pb = tile.expr %q + (col(arange(32)) * %n + row(arange(32)))
  %a = tile.load %pa : tensor<32x32x!tile.ptr<f32>>
  %b = tile.load %pb : tensor<32x32x!tile.ptr<f32>>
  %h = math.floor %b : tensor<32x32xf32>
  %s = arith.subf %b, %h : tensor<32x32xf32>
  %d = tile.dot %a, %b, %c precision tf32 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %e = tile.dot %a, %s, %d precision tf32 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %o = tile.expr %p + (col(arange(32)) * %n + row(arange(32)))
  tile.store %o, %e : tensor<32x32x!tile.ptr<f32>>
  tile.return
}
