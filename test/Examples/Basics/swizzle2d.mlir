// What tile.swizzle2d does to a grid of 5 x 4 programs in groups of 3, shown with a table.
//
// Programs that run at the same time share a cache, so the order in which they walk over a matrix
// matters. In row-major order nine programs in a row touch one row of blocks and nine columns; in
// the order below, three rows and three columns:
//
//    0  1  2  3               0  3  6  9
//    4  5  6  7               1  4  7 10
//    8  9 10 11    becomes    2  5  8 11
//   12 13 14 15              12 14 16 18
//   16 17 18 19              13 15 17 19
//
// Groups of 3 rows are walked column by column. The last group has only 2 rows, since 3 does not
// divide 5. To get the table, each program reads x at the position it has in the grid and writes it
// to z at the position that swizzle2d gives it; x counts 0 .. 19, z is -1 before. Each program's
// tile has one element.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: tile-run %s --target=cpu --repeat 1 --args 5,4 -D GROUP=5 | FileCheck %s --check-prefix=COLUMNS
// RUN: tile-run %s --target=cpu --repeat 1 --args 5,4 -D GROUP=1 | FileCheck %s --check-prefix=ROWS
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,13 -D GROUP=4 | FileCheck %s --check-prefix=ANY
// RUN: tile-run %s --check --args 7,13 -D GROUP=4
// CHECK:5x4xi32
// CHECK-NEXT:{{\[\[}} 0  3  6  9]
// CHECK-NEXT: [ 1  4  7 10]
// CHECK-NEXT: [ 2  5  8 11]
// CHECK-NEXT: [12 14 16 18]
// CHECK-NEXT: [13 15 17 19]]
// COLUMNS: {{\[\[}} 0  5 10 15]
// COLUMNS: [ 4  9 14 19]]
// ROWS: {{\[\[}} 0  1  2  3]
// ROWS: [16 17 18 19]]
// ONE: {{\[\[}}0]]
// ANY: largest error 0, relative 0, in 1 comparison

tile.func @swizzle(%x: !tile.ptr<i32>, %z: !tile.ptr<i32>, %rows: i32, %cols: i32)
    meta {GROUP = 3} {
  tile.grid = %rows, %cols
  %i = tile.program_id x
  %j = tile.program_id y
  %size_i = tile.num_programs x
  %size_j = tile.num_programs y
  %group = tile.meta GROUP : i32
  %new_i, %new_j = tile.swizzle2d %i, %j, %size_i, %size_j, %group

  // z[new_i, new_j] = x[i, j]
  %x_offset = tile.call @row_major(%i, %j, %size_j) -> i32
  %z_offset = tile.call @row_major(%new_i, %new_j, %size_j) -> i32
  %x_ptr = tile.expr %x + %x_offset
  %z_ptr = tile.expr %z + %z_offset
  %value = tile.load %x_ptr
  tile.store %z_ptr, %value
  tile.return
}

tile.func private @row_major(%i: i32, %j: i32, %cols: i32) -> i32 {
  %offset = tile.expr %i * %cols + %j
  tile.return %offset
}

func.func @main(%rows: i32 {tile_host.default = 5 : i32}, %cols: i32 {tile_host.default = 4 : i32}) {
  %x = tile_host.alloc(%rows, %cols) -> memref<?x?xi32>
  %z = tile_host.alloc(%rows, %cols) -> memref<?x?xi32>
  %empty = arith.constant -1 : i32
  linalg.fill ins(%empty : i32) outs(%z : memref<?x?xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} outs(%x : memref<?x?xi32>) {
  ^bb0(%old: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %cols_index = arith.index_cast %cols : i32 to index
    %above = arith.muli %i, %cols_index : index
    %position = arith.addi %above, %j : index
    %value = arith.index_cast %position : index to i32
    linalg.yield %value : i32
  }
  tile_host.launch @swizzle(%x, %z, %rows, %cols)
  tile_host.dump %z

  // Whatever the group is, z holds each number once: counted, and the counts compared with ones.
  %counts = tile_host.alloc(%rows, %cols) -> memref<?x?xi32>
  %ones = tile_host.alloc(%rows, %cols) -> memref<?x?xi32>
  %one = arith.constant 1 : i32
  linalg.fill ins(%one : i32) outs(%ones : memref<?x?xi32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end_i = arith.index_cast %rows : i32 to index
  %end_j = arith.index_cast %cols : i32 to index
  %cells = arith.muli %end_i, %end_j : index
  scf.for %i = %c0 to %end_i step %c1 {
    scf.for %j = %c0 to %end_j step %c1 {
      %value = memref.load %z[%i, %j] : memref<?x?xi32>
      %position = arith.index_cast %value : i32 to index
      %at_i = arith.divui %position, %end_j : index
      %at_j = arith.remui %position, %end_j : index
      %inside = arith.cmpi ult, %position, %cells : index
      scf.if %inside {
        %count = memref.load %counts[%at_i, %at_j] : memref<?x?xi32>
        %more = arith.addi %count, %one : i32
        memref.store %more, %counts[%at_i, %at_j] : memref<?x?xi32>
      }
    }
  }
  tile_host.expect_close %counts, %ones
  return
}
