// y = A * x: a matrix times a vector.
//
//   tile-run matvec.mlir                    1000 x 513
//   tile-run matvec.mlir --args 4096,4096   other rows and columns
//
// Each element of A is used once, so there is nothing to keep and nothing for matrix instructions to do: it
// is a sum of rows with a factor for each column. A program takes BM rows and goes along them BN columns at a
// time, multiplying each row of the block by the same piece of x.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1009 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,3 -D BM=16 -D BN=32 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1024,2048 | FileCheck %s
// RUN: tile-run %s --check --args 37,300
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : matvec({{.*}}GB/s

//===- helpers, for any extents M and N -----------------------------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!col = tensor<?x1xi32, #tile.dims<[M]>>
!row = tensor<1x?xi32, #tile.dims<[N]>>
!mxn = tensor<?x?xi32, #tile.dims<[M, N]>>
!mxn_mask = tensor<?x?xi1, #tile.dims<[M, N]>>
!mxn_ptrs = tensor<?x?x!tile.ptr<f32>, #tile.dims<[M, N]>>
!mxn_f32 = tensor<?x?xf32, #tile.dims<[M, N]>>

// base[rows, columns] of a matrix of `stride` elements a row: 0 where there is none.
tile.func private @load_block(%base: !tile.ptr<f32>, %rows: !m, %columns: !n, %stride: i32,
                              %row_end: i32, %column_end: i32) -> !mxn_f32 {
  %col = tile.expand_dims %rows axis 1 : !m -> !col
  %row = tile.expand_dims %columns axis 0 : !n -> !row
  %strides = tile.splat %stride : i32 -> !col
  %down = arith.muli %col, %strides : !col
  %downs = tile.broadcast %down : !col -> !mxn
  %acrosses = tile.broadcast %row : !row -> !mxn
  %offs = arith.addi %downs, %acrosses : !mxn

  %row_ends = tile.splat %row_end : i32 -> !col
  %column_ends = tile.splat %column_end : i32 -> !row
  %row_in = arith.cmpi slt, %col, %row_ends : !col
  %column_in = arith.cmpi slt, %row, %column_ends : !row
  %row_ins = tile.broadcast %row_in : tensor<?x1xi1, #tile.dims<[M]>> -> !mxn_mask
  %column_ins = tile.broadcast %column_in : tensor<1x?xi1, #tile.dims<[N]>> -> !mxn_mask
  %mask = arith.andi %row_ins, %column_ins : !mxn_mask

  %bases = tile.splat %base : !tile.ptr<f32> -> !mxn_ptrs
  %ptrs = tile.addptr %bases, %offs : !mxn_ptrs, !mxn
  %block = tile.load %ptrs, %mask : !mxn_ptrs
  tile.return %block : !mxn_f32
}

// first + [0 .. M - 1]
tile.func private @range(%first: i32) -> !m {
  %firsts = tile.splat %first : i32 -> !m
  %lanes = tile.arange : !m
  %range = arith.addi %firsts, %lanes : !m
  tile.return %range : !m
}

// base[indices] = values, as far as there are elements.
tile.func private @store_vector(%base: !tile.ptr<f32>, %indices: !m, %end: i32,
                                %values: tensor<?xf32, #tile.dims<[M]>>) {
  %ends = tile.splat %end : i32 -> !m
  %mask = arith.cmpi slt, %indices, %ends : !m
  %bases = tile.splat %base : !tile.ptr<f32> -> tensor<?x!tile.ptr<f32>, #tile.dims<[M]>>
  %ptrs = tile.addptr %bases, %indices : tensor<?x!tile.ptr<f32>, #tile.dims<[M]>>, !m
  tile.store %ptrs, %values, %mask : tensor<?x!tile.ptr<f32>, #tile.dims<[M]>>
  tile.return
}

// base[indices], 0 where there is none.
tile.func private @load_vector(%base: !tile.ptr<f32>, %indices: !m, %end: i32) -> tensor<?xf32, #tile.dims<[M]>> {
  %ends = tile.splat %end : i32 -> !m
  %mask = arith.cmpi slt, %indices, %ends : !m
  %bases = tile.splat %base : !tile.ptr<f32> -> tensor<?x!tile.ptr<f32>, #tile.dims<[M]>>
  %ptrs = tile.addptr %bases, %indices : tensor<?x!tile.ptr<f32>, #tile.dims<[M]>>, !m
  %values = tile.load %ptrs, %mask : tensor<?x!tile.ptr<f32>, #tile.dims<[M]>>
  tile.return %values : tensor<?xf32, #tile.dims<[M]>>
}

//===- the kernel ---------------------------------------------------------===//

!rows = tensor<?xi32, #tile.dims<[BM]>>
!columns = tensor<?xi32, #tile.dims<[BN]>>
!block = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!x_piece = tensor<?xf32, #tile.dims<[BN]>>
!x_row = tensor<1x?xf32, #tile.dims<[BN]>>
!y_piece = tensor<?xf32, #tile.dims<[BM]>>

tile.func @matvec(%a: !tile.ptr<f32>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {BM = 8, BN = 256} {
  tile.grid(%m : i32) {
    %bm = tile.meta BM : i32
    %programs = arith.ceildivsi %m, %bm : i32
    tile.yield %programs : i32
  }
  // 2 operations an element of A, which is read once, 4 bytes; x and y count for nothing.
  tile.cost(%m : i32, %n : i32) {
    %two = arith.constant 2 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %elements = arith.muli %m64, %n64 : i64
    %operations = arith.muli %elements, %two : i64
    %bytes = arith.muli %operations, %two : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %bm = tile.meta BM : i32
  %bn = tile.meta BN : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero : f32 -> !block

  %pid = tile.program_id x
  %first = arith.muli %pid, %bm : i32
  %rows = tile.call @range(%first) : (i32) -> !rows
  %total = scf.for %j = %c0 to %n step %bn iter_args(%before = %zeros) -> (!block) : i32 {
    %columns = tile.call @range(%j) : (i32) -> !columns
    %a_block = tile.call @load_block(%a, %rows, %columns, %n, %m, %n)
        : (!tile.ptr<f32>, !rows, !columns, i32, i32, i32) -> !block
    %x_piece = tile.call @load_vector(%x, %columns, %n) : (!tile.ptr<f32>, !columns, i32) -> !x_piece
    %x_row = tile.expand_dims %x_piece axis 0 : !x_piece -> !x_row
    %x_rows = tile.broadcast %x_row : !x_row -> !block
    %products = arith.mulf %a_block, %x_rows : !block
    %after = arith.addf %before, %products : !block
    scf.yield %after : !block
  }
  %y_piece = tile.reduce add %total axis 1 : !block -> !y_piece
  tile.call @store_vector(%y, %rows, %m, %y_piece) : (!tile.ptr<f32>, !rows, i32, !y_piece) -> ()
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func @main(%m: i32 {tile_host.default = 1000 : i32}, %n: i32 {tile_host.default = 513 : i32}) {
  %a = tile_host.random(%m, %n) seed 1 : (i32, i32) -> memref<?x?xf32>
  %x = tile_host.random(%n) seed 2 : (i32) -> memref<?xf32>
  %y = tile_host.alloc(%m) : (i32) -> memref<?xf32>
  tile_host.launch @matvec(%a, %x, %y, %m, %n) : memref<?x?xf32>, memref<?xf32>, memref<?xf32>, i32, i32

  %want = tile_host.alloc(%m) : (i32) -> memref<?xf64>
  linalg.matvec ins(%a, %x : memref<?x?xf32>, memref<?xf32>) outs(%want : memref<?xf64>)
  tile_host.expect_close %y, %want {atol = 1.0e-4, rtol = 1.0e-6} : memref<?xf32>, memref<?xf64>
  return
}
