// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

!ptrs = tensor<8x!tile.ptr<f32>>

// CHECK-LABEL: tile.func @scalars
tile.func @scalars(%p: !tile.ptr<f32>, %o: i64, %m: i1, %x: f32, %pp: !tile.ptr<!tile.ptr<f32>>) {
  // CHECK: %[[Q:.*]] = tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<f32>, i64
  %q = tile.addptr %p, %o : !tile.ptr<f32>, i64
  // CHECK: tile.load %[[Q]] : !tile.ptr<f32>
  %a = tile.load %q : !tile.ptr<f32>
  // CHECK: tile.load %[[Q]], %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %b = tile.load %q, %m, %x : !tile.ptr<f32>
  // CHECK: tile.store %[[Q]], %{{.*}} : !tile.ptr<f32>
  tile.store %q, %b : !tile.ptr<f32>
  // CHECK: %[[R:.*]] = tile.load %{{.*}} : !tile.ptr<!tile.ptr<f32>>
  %r = tile.load %pp : !tile.ptr<!tile.ptr<f32>>
  // CHECK: tile.store %[[R]], %{{.*}}, %{{.*}} : !tile.ptr<f32>
  tile.store %r, %x, %m : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @tiles
tile.func @tiles(%p: !ptrs, %o: tensor<8xi32>, %m: tensor<8xi1>, %x: tensor<8xf32>) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %q = tile.addptr %p, %o : !ptrs, tensor<8xi32>
  // CHECK: tile.load %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
  %a = tile.load %q, %m : !ptrs
  // CHECK: tile.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
  %b = tile.load %q, %m, %x : !ptrs
  // CHECK: tile.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
  tile.store %q, %a, %m : !ptrs
  tile.return
}

// How caches are used.
// CHECK-LABEL: tile.func @caches
tile.func @caches(%p: !ptrs, %m: tensor<8xi1>, %x: tensor<8xf32>, %one: !tile.ptr<f32>) {
  // CHECK: tile.load %{{.*}} cache cg : tensor<8x!tile.ptr<f32>>
  %a = tile.load %p cache cg : !ptrs
  // CHECK: tile.load %{{.*}}, %{{.*}}, %{{.*}} cache ca evict last : tensor<8x!tile.ptr<f32>>
  %b = tile.load %p, %m, %x cache ca evict last : !ptrs
  // CHECK: tile.load %{{.*}} evict first : !tile.ptr<f32>
  %c = tile.load %one evict first : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}}, %{{.*}} cache wb evict first : tensor<8x!tile.ptr<f32>>
  tile.store %p, %a, %m cache wb evict first : !ptrs
  // CHECK: tile.store %{{.*}}, %{{.*}} cache wt : !tile.ptr<f32>
  tile.store %one, %c cache wt : !tile.ptr<f32>
  tile.return
}
