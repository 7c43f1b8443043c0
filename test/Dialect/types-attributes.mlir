// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @types
// CHECK-SAME: !tile.ptr<f8E4M3FN>
// CHECK-SAME: !tile.ptr<!tile.ptr<i1>>
// CHECK-SAME: !tile.desc<4x?xbf16, #tile.dims<[BK]>>
// CHECK-SAME: !tile_gpu.buffer<4x8x16xf32, order = [2, 0, 1]>
// The order of rows after rows, and one stage, are not printed.
// CHECK-SAME: !tile_gpu.buffer<8x64xf16, swizzle = 128>
// CHECK-SAME: tensor<?x4x?xi8, #tile.dims<[A, A]>>
tile.func @types(%0: !tile.ptr<f8E4M3FN>, %1: !tile.ptr<!tile.ptr<i1>>,
                 %2: !tile.desc<4x?xbf16, #tile.dims<[BK]>>,
                 %3: !tile_gpu.buffer<4x8x16xf32, order = [2, 0, 1], swizzle = 0>,
                 %4: !tile_gpu.buffer<8x64xf16, stages = 1, order = [1, 0], swizzle = 128>,
                 %5: tensor<?x4x?xi8, #tile.dims<[A, A]>>) {
  tile.return
}

// CHECK-LABEL: tile.func @layouts
// CHECK-SAME: tensor<4x64xf16, #tile_gpu.layout<register = {{\[}}[0, 1]], lane = {{\[}}[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = {{\[}}[1, 0]]>>
// CHECK-SAME: tensor<4xf32, #tile_gpu.layout<register = [], lane = [], warp = []>>
tile.func @layouts(%0: tensor<4x64xf16, #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0]]>>,
                   %1: tensor<4xf32, #tile_gpu.layout<register = [], lane = [], warp = []>>) {
  tile.return
}
