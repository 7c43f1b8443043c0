// Rows are added up from their beginning, and what is less than the sum is counted on from their end, in place; rows of
// one step, of some, and of one that is not whole.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,3001 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 3,3001 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 300,256 -D num_warps=8 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 40,1024 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

tile.func @rows(%x: !tile.ptr<i32>, %m: i32, %n: i32) {
  tile.grid = %m
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0> : tensor<256xi32>
  %row = tile.expr %x + program_id(x) * %n
  %sums = scf.for %k = %c0 to %n step %c256 iter_args(%acc = %zero) -> (tensor<256xi32>) : i32 {
    %at = tile.expr %k + arange(256)
    %in = tile.expr %at < %n
    %from = tile.expr %row + %at
    %v = tile.load %from, %in, %zero
    %next = arith.addi %acc, %v : tensor<256xi32>
    scf.yield %next : tensor<256xi32>
  }
  %sum = tile.reduce add %sums axis 0 : tensor<256xi32> -> i32
  scf.for %k = %c0 to %n step %c256 : i32 {
    %at = tile.expr %k + arange(256)
    %in = tile.expr %at < %n
    %from = tile.expr %row + %at
    %v = tile.load %from, %in
    %w = tile.expr %sum - %v
    tile.store %from, %w, %in
  }
  tile.return
}

func.func @main(%m: index, %n: index) {
  %all = arith.muli %m, %n : index
  %x = tile_host.alloc(%all) : (index) -> memref<?xi32>
  %want = tile_host.alloc(%all) : (index) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  scf.for %i = %c0 to %m step %c1 {
    %first = arith.muli %i, %n : index
    // i + j along the row: n i + n (n - 1) / 2 in all.
    %before = arith.subi %n, %c1 : index
    %pairs = arith.muli %n, %before : index
    %pairs32 = arith.index_cast %pairs : index to i32
    %half = arith.divsi %pairs32, %c2 : i32
    %own = arith.muli %i, %n : index
    %own32 = arith.index_cast %own : index to i32
    %sum = arith.addi %own32, %half : i32
    scf.for %j = %c0 to %n step %c1 {
      %at = arith.addi %first, %j : index
      %number = arith.addi %i, %j : index
      %value = arith.index_cast %number : index to i32
      %rest = arith.subi %sum, %value : i32
      memref.store %value, %x[%at] : memref<?xi32>
      memref.store %rest, %want[%at] : memref<?xi32>
    }
  }
  %rows = arith.index_cast %m : index to i32
  %columns = arith.index_cast %n : index to i32
  tile_host.launch @rows(%x, %rows, %columns) : memref<?xi32>, i32, i32
  tile_host.expect_close %x, %want : memref<?xi32>, memref<?xi32>
  return
}
