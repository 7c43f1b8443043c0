// C[b] = A[b] * B[b] for a batch of matrices, or one B for all of them.
//
//   tile-run batched_matmul.mlir                    a batch of 3, 100 x 37 x 51
//   tile-run batched_matmul.mlir --args 8,256,256,256   BATCH,M,N,K
//
// Programs along z take the matrices of the batch; what they do with theirs is what naive_matmul.mlir does. Where in
// memory a matrix begins is batch * stride; a stride of 0 is a broadcast, every program finding the same matrix.
// (Small matrices can also be multiplied several at a time: tile.dot takes tiles of three dimensions,
// batch in front. @many_small does 4 of up to 16 x 16 in a program.)
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,16,16,16 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 2,128,129,127 -D BM=64 -D BN=32 -D BK=64 | FileCheck %s
// RUN: tile-run %s --check --args 7,15,16,13
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in {{[23]}} comparisons
// CHECK: : batched_matmul({{.*}}TFLOP/s, {{.*}}GB/s

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

// &base[batch * stride]
tile.func private @batch_start(%base: !tile.ptr<f16>, %batch: i32, %stride: i32) -> !tile.ptr<f16> {
  %start = tile.expr %base + i64(%batch) * i64(%stride)
  tile.return %start
}

tile.func @batched_matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                          %batches: i32 {tile.key, tile.extent = [2, 0]}, %m: i32 {tile.key, tile.extent = [0, 1]},
                          %n: i32 {tile.key, tile.extent = [1, 2]}, %k: i32 {tile.key, tile.extent = [0, 2]},
                          %stride_ab: i32 {tile.stride = [0, 0]}, %stride_am: i32 {tile.stride = [0, 1]},
                          %stride_ak: i32 {tile.stride = [0, 2]}, %stride_bb: i32 {tile.stride = [1, 0]},
                          %stride_bk: i32 {tile.stride = [1, 1]}, %stride_bn: i32 {tile.stride = [1, 2]},
                          %stride_cb: i32 {tile.stride = [2, 0]}, %stride_cm: i32 {tile.stride = [2, 1]},
                          %stride_cn: i32 {tile.stride = [2, 2]})
    meta {BM = 32, BN = 32, BK = 32}
    configs [{BM = 128, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 256, BK = 64, num_warps = 8},
             {BM = 128, BN = 64, BK = 64, num_warps = 4}, {BM = 64, BN = 128, BK = 64, num_warps = 4},
             {BM = 64, BN = 64, BK = 64, num_warps = 4}, {BN = 64, BK = 64}, {BM = 16, BN = 64, BK = 64},
             {BM = 64, BN = 64, BK = 32, num_warps = 4}, {BM = 160, BN = 128, BK = 64, num_warps = 8},
             {BM = 192, BN = 128, BK = 64, num_warps = 8}, {BM = 128, BN = 192, BK = 64, num_warps = 8},
             {BM = 80, BN = 128, BK = 64, num_warps = 4}, {BM = 96, BN = 128, BK = 64, num_warps = 4},
             {BM = 112, BN = 128, BK = 64, num_warps = 4}, {BM = 40, BN = 128, BK = 64, num_warps = 4},
             {BM = 48, BN = 128, BK = 64, num_warps = 4}, {BM = 56, BN = 128, BK = 64, num_warps = 4},
             {BM = 88, BN = 128, BK = 64, num_warps = 4}, {BM = 208, BN = 128, BK = 64, num_warps = 8},
             {BM = 144, BN = 128, BK = 64, num_warps = 8}, {BM = 32, BN = 64, BK = 128, num_warps = 4},
             {BM = 64, BN = 64, BK = 128, num_warps = 4}, {BM = 128, BN = 128, BK = 64, num_warps = 8, num_ctas = 4}] {
  tile.grid = %m ceildiv BM, %n ceildiv BN, %batches
  // 2 M N K operations a matrix; A, B and C moved once, 2 bytes an element.
  tile.cost = 2 * (%m * %n * %k * %batches),
      2 * ((%m * %k + %m * %n) * %batches + %k * %n * select(%stride_bb == 0, 1, %batches))
  %pid_m = tile.program_id x
  %pid_n = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bk = tile.meta BK : i32

  // The matrices of this program's batch, their starts in 64 bits.
  %batch = tile.program_id z
  %a_batch = tile.call @batch_start(%a, %batch, %stride_ab) -> !tile.ptr<f16>
  %b_batch = tile.call @batch_start(%b, %batch, %stride_bb) -> !tile.ptr<f16>
  %c_batch = tile.call @batch_start(%c, %batch, %stride_cb) -> !tile.ptr<f16>

  // This program's rows of A, its columns of B, and the first block of K.
  %rm = tile.call @get_1d_offset(%pid_m) -> !rm
  %rn = tile.call @get_1d_offset(%pid_n) -> !rn
  %rk = tile.call @get_1d_offset(%c0) -> !rk
  %a_offs = tile.call @get_2d_offset(%rm, %rk, %stride_am, %stride_ak) -> !a_offs
  %b_offs = tile.call @get_2d_offset(%rk, %rn, %stride_bk, %stride_bn) -> !b_offs
  %a_first = tile.expr %a_batch + %a_offs
  %b_first = tile.expr %b_batch + %b_offs

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
  %c_ptrs = tile.expr %c_batch + %c_offs
  %c_tile = tile.expr f16(%acc)
  tile.store %c_ptrs, %c_tile, %c_mask
  tile.return
}

//===- several small ones in a program -----------------------------------===//

!mask3 = tensor<4x16x16xi1>
!ptrs3 = tensor<4x16x16x!tile.ptr<f16>>

// Four matrices of a batch of contiguous ones, of up to 16 x 16: 0 past their edges.
tile.func private @small(%base: !tile.ptr<f16>, %batches: i32, %rows: i32, %cols: i32) -> (!ptrs3, !mask3) {
  %number3 = tile.expr expand(col(program_id(x) * 4 + arange(4)), 2)
  %row2 = tile.expr row(arange(16))
  %row3 = tile.expr expand(%row2, 2)
  %col3 = tile.expr expand(%row2, 1)
  %ptrs = tile.expr %base + (%number3 * (%rows * %cols) + %row3 * %cols + %col3)
  %mask = tile.expr %number3 < %batches and %row3 < %rows and %col3 < %cols
  tile.return %ptrs, %mask
}

tile.func @many_small(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                      %batches: i32, %m: i32, %n: i32, %k: i32) {
  tile.grid = %batches ceildiv 4
  %a_ptrs, %a_mask = tile.call @small(%a, %batches, %m, %k) -> (!ptrs3, !mask3)
  %b_ptrs, %b_mask = tile.call @small(%b, %batches, %k, %n) -> (!ptrs3, !mask3)
  %c_ptrs, %c_mask = tile.call @small(%c, %batches, %m, %n) -> (!ptrs3, !mask3)
  %a_tiles = tile.load %a_ptrs, %a_mask
  %b_tiles = tile.load %b_ptrs, %b_mask
  %zeros = tile.expr 0 : tensor<4x16x16xf32>
  %products = tile.dot %a_tiles, %b_tiles, %zeros
  %c_tiles = tile.expr f16(%products)
  tile.store %c_ptrs, %c_tiles, %c_mask
  tile.return
}

//===- the host program ---------------------------------------------------===//

// want[b] = a[b] * b[b], or of b[0], in f64, with the loops in the order that runs along rows.
func.func private @reference(%a: memref<?x?x?xf16>, %b: memref<?x?x?xf16>, %want: memref<?x?x?xf64>,
                             %broadcast: i1) {
  %c0 = arith.constant 0 : index
  linalg.generic {indexing_maps = [affine_map<(b, i, k, j) -> (b, i, k)>,
                                   affine_map<(b, i, k, j) -> (b, i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%a : memref<?x?x?xf16>) outs(%want : memref<?x?x?xf64>) {
  ^bb0(%x: f16, %sum: f64):
    %batch = linalg.index 0 : index
    %k = linalg.index 2 : index
    %j = linalg.index 3 : index
    %which = arith.select %broadcast, %c0, %batch : index
    %y = memref.load %b[%which, %k, %j] : memref<?x?x?xf16>
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  return
}

func.func @main(%batches: i32 {tile_host.default = 3 : i32}, %m: i32 {tile_host.default = 100 : i32},
                %n: i32 {tile_host.default = 37 : i32}, %k: i32 {tile_host.default = 51 : i32}) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %no = arith.constant false
  %yes = arith.constant true
  %a = tile_host.random(%batches, %m, %k) seed 1 -> memref<?x?x?xf16>
  %b = tile_host.random(%batches, %k, %n) seed 2 -> memref<?x?x?xf16>
  %c = tile_host.alloc(%batches, %m, %n) -> memref<?x?x?xf16>
  %d = tile_host.alloc(%batches, %m, %n) -> memref<?x?x?xf16>
  %mk = arith.muli %m, %k : i32
  %kn = arith.muli %k, %n : i32
  %mn = arith.muli %m, %n : i32
  tile_host.launch @batched_matmul(%a, %b, %c, %batches, %m, %n, %k, %mk, %k, %one, %kn, %n, %one, %mn, %n, %one)
  // Every program of the batch reads the first matrix of B.
  tile_host.launch @batched_matmul(%a, %b, %d, %batches, %m, %n, %k, %mk, %k, %one, %c0, %n, %one, %mn, %n, %one)

  %want = tile_host.alloc(%batches, %m, %n) -> memref<?x?x?xf64>
  %want_broadcast = tile_host.alloc(%batches, %m, %n) -> memref<?x?x?xf64>
  func.call @reference(%a, %b, %want, %no) : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  func.call @reference(%a, %b, %want_broadcast, %yes) : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  tile_host.expect_close %c, %want {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %d, %want_broadcast {atol = 2.0e-3, rtol = 1.0e-3}

  // Small ones again, four to a program.
  %side = arith.constant 16 : i32
  %m_small = arith.cmpi sle, %m, %side : i32
  %n_small = arith.cmpi sle, %n, %side : i32
  %k_small = arith.cmpi sle, %k, %side : i32
  %mn_small = arith.andi %m_small, %n_small : i1
  %small = arith.andi %mn_small, %k_small : i1
  scf.if %small {
    %e = tile_host.alloc(%batches, %m, %n) -> memref<?x?x?xf16>
    tile_host.launch @many_small(%a, %b, %e, %batches, %m, %n, %k)
    tile_host.expect_close %e, %want {atol = 2.0e-3, rtol = 1.0e-3}
  }
  return
}
