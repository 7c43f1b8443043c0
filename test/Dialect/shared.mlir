// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#a = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #tile.layout<register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>


// CHECK-LABEL: tile.func @layouts
tile.func @layouts(%x: tensor<8x8xf32, #a>) {
  // CHECK: tile.convert_layout %{{.*}} : tensor<8x8xf32, #tile.layout<register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>> -> tensor<8x8xf32, #tile.layout<register = {{\[\[}}1, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>>
  %y = tile.convert_layout %x : tensor<8x8xf32, #a> -> tensor<8x8xf32, #b>
  // CHECK: tile.convert_layout %{{.*}} {offset = 128 : i32} : tensor<8x8xf32, #tile.layout<register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>> -> tensor<8x8xf32, #tile.layout<register = {{\[\[}}1, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>>
  %z = tile.convert_layout %x {offset = 128 : i32} : tensor<8x8xf32, #a> -> tensor<8x8xf32, #b>
  tile.return
}

// CHECK-LABEL: tile.func @buffers
tile.func @buffers(%x: tensor<64x32xf16>, %i: i32, %p: tensor<64x32x!tile.ptr<f16>>, %m: tensor<64x32xi1>) {
  // CHECK: %[[RING:.*]] = tile.alloc_shared : !tile.buffer<64x32xf16, swizzle = 64, stages = 3>
  %ring = tile.alloc_shared : !tile.buffer<64x32xf16, swizzle = 64, stages = 3>
  // CHECK: %[[ONE:.*]] = tile.buffer_stage %[[RING]][%{{.*}}] : !tile.buffer<64x32xf16, swizzle = 64, stages = 3> -> !tile.buffer<64x32xf16, swizzle = 64>
  %one = tile.buffer_stage %ring[%i] : !tile.buffer<64x32xf16, swizzle = 64, stages = 3> -> !tile.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile.buffer_store %{{.*}}, %[[ONE]] : tensor<64x32xf16> -> !tile.buffer<64x32xf16, swizzle = 64>
  tile.buffer_store %x, %one : tensor<64x32xf16> -> !tile.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile.buffer_load %[[ONE]] : !tile.buffer<64x32xf16, swizzle = 64> -> tensor<64x32xf16>
  %y = tile.buffer_load %one : !tile.buffer<64x32xf16, swizzle = 64> -> tensor<64x32xf16>
  // CHECK: tile.buffer_load %[[ONE]] at [32, 16] : !tile.buffer<64x32xf16, swizzle = 64> -> tensor<32x16xf16>
  %part = tile.buffer_load %one at [32, 16] : !tile.buffer<64x32xf16, swizzle = 64> -> tensor<32x16xf16>
  // CHECK: tile.alloc_shared {offset = 4096 : i32} : !tile.buffer<64x32xf16, order = [0, 1]>
  %placed = tile.alloc_shared {offset = 4096 : i32} : !tile.buffer<64x32xf16, order = [0, 1]>
  // CHECK: tile.async_copy %{{.*}}, %{{.*}} into %[[ONE]] : tensor<64x32x!tile.ptr<f16>> -> !tile.buffer<64x32xf16, swizzle = 64>
  tile.async_copy %p, %m into %one : tensor<64x32x!tile.ptr<f16>> -> !tile.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile.async_copy %{{.*}} into %[[ONE]] : tensor<64x32x!tile.ptr<f16>>
  tile.async_copy %p into %one : tensor<64x32x!tile.ptr<f16>> -> !tile.buffer<64x32xf16, swizzle = 64>
  // CHECK: tile.async_commit{{$}}
  tile.async_commit
  // CHECK: tile.async_wait 1{{$}}
  tile.async_wait 1
  tile.return
}
