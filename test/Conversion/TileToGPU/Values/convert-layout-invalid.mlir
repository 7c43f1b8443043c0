// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

#rows = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#columns = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 8], [0, 16]]>

tile.func @no_shared_memory(%x: f32) {
  %a = tile.splat %x : f32 -> tensor<16x32xf32, #rows>
  // expected-error@+1 {{expected a kernel with shared memory for a conversion between warps (see tile-allocate-shared), found none}}
  %b = tile_gpu.convert_layout %a : tensor<16x32xf32, #rows> -> tensor<16x32xf32, #columns>
  tile.return
}

// -----

#c1 = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [0]], warp = []>
#c2 = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
tile.func @fewer(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %a = tile.splat %x : f32 -> tensor<64xf32, #c1>
  // expected-error @+1 {{expected layouts that hold the same elements, found layouts that do not}}
  %b = tile_gpu.convert_layout %a {offset = 0 : i32} : tensor<64xf32, #c1> -> tensor<64xf32, #c2>
  tile.return
}
