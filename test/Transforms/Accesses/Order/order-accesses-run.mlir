// A kernel reads what it wrote by the same pointers: every other element of %out goes to %again, which other threads
// write, 16 bytes each; and a number in memory counts the steps of a loop, of which each thread makes some.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 3001 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 3001 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 3001 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons

tile.func @again(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %again: !tile.ptr<i32>, %n: i32) {
  tile.grid = %n ceildiv 1024
  %i = tile.expr program_id(x) * 1024 + arange(1024)
  %in = tile.expr %i < %n
  %from = tile.expr %x + %i
  %v = tile.load %from, %in
  %apart = tile.expr %out + (2 * %i + 1)
  tile.store %apart, %v, %in
  // Elsewhere: so that the value is not known without a look at memory.
  %even = tile.expr %out + 2 * %i
  tile.store %even, %i, %in
  %w = tile.load %apart, %in
  %to = tile.expr %again + %i
  tile.store %to, %w, %in
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  scf.for %k = %zero to %nine step %one : i32 {
    %had = tile.load %apart, %in
    %odd = tile.load %to, %in
    %sum = tile.expr %had + %odd - %w + 1
    tile.store %apart, %sum, %in
  }
  tile.return
}

func.func @main(%n: index) {
  %two = arith.constant 2 : index
  %twice = arith.muli %n, %two : index
  %x = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %out = tile_host.alloc(%twice) : (index) -> memref<?xi32>
  %again = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %want = tile_host.alloc(%twice) : (index) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nine = arith.constant 9 : i32
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.muli %i, %two : index
    %next = arith.addi %at, %c1 : index
    %number = arith.index_cast %i : index to i32
    %square = arith.muli %number, %number : i32
    %counted = arith.addi %square, %nine : i32
    memref.store %square, %x[%i] : memref<?xi32>
    memref.store %number, %want[%at] : memref<?xi32>
    memref.store %counted, %want[%next] : memref<?xi32>
  }
  %count = arith.index_cast %n : index to i32
  tile_host.launch @again(%x, %out, %again, %count) : memref<?xi32>, memref<?xi32>, memref<?xi32>, i32
  tile_host.expect_close %out, %want : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %again, %x : memref<?xi32>, memref<?xi32>
  return
}
