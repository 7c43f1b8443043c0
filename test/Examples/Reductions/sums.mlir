// The sums of a matrix along its rows and along its columns.
//
//   tile-run sums.mlir                    1000 x 513
//   tile-run sums.mlir --args 4096,4096   other rows and columns
//
// Both kernels walk over a stripe of the matrix, block by block, and add the blocks up element by element.
// Only at the end is the one block that is left reduced: along axis 1 for @row_sums, whose stripe is BM whole
// rows, along axis 0 for @column_sums, whose stripe is BN whole columns.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1009 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,1 -D BM=16 -D BN=32 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1024,2048 | FileCheck %s
// RUN: tile-run %s --check --args 37,300
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 2 comparisons
// CHECK: : row_sums({{.*}}GB/s
// CHECK: : column_sums({{.*}}GB/s

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

//===- the kernels --------------------------------------------------------===//

!rows = tensor<?xi32, #tile.dims<[BM]>>
!columns = tensor<?xi32, #tile.dims<[BN]>>
!block = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!row_sums = tensor<?xf32, #tile.dims<[BM]>>
!column_sums = tensor<?xf32, #tile.dims<[BN]>>

tile.func @row_sums(%x: !tile.ptr<f32>, %sums: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {BM = 8, BN = 256} {
  tile.grid(%m : i32) {
    %bm = tile.meta BM : i32
    %programs = arith.ceildivsi %m, %bm : i32
    tile.yield %programs : i32
  }
  // An addition an element, which is read once, 4 bytes; the sums count for nothing.
  tile.cost(%m : i32, %n : i32) {
    %four = arith.constant 4 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %operations = arith.muli %m64, %n64 : i64
    %bytes = arith.muli %operations, %four : i64
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
    %block = tile.call @load_block(%x, %rows, %columns, %n, %m, %n)
        : (!tile.ptr<f32>, !rows, !columns, i32, i32, i32) -> !block
    %after = arith.addf %before, %block : !block
    scf.yield %after : !block
  }
  %row_sums = tile.reduce add %total axis 1 : !block -> !row_sums
  tile.call @store_vector(%sums, %rows, %m, %row_sums) : (!tile.ptr<f32>, !rows, i32, !row_sums) -> ()
  tile.return
}

tile.func @column_sums(%x: !tile.ptr<f32>, %sums: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {BM = 32, BN = 64} {
  tile.grid(%n : i32) {
    %bn = tile.meta BN : i32
    %programs = arith.ceildivsi %n, %bn : i32
    tile.yield %programs : i32
  }
  tile.cost(%m : i32, %n : i32) {
    %four = arith.constant 4 : i64
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %operations = arith.muli %m64, %n64 : i64
    %bytes = arith.muli %operations, %four : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %bm = tile.meta BM : i32
  %bn = tile.meta BN : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero : f32 -> !block

  %pid = tile.program_id x
  %first = arith.muli %pid, %bn : i32
  %columns = tile.call @range(%first) : (i32) -> !columns
  %total = scf.for %i = %c0 to %m step %bm iter_args(%before = %zeros) -> (!block) : i32 {
    %rows = tile.call @range(%i) : (i32) -> !rows
    %block = tile.call @load_block(%x, %rows, %columns, %n, %m, %n)
        : (!tile.ptr<f32>, !rows, !columns, i32, i32, i32) -> !block
    %after = arith.addf %before, %block : !block
    scf.yield %after : !block
  }
  %column_sums = tile.reduce add %total axis 0 : !block -> !column_sums
  tile.call @store_vector(%sums, %columns, %n, %column_sums) : (!tile.ptr<f32>, !columns, i32, !column_sums) -> ()
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func @main(%m: i32 {tile_host.default = 1000 : i32}, %n: i32 {tile_host.default = 513 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 : (i32, i32) -> memref<?x?xf32>
  %row_sums = tile_host.alloc(%m) : (i32) -> memref<?xf32>
  %column_sums = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @row_sums(%x, %row_sums, %m, %n) : memref<?x?xf32>, memref<?xf32>, i32, i32
  tile_host.launch @column_sums(%x, %column_sums, %m, %n) : memref<?x?xf32>, memref<?xf32>, i32, i32

  // In f64, both in one pass along the rows.
  %row_want = tile_host.alloc(%m) : (i32) -> memref<?xf64>
  %column_want = tile_host.alloc(%n) : (i32) -> memref<?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                   affine_map<(i, j) -> (j)>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%row_want, %column_want : memref<?xf64>, memref<?xf64>) {
  ^bb0(%value: f32, %row_sum: f64, %column_sum: f64):
    %value64 = arith.extf %value : f32 to f64
    %row_next = arith.addf %row_sum, %value64 : f64
    %column_next = arith.addf %column_sum, %value64 : f64
    linalg.yield %row_next, %column_next : f64, f64
  }
  tile_host.expect_close %row_sums, %row_want {atol = 2.0e-4, rtol = 1.0e-6} : memref<?xf32>, memref<?xf64>
  tile_host.expect_close %column_sums, %column_want {atol = 2.0e-4, rtol = 1.0e-6} : memref<?xf32>, memref<?xf64>
  return
}
