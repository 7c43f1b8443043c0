// C = A * B in f16 through descriptors: no pointer arithmetic, no masks. What a box holds beyond an
// array's edge is 0, and what is stored there is dropped. The copy engine of sm_90 moves boxes by
// itself; everywhere else they become pointers and masks.
//
//   tile-run matmul_descriptors.mlir --args 512          a square product
//   tile-run matmul_descriptors.mlir --args 3,5,4        3 x 4 by 4 x 5: --args M,N,K
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 256 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,4 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 257,130,200 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 200,300,1 -D BM=64 -D BN=32 -D BK=16 | FileCheck %s
// RUN: tile-run %s --check --args 65,130,70 -D BM=32 -D BN=32 -D BK=32
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 1 comparison
// CHECK: cpu{{.*}}: matmul({{.*}}TFLOP/s, {{.*}}GB/s

!a_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BK]>>
!b_desc = !tile.desc<?x?xf16, #tile.dims<[BK, BN]>>
!c_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BN]>>
!acc_tile = tensor<?x?xf32, #tile.dims<[BM, BN]>>

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 1]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 64, num_warps = 8}
    configs [{BN = 256}, {BN = 256, num_ctas = 2}, {BN = 192}, {BM = 256}, {BM = 64, BN = 256, num_warps = 4},
             {BM = 64, num_warps = 4}, {BN = 64, num_warps = 4}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 64, BN = 64, BK = 128, num_warps = 4}, {BM = 32, BN = 64, BK = 128, num_warps = 4},
             {BM = 32, num_warps = 4}, {BM = 16, BN = 64, BK = 128, num_warps = 4},
             {BM = 16, BK = 128, num_warps = 4}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %k * %n + %m * %n)
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !a_desc
  %b_desc = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %acc_first = tile.expr 0 : !acc_tile
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%sum = %acc_first) -> (!acc_tile) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a_desc
    %b_tile = tile.desc_load %b_desc[%k0, %j] : !b_desc
    %next = tile.dot %a_tile, %b_tile, %sum
    scf.yield %next : !acc_tile
  }
  %c_value = tile.expr f16(%acc)
  tile.desc_store %c_desc[%i, %j], %c_value : !c_desc
  tile.return
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%k, %n) seed 2 -> memref<?x?xf16>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  tile_host.launch @matmul(%a, %b, %c, %m, %n, %k)

  // As many rows as 2^28 multiplications allow: 16 at least, all at most.
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

  %got = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  %want = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c[%i, 0] [1, %n_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    %got_row = memref.subview %got[%r, 0] [1, %n_index] [1, 1]
        : memref<?x?xf16> to memref<1x?xf16, strided<[?, 1], offset: ?>>
    linalg.copy ins(%c_row : memref<1x?xf16, strided<[?, 1], offset: ?>>)
        outs(%got_row : memref<1x?xf16, strided<[?, 1], offset: ?>>)
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
  tile_host.expect_close %got, %want {atol = 2.0e-3, rtol = 1.0e-3}
  return
}
