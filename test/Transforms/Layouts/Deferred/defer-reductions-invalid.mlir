// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-defer-reductions))'

// Sums of 128 columns by warps that have rows: a thread would carry 64 words of them.
#x = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[0, 64], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#r = #tile_gpu.layout<register = [[1], [2], [4], [8], [16], [32]], lane = [[64], [0], [0], [0], [0]], warp = [[0], [0]]>
tile.func private @words(%x: tensor<64x128xf32, #x>, %start: tensor<128xf32, #r>, %n: i32) -> tensor<128xf32, #r> attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %start) -> (tensor<128xf32, #r>) : i32 {
    %y = arith.mulf %x, %x : tensor<64x128xf32, #x>
    // expected-remark @+1 {{threads meet in each step: expected at most 32 words a thread, found 64}}
    %s = tile.reduce add %y axis 0 : tensor<64x128xf32, #x> -> tensor<128xf32, #r>
    %next = arith.addf %sum, %s : tensor<128xf32, #r>
    scf.yield %next : tensor<128xf32, #r>
  }
  tile.return %all : tensor<128xf32, #r>
}

// -----

// 160 registers are taken by what the loop carries.
#acc = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 128], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#half = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#x = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
tile.func private @carried(%x: tensor<4x32xf32, #x>, %a: tensor<64x256xf32, #acc>, %b: tensor<64x64xf32, #half>, %start: tensor<4xf32, #r>, %n: i32)
    -> (tensor<64x256xf32, #acc>, tensor<64x64xf32, #half>, tensor<4xf32, #r>) attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all:3 = scf.for %i = %first to %n step %step iter_args(%p = %a, %q = %b, %sum = %start) -> (tensor<64x256xf32, #acc>, tensor<64x64xf32, #half>, tensor<4xf32, #r>) : i32 {
    %p2 = arith.mulf %p, %p : tensor<64x256xf32, #acc>
    %q2 = arith.mulf %q, %q : tensor<64x64xf32, #half>
    // expected-remark @+1 {{threads meet in each step: expected a loop that carries at most 160 words a thread, found 161}}
    %s = tile.reduce add %x axis 1 : tensor<4x32xf32, #x> -> tensor<4xf32, #r>
    %next = arith.addf %sum, %s : tensor<4xf32, #r>
    scf.yield %p2, %q2, %next : tensor<64x256xf32, #acc>, tensor<64x64xf32, #half>, tensor<4xf32, #r>
  }
  tile.return %all#0, %all#1, %all#2 : tensor<64x256xf32, #acc>, tensor<64x64xf32, #half>, tensor<4xf32, #r>
}
