// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

#v = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>

tile.func @no_scratch(%n: i32) attributes {tile.num_warps = 2 : i32, tile_gpu.shared_bytes = 0 : i32} {
  %x = tile.splat %n : i32 -> tensor<64xi32, #v>
  // expected-error @+1 {{expected a kernel with shared memory to print a tile (see tile-allocate-shared), found none}}
  tile.print "x" %x : tensor<64xi32, #v>
  tile.return
}

// -----

tile.func @no_layout(%ok: tensor<64xi1>) attributes {tile.num_warps = 2 : i32} {
  // expected-error @-1 {{expected pointers and numbers as kernel arguments, found another type for argument 0}}
  tile.assert %ok, "yes" : tensor<64xi1>
  tile.return
}
