// C = A * W^T with weights that become f16 on their way to the dot: A is f16 [M, K], W is [N, K] in 8 or 4 bits.
//
//   matmul_w8    W i8; its scale, one for each of its rows, is multiplied behind the product
//   matmul_w4    W two of 4 bits in a byte, the lower first; for each row and 128 of K a scale and a zero,
//                (w - zero) * scale, [N, K / 128] each
//   matmul_wf8   W f8E4M3FN
//
// The copy engine of sm_90 brings the bytes as they are; the threads that multiply read them from there in the
// registers that wgmma takes its A from, which W is: rows and columns change roles.
//
//   tile-run weights_matmul.mlir --args 512
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 128,128,256 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 70,136,384 -D BM=16 -D BN=64 | FileCheck %s
// RUN: tile-run %s --check --args 33,70,256 -D BM=32 -D BN=32
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 3 comparisons
// CHECK: cpu{{.*}}: matmul_w8({{.*}}FLOP/s

!a_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BK]>>
!c_desc = !tile.desc<?x?xf16, #tile.dims<[BM, BN]>>
!sum = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!w8_desc = !tile.desc<?x?xi8, #tile.dims<[BN, BK]>>
!wf8_desc = !tile.desc<?x?xf8E4M3FN, #tile.dims<[BN, BK]>>
!w4_desc = !tile.desc<?x64xi8, #tile.dims<[BN]>>
!w4 = tensor<?x64xi8, #tile.dims<[BN]>>
!w4_2 = tensor<?x64x2xi8, #tile.dims<[BN]>>
!w4_8 = tensor<?x128xi8, #tile.dims<[BN]>>
!w4_h = tensor<?x128xf16, #tile.dims<[BN]>>
!a4_desc = !tile.desc<?x128xf16, #tile.dims<[BM]>>

tile.func @matmul_w8(%a: !tile.ptr<f16>, %w: !tile.ptr<i8>, %scales: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                     %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                     %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 64, num_warps = 8}
    configs [{BM = 256}, {BM = 224}, {BM = 192}, {BM = 176}, {BM = 160}, {BM = 144}, {BN = 256}, {BM = 64, num_warps = 4},
             {BN = 64, num_warps = 4},
             {BM = 64, BN = 64, num_warps = 4}, {BM = 80, BN = 64, num_warps = 4}, {BM = 64, BN = 64, BK = 128, num_warps = 4},
             {BM = 32, BN = 64, BK = 128, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BN = 64, BK = 128, num_warps = 4}, {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BK = 128},
             {BM = 32, BK = 128}, {BM = 64, BK = 128}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %m * %n) + (%n * %k + %n)
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !a_desc
  %w_desc = tile.make_desc %w, [%n, %k], [%k64] : !tile.ptr<i8> -> !w8_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !c_desc
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !sum
  %bk = tile.meta BK : i32
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!sum) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a_desc
    %w_tile = tile.desc_load %w_desc[%j, %k0] : !w8_desc
    %w_half = tile.expr f16(%w_tile)
    %wt_tile = tile.trans %w_half order [1, 0]
    %after = tile.dot %a_tile, %wt_tile, %before
    scf.yield %after : !sum
  }
  %cols = tile.expr %j + arange(BN)
  %col_in = tile.expr %cols < %n
  %scale_ptrs = tile.expr %scales + %cols
  %scale = tile.load %scale_ptrs, %col_in
  %c_value = tile.expr f16(%sum * row(f32(%scale)))
  tile.desc_store %c_desc[%i, %j], %c_value : !c_desc
  tile.return
}

tile.func @matmul_wf8(%a: !tile.ptr<f16>, %w: !tile.ptr<f8E4M3FN>, %c: !tile.ptr<f16>,
                      %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                      %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 64, num_warps = 8}
    configs [{BM = 256}, {BM = 224}, {BM = 192}, {BM = 176}, {BN = 256}, {BM = 64, num_warps = 4},
             {BN = 64, num_warps = 4},
             {BM = 64, BN = 64, num_warps = 4}, {BM = 64, BN = 64, BK = 128, num_warps = 4},
             {BM = 32, BN = 64, BK = 128, num_warps = 4}, {BM = 32, BK = 128, num_warps = 4},
             {BM = 16, BN = 64, BK = 128, num_warps = 4}, {BM = 16, BK = 128, num_warps = 4}, {BM = 16, BK = 128},
             {BM = 32, BK = 128}, {BM = 64, BK = 128}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %m * %n) + (%n * %k + %n)
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !a_desc
  %w_desc = tile.make_desc %w, [%n, %k], [%k64] : !tile.ptr<f8E4M3FN> -> !wf8_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !c_desc
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !sum
  %bk = tile.meta BK : i32
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!sum) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a_desc
    %w_tile = tile.desc_load %w_desc[%j, %k0] : !wf8_desc
    %w_half = tile.expr f16(%w_tile)
    %wt_tile = tile.trans %w_half order [1, 0]
    %after = tile.dot %a_tile, %wt_tile, %before
    scf.yield %after : !sum
  }
  %c_value = tile.expr f16(%sum)
  tile.desc_store %c_desc[%i, %j], %c_value : !c_desc
  tile.return
}

// A step is one group: 128 of K, which are 64 bytes of a row of W.
tile.func @matmul_w4(%a: !tile.ptr<f16>, %w: !tile.ptr<i8>, %scales: !tile.ptr<f16>, %group_zeros: !tile.ptr<f16>,
                     %c: !tile.ptr<f16>,
                     %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                     %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, num_warps = 8}
    configs [{BM = 256}, {BM = 232}, {BM = 224}, {BM = 192}, {BM = 176}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 32, BN = 64, num_warps = 4},
             {BM = 16, BN = 64, num_warps = 4}, {BM = 16, num_warps = 4}, {BM = 16}, {BM = 32}, {BM = 64},
             {BM = 16, BN = 256, num_warps = 16}, {BM = 32, BN = 256, num_warps = 16}, {BM = 64, BN = 256, num_warps = 16}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  tile.cost = 2 * (%m * %n * %k), 2 * (%m * %k + %m * %n) + %n * %k div 2
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %bytes64 = tile.expr %k64 div 2
  %bytes = tile.expr %k div 2
  %groups = tile.expr %k div 128
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !a4_desc
  %w_desc = tile.make_desc %w, [%n, %bytes], [%bytes64] : !tile.ptr<i8> -> !w4_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !c_desc
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !sum
  %cols = tile.expr %j + arange(BN)
  %col_in = tile.expr %cols < %n
  %group_first = tile.expr %cols * %groups
  %scale_rows = tile.expr %scales + %group_first
  %zero_rows = tile.expr %group_zeros + %group_first
  %fours = tile.expr 4 : !w4
  %c1 = arith.constant 1 : i32
  %sum = scf.for %g = %c0 to %groups step %c1 iter_args(%before = %zeros) -> (!sum) : i32 {
    %k0 = tile.expr %g * 128
    %byte0 = tile.expr %g * 64
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !a4_desc
    %pairs = tile.desc_load %w_desc[%j, %byte0] : !w4_desc
    %low = tile.expr %pairs and 15
    %high = arith.shrui %pairs, %fours : !w4
    %both = tile.join %low, %high : !w4 -> !w4_2
    %w_int = tile.reshape %both : !w4_2 -> !w4_8
    %w_raw = arith.uitofp %w_int : !w4_8 to !w4_h
    %scale_ptrs = tile.expr %scale_rows + %g
    %zero_ptrs = tile.expr %zero_rows + %g
    %scale = tile.load %scale_ptrs, %col_in
    %shift = tile.load %zero_ptrs, %col_in
    %w_half = tile.expr (%w_raw - col(%shift)) * col(%scale)
    %wt_tile = tile.trans %w_half order [1, 0]
    %after = tile.dot %a_tile, %wt_tile, %before
    scf.yield %after : !sum
  }
  %c_value = tile.expr f16(%sum)
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
  %two = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %k_index = arith.index_cast %k : i32 to index
  %bytes = arith.divsi %k_index, %two : index
  %groups = arith.divsi %k_index, %c128 : index
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
  %a = tile_host.random(%m, %k) seed 1 -> memref<?x?xf16>
  %w8 = tile_host.random(%n, %k) seed 2 -> memref<?x?xi8>
  %w4 = tile_host.random(%n, %bytes) seed 3 -> memref<?x?xi8>
  %wf8 = tile_host.random(%n, %k) seed 4 -> memref<?x?xf8E4M3FN>
  %s8 = tile_host.random(%n) seed 5 -> memref<?xf16>
  %s4 = tile_host.random(%n, %groups) seed 6 -> memref<?x?xf16>
  %z4 = tile_host.random(%n, %groups) seed 7 -> memref<?x?xf16>
  %c_w8 = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %c_w4 = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %c_wf8 = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  tile_host.launch @matmul_w8(%a, %w8, %s8, %c_w8, %m, %n, %k)
  tile_host.launch @matmul_w4(%a, %w4, %s4, %z4, %c_w4, %m, %n, %k)
  tile_host.launch @matmul_wf8(%a, %wf8, %c_wf8, %m, %n, %k)
  %got_w8 = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  %got_w4 = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  %got_wf8 = tile_host.alloc(%rows, %n) -> memref<?x?xf16>
  %want_w8 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  %want_w4 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  %want_wf8 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  %none = arith.constant 0.0 : f64
  %fifteen = arith.constant 15 : i8
  %four = arith.constant 4 : i8
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    scf.for %j = %c0 to %n_index step %c1 {
      %sums:3 = scf.for %q = %c0 to %k_index step %c1 iter_args(%x = %none, %y = %none, %z = %none) -> (f64, f64, f64) {
        %av = memref.load %a[%i, %q] : memref<?x?xf16>
        %a64 = arith.extf %av : f16 to f64
        %v8 = memref.load %w8[%j, %q] : memref<?x?xi8>
        %f8 = arith.sitofp %v8 : i8 to f64
        %p8 = arith.mulf %a64, %f8 : f64
        %x1 = arith.addf %x, %p8 : f64
        %half = arith.divsi %q, %two : index
        %odd = arith.remsi %q, %two : index
        %g = arith.divsi %q, %c128 : index
        %pair = memref.load %w4[%j, %half] : memref<?x?xi8>
        %low = arith.andi %pair, %fifteen : i8
        %high = arith.shrui %pair, %four : i8
        %is_odd = arith.cmpi eq, %odd, %c1 : index
        %v4 = arith.select %is_odd, %high, %low : i8
        %f4 = arith.uitofp %v4 : i8 to f64
        %s = memref.load %s4[%j, %g] : memref<?x?xf16>
        %s64 = arith.extf %s : f16 to f64
        %zr = memref.load %z4[%j, %g] : memref<?x?xf16>
        %z64 = arith.extf %zr : f16 to f64
        %from = arith.subf %f4, %z64 : f64
        %d4 = arith.mulf %from, %s64 : f64
        %p4 = arith.mulf %a64, %d4 : f64
        %y1 = arith.addf %y, %p4 : f64
        %b8 = memref.load %wf8[%j, %q] : memref<?x?xf8E4M3FN>
        %bits = arith.bitcast %b8 : f8E4M3FN to i8
        %n8 = func.call @number(%bits) : (i8) -> f64
        %pf = arith.mulf %a64, %n8 : f64
        %z1 = arith.addf %z, %pf : f64
        scf.yield %x1, %y1, %z1 : f64, f64, f64
      }
      %sc = memref.load %s8[%j] : memref<?xf16>
      %sc64 = arith.extf %sc : f16 to f64
      %w = arith.mulf %sums#0, %sc64 : f64
      memref.store %w, %want_w8[%r, %j] : memref<?x?xf64>
      memref.store %sums#1, %want_w4[%r, %j] : memref<?x?xf64>
      memref.store %sums#2, %want_wf8[%r, %j] : memref<?x?xf64>
      %o8 = memref.load %c_w8[%i, %j] : memref<?x?xf16>
      %o4 = memref.load %c_w4[%i, %j] : memref<?x?xf16>
      %of = memref.load %c_wf8[%i, %j] : memref<?x?xf16>
      memref.store %o8, %got_w8[%r, %j] : memref<?x?xf16>
      memref.store %o4, %got_w4[%r, %j] : memref<?x?xf16>
      memref.store %of, %got_wf8[%r, %j] : memref<?x?xf16>
    }
  }
  tile_host.expect_close %got_w8, %want_w8 {atol = 2.0e-1, rtol = 1.0e-3}
  // Weights are rounded to f16 on their way to the dot: up to 2^-11 of each of k products.
  tile_host.expect_close %got_w4, %want_w4 {atol = 3.0e-1, rtol = 2.0e-3}
  tile_host.expect_close %got_wf8, %want_wf8 {atol = 1.0e-2, rtol = 1.0e-3}
  return
}
