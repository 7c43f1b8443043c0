// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-localize-rows))'

#row = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]]>
#columns = #tile_gpu.layout<register = [[1], [8], [16], [32], [64], [128], [256]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>

tile.func private @long(%bias: !tile.ptr<f16>) -> tensor<512xf16, #columns> {
  %i = tile.arange : tensor<512xi32, #row>
  %bases = tile.splat %bias : !tile.ptr<f16> -> tensor<512x!tile.ptr<f16>, #row>
  %p = tile.addptr %bases, %i : tensor<512x!tile.ptr<f16>, #row>, tensor<512xi32, #row>
  %v = tile.load %p : tensor<512x!tile.ptr<f16>, #row>
  // expected-remark @+1 {{row is not loaded by each warp: expected at most 4 words a thread, found more}}
  %c = tile_gpu.convert_layout %v : tensor<512xf16, #row> -> tensor<512xf16, #columns>
  tile.return %c : tensor<512xf16, #columns>
}

// -----

#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#columns = #tile_gpu.layout<register = [[1], [8], [16], [32], [64]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>

tile.func private @used(%bias: !tile.ptr<f16>) -> (tensor<128xf16, #columns>, tensor<128xf16, #row>) {
  %i = tile.arange : tensor<128xi32, #row>
  %bases = tile.splat %bias : !tile.ptr<f16> -> tensor<128x!tile.ptr<f16>, #row>
  %p = tile.addptr %bases, %i : tensor<128x!tile.ptr<f16>, #row>, tensor<128xi32, #row>
  %v = tile.load %p : tensor<128x!tile.ptr<f16>, #row>
  // expected-remark @+1 {{row is not loaded by each warp: expected no other use of it, found one}}
  %c = tile_gpu.convert_layout %v : tensor<128xf16, #row> -> tensor<128xf16, #columns>
  tile.return %c, %v : tensor<128xf16, #columns>, tensor<128xf16, #row>
}
