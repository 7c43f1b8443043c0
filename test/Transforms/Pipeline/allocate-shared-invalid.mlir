// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_86},tile.func(tile-allocate-shared))' -verify-diagnostics

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0]]>

// expected-error @+1 {{expected at most 101376 bytes of shared memory, found tiles that need 131072: use smaller ones}}
tile.func @too_much(%x: f16) {
  %r = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, stages = 4>
  %c0 = arith.constant 0 : i32
  %s = tile_gpu.buffer_stage %r[%c0] : !tile_gpu.buffer<128x128xf16, stages = 4> -> !tile_gpu.buffer<128x128xf16>
  %d = tile_gpu.buffer_load %s : !tile_gpu.buffer<128x128xf16> -> tensor<128x128xf16, #v>
  tile.return
}
