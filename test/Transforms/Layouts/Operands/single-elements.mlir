// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// A has M fastest, and begins anywhere: a thread loads single elements, its neighbours are those of neighbouring lanes, and
// the buffer has them side by side. f32 has K fastest, as wgmma wants it.
// CHECK-LABEL: tile.func @rows_apart
// CHECK: tile.load {{.*}} : tensor<64x16x!tile.ptr<f16>, {{.*}}lane = {{\[\[}}1, 0],
// CHECK: tile_gpu.alloc_shared {{.*}}: !tile_gpu.buffer<64x16xf16, swizzle = 128, order = [0, 1]>
// CHECK: tile.load {{.*}} : tensor<64x16x!tile.ptr<f32>, {{.*}}lane = {{\[\[}}1, 0],
// CHECK: tile_gpu.alloc_shared {{.*}}: !tile_gpu.buffer<64x16xf32, swizzle = 64>
tile.func @rows_apart(%x: !tile.ptr<f16>, %w: !tile.ptr<f32>, %pitch: i32, %out: !tile.ptr<f32>) {
  %y = arith.constant dense<1.0> : tensor<16x64xf16>
  %z = arith.constant dense<1.0> : tensor<16x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %k = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %k axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<1x16xi32>
  %starts = arith.muli %cols, %pitches : tensor<1x16xi32>
  %across = tile.broadcast %starts : tensor<1x16xi32> -> tensor<64x16xi32>
  %down = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x16xi32>
  %offs = arith.addi %across, %down : tensor<64x16xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>>
  %px = tile.addptr %xs, %offs : tensor<64x16x!tile.ptr<f16>>, tensor<64x16xi32>
  %a = tile.load %px : tensor<64x16x!tile.ptr<f16>>
  %d = tile.dot %a, %y, %zero by wgmma : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
  %ws = tile.splat %w : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>>
  %pw = tile.addptr %ws, %offs : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %b = tile.load %pw : tensor<64x16x!tile.ptr<f32>>
  %e = tile.dot %b, %z, %d by wgmma : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32>
  %total = tile.reduce add %e axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  tile.print "total" %total : tensor<64xf32>
  tile.return
}
