// Where the largest element of each row is: a reduction of two values at a time.
//
//   tile-run argmax.mlir                   1000 x 513
//   tile-run argmax.mlir --args 64,50000   other rows and columns
//
// A program does one row. It keeps, for each of N lanes, the largest value that passed there and its column; then
// one tile.reduce of both, whose region says which of two pairs wins: the larger value, or of equal ones the
// smaller column. So the first of several largest elements is found, whatever order they meet in.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,1009 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,2 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 16,50000 | FileCheck %s
// RUN: tile-run %s --check --args 7,1030
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: : argmax({{.*}}GB/s

!lanes = tensor<?xi32, #tile.dims<[N]>>
!values = tensor<?xi16, #tile.dims<[N]>>

tile.func @argmax(%x: !tile.ptr<i16>, %out: !tile.ptr<i32>, %m: i32, %n: i32) meta {N = 1024} {
  tile.grid = %m
  // A comparison an element, which is read once, 2 bytes.
  tile.cost = %m * %n, %m * %n * 2
  %c0 = arith.constant 0 : i32
  // A row without elements has no largest.
  %some = tile.expr %n > 0
  tile.assume %some
  %size = tile.meta N : i32
  %lowests = tile.expr -32768 : !values

  // &x[row, 0]
  %row = tile.program_id x
  %start = tile.expr %x + i64(%row) * i64(%n)

  // For each lane: the largest value so far, and its column.
  %lanes = tile.expr arange(N)
  %values, %columns = scf.for %j = %c0 to %n step %size
      iter_args(%best = %lowests, %best_column = %lanes) -> (!values, !lanes) : i32 {
    %columns = tile.expr %j + %lanes
    %in = tile.expr %columns < %n
    %ptrs = tile.expr %start + %columns
    %values = tile.load %ptrs, %in, %lowests
    %larger = tile.expr %values > %best
    %next = tile.expr select(%larger, %values, %best)
    %next_column = tile.expr select(%larger, %columns, %best_column)
    scf.yield %next, %next_column : !values, !lanes
  }
  %value, %column = tile.reduce %values, %columns axis 0 {
  ^bb0(%value_a: i16, %column_a: i32, %value_b: i16, %column_b: i32):
    %larger = tile.expr %value_a > %value_b
    %a = tile.expr %larger or %value_a == %value_b and %column_a < %column_b
    %value = tile.expr select(%a, %value_a, %value_b)
    %column = tile.expr select(%a, %column_a, %column_b)
    tile.yield %value, %column
  }
  %out_ptr = tile.expr %out + %row
  tile.store %out_ptr, %column
  tile.return
}

// Random i16 are small whole numbers: in a row of any length the largest is there more than once.
func.func @main(%m: i32 {tile_host.default = 1000 : i32}, %n: i32 {tile_host.default = 513 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 -> memref<?x?xi16>
  %out = tile_host.alloc(%m) -> memref<?xi32>
  tile_host.launch @argmax(%x, %out, %m, %n)

  %want = tile_host.alloc(%m) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.index_cast %m : i32 to index
  %columns = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %rows step %c1 {
    %first = memref.load %x[%i, %c0] : memref<?x?xi16>
    %value, %column = scf.for %j = %c1 to %columns step %c1
        iter_args(%best = %first, %best_column = %c0) -> (i16, index) {
      %value = memref.load %x[%i, %j] : memref<?x?xi16>
      %larger = arith.cmpi sgt, %value, %best : i16
      %next = arith.select %larger, %value, %best : i16
      %next_column = arith.select %larger, %j, %best_column : index
      scf.yield %next, %next_column : i16, index
    }
    %column32 = arith.index_cast %column : index to i32
    memref.store %column32, %want[%i] : memref<?xi32>
  }
  tile_host.expect_close %out, %want
  return
}
