// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-gathers))' --verify-diagnostics | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [64, 0]], warp = [[128, 0]]>
#row = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 0]], warp = [[0, 0]]>
!v = tensor<256x64xf32, #v>
!row = tensor<1x64xf32, #row>
!i = tensor<1x64xi32, #row>

// Two warps have a quarter of shared memory, of which a tile of 64 KB is more than all.
// CHECK-LABEL: tile.func private @large
// CHECK: tile.gather
tile.func private @large(%v: !v, %n: i32, %r: !row) -> !row attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = scf.for %k = %zero to %n step %one iter_args(%x = %r) -> (!row) : i32 {
    %i = tile.splat %k : i32 -> !i
    // expected-remark @+1 {{what is gathered from is stored each time: expected at most 58112 bytes of shared memory, found}}
    %a = tile.gather %v, %i axis 0 : !v, !i -> !row
    %t = arith.addf %x, %a : !row
    scf.yield %t : !row
  }
  tile.return %s : !row
}
