// The transpose of a matrix, a block at a time.
//
//   tile-run transpose.mlir                    1000 x 513
//   tile-run transpose.mlir --args 4096,4096   other rows and columns
//
// Rows are contiguous in memory, in x as in y. A kernel that reads x along its rows and writes y element by
// element would write down the columns, one element out of each line of memory. Here a program reads a
// block along rows, tile.trans turns it inside the program, and the turned block is written along rows too.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1009 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 257,64 -D BM=16 -D BN=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1024,1024 | FileCheck %s
// RUN: tile-run %s --check --args 67,130
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: : transpose({{.*}}GB/s

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!col = tensor<?x1xi32, #tile.dims<[M]>>
!row = tensor<1x?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[M, N]>>
!x_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[BM, BN]>>
!y_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[BN, BM]>>
!x_mask = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!y_mask = tensor<?x?xi1, #tile.dims<[BN, BM]>>
!x_block = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!y_block = tensor<?x?xf32, #tile.dims<[BN, BM]>>

// Block (i, j), of M x N elements, of a matrix: pointers to its elements, and which of them exist.
tile.func private @block(%base: !tile.ptr<f32>, %i: i32, %j: i32, %rows: i32, %columns: i32)
    -> (!mxn_ptrs, !mxn_mask) {
  %m = tile.meta M : i32
  %n = tile.meta N : i32
  %first_row = arith.muli %i, %m : i32
  %first_column = arith.muli %j, %n : i32
  %rows_left = arith.subi %rows, %first_row : i32
  %columns_left = arith.subi %columns, %first_column : i32

  // The block's corner, in 64 bits.
  %first_row64 = arith.extsi %first_row : i32 to i64
  %first_column64 = arith.extsi %first_column : i32 to i64
  %stride64 = arith.extsi %columns : i32 to i64
  %down64 = arith.muli %first_row64, %stride64 : i64
  %corner_offset = arith.addi %down64, %first_column64 : i64
  %corner = tile.addptr %base, %corner_offset : !tile.ptr<f32>, i64

  %m_lanes = tile.arange : !m
  %n_lanes = tile.arange : !n
  %col = tile.expand_dims %m_lanes axis 1 : !m -> !col
  %row = tile.expand_dims %n_lanes axis 0 : !n -> !row
  %strides = tile.splat %columns : i32 -> !col
  %down = arith.muli %col, %strides : !col
  %downs = tile.broadcast %down : !col -> !mxn
  %acrosses = tile.broadcast %row : !row -> !mxn
  %offs = arith.addi %downs, %acrosses : !mxn
  %corners = tile.splat %corner : !tile.ptr<f32> -> !mxn_ptrs
  %ptrs = tile.addptr %corners, %offs : !mxn_ptrs, !mxn

  %row_ends = tile.splat %rows_left : i32 -> !col
  %column_ends = tile.splat %columns_left : i32 -> !row
  %row_in = arith.cmpi slt, %col, %row_ends : !col
  %column_in = arith.cmpi slt, %row, %column_ends : !row
  %row_ins = tile.broadcast %row_in : tensor<?x1xi1, #tile.dims<[M]>> -> !mxn_mask
  %column_ins = tile.broadcast %column_in : tensor<1x?xi1, #tile.dims<[N]>> -> !mxn_mask
  %mask = arith.andi %row_ins, %column_ins : !mxn_mask
  tile.return %ptrs, %mask : !mxn_ptrs, !mxn_mask
}

// x is rows x columns, y is columns x rows.
tile.func @transpose(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %rows: i32, %columns: i32)
    meta {BM = 64, BN = 64, num_warps = 8} {
  tile.grid(%rows : i32, %columns : i32) {
    %bm = tile.meta BM : i32
    %bn = tile.meta BN : i32
    %programs_m = arith.ceildivsi %rows, %bm : i32
    %programs_n = arith.ceildivsi %columns, %bn : i32
    tile.yield %programs_n, %programs_m : i32, i32
  }
  // No arithmetic; 4 bytes in and 4 out an element.
  tile.cost(%rows : i32, %columns : i32) {
    %none = arith.constant 0 : i64
    %eight = arith.constant 8 : i64
    %rows64 = arith.extsi %rows : i32 to i64
    %columns64 = arith.extsi %columns : i32 to i64
    %count = arith.muli %rows64, %columns64 : i64
    %bytes = arith.muli %count, %eight : i64
    tile.yield %none, %bytes : i64, i64
  }
  %j = tile.program_id x
  %i = tile.program_id y
  %x_ptrs, %x_mask = tile.call @block(%x, %i, %j, %rows, %columns)
      : (!tile.ptr<f32>, i32, i32, i32, i32) -> (!x_ptrs, !x_mask)
  %y_ptrs, %y_mask = tile.call @block(%y, %j, %i, %columns, %rows)
      : (!tile.ptr<f32>, i32, i32, i32, i32) -> (!y_ptrs, !y_mask)
  %block = tile.load %x_ptrs, %x_mask : !x_ptrs
  %turned = tile.trans %block order [1, 0] : !x_block -> !y_block
  tile.store %y_ptrs, %turned, %y_mask : !y_ptrs
  tile.return
}

func.func @main(%rows: i32 {tile_host.default = 1000 : i32}, %columns: i32 {tile_host.default = 513 : i32}) {
  %x = tile_host.random(%rows, %columns) seed 1 : (i32, i32) -> memref<?x?xf32>
  %y = tile_host.alloc(%columns, %rows) : (i32, i32) -> memref<?x?xf32>
  tile_host.launch @transpose(%x, %y, %rows, %columns) : memref<?x?xf32>, memref<?x?xf32>, i32, i32
  %want = tile_host.alloc(%columns, %rows) : (i32, i32) -> memref<?x?xf32>
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%want : memref<?x?xf32>) permutation = [1, 0]
  tile_host.expect_close %y, %want : memref<?x?xf32>, memref<?x?xf32>
  return
}
