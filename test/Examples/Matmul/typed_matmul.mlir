// C = A * B^T in every type that tensor cores multiply: A is [M, K], B is [N, K], as weights often
// lie, so that both have K fastest. wgmma of sm_90a wants just that of other than 16-bit elements.
//
//   kernel          A         B         sum   C      by
//   matmul_tf32     f32       f32       f32   f32    precision tf32: 10 bits of mantissa are multiplied
//   matmul_tf32x3   f32       f32       f32   f32    precision tf32x3: three such products, an error like that of f32
//   matmul_e4m3     f8E4M3FN  f8E4M3FN  f32   bf16
//   matmul_e5m2     f8E5M2    f8E4M3FN  f32   bf16   the two formats may be mixed
//   matmul_s8       i8        i8        i32   i32    exact, modulo 2^32
//   matmul_f64      f64       f64       f64   f64
//
//   tile-run typed_matmul.mlir --args 512               all of them
//   tile-run typed_matmul.mlir --args 3,5,4             3 x 4 by 4 x 5: --args M,N,K
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,5,4 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 137,70,200 | FileCheck %s
// RUN: tile-run %s --check --args 65,70,36 -D BM=32 -D BN=32 -D BK=32
// CHECK: largest error {{.*}}, in 6 comparisons
// CHECK: cpu{{.*}}: matmul_tf32({{.*}}FLOP/s

!f32_a_desc = !tile.desc<?x?xf32, #tile.dims<[BM, BK]>>
!f32_b_desc = !tile.desc<?x?xf32, #tile.dims<[BN, BK]>>
!f32_c_desc = !tile.desc<?x?xf32, #tile.dims<[BM, BN]>>
!f32_c = tensor<?x?xf32, #tile.dims<[BM, BN]>>

tile.func @matmul_tf32(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 32, num_warps = 8}
    configs [{BN = 256}, {BN = 256, num_ctas = 2}, {BM = 256}, {BM = 256, BN = 160}, {BN = 192},
             {BN = 160}, {BM = 64, BN = 256, num_warps = 4}, {BM = 64, num_warps = 4},
             {BN = 64, num_warps = 4}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 64, BN = 64, BK = 64, num_warps = 4},
             {BM = 32, BN = 64, BK = 64, num_warps = 4}, {BM = 32, num_warps = 4},
             {BM = 16, BN = 64, BK = 64, num_warps = 4}, {BM = 16, BK = 64, num_warps = 4},
             {BM = 192, BN = 256}, {BM = 160, BN = 256}, {BN = 144}, {BN = 224}, {BM = 136, BN = 256},
             {BM = 120, BN = 256}, {BM = 40}, {BM = 88, BN = 64, BK = 64, num_warps = 4},
             {BM = 96, BN = 256}, {BM = 96}, {BM = 112}, {BM = 96, num_warps = 4},
             {num_ctas = 4}, {BM = 160, num_ctas = 4}, {BN = 256, num_ctas = 4}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 4 bytes an element, and C, 4.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k * 4 + %m * %n * 4
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f32> -> !f32_a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f32> -> !f32_b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f32> -> !f32_c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !f32_c
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!f32_c) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !f32_a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !f32_b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %after = tile.dot %a_tile, %bt_tile, %before precision tf32
    scf.yield %after : !f32_c
  }
  tile.desc_store %c_desc[%i, %j], %sum : !f32_c_desc
  tile.return
}

tile.func @matmul_tf32x3(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 32, num_warps = 8}
    configs [{BK = 64}, {BN = 64}, {BM = 64, num_warps = 4}, {BN = 64, num_warps = 4},
             {BM = 64, BN = 64, num_warps = 4}, {BM = 64, BN = 64, BK = 64, num_warps = 4},
             {BM = 32, BN = 64, BK = 64, num_warps = 4}, {BM = 32, num_warps = 4},
             {BM = 16, BN = 64, BK = 64, num_warps = 4}, {BM = 16, BK = 64, num_warps = 4}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 4 bytes an element, and C, 4.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k * 4 + %m * %n * 4
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f32> -> !f32_a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f32> -> !f32_b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f32> -> !f32_c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !f32_c
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!f32_c) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !f32_a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !f32_b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %after = tile.dot %a_tile, %bt_tile, %before precision tf32x3
    scf.yield %after : !f32_c
  }
  tile.desc_store %c_desc[%i, %j], %sum : !f32_c_desc
  tile.return
}

!e4m3_a_desc = !tile.desc<?x?xf8E4M3FN, #tile.dims<[BM, BK]>>
!e4m3_b_desc = !tile.desc<?x?xf8E4M3FN, #tile.dims<[BN, BK]>>
!bf16_c_desc = !tile.desc<?x?xbf16, #tile.dims<[BM, BN]>>

tile.func @matmul_e4m3(%a: !tile.ptr<f8E4M3FN>, %b: !tile.ptr<f8E4M3FN>, %c: !tile.ptr<bf16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 128, num_warps = 8}
    configs [{BN = 256}, {BN = 256, num_ctas = 2}, {BM = 256}, {BM = 256, BN = 160}, {BN = 192},
             {BN = 160}, {BM = 64, BN = 256, num_warps = 4}, {BM = 64, num_warps = 4},
             {BN = 64, num_warps = 4}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 64, BN = 64, BK = 256, num_warps = 4},
             {BM = 32, BN = 64, BK = 256, num_warps = 4}, {BM = 32, num_warps = 4},
             {BM = 16, BN = 64, BK = 256, num_warps = 4}, {BM = 16, BK = 256, num_warps = 4},
             {BM = 192, BN = 256}, {BM = 160, BN = 256}, {BN = 144}, {BM = 96}, {BM = 112},
             {BM = 168}, {BM = 160}, {BM = 144}, {BM = 136}, {BM = 176}, {BM = 192}, {BN = 224}, {BM = 48, num_warps = 4},
             {BM = 72, num_warps = 4}, {BM = 88, num_warps = 4}, {BM = 96, num_warps = 4},
             {BM = 64, BN = 96, num_warps = 4}, {num_ctas = 4}, {num_ctas = 8},
             {BN = 256, num_ctas = 4}, {BM = 96, num_ctas = 8}, {BM = 64, num_warps = 4, num_ctas = 8}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 1 byte an element, and C, 2.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k + %m * %n * 2
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f8E4M3FN> -> !e4m3_a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f8E4M3FN> -> !e4m3_b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<bf16> -> !bf16_c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !f32_c
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!f32_c) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !e4m3_a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !e4m3_b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %after = tile.dot %a_tile, %bt_tile, %before
    scf.yield %after : !f32_c
  }
  %c_value = tile.expr bf16(%sum)
  tile.desc_store %c_desc[%i, %j], %c_value : !bf16_c_desc
  tile.return
}

!e5m2_a_desc = !tile.desc<?x?xf8E5M2, #tile.dims<[BM, BK]>>

tile.func @matmul_e5m2(%a: !tile.ptr<f8E5M2>, %b: !tile.ptr<f8E4M3FN>, %c: !tile.ptr<bf16>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 128, num_warps = 8}
    configs [{BN = 256}, {BN = 256, num_ctas = 2}, {BM = 256}, {BM = 256, BN = 160}, {BN = 192},
             {BN = 160}, {BM = 64, BN = 256, num_warps = 4}, {BM = 64, num_warps = 4},
             {BN = 64, num_warps = 4}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 64, BN = 64, BK = 256, num_warps = 4},
             {BM = 32, BN = 64, BK = 256, num_warps = 4}, {BM = 32, num_warps = 4},
             {BM = 16, BN = 64, BK = 256, num_warps = 4}, {BM = 16, BK = 256, num_warps = 4},
             {BM = 192, BN = 256}, {BM = 160, BN = 256}, {BN = 144}, {BM = 96}, {BM = 112},
             {BM = 168}, {BM = 160}, {BM = 144}, {BM = 136}, {BM = 176}, {BM = 192}, {BN = 224}, {BM = 48, num_warps = 4},
             {BM = 72, num_warps = 4}, {BM = 88, num_warps = 4}, {BM = 96, num_warps = 4},
             {BM = 64, BN = 96, num_warps = 4}, {num_ctas = 4}, {num_ctas = 8},
             {BN = 256, num_ctas = 4}, {BM = 96, num_ctas = 8}, {BM = 64, num_warps = 4, num_ctas = 8}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 1 byte an element, and C, 2.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k + %m * %n * 2
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f8E5M2> -> !e5m2_a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f8E4M3FN> -> !e4m3_b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<bf16> -> !bf16_c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !f32_c
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!f32_c) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !e5m2_a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !e4m3_b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %after = tile.dot %a_tile, %bt_tile, %before
    scf.yield %after : !f32_c
  }
  %c_value = tile.expr bf16(%sum)
  tile.desc_store %c_desc[%i, %j], %c_value : !bf16_c_desc
  tile.return
}

!s8_a_desc = !tile.desc<?x?xi8, #tile.dims<[BM, BK]>>
!s8_b_desc = !tile.desc<?x?xi8, #tile.dims<[BN, BK]>>
!i32_c_desc = !tile.desc<?x?xi32, #tile.dims<[BM, BN]>>
!i32_c = tensor<?x?xi32, #tile.dims<[BM, BN]>>

tile.func @matmul_s8(%a: !tile.ptr<i8>, %b: !tile.ptr<i8>, %c: !tile.ptr<i32>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 128, BN = 128, BK = 128, num_warps = 8}
    configs [{BN = 256}, {BN = 256, num_ctas = 2}, {BM = 256}, {BM = 256, BN = 160}, {BN = 192},
             {BN = 160}, {BM = 64, BN = 256, num_warps = 4}, {BM = 64, num_warps = 4},
             {BN = 64, num_warps = 4}, {BM = 64, BN = 64, num_warps = 4},
             {BM = 64, BN = 64, BK = 256, num_warps = 4},
             {BM = 32, BN = 64, BK = 256, num_warps = 4}, {BM = 32, num_warps = 4},
             {BM = 16, BN = 64, BK = 256, num_warps = 4}, {BM = 16, BK = 256, num_warps = 4},
             {BM = 192, BN = 256}, {BM = 160, BN = 256}, {BN = 144}, {BM = 96}, {BM = 112},
             {BM = 168}, {BM = 160}, {BM = 144}, {BM = 136}, {BM = 176}, {BM = 192}, {BN = 224}, {BM = 48, num_warps = 4},
             {BM = 72, num_warps = 4}, {BM = 88, num_warps = 4}, {BM = 96, num_warps = 4},
             {BM = 64, BN = 96, num_warps = 4}, {num_ctas = 4}, {num_ctas = 8},
             {BN = 256, num_ctas = 4}, {BM = 96, num_ctas = 8}, {BM = 64, num_warps = 4, num_ctas = 8}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 1 byte an element, and C, 4.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k + %m * %n * 4
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<i8> -> !s8_a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<i8> -> !s8_b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<i32> -> !i32_c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !i32_c
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!i32_c) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !s8_a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !s8_b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %after = tile.dot %a_tile, %bt_tile, %before
    scf.yield %after : !i32_c
  }
  tile.desc_store %c_desc[%i, %j], %sum : !i32_c_desc
  tile.return
}

!f64_a_desc = !tile.desc<?x?xf64, #tile.dims<[BM, BK]>>
!f64_b_desc = !tile.desc<?x?xf64, #tile.dims<[BN, BK]>>
!f64_c_desc = !tile.desc<?x?xf64, #tile.dims<[BM, BN]>>
!f64_c = tensor<?x?xf64, #tile.dims<[BM, BN]>>

tile.func @matmul_f64(%a: !tile.ptr<f64>, %b: !tile.ptr<f64>, %c: !tile.ptr<f64>,
                  %m: i32 {tile.key, tile.extent = [0, 0]}, %n: i32 {tile.key, tile.extent = [1, 0]},
                  %k: i32 {tile.key, tile.extent = [0, 1]})
    meta {BM = 64, BN = 64, BK = 16, num_warps = 4}
    configs [{BN = 128, BK = 32, num_warps = 8}, {BM = 32, BN = 32}, {BM = 32, BK = 32}, {BM = 32, BN = 32, BK = 32},
             {BM = 16, BN = 32, BK = 32}, {BM = 16, BN = 16, BK = 64}, {BM = 32}, {BN = 32, BK = 32},
             {num_warps = 8}, {BM = 128, BK = 32, num_warps = 8}, {BM = 16, BK = 32}, {BM = 16},
             {BM = 32, BN = 128, BK = 32, num_warps = 8}, {BM = 128, BN = 128, num_warps = 8},
             {BM = 128, BN = 128, BK = 32, num_warps = 8}] {
  tile.grid = %n ceildiv BN, %m ceildiv BM
  // 2 M N K operations; A and B moved once, 8 bytes an element, and C, 8.
  tile.cost = 2 * (%m * %n * %k), (%m + %n) * %k * 8 + %m * %n * 8
  %n64 = tile.expr i64(%n)
  %k64 = tile.expr i64(%k)
  %a_desc = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f64> -> !f64_a_desc
  %b_desc = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f64> -> !f64_b_desc
  %c_desc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f64> -> !f64_c_desc

  %bk = tile.meta BK : i32
  %i = tile.expr program_id(y) * BM
  %j = tile.expr program_id(x) * BN
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0 : !f64_c
  %sum = scf.for %k0 = %c0 to %k step %bk iter_args(%before = %zeros) -> (!f64_c) : i32 {
    %a_tile = tile.desc_load %a_desc[%i, %k0] : !f64_a_desc
    %b_tile = tile.desc_load %b_desc[%j, %k0] : !f64_b_desc
    %bt_tile = tile.trans %b_tile order [1, 0]
    %after = tile.dot %a_tile, %bt_tile, %before
    scf.yield %after : !f64_c
  }
  tile.desc_store %c_desc[%i, %j], %sum : !f64_c_desc
  tile.return
}

// A row of each, as the reference looks at them.
!bf16_row = memref<1x?xbf16, strided<[?, 1], offset: ?>>
!f32_row = memref<1x?xf32, strided<[?, 1], offset: ?>>
!f64_row = memref<1x?xf64, strided<[?, 1], offset: ?>>
!f8e4m3fn_row = memref<1x?xf8E4M3FN, strided<[?, 1], offset: ?>>
!f8e5m2_row = memref<1x?xf8E5M2, strided<[?, 1], offset: ?>>
!i32_row = memref<1x?xi32, strided<[?, 1], offset: ?>>
!i8_row = memref<1x?xi8, strided<[?, 1], offset: ?>>

// The number that the bits of an 8-bit float are, but for infinities and NaNs: a whole number, shifted by its exponent, of
// the least units of the format, which has so many bits of mantissa.
func.func private @number(%bits: i8, %mantissa: i64, %unit: f64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seven = arith.constant 127 : i64
  %wide = arith.extsi %bits : i8 to i64
  %negative = arith.cmpi slt, %wide, %zero : i64
  %magnitude = arith.andi %wide, %seven : i64
  %exponent = arith.shrui %magnitude, %mantissa : i64
  %hidden = arith.shli %one, %mantissa : i64
  %mask = arith.subi %hidden, %one : i64
  %fraction = arith.andi %magnitude, %mask : i64
  %with = arith.ori %fraction, %hidden : i64
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
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %k_index = arith.index_cast %k : i32 to index
  // Rows that are compared: as many as 2^26 multiplications allow, 16 at least, all at most.
  %c16 = arith.constant 16 : index
  %work = arith.constant 67108864 : index
  %nk = arith.muli %n_index, %k_index : index
  %nk_some = arith.maxsi %nk, %c1 : index
  %fit = arith.divsi %work, %nk_some : index
  %wish = arith.maxsi %fit, %c16 : index
  %rows = arith.minsi %wish, %m_index : index
  %gaps = arith.subi %rows, %c1 : index
  %gaps_some = arith.maxsi %gaps, %c1 : index
  %last = arith.subi %m_index, %c1 : index
  %mantissa_e4m3 = arith.constant 3 : i64
  %unit_e4m3 = arith.constant 0.001953125 : f64
  %mantissa_e5m2 = arith.constant 2 : i64
  %unit_e5m2 = arith.constant 0.0000152587890625 : f64

  %a_tf32 = tile_host.random(%m, %k) seed 1 -> memref<?x?xf32>
  %b_tf32 = tile_host.random(%n, %k) seed 2 -> memref<?x?xf32>
  %c_tf32 = tile_host.alloc(%m, %n) -> memref<?x?xf32>
  tile_host.launch @matmul_tf32(%a_tf32, %b_tf32, %c_tf32, %m, %n, %k)
  %got_tf32 = tile_host.alloc(%rows, %n) -> memref<?x?xf32>
  %want_tf32 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c_tf32[%i, 0] [1, %n_index] [1, 1] : memref<?x?xf32> to !f32_row
    %got_row = memref.subview %got_tf32[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf32> to !f32_row
    linalg.copy ins(%c_row : !f32_row) outs(%got_row : !f32_row)
    %a_row = memref.subview %a_tf32[%i, 0] [1, %k_index] [1, 1] : memref<?x?xf32> to !f32_row
    %want_row = memref.subview %want_tf32[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                     affine_map<(i, j, k) -> (j, k)>,
                                     affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a_row, %b_tf32 : !f32_row, memref<?x?xf32>)
        outs(%want_row : !f64_row) {
    ^bb0(%x: f32, %y: f32, %sum: f64):
      %wx = arith.extf %x : f32 to f64
      %wy = arith.extf %y : f32 to f64
      %product = arith.mulf %wx, %wy : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    }
  }
  // The tensor cores leave out 13 bits of each operand: up to 2^-9 of a product, k of which add up as a random walk does.
  tile_host.expect_close %got_tf32, %want_tf32 {atol = 6.0e-2, rtol = 2.0e-3}

  %a_tf32x3 = tile_host.random(%m, %k) seed 1 -> memref<?x?xf32>
  %b_tf32x3 = tile_host.random(%n, %k) seed 2 -> memref<?x?xf32>
  %c_tf32x3 = tile_host.alloc(%m, %n) -> memref<?x?xf32>
  tile_host.launch @matmul_tf32x3(%a_tf32x3, %b_tf32x3, %c_tf32x3, %m, %n, %k)
  %got_tf32x3 = tile_host.alloc(%rows, %n) -> memref<?x?xf32>
  %want_tf32x3 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c_tf32x3[%i, 0] [1, %n_index] [1, 1] : memref<?x?xf32> to !f32_row
    %got_row = memref.subview %got_tf32x3[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf32> to !f32_row
    linalg.copy ins(%c_row : !f32_row) outs(%got_row : !f32_row)
    %a_row = memref.subview %a_tf32x3[%i, 0] [1, %k_index] [1, 1] : memref<?x?xf32> to !f32_row
    %want_row = memref.subview %want_tf32x3[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                     affine_map<(i, j, k) -> (j, k)>,
                                     affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a_row, %b_tf32x3 : !f32_row, memref<?x?xf32>)
        outs(%want_row : !f64_row) {
    ^bb0(%x: f32, %y: f32, %sum: f64):
      %wx = arith.extf %x : f32 to f64
      %wy = arith.extf %y : f32 to f64
      %product = arith.mulf %wx, %wy : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    }
  }
  // Tensor cores cut what they add in f32 short: a few units in the last place of the largest partial sums.
  tile_host.expect_close %got_tf32x3, %want_tf32x3 {atol = 1.0e-3, rtol = 1.0e-5}

  %a_e4m3 = tile_host.random(%m, %k) seed 1 -> memref<?x?xf8E4M3FN>
  %b_e4m3 = tile_host.random(%n, %k) seed 2 -> memref<?x?xf8E4M3FN>
  %c_e4m3 = tile_host.alloc(%m, %n) -> memref<?x?xbf16>
  tile_host.launch @matmul_e4m3(%a_e4m3, %b_e4m3, %c_e4m3, %m, %n, %k)
  %got_e4m3 = tile_host.alloc(%rows, %n) -> memref<?x?xbf16>
  %want_e4m3 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c_e4m3[%i, 0] [1, %n_index] [1, 1] : memref<?x?xbf16> to !bf16_row
    %got_row = memref.subview %got_e4m3[%r, 0] [1, %n_index] [1, 1] : memref<?x?xbf16> to !bf16_row
    linalg.copy ins(%c_row : !bf16_row) outs(%got_row : !bf16_row)
    %a_row = memref.subview %a_e4m3[%i, 0] [1, %k_index] [1, 1] : memref<?x?xf8E4M3FN> to !f8e4m3fn_row
    %want_row = memref.subview %want_e4m3[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                     affine_map<(i, j, k) -> (j, k)>,
                                     affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a_row, %b_e4m3 : !f8e4m3fn_row, memref<?x?xf8E4M3FN>)
        outs(%want_row : !f64_row) {
    ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %sum: f64):
      %x_bits = arith.bitcast %x : f8E4M3FN to i8
      %wx = func.call @number(%x_bits, %mantissa_e4m3, %unit_e4m3)
          : (i8, i64, f64) -> f64
      %y_bits = arith.bitcast %y : f8E4M3FN to i8
      %wy = func.call @number(%y_bits, %mantissa_e4m3, %unit_e4m3)
          : (i8, i64, f64) -> f64
      %product = arith.mulf %wx, %wy : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    }
  }
  tile_host.expect_close %got_e4m3, %want_e4m3 {atol = 1.0e-2, rtol = 8.0e-3}

  %a_e5m2 = tile_host.random(%m, %k) seed 1 -> memref<?x?xf8E5M2>
  %b_e5m2 = tile_host.random(%n, %k) seed 2 -> memref<?x?xf8E4M3FN>
  %c_e5m2 = tile_host.alloc(%m, %n) -> memref<?x?xbf16>
  tile_host.launch @matmul_e5m2(%a_e5m2, %b_e5m2, %c_e5m2, %m, %n, %k)
  %got_e5m2 = tile_host.alloc(%rows, %n) -> memref<?x?xbf16>
  %want_e5m2 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c_e5m2[%i, 0] [1, %n_index] [1, 1] : memref<?x?xbf16> to !bf16_row
    %got_row = memref.subview %got_e5m2[%r, 0] [1, %n_index] [1, 1] : memref<?x?xbf16> to !bf16_row
    linalg.copy ins(%c_row : !bf16_row) outs(%got_row : !bf16_row)
    %a_row = memref.subview %a_e5m2[%i, 0] [1, %k_index] [1, 1] : memref<?x?xf8E5M2> to !f8e5m2_row
    %want_row = memref.subview %want_e5m2[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                     affine_map<(i, j, k) -> (j, k)>,
                                     affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a_row, %b_e5m2 : !f8e5m2_row, memref<?x?xf8E4M3FN>)
        outs(%want_row : !f64_row) {
    ^bb0(%x: f8E5M2, %y: f8E4M3FN, %sum: f64):
      %x_bits = arith.bitcast %x : f8E5M2 to i8
      %wx = func.call @number(%x_bits, %mantissa_e5m2, %unit_e5m2)
          : (i8, i64, f64) -> f64
      %y_bits = arith.bitcast %y : f8E4M3FN to i8
      %wy = func.call @number(%y_bits, %mantissa_e4m3, %unit_e4m3)
          : (i8, i64, f64) -> f64
      %product = arith.mulf %wx, %wy : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    }
  }
  tile_host.expect_close %got_e5m2, %want_e5m2 {atol = 1.0e-2, rtol = 8.0e-3}

  %a_s8 = tile_host.random(%m, %k) seed 1 -> memref<?x?xi8>
  %b_s8 = tile_host.random(%n, %k) seed 2 -> memref<?x?xi8>
  %c_s8 = tile_host.alloc(%m, %n) -> memref<?x?xi32>
  tile_host.launch @matmul_s8(%a_s8, %b_s8, %c_s8, %m, %n, %k)
  %got_s8 = tile_host.alloc(%rows, %n) -> memref<?x?xi32>
  %want_s8 = tile_host.alloc(%rows, %n) -> memref<?x?xi32>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c_s8[%i, 0] [1, %n_index] [1, 1] : memref<?x?xi32> to !i32_row
    %got_row = memref.subview %got_s8[%r, 0] [1, %n_index] [1, 1] : memref<?x?xi32> to !i32_row
    linalg.copy ins(%c_row : !i32_row) outs(%got_row : !i32_row)
    %a_row = memref.subview %a_s8[%i, 0] [1, %k_index] [1, 1] : memref<?x?xi8> to !i8_row
    %want_row = memref.subview %want_s8[%r, 0] [1, %n_index] [1, 1] : memref<?x?xi32> to !i32_row
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                     affine_map<(i, j, k) -> (j, k)>,
                                     affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a_row, %b_s8 : !i8_row, memref<?x?xi8>)
        outs(%want_row : !i32_row) {
    ^bb0(%x: i8, %y: i8, %sum: i32):
      %wx = arith.extsi %x : i8 to i32
      %wy = arith.extsi %y : i8 to i32
      %product = arith.muli %wx, %wy : i32
      %next = arith.addi %sum, %product : i32
      linalg.yield %next : i32
    }
  }
  tile_host.expect_close %got_s8, %want_s8 {atol = 0.0, rtol = 0.0}

  %a_f64 = tile_host.random(%m, %k) seed 1 -> memref<?x?xf64>
  %b_f64 = tile_host.random(%n, %k) seed 2 -> memref<?x?xf64>
  %c_f64 = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  tile_host.launch @matmul_f64(%a_f64, %b_f64, %c_f64, %m, %n, %k)
  %got_f64 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  %want_f64 = tile_host.alloc(%rows, %n) -> memref<?x?xf64>
  scf.for %r = %c0 to %rows step %c1 {
    %far = arith.muli %r, %last : index
    %i = arith.divsi %far, %gaps_some : index
    %c_row = memref.subview %c_f64[%i, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    %got_row = memref.subview %got_f64[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    linalg.copy ins(%c_row : !f64_row) outs(%got_row : !f64_row)
    %a_row = memref.subview %a_f64[%i, 0] [1, %k_index] [1, 1] : memref<?x?xf64> to !f64_row
    %want_row = memref.subview %want_f64[%r, 0] [1, %n_index] [1, 1] : memref<?x?xf64> to !f64_row
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                     affine_map<(i, j, k) -> (j, k)>,
                                     affine_map<(i, j, k) -> (i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a_row, %b_f64 : !f64_row, memref<?x?xf64>)
        outs(%want_row : !f64_row) {
    ^bb0(%x: f64, %y: f64, %sum: f64):
      %product = arith.mulf %x, %y : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    }
  }
  tile_host.expect_close %got_f64, %want_f64 {atol = 1.0e-12, rtol = 1.0e-12}
  return
}
