// Pointers keep their layout under a cast.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @addresses
// CHECK: %[[Q:.*]] = tile.ptr_cast %{{.*}} : tensor<256x!tile.ptr<f32>, [[L:#tile_gpu.layout<.*>]]> -> tensor<256x!tile.ptr<i32>, [[L]]>
// CHECK-NOT: convert_layout
// CHECK: tile.load %[[Q]]
tile.func @addresses(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %words = tile.ptr_cast %ptrs : tensor<256x!tile.ptr<f32>> -> tensor<256x!tile.ptr<i32>>
  %v = tile.load %words : tensor<256x!tile.ptr<i32>>
  tile.store %words, %v : tensor<256x!tile.ptr<i32>>
  tile.return
}
