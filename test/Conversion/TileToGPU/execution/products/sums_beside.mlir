// C = A * B, and beside it, in the same loop, the squares of A's rows, added, the columns of B, added, and the greatest
// of |A|'s rows: threads read the boxes that tensor cores multiply.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 96,160,200 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 512,512,512 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 3 --args 4096,4096,64 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 264,520,1032 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 264,520,1032 -D BM=64 -D num_warps=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 65,131,77 -D BM=32 -D BN=32 -D num_warps=2 | FileCheck %s %}
// CHECK: in 4 comparisons

!a_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BK]>>
!b_desc = !tile.desc<?x?xf16, #tile.dims<[BK, BN]>>
!c_desc = !tile.desc<?x?xf32, #tile.dims<[BM, BN]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!rows = tensor<?xf32, #tile.dims<[BM]>>
!columns = tensor<?xf32, #tile.dims<[BN]>>

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %squares: !tile.ptr<f32>,
                  %sums: !tile.ptr<f32>, %greatest: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32)
    meta {BM = 128, BN = 128, BK = 64, num_warps = 8} {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !a_desc
  %b_desc = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f32> -> !c_desc
  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %acc_first = tile.expr 0 : !acc
  %rows_first = tile.expr 0 : !rows
  %columns_first = tile.expr 0 : !columns
  %all:4 = scf.for %k0 = %c0 to %k step %bk
      iter_args(%acc = %acc_first, %sq = %rows_first, %su = %columns_first, %top = %rows_first) -> (!acc, !rows, !columns, !rows) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a_desc
    %b_tile = tile.desc_load %b_desc[%k0, %j] : !b_desc
    %a_wide = tile.expr f32(%a_tile)
    %b_wide = tile.expr f32(%b_tile)
    %square = arith.mulf %a_wide, %a_wide : tensor<?x?xf32, #tile.dims<[BM, BK]>>
    %r0 = tile.reduce add %square axis 1 : tensor<?x?xf32, #tile.dims<[BM, BK]>> -> !rows
    %sq_next = arith.addf %sq, %r0 : !rows
    %r1 = tile.reduce add %b_wide axis 0 : tensor<?x?xf32, #tile.dims<[BK, BN]>> -> !columns
    %su_next = arith.addf %su, %r1 : !columns
    %size = math.absf %a_wide : tensor<?x?xf32, #tile.dims<[BM, BK]>>
    %r2 = tile.reduce max %size axis 1 : tensor<?x?xf32, #tile.dims<[BM, BK]>> -> !rows
    %top_next = arith.maximumf %top, %r2 : !rows
    %next = tile.dot %a_tile, %b_tile, %acc
    scf.yield %next, %sq_next, %su_next, %top_next : !acc, !rows, !columns, !rows
  }
  tile.desc_store %c_desc[%i, %j], %all#0 : !c_desc
  %at_rows = tile.expr %i + arange(BM)
  %in_rows = tile.expr %at_rows < %m
  %at_columns = tile.expr %j + arange(BN)
  %in_columns = tile.expr %at_columns < %n
  %p0 = tile.expr %squares + %at_rows
  tile.store %p0, %all#1, %in_rows
  %p1 = tile.expr %sums + %at_columns
  tile.store %p1, %all#2, %in_columns
  %p2 = tile.expr %greatest + %at_rows
  tile.store %p2, %all#3, %in_rows
  tile.return
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%k, %n) seed 2 -> memref<?x?xf16>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xf32>
  %squares = tile_host.alloc(%m) -> memref<?xf32>
  %sums = tile_host.alloc(%n) -> memref<?xf32>
  %greatest = tile_host.alloc(%m) -> memref<?xf32>
  tile_host.launch @matmul(%a, %b, %c, %squares, %sums, %greatest, %m, %n, %k)
  %want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %want_squares = tile_host.alloc(%m) -> memref<?xf64>
  %want_sums = tile_host.alloc(%n) -> memref<?xf64>
  %want_greatest = tile_host.alloc(%m) -> memref<?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%want : memref<?x?xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x?xf16>) outs(%want_squares, %want_greatest : memref<?xf64>, memref<?xf64>) {
  ^bb0(%x: f16, %sum: f64, %top: f64):
    %x64 = arith.extf %x : f16 to f64
    %product = arith.mulf %x64, %x64 : f64
    %next = arith.addf %sum, %product : f64
    %size = math.absf %x64 : f64
    %most = arith.maximumf %size, %top : f64
    linalg.yield %next, %most : f64, f64
  }
  linalg.generic {indexing_maps = [affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%b : memref<?x?xf16>) outs(%want_sums : memref<?xf64>) {
  ^bb0(%y: f16, %sum: f64):
    %y64 = arith.extf %y : f16 to f64
    %next = arith.addf %sum, %y64 : f64
    linalg.yield %next : f64
  }
  tile_host.expect_close %c, %want {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %squares, %want_squares {atol = 1.0e-3, rtol = 1.0e-4}
  tile_host.expect_close %sums, %want_sums {atol = 1.0e-3, rtol = 1.0e-4}
  tile_host.expect_close %greatest, %want_greatest {atol = 0.0, rtol = 1.0e-6}
  return
}
