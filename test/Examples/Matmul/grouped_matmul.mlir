// C = A * B with programs in groups: neighbours in time share rows and columns in the cache.
//
//   tile-run grouped_matmul.mlir                 3 x 4 by 4 x 5, all ones, printed: every sum is 4
//   tile-run grouped_matmul.mlir --args 512      512 x 512 random f16 (and --args M,N,K)
//
// naive_matmul.mlir computes the tiles of C in the order of a grid's programs. To compute nine tiles of
// a row of 9 takes one block of rows of A and nine of columns of B from memory; to compute a square of 3 x 3
// takes three and three. So each program asks which tile it should do, in one of two ways:
//
//   @grouped_2d   has a grid of two dimensions and calls tile.swizzle2d (swizzle2d.mlir shows its table)
//   @grouped_1d   has a grid of one dimension, and the arithmetic is written out
//
// What is done to a tile is the same: @multiply_tile, a helper. The group's size need not divide the number
// of rows of tiles: the last group is smaller.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefixes=ONES,CHECK
// RUN: tile-run %s --target=cpu --repeat 1 --args 512 -D BM=64 -D BN=64 -D BK=64 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 512 -D BM=64 -D BN=64 -D BK=64 -D GROUP=3 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 100,37,51 -D GROUP=5 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 127,131,67 -D GROUP=32 | FileCheck %s
// RUN: tile-run %s --check --args 100,37,51 -D GROUP=5
//      ONES: 3x5xf16
// ONES-NEXT: {{\[\[}}4 4 4 4 4]
// ONES-NEXT:  [4 4 4 4 4]
// ONES-NEXT:  [4 4 4 4 4]]
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 2 comparisons
// CHECK: : grouped_2d({{.*}}TFLOP/s, {{.*}}GB/s
// CHECK: : grouped_1d({{.*}}TFLOP/s, {{.*}}GB/s

//===- helpers, for any extents M and N -----------------------------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>

// chunk * M + [0 .. M - 1]
tile.func private @get_1d_offset(%chunk: i32) -> !m {
  %offs = tile.expr %chunk * M + arange(M)
  tile.return %offs
}

// offs_0[:, None] * stride_0 + offs_1[None, :] * stride_1
tile.func private @get_2d_offset(%offs_0: !m, %offs_1: !n, %stride_0: i32, %stride_1: i32) -> !mxn {
  %offs = tile.expr col(%offs_0) * %stride_0 + row(%offs_1) * %stride_1
  tile.return %offs
}

// (offs_0[:, None] < max_0) & (offs_1[None, :] < max_1)
tile.func private @get_2d_mask(%offs_0: !m, %offs_1: !n, %max_0: i32, %max_1: i32) -> !mxn_mask {
  %mask = tile.expr col(%offs_0) < %max_0 and row(%offs_1) < %max_1
  tile.return %mask
}

//===- one tile of C ------------------------------------------------------===//

!rm = tensor<?xi32, #tile.dims<[BM]>>
!rn = tensor<?xi32, #tile.dims<[BN]>>
!rk = tensor<?xi32, #tile.dims<[BK]>>
!a_offs = tensor<?x?xi32, #tile.dims<[BM, BK]>>
!b_offs = tensor<?x?xi32, #tile.dims<[BK, BN]>>
!c_offs = tensor<?x?xi32, #tile.dims<[BM, BN]>>
!a_mask = tensor<?x?xi1, #tile.dims<[BM, BK]>>
!b_mask = tensor<?x?xi1, #tile.dims<[BK, BN]>>
!c_mask = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!a_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BK]>>
!b_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BK, BN]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// Tile (pid_m, pid_n) of C. BM, BN and BK are the calling kernel's.
tile.func private @multiply_tile(%pid_m: i32, %pid_n: i32,
                                 %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32,
                                 %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32,
                                 %stride_cm: i32, %stride_cn: i32) {
  %c0 = arith.constant 0 : i32
  %bk = tile.meta BK : i32

  // This program's rows of A, its columns of B, and the first block of K.
  %rm = tile.call @get_1d_offset(%pid_m) -> !rm
  %rn = tile.call @get_1d_offset(%pid_n) -> !rn
  %rk = tile.call @get_1d_offset(%c0) -> !rk
  %a_offs = tile.call @get_2d_offset(%rm, %rk, %stride_am, %stride_ak) -> !a_offs
  %b_offs = tile.call @get_2d_offset(%rk, %rn, %stride_bk, %stride_bn) -> !b_offs
  %a_first = tile.expr %a + %a_offs
  %b_first = tile.expr %b + %b_offs

  // One block of K after the other; the pointers move on, the accumulator is in f32.
  %a_step = tile.expr BK * %stride_ak
  %b_step = tile.expr BK * %stride_bk
  %zeros = tile.expr 0 : !acc
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%sum = %zeros, %a_ptrs = %a_first, %b_ptrs = %b_first) -> (!acc, !a_ptrs, !b_ptrs) : i32 {
    %k_left = tile.expr %k - %k0
    %a_mask = tile.call @get_2d_mask(%rm, %rk, %m, %k_left) -> !a_mask
    %b_mask = tile.call @get_2d_mask(%rk, %rn, %k_left, %n) -> !b_mask
    %a_tile = tile.load %a_ptrs, %a_mask
    %b_tile = tile.load %b_ptrs, %b_mask
    %next = tile.dot %a_tile, %b_tile, %sum
    %a_next = tile.expr %a_ptrs + %a_step
    %b_next = tile.expr %b_ptrs + %b_step
    scf.yield %next, %a_next, %b_next : !acc, !a_ptrs, !b_ptrs
  }

  %c_offs = tile.call @get_2d_offset(%rm, %rn, %stride_cm, %stride_cn) -> !c_offs
  %c_mask = tile.call @get_2d_mask(%rm, %rn, %m, %n) -> !c_mask
  %c_ptrs = tile.expr %c + %c_offs
  %c_tile = tile.expr f16(%acc)
  tile.store %c_ptrs, %c_tile, %c_mask
  tile.return
}

//===- the kernels --------------------------------------------------------===//

tile.func @grouped_2d(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32,
                      %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32,
                      %stride_cm: i32, %stride_cn: i32)
    meta {BM = 16, BN = 16, BK = 16, GROUP = 8} {
  tile.grid = %m ceildiv BM, %n ceildiv BN
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %pid_m = tile.program_id x
  %pid_n = tile.program_id y
  %programs_m = tile.num_programs x
  %programs_n = tile.num_programs y
  %group = tile.meta GROUP : i32
  %tile_m, %tile_n = tile.swizzle2d %pid_m, %pid_n, %programs_m, %programs_n, %group
  tile.call @multiply_tile(%tile_m, %tile_n, %a, %b, %c, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn,
      %stride_cm, %stride_cn)
  tile.return
}

tile.func @grouped_1d(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32,
                      %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32,
                      %stride_cm: i32, %stride_cn: i32)
    meta {BM = 16, BN = 16, BK = 16, GROUP = 8} {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %pid = tile.program_id x

  // Which group this program is in, and which place it has there.
  %in_group = tile.expr GROUP * (%n ceildiv BN)
  %place = tile.expr %pid rem %in_group

  // The group's first row of tiles, and how many rows it has: the last one may have fewer.
  %first_m = tile.expr %pid div %in_group * GROUP
  %group_m = tile.expr min(%m ceildiv BM - %first_m, GROUP)

  // Inside a group, down the columns.
  %tile_m = tile.expr %first_m + %place rem %group_m
  %tile_n = tile.expr %place div %group_m
  tile.call @multiply_tile(%tile_m, %tile_n, %a, %b, %c, %m, %n, %k, %stride_am, %stride_ak, %stride_bk, %stride_bn,
      %stride_cm, %stride_cn)
  tile.return
}

//===- the host program ---------------------------------------------------===//

// want = a * b in f64. The loops run in the order i, k, j: the innermost along rows of b and want.
func.func private @reference(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %want: memref<?x?xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                   affine_map<(i, k, j) -> (k, j)>,
                                   affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%want : memref<?x?xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  return
}

func.func @main(%m: i32 {tile_host.default = 3 : i32}, %n: i32 {tile_host.default = 5 : i32},
                %k: i32 {tile_host.default = 4 : i32}) {
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%k, %n) seed 2 -> memref<?x?xf16>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xf16>

  // The tutorial's first try: 3 x 4 by 4 x 5, all ones.
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %four = arith.constant 4 : i32
  %m3 = arith.cmpi eq, %m, %three : i32
  %n5 = arith.cmpi eq, %n, %five : i32
  %k4 = arith.cmpi eq, %k, %four : i32
  %m3n5 = arith.andi %m3, %n5 : i1
  %first_try = arith.andi %m3n5, %k4 : i1
  scf.if %first_try {
    %one_f16 = arith.constant 1.0 : f16
    linalg.fill ins(%one_f16 : f16) outs(%a : memref<?x?xf16>)
    linalg.fill ins(%one_f16 : f16) outs(%b : memref<?x?xf16>)
  }

  %one = arith.constant 1 : i32
  %d = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  tile_host.launch @grouped_2d(%a, %b, %c, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  tile_host.launch @grouped_1d(%a, %b, %d, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  scf.if %first_try {
    tile_host.dump %c
  }

  %want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  func.call @reference(%a, %b, %want) : (memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf64>) -> ()
  tile_host.expect_close %c, %want {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %d, %want {atol = 2.0e-3, rtol = 1.0e-3}
  return
}
