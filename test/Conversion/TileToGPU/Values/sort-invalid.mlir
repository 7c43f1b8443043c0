// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

tile.func @no_scratch(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #v>
  // expected-error @+1 {{expected a kernel with shared memory for a sort (see tile-allocate-shared), found none}}
  %s = tile.sort %a axis 0 : tensor<128xf32, #v>
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

tile.func @no_counters(%x: i32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : i32 -> tensor<128xi32, #v>
  // expected-error @+1 {{expected a kernel with shared memory for a histogram (see tile-allocate-shared), found none}}
  %h = tile.histogram %a : tensor<128xi32, #v> -> tensor<128xi32, #v>
  tile.return
}

// -----

#odd = #tile_gpu.layout<register = [[1], [3]], lane = [[4], [8], [16], [32], [64]], warp = []>

tile.func @basis(%x: f32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %a = tile.splat %x : f32 -> tensor<128xf32, #odd>
  // expected-error @+1 {{expected a layout that moves by powers of two along the axis, found one that does not}}
  %s = tile.sort %a axis 0 : tensor<128xf32, #odd>
  tile.return
}
