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
!mxn_f32 = tensor<?x?xf32, #tile.dims<[M, N]>>

// base[rows, columns] of a matrix of `stride` elements a row: 0 where there is none.
tile.func private @load_block(%base: !tile.ptr<f32>, %rows: !m, %columns: !n, %stride: i32,
                              %row_end: i32, %column_end: i32) -> !mxn_f32 {
  %col = tile.expr col(%rows)
  %row = tile.expr row(%columns)
  %mask = tile.expr %col < %row_end and %row < %column_end
  %ptrs = tile.expr %base + (%col * %stride + %row)
  %block = tile.load %ptrs, %mask
  tile.return %block
}

// base[indices] = values, as far as there are elements.
tile.func private @store_vector(%base: !tile.ptr<f32>, %indices: !m, %end: i32,
                                %values: tensor<?xf32, #tile.dims<[M]>>) {
  %mask = tile.expr %indices < %end
  %ptrs = tile.expr %base + %indices
  tile.store %ptrs, %values, %mask
  tile.return
}

//===- the kernels --------------------------------------------------------===//

!block = tensor<?x?xf32, #tile.dims<[BM, BN]>>

tile.func @row_sums(%x: !tile.ptr<f32>, %sums: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {BM = 8, BN = 256} {
  tile.grid = %m ceildiv BM
  // An addition an element, which is read once, 4 bytes; the sums count for nothing.
  tile.cost = %m * %n, %m * %n * 4
  %bn = tile.meta BN : i32
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0.0 : !block

  %rows = tile.expr program_id(x) * BM + arange(BM)
  %total = scf.for %j = %c0 to %n step %bn iter_args(%before = %zeros) -> (!block) : i32 {
    %columns = tile.expr %j + arange(BN)
    %block = tile.call @load_block(%x, %rows, %columns, %n, %m, %n) -> !block
    %after = tile.expr %before + %block
    scf.yield %after : !block
  }
  %row_sums = tile.reduce add %total axis 1
  tile.call @store_vector(%sums, %rows, %m, %row_sums)
  tile.return
}

tile.func @column_sums(%x: !tile.ptr<f32>, %sums: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {BM = 32, BN = 64} {
  tile.grid = %n ceildiv BN
  tile.cost = %m * %n, %m * %n * 4
  %bm = tile.meta BM : i32
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0.0 : !block

  %columns = tile.expr program_id(x) * BN + arange(BN)
  %total = scf.for %i = %c0 to %m step %bm iter_args(%before = %zeros) -> (!block) : i32 {
    %rows = tile.expr %i + arange(BM)
    %block = tile.call @load_block(%x, %rows, %columns, %n, %m, %n) -> !block
    %after = tile.expr %before + %block
    scf.yield %after : !block
  }
  %column_sums = tile.reduce add %total axis 0
  tile.call @store_vector(%sums, %columns, %n, %column_sums)
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func @main(%m: i32 {tile_host.default = 1000 : i32}, %n: i32 {tile_host.default = 513 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 -> memref<?x?xf32>
  %row_sums = tile_host.alloc(%m) -> memref<?xf32>
  %column_sums = tile_host.alloc(%n) -> memref<?xf32>
  tile_host.launch @row_sums(%x, %row_sums, %m, %n)
  tile_host.launch @column_sums(%x, %column_sums, %m, %n)

  // In f64, both in one pass along the rows.
  %row_want = tile_host.alloc(%m) -> memref<?xf64>
  %column_want = tile_host.alloc(%n) -> memref<?xf64>
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
  tile_host.expect_close %row_sums, %row_want {atol = 2.0e-4, rtol = 1.0e-6}
  tile_host.expect_close %column_sums, %column_want {atol = 2.0e-4, rtol = 1.0e-6}
  return
}
