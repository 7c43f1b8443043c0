// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics
// RUN: not tile-opt %s --tile-set-target=arch=sm_70 --convert-tile-to-gpu -split-input-file 2>&1 | FileCheck %s
// CHECK: error: expected arch to be one of sm_80, {{.*}}sm_120a, found 'sm_70'

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

tile.func @no_layout(%x: f32) {
  // expected-error @+1 {{expected a tile with a layout (see tile-assign-layouts), found one without}}
  %a = tile.splat %x : f32 -> tensor<512xf32>
  tile.return
}

// -----

tile.func @arange(%x: f32) {
  // expected-error @+1 {{expected a tile with a layout (see tile-assign-layouts), found one without}}
  %a = tile.arange : tensor<512xi32>
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = []>

tile.func @values(%x: f32) attributes {tile.num_warps = 1 : i32} {
  // expected-error @+1 {{expected a constant tile of dense elements, found others}}
  %a = arith.constant dense_resource<numbers> : tensor<2xf32, #v>
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>

tile.func @rand(%x: i32) {
  %a = tile.splat %x : i32 -> tensor<512xi32, #v>
  // expected-error @+1 {{expected an operation that convert-tile-to-gpu lowers, found 'tile.rand'}}
  %s = tile.rand %x, %a : i32, tensor<512xi32, #v>
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
tile.func @both(%x: f8E4M3FN) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f8E4M3FN -> tensor<32xf8E4M3FN, #l>
  // expected-error @+1 {{expected arithmetic of at most 4 operands and 1 result on 8-bit floats, found 'math.sincos'}}
  %s, %c = math.sincos %a : tensor<32xf8E4M3FN, #l>
  tile.return
}
