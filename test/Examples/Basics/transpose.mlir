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

!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[M, N]>>
!x_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[BM, BN]>>
!y_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[BN, BM]>>
!x_mask = tensor<?x?xi1, #tile.dims<[BM, BN]>>
!y_mask = tensor<?x?xi1, #tile.dims<[BN, BM]>>

// Block (i, j), of M x N elements, of a matrix: pointers to its elements, and which of them exist.
tile.func private @block(%base: !tile.ptr<f32>, %i: i32, %j: i32, %rows: i32, %columns: i32)
    -> (!mxn_ptrs, !mxn_mask) {
  %first_row = tile.expr %i * M
  %first_column = tile.expr %j * N
  %col = tile.expr col(arange(M))
  %row = tile.expr row(arange(N))
  // The block's corner in 64 bits, what is inside it in 32.
  %ptrs = tile.expr %base + (i64(%first_row) * i64(%columns) + i64(%first_column)) + (%col * %columns + %row)
  %mask = tile.expr %col < %rows - %first_row and %row < %columns - %first_column
  tile.return %ptrs, %mask
}

// x is rows x columns, y is columns x rows.
tile.func @transpose(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %rows: i32, %columns: i32)
    meta {BM = 64, BN = 64, num_warps = 8} {
  // Programs that follow each other write along the same rows of y: 4123 GB/s, 3990 by rows of x.
  tile.grid = %rows ceildiv BM, %columns ceildiv BN
  // No arithmetic; 4 bytes in and 4 out an element.
  tile.cost = 0, %rows * %columns * 8
  %i = tile.program_id x
  %j = tile.program_id y
  %x_ptrs, %x_mask = tile.call @block(%x, %i, %j, %rows, %columns) -> (!x_ptrs, !x_mask)
  %y_ptrs, %y_mask = tile.call @block(%y, %j, %i, %columns, %rows) -> (!y_ptrs, !y_mask)
  %block = tile.load %x_ptrs, %x_mask
  %turned = tile.trans %block order [1, 0]
  tile.store %y_ptrs, %turned, %y_mask
  tile.return
}

func.func @main(%rows: i32 {tile_host.default = 1000 : i32}, %columns: i32 {tile_host.default = 513 : i32}) {
  %x = tile_host.random(%rows, %columns) seed 1 -> memref<?x?xf32>
  %y = tile_host.alloc(%columns, %rows) -> memref<?x?xf32>
  tile_host.launch @transpose(%x, %y, %rows, %columns)
  %want = tile_host.alloc(%columns, %rows) -> memref<?x?xf32>
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%want : memref<?x?xf32>) permutation = [1, 0]
  tile_host.expect_close %y, %want
  return
}
