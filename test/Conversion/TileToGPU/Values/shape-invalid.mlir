// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

#row = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#other = #tile_gpu.layout<register = [[0, 128], [0, 256]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 1], [0, 2]]>

tile.func @moves(%x: i32) {
  %a = tile.splat %x : i32 -> tensor<512xi32, #row>
  // expected-error@+1 {{expected a result layout that keeps every element in its thread, as {register: (0,1) (0,2); lane: (0,4) (0,8) (0,16) (0,32) (0,64); warp: (0,128) (0,256)} does, found another (convert the layout first)}}
  %b = tile.expand_dims %a axis 0 : tensor<512xi32, #row> -> tensor<1x512xi32, #other>
  tile.return
}

// -----

#a = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#b = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

tile.func @reshape_odd(%x: i32) {
  %a = tile.splat %x : i32 -> tensor<32x12xi32, #a>
  // expected-error@+1 {{expected a reshape that merges and splits extents that are powers of two, found other extents}}
  %b = tile.reshape %a : tensor<32x12xi32, #a> -> tensor<384xi32, #b>
  tile.return
}

// -----

#p = #tile_gpu.layout<register = [[1, 0]], lane = [[0, 1], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#h = #tile_gpu.layout<register = [[1]], lane = [[0], [2], [4], [8], [16]], warp = []>

tile.func @split_lanes(%x: i32) {
  %a = tile.splat %x : i32 -> tensor<32x2xi32, #p>
  // expected-error@+1 {{expected both halves of a split in the registers of one thread, found them in several (convert the layout first)}}
  %l, %r = tile.split %a : tensor<32x2xi32, #p> -> tensor<32xi32, #h>
  tile.return
}

// -----

#s = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#c = #tile_gpu.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>

tile.func @cat_odd(%x: i32) {
  %a = tile.splat %x : i32 -> tensor<48xi32, #s>
  // expected-error@+1 {{expected two tiles of one type, whose extent along axis 0 is a power of two, found others}}
  %b = tile.cat %a, %a axis 0 : tensor<48xi32, #s>, tensor<48xi32, #s> -> tensor<96xi32, #c>
  tile.return
}
