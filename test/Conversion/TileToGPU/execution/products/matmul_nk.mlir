// C = A * B^T in f16: the columns of B's tiles are contiguous in memory, along K. Where the stride is
// a multiple of 8 elements, a copy moves 16 bytes; of 2 elements, 4 bytes; else chunks of 16
// bytes that rows lie in, by lanes that go along K. Against a linalg.generic in f64 on the host.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 100,104,71 | FileCheck %s
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 1000 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 100,104,70 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 100,104,71 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 999 --arch=sm_80 | FileCheck %s %}
// Tiles of other widths than powers of two: on the copy engine where rows are 16 bytes, else off it.
// RUN: tile-run %s --target=cpu --repeat 1 --args 100,104,71 -D BN=72 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 520,728,200 -D BN=240 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 520,728,200 -D BN=240 -D num_ctas=2 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 520,728,200 -D BN=72 -D num_warps=4 -D num_ctas=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 520,728,100 -D BN=72 -D num_warps=4 | FileCheck %s %}
// Of fewer rows, and columns, than mma.sync has.
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 100,104,70 -D BM=8 -D num_warps=4 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 100,104,72 -D BM=2 -D BN=4 -D num_warps=2 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 100,104,72 -D BM=16 -D BN=1 -D num_warps=1 --arch=sm_80 | FileCheck %s %}
// RUN: tile-run %s --args 100,104,72 -D BM=2 -D BN=4 --arch=sm_90a --emit=ptx | FileCheck %s --check-prefix=FEW
// FEW: mma.sync.aligned.m16n8k16
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 1 comparison

// Lanes go along K, 8 elements each, wherever rows begin; pointers and what they load agree on it.
// RUN: tile-run %s --args 100,104,71 --arch=sm_80 --emit=layouts | FileCheck %s --check-prefix=LAYOUTS
// LAYOUTS: tile_gpu.async_copy {{.*}} : tensor<64x128x!tile.ptr<f16>, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [4, 0]{{.*}}, lane = {{\[\[}}8, 0], [16, 0], [32, 0], {{.*}} -> !tile_gpu.buffer<64x128xf16, order = [0, 1], ragged>

!row = tensor<?xi32, #tile.dims<[BM]>>
!col = tensor<?xi32, #tile.dims<[BN]>>
!kay = tensor<?xi32, #tile.dims<[BK]>>
!row_mk = tensor<?x1xi32, #tile.dims<[BM]>>
!kay_mk = tensor<1x?xi32, #tile.dims<[BK]>>
!kay_kn = tensor<?x1xi32, #tile.dims<[BK]>>
!col_kn = tensor<1x?xi32, #tile.dims<[BN]>>
!row_in = tensor<?x1xi1, #tile.dims<[BM]>>
!col_in = tensor<1x?xi1, #tile.dims<[BN]>>
!i32_mk = tensor<?x?xi32, #tile.dims<[BM, BK]>>
!i32_kn = tensor<?x?xi32, #tile.dims<[BK, BN]>>
!i32_mn = tensor<?x?xi32, #tile.dims<[BM, BN]>>
!in_mk = tensor<?x?xi1, #tile.dims<[BM, BK]>>
!in_kn = tensor<?x?xi1, #tile.dims<[BK, BN]>>
!in_mn = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!ptr_mk = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BK]>>
!ptr_kn = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BK, BN]>>
!ptr_mn = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BN]>>
!a_tile = tensor<?x?xf16, #tile.dims<[BM, BK]>>
!b_tile = tensor<?x?xf16, #tile.dims<[BK, BN]>>
!c_tile = tensor<?x?xf16, #tile.dims<[BM, BN]>>
!acc_tile = tensor<?x?xf32, #tile.dims<[BM, BN]>>

tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                  %m: i32 {tile.key}, %n: i32 {tile.key}, %k: i32 {tile.key},
                  %stride_am: i32, %stride_ak: i32, %stride_bk: i32, %stride_bn: i32,
                  %stride_cm: i32, %stride_cn: i32)
    meta {BM = 128, BN = 128, BK = 64, GROUP = 8, num_warps = 8} {
  tile.grid(%m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %tiles_m = arith.ceildivsi %m, %bm : i32
    %tiles_n = arith.ceildivsi %n, %bn : i32
    %programs = arith.muli %tiles_m, %tiles_n : i32
    tile.yield %programs : i32
  }
  // Which tile of C is this program's.
  %bm = tile.meta BM : i32
  %bn = tile.meta BN : i32
  %bk = tile.meta BK : i32
  %group = tile.meta GROUP : i32
  %tiles_m = arith.ceildivsi %m, %bm : i32
  %tiles_n = arith.ceildivsi %n, %bn : i32
  %pid = tile.program_id x
  %i = arith.divsi %pid, %tiles_n : i32
  %j = arith.remsi %pid, %tiles_n : i32
  %tile_i, %tile_j = tile.swizzle2d %i, %j, %tiles_m, %tiles_n, %group : i32
  %first_m = arith.muli %tile_i, %bm : i32
  %first_n = arith.muli %tile_j, %bn : i32

  // Positions inside the tile, and how many of its rows and columns exist.
  %rows = tile.arange : !row
  %cols = tile.arange : !col
  %kays = tile.arange : !kay
  %left_m = arith.subi %m, %first_m : i32
  %left_n = arith.subi %n, %first_n : i32
  %row_mk = tile.expand_dims %rows axis 1 : !row -> !row_mk
  %col_kn = tile.expand_dims %cols axis 0 : !col -> !col_kn
  %kay_mk = tile.expand_dims %kays axis 0 : !kay -> !kay_mk
  %kay_kn = tile.expand_dims %kays axis 1 : !kay -> !kay_kn
  %left_m_tile = tile.splat %left_m : i32 -> !row_mk
  %left_n_tile = tile.splat %left_n : i32 -> !col_kn
  %row_in = arith.cmpi slt, %row_mk, %left_m_tile : !row_mk
  %col_in = arith.cmpi slt, %col_kn, %left_n_tile : !col_kn
  %row_in_mk = tile.broadcast %row_in : !row_in -> !in_mk
  %col_in_kn = tile.broadcast %col_in : !col_in -> !in_kn

  // &A[first_m + row, k]: the tile's corner in 64 bits, what is inside it in 32.
  %first_m64 = arith.extsi %first_m : i32 to i64
  %first_n64 = arith.extsi %first_n : i32 to i64
  %stride_am64 = arith.extsi %stride_am : i32 to i64
  %a_offset = arith.muli %first_m64, %stride_am64 : i64
  %a_base = tile.addptr %a, %a_offset : !tile.ptr<f16>, i64
  %stride_am_tile = tile.splat %stride_am : i32 -> !row_mk
  %stride_ak_tile = tile.splat %stride_ak : i32 -> !kay_mk
  %a_row_offs = arith.muli %row_mk, %stride_am_tile : !row_mk
  %a_kay_offs = arith.muli %kay_mk, %stride_ak_tile : !kay_mk
  %a_row_tile = tile.broadcast %a_row_offs : !row_mk -> !i32_mk
  %a_kay_tile = tile.broadcast %a_kay_offs : !kay_mk -> !i32_mk
  %a_offs = arith.addi %a_row_tile, %a_kay_tile : !i32_mk
  %a_bases = tile.splat %a_base : !tile.ptr<f16> -> !ptr_mk
  %a_first = tile.addptr %a_bases, %a_offs : !ptr_mk, !i32_mk

  // &B[k, first_n + col]
  %stride_bn64 = arith.extsi %stride_bn : i32 to i64
  %b_offset = arith.muli %first_n64, %stride_bn64 : i64
  %b_base = tile.addptr %b, %b_offset : !tile.ptr<f16>, i64
  %stride_bk_tile = tile.splat %stride_bk : i32 -> !kay_kn
  %stride_bn_tile = tile.splat %stride_bn : i32 -> !col_kn
  %b_kay_offs = arith.muli %kay_kn, %stride_bk_tile : !kay_kn
  %b_col_offs = arith.muli %col_kn, %stride_bn_tile : !col_kn
  %b_kay_tile = tile.broadcast %b_kay_offs : !kay_kn -> !i32_kn
  %b_col_tile = tile.broadcast %b_col_offs : !col_kn -> !i32_kn
  %b_offs = arith.addi %b_kay_tile, %b_col_tile : !i32_kn
  %b_bases = tile.splat %b_base : !tile.ptr<f16> -> !ptr_kn
  %b_first = tile.addptr %b_bases, %b_offs : !ptr_kn, !i32_kn

  // Along K, a block at a time; what is past the end counts as zero.
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %acc_first = tile.splat %zero : f32 -> !acc_tile
  %a_step = arith.muli %bk, %stride_ak : i32
  %b_step = arith.muli %bk, %stride_bk : i32
  %a_steps = tile.splat %a_step : i32 -> !i32_mk
  %b_steps = tile.splat %b_step : i32 -> !i32_kn
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%acc_in = %acc_first, %a_ptrs = %a_first, %b_ptrs = %b_first)
      -> (!acc_tile, !ptr_mk, !ptr_kn) : i32 {
    %left_k = arith.subi %k, %k0 : i32
    %left_k_mk = tile.splat %left_k : i32 -> !kay_mk
    %left_k_kn = tile.splat %left_k : i32 -> !kay_kn
    %kay_in_a = arith.cmpi slt, %kay_mk, %left_k_mk : !kay_mk
    %kay_in_b = arith.cmpi slt, %kay_kn, %left_k_kn : !kay_kn
    %kay_in_mk = tile.broadcast %kay_in_a : tensor<1x?xi1, #tile.dims<[BK]>> -> !in_mk
    %kay_in_kn = tile.broadcast %kay_in_b : tensor<?x1xi1, #tile.dims<[BK]>> -> !in_kn
    %a_in = arith.andi %row_in_mk, %kay_in_mk : !in_mk
    %b_in = arith.andi %kay_in_kn, %col_in_kn : !in_kn
    %a_tile = tile.load %a_ptrs, %a_in : !ptr_mk
    %b_tile = tile.load %b_ptrs, %b_in : !ptr_kn
    %acc_out = tile.dot %a_tile, %b_tile, %acc_in : !a_tile, !b_tile -> !acc_tile
    %a_next = tile.addptr %a_ptrs, %a_steps : !ptr_mk, !i32_mk
    %b_next = tile.addptr %b_ptrs, %b_steps : !ptr_kn, !i32_kn
    scf.yield %acc_out, %a_next, %b_next : !acc_tile, !ptr_mk, !ptr_kn
  }

  // &C[first_m + row, first_n + col]
  %stride_cm64 = arith.extsi %stride_cm : i32 to i64
  %stride_cn64 = arith.extsi %stride_cn : i32 to i64
  %c_offset_m = arith.muli %first_m64, %stride_cm64 : i64
  %c_offset_n = arith.muli %first_n64, %stride_cn64 : i64
  %c_offset = arith.addi %c_offset_m, %c_offset_n : i64
  %c_base = tile.addptr %c, %c_offset : !tile.ptr<f16>, i64
  %stride_cm_tile = tile.splat %stride_cm : i32 -> !row_mk
  %stride_cn_tile = tile.splat %stride_cn : i32 -> !col_kn
  %c_row_offs = arith.muli %row_mk, %stride_cm_tile : !row_mk
  %c_col_offs = arith.muli %col_kn, %stride_cn_tile : !col_kn
  %c_row_tile = tile.broadcast %c_row_offs : !row_mk -> !i32_mn
  %c_col_tile = tile.broadcast %c_col_offs : !col_kn -> !i32_mn
  %c_offs = arith.addi %c_row_tile, %c_col_tile : !i32_mn
  %c_bases = tile.splat %c_base : !tile.ptr<f16> -> !ptr_mn
  %c_ptrs = tile.addptr %c_bases, %c_offs : !ptr_mn, !i32_mn
  %row_in_mn = tile.broadcast %row_in : !row_in -> !in_mn
  %col_in_mn = tile.broadcast %col_in : !col_in -> !in_mn
  %c_in = arith.andi %row_in_mn, %col_in_mn : !in_mn
  %c_value = arith.truncf %acc : !acc_tile to !c_tile
  tile.store %c_ptrs, %c_value, %c_in : !ptr_mn
  tile.return
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %one = arith.constant 1 : i32
  %a = tile_host.random(%m, %k) seed 1 : (i32, i32) -> memref<?x?xf16>
  %b = tile_host.random(%n, %k) seed 2 : (i32, i32) -> memref<?x?xf16>
  %c = tile_host.alloc(%m, %n) : (i32, i32) -> memref<?x?xf16>
  tile_host.launch @matmul(%a, %b, %c, %m, %n, %k, %k, %one, %one, %k, %n, %one)
      : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32

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

  %got = tile_host.alloc(%rows, %n) : (index, i32) -> memref<?x?xf16>
  %want = tile_host.alloc(%rows, %n) : (index, i32) -> memref<?x?xf64>
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
                                     affine_map<(i, k, j) -> (j, k)>,
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
  tile_host.expect_close %got, %want {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?xf16>, memref<?x?xf64>
  return
}
