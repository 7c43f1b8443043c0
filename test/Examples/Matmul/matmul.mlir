// C = A * B in f16 with f32 accumulation, for any M, N, K.
//
//   tile-run matmul.mlir --args 512          a square product
//   tile-run matmul.mlir --args 3,5,4        3 x 4 by 4 x 5: --args M,N,K
//   tile-run matmul.mlir --args 512 --tune   finds the fastest of the configs for this size
//
// The kernel is that of the tutorials: pointer arithmetic with strides, masks at
// every edge, programs grouped so that neighbours share rows in the cache. The
// reference is a linalg.generic in f64 on the host, of all rows or, for large
// products, of rows spread over the matrix, its first and last among them.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 512 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 511 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,4 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,257,1000 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 200,300,1 -D BM=64 -D BN=32 -D BK=16 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 133,500,70 -D BN=240 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 700,40,70 -D BM=64 -D BN=32 -D BK=32 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 133,200,70 -D BN=72 | FileCheck %s
// RUN: tile-run %s --check --args 65,130,70 -D BM=32 -D BN=32 -D BK=32
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 1 comparison
// CHECK: cpu{{.*}}: matmul({{.*}}TFLOP/s, {{.*}}GB/s

!acc = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!a_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BK]>>
!b_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BK, BN]>>

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]},
                  %stride_am: i32 {tile.stride = [0, 0]}, %stride_ak: i32 {tile.stride = [0, 1]},
                  %stride_bk: i32 {tile.stride = [1, 0]}, %stride_bn: i32 {tile.stride = [1, 1]},
                  %stride_cm: i32 {tile.stride = [2, 0]}, %stride_cn: i32 {tile.stride = [2, 1]})
    meta {BM = 128, BN = 128, BK = 64, GROUP = 8, num_warps = 8}
    configs [{BN = 256, GROUP = 16, num_stages = 4}, {BN = 256, GROUP = 16, num_stages = 4, num_ctas = 2},
             {BN = 192, GROUP = 16, num_stages = 4}, {BN = 240, GROUP = 2, num_stages = 4, num_ctas = 8},
             {BN = 64, GROUP = 1, num_stages = 8, num_warps = 4},
             {BM = 72, GROUP = 4, num_stages = 8, num_warps = 4, num_ctas = 8},
             {num_stages = 4}, {BK = 32, num_stages = 4, num_warps = 4},
             {BM = 64, BN = 256, BK = 32, num_stages = 4, num_warps = 4}, {BM = 64, num_stages = 4, num_warps = 4},
             {BM = 64, BK = 32, num_stages = 4, num_warps = 4}, {BN = 64, num_stages = 4, num_warps = 4},
             {BN = 64, BK = 32, num_stages = 4, num_warps = 4}, {BN = 32, BK = 32, num_stages = 4, num_warps = 4},
             {BM = 64, BN = 64, num_stages = 4, num_warps = 4},
             {BM = 64, BN = 32, BK = 32, num_stages = 5, num_warps = 2},
             {BM = 16, BN = 32, BK = 128, num_stages = 6, num_warps = 4}, {BM = 16, BN = 64, BK = 128, num_warps = 4},
             {BM = 16, BN = 128, BK = 128, num_warps = 4}, {BM = 32, BN = 64, BK = 128, num_warps = 4},
             {BM = 32, BN = 128, num_warps = 4}, {BM = 64, BN = 64, BK = 128, num_warps = 4},
             {BN = 224, num_stages = 4}, {BM = 152, BN = 256}, {BM = 184, BN = 256}, {BM = 160},
             {BM = 176}, {BM = 192}, {BM = 208}, {BN = 240, num_stages = 4}, {BM = 136, BN = 256}, {BM = 168, BN = 256},
             {BM = 176, BN = 256}, {BM = 112, BN = 256}, {BM = 96, BN = 256}, {BM = 72, num_warps = 4},
             {BM = 80, num_warps = 4}, {BM = 96, num_warps = 4}, {BM = 104, BN = 256}, {BM = 120, BN = 256},
             {BM = 144, BN = 256}, {BM = 112}, {BM = 144}, {BM = 40, num_warps = 4}, {BM = 48, num_warps = 4},
             {BM = 56, num_warps = 4}, {BM = 88, num_warps = 4}, {BM = 112, num_warps = 4},
             {BN = 256, GROUP = 2, num_stages = 4, num_ctas = 4}, {GROUP = 2, num_ctas = 4}, {GROUP = 2, num_ctas = 8},
             {BM = 160, GROUP = 2, num_ctas = 4}, {BM = 192, GROUP = 2, num_ctas = 8},
             {BM = 64, BN = 64, GROUP = 2, num_warps = 4, num_ctas = 4}, {BN = 112}, {BN = 144}, {BN = 160},
             {BN = 176}, {BM = 160, BN = 256}, {BM = 200}, {BM = 200, GROUP = 1, num_ctas = 2},
             {BM = 160, BN = 256, GROUP = 2, num_ctas = 4}, {BM = 192, GROUP = 2, num_ctas = 4},
             {BN = 192, GROUP = 2, num_stages = 4, num_ctas = 4},
             {BM = 112, BN = 256, GROUP = 2, num_ctas = 4}, {BM = 176, GROUP = 2, num_ctas = 4},
             {BM = 144, GROUP = 2, num_ctas = 4}] {
  tile.grid = (%m ceildiv BM) * (%n ceildiv BN)
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)     // operations, and bytes moved once

  // Which tile of C is this program's, and how many of its rows and columns exist.
  %tiles_m = tile.expr %m ceildiv BM
  %tiles_n = tile.expr %n ceildiv BN
  %i = tile.expr program_id(x) div %tiles_n
  %j = tile.expr program_id(x) rem %tiles_n
  // Of few columns of tiles those of a row follow each other: what is read most, and shared, is A.
  %rows = tile.meta GROUP : i32
  %group = tile.expr select(%rows >= 8 and %tiles_n <= 4 and %tiles_n < %tiles_m, 1, %rows)
  %tile_i, %tile_j = tile.swizzle2d %i, %j, %tiles_m, %tiles_n, %group
  %first_m = tile.expr %tile_i * BM
  %first_n = tile.expr %tile_j * BN
  %row = tile.expr col(arange(BM))
  %col = tile.expr row(arange(BN))
  %kay_a = tile.expr row(arange(BK))
  %kay_b = tile.expr col(arange(BK))
  %row_in = tile.expr %row < %m - %first_m
  %col_in = tile.expr %col < %n - %first_n

  // Pointers: the tile's corner in 64 bits, what is inside it in 32.
  %a_first = tile.expr %a + i64(%first_m) * i64(%stride_am) + (%row * %stride_am + %kay_a * %stride_ak)
  %b_first = tile.expr %b + i64(%first_n) * i64(%stride_bn) + (%kay_b * %stride_bk + %col * %stride_bn)

  // Along K, a block at a time; what is past the end counts as zero.
  %c0 = arith.constant 0 : i32
  %bk = tile.meta BK : i32
  %zeros = tile.expr 0 : !acc
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%sum = %zeros, %a_ptrs = %a_first, %b_ptrs = %b_first) -> (!acc, !a_ptrs, !b_ptrs) : i32 {
    %a_in = tile.expr %row_in and %kay_a < %k - %k0
    %b_in = tile.expr %kay_b < %k - %k0 and %col_in
    %a_tile = tile.load %a_ptrs, %a_in
    %b_tile = tile.load %b_ptrs, %b_in
    %next = tile.dot %a_tile, %b_tile, %sum
    %a_next = tile.expr %a_ptrs + BK * %stride_ak
    %b_next = tile.expr %b_ptrs + BK * %stride_bk
    scf.yield %next, %a_next, %b_next : !acc, !a_ptrs, !b_ptrs
  }
  %c_first = tile.expr %c + (i64(%first_m) * i64(%stride_cm) + i64(%first_n) * i64(%stride_cn))
  %c_ptrs = tile.expr %c_first + (%row * %stride_cm + %col * %stride_cn)
  %c_in = tile.expr %row_in and %col_in
  %c_tile = tile.expr f16(%acc)
  tile.store %c_ptrs, %c_tile, %c_in
  tile.return
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %one = arith.constant 1 : i32
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%k, %n) seed 2 -> memref<?x?xf16>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xf16>

  // What it is to be, of as many rows as 2^28 multiplications allow: 16 at least, all at most. It
  // stands before the launch, so it is computed while the GPU's driver starts.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %work = arith.constant 268435456 : index
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %k_index = arith.index_cast %k : i32 to index
  %nk = arith.muli %n_index, %k_index : index
  %nk_some = arith.maxsi %nk, %c1 : index
  %fit = arith.divsi %work, %nk_some : index
  %wish = arith.maxsi %fit, %c16 : index
  %rows = arith.minsi %wish, %m_index : index
  %gaps = arith.subi %rows, %c1 : index
  %gaps_some = arith.maxsi %gaps, %c1 : index
  %last = arith.subi %m_index, %c1 : index

  %want = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %a_row = memref.subview %a[%i, 0] [1, %k_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    %want_row = memref.subview %want[%r, 0] [1, %n_index] [1, 1]
        : memref<?x?xf64> to memref<1x?xf64, strided<[?, 1], offset: ?>>
    // Loops in the order i, k, j: the innermost runs along rows of B and C.
    linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                     affine_map<(i, k, j) -> (k, j)>,
                                     affine_map<(i, k, j) -> (i, j)>],
                    iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%a_row, %b : memref<1x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16>)
        outs(%want_row : memref<1x?xf64, strided<[?, 1], offset: ?>>) {
    ^bb0(%x: f16, %y: f16, %sum: f64):
      %x64 = arith.extf %x : f16 to f64
      %y64 = arith.extf %y : f16 to f64
      %product = arith.mulf %x64, %y64 : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    }
  }
  tile_host.launch @matmul(%a, %b, %c, %m, %n, %k, %k, %one, %n, %one, %n, %one)

  %got = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c[%i, 0] [1, %n_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    %got_row = memref.subview %got[%r, 0] [1, %n_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    linalg.copy ins(%c_row : memref<1x?xf16, strided<[?, 1], offset: ?>>)
        outs(%got_row : memref<1x?xf16, strided<[?, 1], offset: ?>>)
  }
  // A relative error of f16, and what tensor cores cut off f32 sums of up to 16,384 products: at
  // K = 32,800 it is 2.5e-3.
  tile_host.expect_close %got, %want {atol = 2.0e-3, rtol = 1.0e-3}
  return
}
