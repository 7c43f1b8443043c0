// A small result that lanes hold several times over is divided among them where a thread would store it by several
// instructions: each stores a part, and no lane asks another for anything.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-assign-layouts))' | FileCheck %s
// RUN: tile-run %s --arch sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX

// 256 sums of 8, each of which 8 lanes have: 16 a thread become 2.
// CHECK-LABEL: tile.func @windows
// CHECK: tile.reduce add {{.*}} -> tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}16], [32], [64], [128]], lane = {{\[\[}}0], [0], [0], [1], [2]], warp = {{\[\[}}4], [8]]>>
// CHECK: tile.store {{.*}} : tensor<256x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}128]], lane = {{\[\[}}16], [32], [64], [1], [2]], warp = {{\[\[}}4], [8]]>>
// PTX-LABEL: .entry windows
// PTX-NOT: st.shared
// PTX: st.global
// PTX: st.global
// PTX-NOT: st.global
// PTX: ret
tile.func @windows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %i = tile.arange : tensor<256xi32>
  %k = tile.arange : tensor<8xi32>
  %two = arith.constant dense<2> : tensor<256xi32>
  %first = arith.muli %i, %two : tensor<256xi32>
  %rows = tile.expand_dims %first axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %columns = tile.expand_dims %k axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %rows_2 = tile.broadcast %rows : tensor<256x1xi32> -> tensor<256x8xi32>
  %columns_2 = tile.broadcast %columns : tensor<1x8xi32> -> tensor<256x8xi32>
  %at = arith.addi %rows_2, %columns_2 : tensor<256x8xi32>
  %five = arith.constant dense<5> : tensor<256x8xi32>
  %some = arith.cmpi slt, %columns_2, %five : tensor<256x8xi32>
  %zero = arith.constant dense<0.0> : tensor<256x8xf32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x8x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<256x8x!tile.ptr<f32>>, tensor<256x8xi32>
  %v = tile.load %xp, %some, %zero : tensor<256x8x!tile.ptr<f32>>
  %sum = tile.reduce add %v axis 1 : tensor<256x8xf32> -> tensor<256xf32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %yp, %sum : tensor<256x!tile.ptr<f32>>
  tile.return
}
