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
!col = tensor<?x1xi32, #tile.dims<[M]>>
!row = tensor<1x?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, N]>>

// chunk * M + [0 .. M - 1]
tile.func private @get_1d_offset(%chunk: i32) -> !m {
  %size = tile.meta M : i32
  %first = arith.muli %chunk, %size : i32
  %firsts = tile.splat %first : i32 -> !m
  %lanes = tile.arange : !m
  %offs = arith.addi %firsts, %lanes : !m
  tile.return %offs : !m
}

// offs_0[:, None] * stride_0 + offs_1[None, :] * stride_1
tile.func private @get_2d_offset(%offs_0: !m, %offs_1: !n, %stride_0: i32, %stride_1: i32) -> !mxn {
  %column = tile.expand_dims %offs_0 axis 1 : !m -> !col
  %row = tile.expand_dims %offs_1 axis 0 : !n -> !row
  %strides_0 = tile.splat %stride_0 : i32 -> !col
  %strides_1 = tile.splat %stride_1 : i32 -> !row
  %down = arith.muli %column, %strides_0 : !col
  %across = arith.muli %row, %strides_1 : !row
  %downs = tile.broadcast %down : !col -> !mxn
  %acrosses = tile.broadcast %across : !row -> !mxn
  %offs = arith.addi %downs, %acrosses : !mxn
  tile.return %offs : !mxn
}

// (offs_0[:, None] < max_0) & (offs_1[None, :] < max_1)
tile.func private @get_2d_mask(%offs_0: !m, %offs_1: !n, %max_0: i32, %max_1: i32) -> !mxn_mask {
  %column = tile.expand_dims %offs_0 axis 1 : !m -> !col
  %row = tile.expand_dims %offs_1 axis 0 : !n -> !row
  %maxs_0 = tile.splat %max_0 : i32 -> !col
  %maxs_1 = tile.splat %max_1 : i32 -> !row
  %in_0 = arith.cmpi slt, %column, %maxs_0 : !col
  %in_1 = arith.cmpi slt, %row, %maxs_1 : !row
  %ins_0 = tile.broadcast %in_0 : tensor<?x1xi1, #tile.dims<[M]>> -> !mxn_mask
  %ins_1 = tile.broadcast %in_1 : tensor<1x?xi1, #tile.dims<[N]>> -> !mxn_mask
  %mask = arith.andi %ins_0, %ins_1 : !mxn_mask
  tile.return %mask : !mxn_mask
}

// &base[offs]
tile.func private @get_ptrs(%base: !tile.ptr<f16>, %offs: !mxn) -> !mxn_ptrs {
  %bases = tile.splat %base : !tile.ptr<f16> -> !mxn_ptrs
  %ptrs = tile.addptr %bases, %offs : !mxn_ptrs, !mxn
  tile.return %ptrs : !mxn_ptrs
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
!c_ptrs = tensor<?x?x!tile.ptr<f16>, #tile.dims<[BM, BN]>>
!a = tensor<?x?xf16, #tile.dims<[BM, BK]>>
!b = tensor<?x?xf16, #tile.dims<[BK, BN]>>
!c = tensor<?x?xf16, #tile.dims<[BM, BN]>>
!acc = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// &base[batch * stride]
tile.func private @batch_start(%base: !tile.ptr<f16>, %batch: i32, %stride: i32) -> !tile.ptr<f16> {
  %batch64 = arith.extsi %batch : i32 to i64
  %stride64 = arith.extsi %stride : i32 to i64
  %offset = arith.muli %batch64, %stride64 : i64
  %start = tile.addptr %base, %offset : !tile.ptr<f16>, i64
  tile.return %start : !tile.ptr<f16>
}

tile.func @batched_matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                          %batches: i32, %m: i32, %n: i32, %k: i32,
                          %stride_ab: i32, %stride_am: i32, %stride_ak: i32,
                          %stride_bb: i32, %stride_bk: i32, %stride_bn: i32,
                          %stride_cb: i32, %stride_cm: i32, %stride_cn: i32)
    meta {BM = 32, BN = 32, BK = 32} {
  tile.grid(%batches : i32, %m : i32, %n : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %programs_m = arith.ceildivsi %m, %bm : i32
    %programs_n = arith.ceildivsi %n, %bn : i32
    tile.yield %programs_m, %programs_n, %batches : i32, i32, i32
  }
  // 2 M N K operations a matrix; A, B and C moved once, 2 bytes an element.
  tile.cost(%batches : i32, %m : i32, %n : i32, %k : i32, %stride_bb : i32) {
    %two = arith.constant 2 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0 : i32
    %batches64 = arith.extsi %batches : i32 to i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %broadcast = arith.cmpi eq, %stride_bb, %none : i32
    %b_batches = arith.select %broadcast, %one, %batches64 : i64
    %mn = arith.muli %m64, %n64 : i64
    %mk = arith.muli %m64, %k64 : i64
    %kn = arith.muli %k64, %n64 : i64
    %mnk = arith.muli %mn, %k64 : i64
    %products = arith.muli %mnk, %batches64 : i64
    %operations = arith.muli %two, %products : i64
    %ac = arith.addi %mk, %mn : i64
    %acs = arith.muli %ac, %batches64 : i64
    %bs = arith.muli %kn, %b_batches : i64
    %all = arith.addi %acs, %bs : i64
    %bytes = arith.muli %two, %all : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %pid_m = tile.program_id x
  %pid_n = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bk = tile.meta BK : i32

  // The matrices of this program's batch, their starts in 64 bits.
  %batch = tile.program_id z
  %a_batch = tile.call @batch_start(%a, %batch, %stride_ab) : (!tile.ptr<f16>, i32, i32) -> !tile.ptr<f16>
  %b_batch = tile.call @batch_start(%b, %batch, %stride_bb) : (!tile.ptr<f16>, i32, i32) -> !tile.ptr<f16>
  %c_batch = tile.call @batch_start(%c, %batch, %stride_cb) : (!tile.ptr<f16>, i32, i32) -> !tile.ptr<f16>

  // This program's rows of A, its columns of B, and the first block of K.
  %rm = tile.call @get_1d_offset(%pid_m) : (i32) -> !rm
  %rn = tile.call @get_1d_offset(%pid_n) : (i32) -> !rn
  %rk = tile.call @get_1d_offset(%c0) : (i32) -> !rk
  %a_offs = tile.call @get_2d_offset(%rm, %rk, %stride_am, %stride_ak) : (!rm, !rk, i32, i32) -> !a_offs
  %b_offs = tile.call @get_2d_offset(%rk, %rn, %stride_bk, %stride_bn) : (!rk, !rn, i32, i32) -> !b_offs
  %a_first = tile.call @get_ptrs(%a_batch, %a_offs) : (!tile.ptr<f16>, !a_offs) -> !a_ptrs
  %b_first = tile.call @get_ptrs(%b_batch, %b_offs) : (!tile.ptr<f16>, !b_offs) -> !b_ptrs

  // One block of K after the other; the pointers move on, the accumulator is in f32.
  %a_step = arith.muli %bk, %stride_ak : i32
  %b_step = arith.muli %bk, %stride_bk : i32
  %a_steps = tile.splat %a_step : i32 -> !a_offs
  %b_steps = tile.splat %b_step : i32 -> !b_offs
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero : f32 -> !acc
  %acc, %a_end, %b_end = scf.for %k0 = %c0 to %k step %bk
      iter_args(%sum = %zeros, %a_ptrs = %a_first, %b_ptrs = %b_first)
      -> (!acc, !a_ptrs, !b_ptrs) : i32 {
    %k_left = arith.subi %k, %k0 : i32
    %a_mask = tile.call @get_2d_mask(%rm, %rk, %m, %k_left) : (!rm, !rk, i32, i32) -> !a_mask
    %b_mask = tile.call @get_2d_mask(%rk, %rn, %k_left, %n) : (!rk, !rn, i32, i32) -> !b_mask
    %a_tile = tile.load %a_ptrs, %a_mask : !a_ptrs
    %b_tile = tile.load %b_ptrs, %b_mask : !b_ptrs
    %next = tile.dot %a_tile, %b_tile, %sum : !a, !b -> !acc
    %a_next = tile.addptr %a_ptrs, %a_steps : !a_ptrs, !a_offs
    %b_next = tile.addptr %b_ptrs, %b_steps : !b_ptrs, !b_offs
    scf.yield %next, %a_next, %b_next : !acc, !a_ptrs, !b_ptrs
  }

  %c_offs = tile.call @get_2d_offset(%rm, %rn, %stride_cm, %stride_cn) : (!rm, !rn, i32, i32) -> !c_offs
  %c_mask = tile.call @get_2d_mask(%rm, %rn, %m, %n) : (!rm, !rn, i32, i32) -> !c_mask
  %c_ptrs = tile.call @get_ptrs(%c_batch, %c_offs) : (!tile.ptr<f16>, !c_offs) -> !c_ptrs
  %c_tile = arith.truncf %acc : !acc to !c
  tile.store %c_ptrs, %c_tile, %c_mask : !c_ptrs
  tile.return
}

//===- several small ones in a program -----------------------------------===//

!batch = tensor<4xi32>
!side = tensor<16xi32>
!batch3 = tensor<4x1x1xi32>
!rows3 = tensor<1x16x1xi32>
!cols3 = tensor<1x1x16xi32>
!offs3 = tensor<4x16x16xi32>
!mask3 = tensor<4x16x16xi1>
!ptrs3 = tensor<4x16x16x!tile.ptr<f16>>

// Four matrices of a batch of contiguous ones, of up to 16 x 16: 0 past their edges.
tile.func private @small(%base: !tile.ptr<f16>, %batches: i32, %rows: i32, %cols: i32) -> (!ptrs3, !mask3) {
  %four = arith.constant 4 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %four : i32
  %firsts = tile.splat %first : i32 -> !batch
  %lane = tile.arange : !batch
  %number = arith.addi %firsts, %lane : !batch
  %side = tile.arange : !side
  %number2 = tile.expand_dims %number axis 1 : !batch -> tensor<4x1xi32>
  %number3 = tile.expand_dims %number2 axis 2 : tensor<4x1xi32> -> !batch3
  %row2 = tile.expand_dims %side axis 0 : !side -> tensor<1x16xi32>
  %row3 = tile.expand_dims %row2 axis 2 : tensor<1x16xi32> -> !rows3
  %col3 = tile.expand_dims %row2 axis 1 : tensor<1x16xi32> -> !cols3

  %size = arith.muli %rows, %cols : i32
  %sizes = tile.splat %size : i32 -> !batch3
  %pitches = tile.splat %cols : i32 -> !rows3
  %offs_b = arith.muli %number3, %sizes : !batch3
  %offs_r = arith.muli %row3, %pitches : !rows3
  %offs_bs = tile.broadcast %offs_b : !batch3 -> !offs3
  %offs_rs = tile.broadcast %offs_r : !rows3 -> !offs3
  %offs_cs = tile.broadcast %col3 : !cols3 -> !offs3
  %offs_br = arith.addi %offs_bs, %offs_rs : !offs3
  %offs = arith.addi %offs_br, %offs_cs : !offs3
  %bases = tile.splat %base : !tile.ptr<f16> -> !ptrs3
  %ptrs = tile.addptr %bases, %offs : !ptrs3, !offs3

  %end_b = tile.splat %batches : i32 -> !batch3
  %end_r = tile.splat %rows : i32 -> !rows3
  %end_c = tile.splat %cols : i32 -> !cols3
  %in_b = arith.cmpi slt, %number3, %end_b : !batch3
  %in_r = arith.cmpi slt, %row3, %end_r : !rows3
  %in_c = arith.cmpi slt, %col3, %end_c : !cols3
  %in_bs = tile.broadcast %in_b : tensor<4x1x1xi1> -> !mask3
  %in_rs = tile.broadcast %in_r : tensor<1x16x1xi1> -> !mask3
  %in_cs = tile.broadcast %in_c : tensor<1x1x16xi1> -> !mask3
  %in_br = arith.andi %in_bs, %in_rs : !mask3
  %mask = arith.andi %in_br, %in_cs : !mask3
  tile.return %ptrs, %mask : !ptrs3, !mask3
}

tile.func @many_small(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
                      %batches: i32, %m: i32, %n: i32, %k: i32) {
  tile.grid(%batches : i32) {
    %four = arith.constant 4 : i32
    %programs = arith.ceildivsi %batches, %four : i32
    tile.yield %programs : i32
  }
  %a_ptrs, %a_mask = tile.call @small(%a, %batches, %m, %k) : (!tile.ptr<f16>, i32, i32, i32) -> (!ptrs3, !mask3)
  %b_ptrs, %b_mask = tile.call @small(%b, %batches, %k, %n) : (!tile.ptr<f16>, i32, i32, i32) -> (!ptrs3, !mask3)
  %c_ptrs, %c_mask = tile.call @small(%c, %batches, %m, %n) : (!tile.ptr<f16>, i32, i32, i32) -> (!ptrs3, !mask3)
  %a_tiles = tile.load %a_ptrs, %a_mask : !ptrs3
  %b_tiles = tile.load %b_ptrs, %b_mask : !ptrs3
  %zeros = arith.constant dense<0.0> : tensor<4x16x16xf32>
  %products = tile.dot %a_tiles, %b_tiles, %zeros : tensor<4x16x16xf16>, tensor<4x16x16xf16> -> tensor<4x16x16xf32>
  %c_tiles = arith.truncf %products : tensor<4x16x16xf32> to tensor<4x16x16xf16>
  tile.store %c_ptrs, %c_tiles, %c_mask : !ptrs3
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
  %a = tile_host.random(%batches, %m, %k) seed 1 : (i32, i32, i32) -> memref<?x?x?xf16>
  %b = tile_host.random(%batches, %k, %n) seed 2 : (i32, i32, i32) -> memref<?x?x?xf16>
  %c = tile_host.alloc(%batches, %m, %n) : (i32, i32, i32) -> memref<?x?x?xf16>
  %d = tile_host.alloc(%batches, %m, %n) : (i32, i32, i32) -> memref<?x?x?xf16>
  %mk = arith.muli %m, %k : i32
  %kn = arith.muli %k, %n : i32
  %mn = arith.muli %m, %n : i32
  tile_host.launch @batched_matmul(%a, %b, %c, %batches, %m, %n, %k, %mk, %k, %one, %kn, %n, %one, %mn, %n, %one)
      : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  // Every program of the batch reads the first matrix of B.
  tile_host.launch @batched_matmul(%a, %b, %d, %batches, %m, %n, %k, %mk, %k, %one, %c0, %n, %one, %mn, %n, %one)
      : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32

  %want = tile_host.alloc(%batches, %m, %n) : (i32, i32, i32) -> memref<?x?x?xf64>
  %want_broadcast = tile_host.alloc(%batches, %m, %n) : (i32, i32, i32) -> memref<?x?x?xf64>
  func.call @reference(%a, %b, %want, %no) : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  func.call @reference(%a, %b, %want_broadcast, %yes) : (memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf64>, i1) -> ()
  tile_host.expect_close %c, %want {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  tile_host.expect_close %d, %want_broadcast {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>

  // Small ones again, four to a program.
  %side = arith.constant 16 : i32
  %m_small = arith.cmpi sle, %m, %side : i32
  %n_small = arith.cmpi sle, %n, %side : i32
  %k_small = arith.cmpi sle, %k, %side : i32
  %mn_small = arith.andi %m_small, %n_small : i1
  %small = arith.andi %mn_small, %k_small : i1
  scf.if %small {
    %e = tile_host.alloc(%batches, %m, %n) : (i32, i32, i32) -> memref<?x?x?xf16>
    tile_host.launch @many_small(%a, %b, %e, %batches, %m, %n, %k)
        : memref<?x?x?xf16>, memref<?x?x?xf16>, memref<?x?x?xf16>, i32, i32, i32, i32
    tile_host.expect_close %e, %want {atol = 2.0e-3, rtol = 1.0e-3} : memref<?x?x?xf16>, memref<?x?x?xf64>
  }
  return
}
