// C = A * B^T in 8-bit floats with scales of their own for blocks, as layers of language models are kept: A is [M, K] with a
// scale for each row and 128 of K, B is [N, K] with one for each 128 x 128; C is bf16.
//
// Each step's product, of 128 of K, is scaled before it is added: one instruction an element, as both scales are multiplied
// for each row of a tile first, which threads do. On sm_90 warp groups take turns on the tensor cores, and the scales come a step ahead.
//
//   tile-run scaled_matmul.mlir --args 512               M,N,K: K is a multiple of 128
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 128,256,256 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 137,200,384 -D BM=32 -D BN=64 | FileCheck %s
// RUN: tile-run %s --check --args 65,140,256 -D BM=32 -D BN=32
// CHECK: largest error {{.*}}, in 1 comparison
// CHECK: cpu{{.*}}: matmul_scaled({{.*}}FLOP/s

!a_desc = !tile.desc<?x128xf8E4M3FN, #tile.dims<[BM]>>
!b_desc = !tile.desc<?x128xf8E4M3FN, #tile.dims<[BN]>>
!c_desc = !tile.desc<?x?xbf16, #tile.dims<[BM, BN]>>
!sum = tensor<?x?xf32, #tile.dims<[BM, BN]>>

tile.func @matmul_scaled(%a: !tile.ptr<f8E4M3FN>, %b: !tile.ptr<f8E4M3FN>, %a_scales: !tile.ptr<f32>,
                         %b_scales: !tile.ptr<f32>, %c: !tile.ptr<bf16>,
                         %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                         %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, num_warps = 8}
    configs [{BM = 64, num_warps = 4}, {BN = 64, num_warps = 4}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 32, BN = 64, num_warps = 4}, {BM = 32, num_warps = 4}, {BM = 16, BN = 64, num_warps = 4},
             {BM = 16, num_warps = 4}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 1 byte an element, and C, 2.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k + %m * %n * 2
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %groups = tile.expr %k div 128
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f8E4M3FN> -> !a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f8E4M3FN> -> !b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<bf16> -> !c_desc

  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %rows = tile.expr %i + arange(BM)
  %cols = tile.expr %j + arange(BN)
  %row_in = tile.expr %rows < %m
  %col_in = tile.expr %cols < %n
  %row_scales = tile.expr %a_scales + %rows * %groups
  %col_scales = tile.expr %b_scales + (%cols div 128) * %groups
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %zeros = tile.expr 0 : !sum
  %sum = scf.for %g = %c0 to %groups step %c1 iter_args(%before = %zeros) -> (!sum) : i32 {
    %k0 = tile.expr %g * 128
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %row_ptrs = tile.expr %row_scales + %g
    %col_ptrs = tile.expr %col_scales + %g
    %row_scale = tile.load %row_ptrs, %row_in
    %col_scale = tile.load %col_ptrs, %col_in
    %product = tile.dot %a_tile, %bt_tile, %zeros
    %after = tile.expr math.fma(%product, col(%row_scale) * row(%col_scale), %before)
    scf.yield %after : !sum
  }
  %c_value = tile.expr bf16(%sum)
  tile.desc_store %c_desc[%i, %j], %c_value : !c_desc
  tile.return
}

// The number that the bits of an f8E4M3FN are, but for NaN: a whole number, shifted by its exponent, of 2^-9.
func.func private @number(%bits: i8) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %seven = arith.constant 7 : i64
  %eight = arith.constant 8 : i64
  %most = arith.constant 127 : i64
  %unit = arith.constant 0.001953125 : f64
  %wide = arith.extsi %bits : i8 to i64
  %negative = arith.cmpi slt, %wide, %zero : i64
  %magnitude = arith.andi %wide, %most : i64
  %exponent = arith.shrui %magnitude, %three : i64
  %fraction = arith.andi %magnitude, %seven : i64
  %with = arith.ori %fraction, %eight : i64
  %sub = arith.cmpi eq, %exponent, %zero : i64
  %digits = arith.select %sub, %fraction, %with : i64
  %less = arith.subi %exponent, %one : i64
  %shift = arith.select %sub, %zero, %less : i64
  %whole = arith.shli %digits, %shift : i64
  %float = arith.sitofp %whole : i64 to f64
  %value = arith.mulf %float, %unit : f64
  %minus = arith.negf %value : f64
  %r = arith.select %negative, %minus, %value : f64
  return %r : f64
}

func.func @main(%m: i32, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %up = arith.constant 127 : index
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %k_index = arith.index_cast %k : i32 to index
  %groups = arith.divsi %k_index, %c128 : index
  %n_up = arith.addi %n_index, %up : index
  %blocks = arith.divsi %n_up, %c128 : index
  // Rows that are compared: as many as 2^25 multiplications allow, 4 at least, all at most.
  %c4 = arith.constant 4 : index
  %work = arith.constant 33554432 : index
  %nk = arith.muli %n_index, %k_index : index
  %nk_some = arith.maxsi %nk, %c1 : index
  %fit = arith.divsi %work, %nk_some : index
  %wish = arith.maxsi %fit, %c4 : index
  %rows = arith.minsi %wish, %m_index : index
  %gaps = arith.subi %rows, %c1 : index
  %gaps_some = arith.maxsi %gaps, %c1 : index
  %last = arith.subi %m_index, %c1 : index
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf8E4M3FN>
  %b = tile_host.random(%n, %k) seed 2 -> memref<?x?xf8E4M3FN>
  %a_scales = tile_host.random(%m, %groups) seed 3 -> memref<?x?xf32>
  %b_scales = tile_host.random(%blocks, %groups) seed 4 -> memref<?x?xf32>
  %c = tile_host.alloc(%m, %n) -> memref<?x?xbf16>
  tile_host.launch @matmul_scaled(%a, %b, %a_scales, %b_scales, %c, %m, %n, %k)
  %got = tile_host.alloc(%rows, %n) -> memref<?x?xbf16>
  %want = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  %none = arith.constant 0.0 : f64
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    scf.for %j = %c0 to %n_index step %c1 {
      %block = arith.divsi %j, %c128 : index
      %sum = scf.for %q = %c0 to %k_index step %c1 iter_args(%before = %none) -> (f64) {
        %g = arith.divsi %q, %c128 : index
        %x = memref.load %a[%i, %q] : memref<?x?xf8E4M3FN>
        %y = memref.load %b[%j, %q] : memref<?x?xf8E4M3FN>
        %s = memref.load %a_scales[%i, %g] : memref<?x?xf32>
        %t = memref.load %b_scales[%block, %g] : memref<?x?xf32>
        %x_bits = arith.bitcast %x : f8E4M3FN to i8
        %y_bits = arith.bitcast %y : f8E4M3FN to i8
        %x64 = func.call @number(%x_bits) : (i8) -> f64
        %y64 = func.call @number(%y_bits) : (i8) -> f64
        %s64 = arith.extf %s : f32 to f64
        %t64 = arith.extf %t : f32 to f64
        %xy = arith.mulf %x64, %y64 : f64
        %xys = arith.mulf %xy, %s64 : f64
        %xyst = arith.mulf %xys, %t64 : f64
        %after = arith.addf %before, %xyst : f64
        scf.yield %after : f64
      }
      memref.store %sum, %want[%r, %j] : memref<?x?xf64>
      %value = memref.load %c[%i, %j] : memref<?x?xbf16>
      memref.store %value, %got[%r, %j] : memref<?x?xbf16>
    }
  }
  // C is rounded to bf16: up to 2^-9 of it. Tensor cores keep 14 bits of sums of 8-bit floats.
  tile_host.expect_close %got, %want {atol = 1.0e-2, rtol = 8.0e-3}
  return
}
