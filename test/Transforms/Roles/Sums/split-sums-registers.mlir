// How many teams of a block divide a loop follows from the registers of a thread: 65536 of a multiprocessor are 128 for each
// thread of four teams of four warps, and twice as many of two.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-sums))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
!acc = tensor<16x32xf32, #acc>
!a = tensor<16x256xf16, #a>
!b = !tile_gpu.buffer<256x32xf16, swizzle = 64>

// 4 words of sums, which are there twice, 40 registers of addresses, and two operands of 64 words that a step computes and
// multiplies out of registers: 176.
// CHECK-LABEL: tile.func @two_operands
// CHECK-SAME: tile_gpu.teams = 2 : i32
tile.func @two_operands(%x: !a, %c: tensor<16x32x!tile.ptr<f32>, #acc>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : !acc
  %b = tile_gpu.alloc_shared : !b
  %sum = scf.for %i = %c0 to %k step %c256 iter_args(%s = %zero) -> (!acc) : i32 {
    %upper = arith.addf %x, %x : !a
    %lower = arith.mulf %x, %x : !a
    %d = tile.dot %upper, %b, %s by mma_sync : !a, !b -> !acc
    %e = tile.dot %lower, %b, %d by mma_sync : !a, !b -> !acc
    scf.yield %e : !acc
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #acc>
  tile.return
}

// What two dots multiply is there once: 112.
// CHECK-LABEL: tile.func @one_operand
// CHECK-SAME: tile_gpu.teams = 4 : i32
tile.func @one_operand(%x: !a, %c: tensor<16x32x!tile.ptr<f32>, #acc>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : !acc
  %b = tile_gpu.alloc_shared : !b
  %other = tile_gpu.alloc_shared : !b
  %sum = scf.for %i = %c0 to %k step %c256 iter_args(%s = %zero) -> (!acc) : i32 {
    %upper = arith.addf %x, %x : !a
    %d = tile.dot %upper, %b, %s by mma_sync : !a, !b -> !acc
    %e = tile.dot %upper, %other, %d by mma_sync : !a, !b -> !acc
    scf.yield %e : !acc
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #acc>
  tile.return
}

// 112 of each thread of two blocks are those of 16 warps, no more: two teams for each block.
// CHECK-LABEL: tile.func @two_blocks
// CHECK-SAME: tile_gpu.teams = 2 : i32
tile.func @two_blocks(%x: !a, %c: tensor<16x32x!tile.ptr<f32>, #acc>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.programs = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : !acc
  %b = tile_gpu.alloc_shared : !b
  %sum = scf.for %i = %c0 to %k step %c256 iter_args(%s = %zero) -> (!acc) : i32 {
    %upper = arith.addf %x, %x : !a
    %d = tile.dot %upper, %b, %s by mma_sync : !a, !b -> !acc
    scf.yield %d : !acc
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #acc>
  tile.return
}

// And 176 of those of 8: none.
// CHECK-LABEL: tile.func @two_of_two_blocks
// CHECK-NOT: tile_gpu.teams
// CHECK: tile.return
tile.func @two_of_two_blocks(%x: !a, %c: tensor<16x32x!tile.ptr<f32>, #acc>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.programs = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : !acc
  %b = tile_gpu.alloc_shared : !b
  %sum = scf.for %i = %c0 to %k step %c256 iter_args(%s = %zero) -> (!acc) : i32 {
    %upper = arith.addf %x, %x : !a
    %lower = arith.mulf %x, %x : !a
    %d = tile.dot %upper, %b, %s by mma_sync : !a, !b -> !acc
    %e = tile.dot %lower, %b, %d by mma_sync : !a, !b -> !acc
    scf.yield %e : !acc
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #acc>
  tile.return
}
