// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(convert-tile-to-gpu{arch=sm_80})'

#whole = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#other = #tile.layout<register = [[0, 1]], lane = [[0, 4], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
tile.func @other_threads(%x: f16) {
  %a = tile.splat %x : f16 -> tensor<32x16xf16, #whole>
  // expected-error @+1 {{expected a part that every thread holds already, found another layout}}
  %p = tile.extract_tile %a [0, 8] : tensor<32x16xf16, #whole> -> tensor<32x8xf16, #other>
  tile.return
}
