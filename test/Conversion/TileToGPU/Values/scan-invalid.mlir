// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

#odd = #tile_gpu.layout<register = [[1], [3]], lane = [[4], [8], [16], [32], [64]], warp = []>

tile.func @basis(%n: i32) attributes {tile.num_warps = 1 : i32} {
  %x = tile.splat %n : i32 -> tensor<128xi32, #odd>
  // expected-error @+1 {{expected a layout that moves by powers of two along the axis, found one that does not}}
  %s = tile.scan add %x axis 0 : tensor<128xi32, #odd> -> tensor<128xi32, #odd>
  tile.return
}

// -----

#split = #tile_gpu.layout<register = [[2]], lane = [[0], [0], [0], [0], [0]], warp = [[1], [4]]>

tile.func @runs(%n: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 64 : i32} {
  %x = tile.splat %n : i32 -> tensor<8xi32, #split>
  // expected-error @+1 {{expected warps that lie side by side along the axis of a scan, found others between them}}
  %s = tile.scan add %x axis 0 : tensor<8xi32, #split> -> tensor<8xi32, #split>
  tile.return
}

// -----

#warps = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>

tile.func @no_scratch(%n: i32) attributes {tile.num_warps = 4 : i32} {
  %x = tile.splat %n : i32 -> tensor<4xi32, #warps>
  // expected-error @+1 {{expected a kernel with shared memory for an axis over several warps (see tile-allocate-shared), found none}}
  %s = tile.scan add %x axis 0 : tensor<4xi32, #warps> -> tensor<4xi32, #warps>
  tile.return
}
