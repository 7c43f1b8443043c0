// More elements a thread than a network of exchanges has registers for.
// RUN: tile-opt %s --convert-tile-to-gpu -verify-diagnostics -o %t

#many = #tile_gpu.layout<register = [[1], [2], [4], [8], [16], [32], [64]], lane = [[128], [0], [0], [0], [0]], warp = []>
#few = #tile_gpu.layout<register = [[1], [2], [4], [8], [16], [32]], lane = [[64], [128], [0], [0], [0]], warp = []>

tile.func @many(%x: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 16384 : i32} {
  %v = tile.splat %x : i32 -> tensor<256xi32, #many>
  // expected-warning @+1 {{sort takes long to compile, and registers spill: expected at most 64 elements a thread (by num_warps = 2), found 128 [-Wslow]}}
  %s = tile.sort %v axis 0 {offset = 0 : i32} : tensor<256xi32, #many>
  tile.return
}

tile.func @few(%x: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.shared_bytes = 16384 : i32} {
  %v = tile.splat %x : i32 -> tensor<256xi32, #few>
  %s = tile.sort %v axis 0 {offset = 0 : i32} : tensor<256xi32, #few>
  tile.return
}
