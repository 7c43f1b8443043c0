// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#a = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #tile_gpu.layout<register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>


// CHECK-LABEL: tile.func @layouts
tile.func @layouts(%x: tensor<8x8xf32, #a>) {
  // CHECK: tile_gpu.convert_layout %{{.*}} : tensor<8x8xf32, #tile_gpu.layout<register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>> -> tensor<8x8xf32, #tile_gpu.layout<register = {{\[\[}}1, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>>
  %y = tile_gpu.convert_layout %x : tensor<8x8xf32, #a> -> tensor<8x8xf32, #b>
  // CHECK: tile_gpu.convert_layout %{{.*}} {offset = 128 : i32} : tensor<8x8xf32, #tile_gpu.layout<register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>> -> tensor<8x8xf32, #tile_gpu.layout<register = {{\[\[}}1, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>>
  %z = tile_gpu.convert_layout %x {offset = 128 : i32} : tensor<8x8xf32, #a> -> tensor<8x8xf32, #b>
  tile.return
}

// CHECK-LABEL: tile.func @buffers
tile.func @buffers(%x: tensor<64x32xf16>, %i: i32, %p: tensor<64x32x!tile.ptr<f16>>, %m: tensor<64x32xi1>) {
  // CHECK: %[[RING:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3>
  %ring = tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3>
  // CHECK: %[[ONE:.*]] = tile_gpu.buffer_stage %[[RING]][%{{.*}}] : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  %one = tile_gpu.buffer_stage %ring[%i] : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 3> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile_gpu.buffer_trans %[[ONE]] order [1, 0] : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> !tile_gpu.buffer<32x64xf16, swizzle = 64, order = [0, 1]>
  %turned = tile_gpu.buffer_trans %one order [1, 0] : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> !tile_gpu.buffer<32x64xf16, swizzle = 64, order = [0, 1]>
  // CHECK: tile_gpu.buffer_store %{{.*}}, %[[ONE]] : tensor<64x32xf16> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  tile_gpu.buffer_store %x, %one : tensor<64x32xf16> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile_gpu.buffer_load %[[ONE]] : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> tensor<64x32xf16>
  %y = tile_gpu.buffer_load %one : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> tensor<64x32xf16>
  // CHECK: tile_gpu.buffer_load %[[ONE]] at [32, 16] : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> tensor<32x16xf16>
  %part = tile_gpu.buffer_load %one at [32, 16] : !tile_gpu.buffer<64x32xf16, swizzle = 64> -> tensor<32x16xf16>
  // CHECK: tile_gpu.alloc_shared {offset = 4096 : i32} : !tile_gpu.buffer<64x32xf16, order = [0, 1]>
  %placed = tile_gpu.alloc_shared {offset = 4096 : i32} : !tile_gpu.buffer<64x32xf16, order = [0, 1]>
  %index = tile.arange : tensor<32xi32>
  %indices = tile.expand_dims %index axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  // CHECK: tile_gpu.buffer_gather %{{.*}}, %{{.*}} axis 0 : !tile_gpu.buffer<64x32xf16, order = [0, 1]>, tensor<1x32xi32> -> tensor<1x32xf16>
  %row = tile_gpu.buffer_gather %placed, %indices axis 0 : !tile_gpu.buffer<64x32xf16, order = [0, 1]>, tensor<1x32xi32> -> tensor<1x32xf16>
  // CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[ONE]] : tensor<64x32x!tile.ptr<f16>> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  tile_gpu.async_copy %p, %m into %one : tensor<64x32x!tile.ptr<f16>> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile_gpu.async_copy %{{.*}} into %[[ONE]] : tensor<64x32x!tile.ptr<f16>>
  tile_gpu.async_copy %p into %one : tensor<64x32x!tile.ptr<f16>> -> !tile_gpu.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile_gpu.async_commit{{$}}
  tile_gpu.async_commit
  // CHECK: tile_gpu.async_wait 1{{$}}
  tile_gpu.async_wait 1
  tile.return
}
