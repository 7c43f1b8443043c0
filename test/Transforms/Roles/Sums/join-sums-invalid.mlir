// What all turns want cannot be the last one's.
//
// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-join-sums))'

tile.func @carried(%x: tensor<64x64xf32>, %n: i32, %split: i1) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%slot = %c0) -> (i32) : i32 {
      // expected-error @+1 {{expected nothing behind a sum of turns that the next program wants, found some}}
      %s, %last = tile_gpu.collect_turns %x part %t of %slot when %split together %split {parts = 2} : tensor<64x64xf32> -> tensor<64x64xf32>
      %next = arith.addi %slot, %c1 : i32
      scf.yield %next : i32
    } {tile_gpu.programs}
  }
  tile.return
}
