// A small tile that is turned round between memory and memory: what is stored as it lies would be pieces of sectors.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-assign-layouts))' | FileCheck %s

// Eight columns of 8 bytes would be stored by a warp: the tile goes through shared memory, and the store fills sectors.
// CHECK-LABEL: tile.func @turned
// CHECK: tile_gpu.convert_layout {{.*}} : tensor<16x16xf16
// CHECK: tile.store {{.*}}layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]]
tile.func @turned(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<16xi32>
  %across = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %r = tile.expand_dims %i axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<1x16xi32>
  %down = arith.muli %r, %pitches : tensor<1x16xi32>
  %rows = tile.broadcast %down : tensor<1x16xi32> -> tensor<16x16xi32>
  %columns = tile.broadcast %across : tensor<16x1xi32> -> tensor<16x16xi32>
  %at = arith.addi %columns, %rows : tensor<16x16xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %p = tile.addptr %xs, %at : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %v = tile.load %p : tensor<16x16x!tile.ptr<f16>>
  %flat = tile.reshape %v : tensor<16x16xf16> -> tensor<256xf16>
  %k = tile.arange : tensor<256xi32>
  %os = tile.splat %out : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>>
  %q = tile.addptr %os, %k : tensor<256x!tile.ptr<f16>>, tensor<256xi32>
  tile.store %q, %flat : tensor<256x!tile.ptr<f16>>
  tile.return
}

// Of f32 a column has half a sector, which is stored as it lies.
// CHECK-LABEL: tile.func @wide
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @wide(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<16xi32>
  %across = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %r = tile.expand_dims %i axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<1x16xi32>
  %down = arith.muli %r, %pitches : tensor<1x16xi32>
  %rows = tile.broadcast %down : tensor<1x16xi32> -> tensor<16x16xi32>
  %columns = tile.broadcast %across : tensor<16x1xi32> -> tensor<16x16xi32>
  %at = arith.addi %columns, %rows : tensor<16x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  %v = tile.load %p : tensor<16x16x!tile.ptr<f32>>
  %flat = tile.reshape %v : tensor<16x16xf32> -> tensor<256xf32>
  %k = tile.arange : tensor<256xi32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %q = tile.addptr %os, %k : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %q, %flat : tensor<256x!tile.ptr<f32>>
  tile.return
}
