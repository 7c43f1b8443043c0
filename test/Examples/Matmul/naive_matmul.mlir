// C = A * B, the plain way: each program computes one tile of C, calling helper functions for
// offsets and masks.
//
//   tile-run naive_matmul.mlir                   3 x 4 by 4 x 5, all ones, printed: every sum is 4
//   tile-run naive_matmul.mlir --args 512        512 x 512 random f16 (and --args M,N,K)
//
// Tiles of BM x BN go over C: programs along x take its rows, along y its columns. Along K nothing is
// split over programs: one program adds up BK columns of A times BK rows of B at a time. The helpers
// are those of the tutorial (get_1d_offset and its like). The extents M and N in their types are
// their own; each call chooses them by its types, so that one helper serves the tiles of A, B and C.
//
// The tutorial's author asks at the loads: "don't we need a mask?" We do. Past the edge of A and B
// there is memory of somebody else, or none; what is masked out reads as 0 and adds nothing.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefixes=ONES,CHECK
// RUN: tile-run %s --target=cpu --repeat 1 --args 512 -D BM=64 -D BN=64 -D BK=64 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 100,37,51 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1030,1024,1030 -D BM=64 -D BN=64 -D BK=64 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,1000 -D BM=32 -D BN=16 -D BK=64 | FileCheck %s
// RUN: tile-run %s --check --args 100,37,51
//      ONES: 3x5xf16
// ONES-NEXT: {{\[\[}}4 4 4 4 4]
// ONES-NEXT:  [4 4 4 4 4]
// ONES-NEXT:  [4 4 4 4 4]]
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 1 comparison
// CHECK: : naive_matmul({{.*}}TFLOP/s, {{.*}}GB/s

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

//===- the kernel ---------------------------------------------------------===//

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

tile.func @naive_matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                        %m: i32, %n: i32, %k: i32,
                        %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32,
                        %stride_cm: i32, %stride_cn: i32)
    meta {BM = 16, BN = 16, BK = 16} {
  tile.grid = %m ceildiv BM, %n ceildiv BN
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %pid_m = tile.program_id x
  %pid_n = tile.program_id y
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

//===- the host program ---------------------------------------------------===//

// Rows of a matrix, at the same distance from each other.
!rows = memref<?x?xf16, strided<[?, 1], offset: ?>>

// want = a * b in f64. The loops run in the order i, k, j: the innermost along rows of b and want.
func.func private @reference(%a: !rows, %b: memref<?x?xf16>, %want: memref<?x?xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                   affine_map<(i, k, j) -> (k, j)>,
                                   affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : !rows, memref<?x?xf16>) outs(%want : memref<?x?xf64>) {
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
  tile_host.launch @naive_matmul(%a, %b, %c, %m, %n, %k, %k, %one, %n, %one, %n, %one)
  scf.if %first_try {
    tile_host.dump %c
  }

  // All rows are compared, up to 2^30 multiplications; of larger products the last row and every
  // `step`th before it, ten at least where there are so many. An odd step meets all rows of a tile.
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %work = arith.constant 1073741824 : index
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %k_index = arith.index_cast %k : i32 to index
  %mn = arith.muli %m_index, %n_index : index
  %mnk = arith.muli %mn, %k_index : index
  %wish = arith.ceildivsi %mnk, %work : index
  %most = arith.divsi %m_index, %c16 : index
  %near = arith.minsi %wish, %most : index
  %step = arith.ori %near, %c1 : index
  %rows = arith.ceildivsi %m_index, %step : index
  %gaps = arith.subi %rows, %c1 : index
  %way = arith.muli %gaps, %step : index
  %last = arith.subi %m_index, %c1 : index
  %first = arith.subi %last, %way : index
  %a_rows = memref.subview %a[%first, 0] [%rows, %k_index] [%step, 1] : memref<?x?xf16> to !rows
  %c_rows = memref.subview %c[%first, 0] [%rows, %n_index] [%step, 1] : memref<?x?xf16> to !rows
  %got = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  %want = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  linalg.copy ins(%c_rows : !rows) outs(%got : memref<?x?xf16>)
  func.call @reference(%a_rows, %b, %want) : (!rows, memref<?x?xf16>, memref<?x?xf64>) -> ()
  tile_host.expect_close %got, %want {atol = 2.0e-3, rtol = 1.0e-3}
  return
}
