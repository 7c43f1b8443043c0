// What is read is what was there before the program overwrote it: rows that are cleared, by threads that store 16 bytes of what others read
// under a mask, and a row doubled in its place, whose greatest is wanted behind (a row that registers do not hold is refused: LoopOverParts).
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 40 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 3000 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 3000 -D num_warps=2 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 4 comparisons

tile.func @cleared(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %rows: i32) {
  tile.grid = %rows
  %zero = arith.constant dense<0> : tensor<1024xi32>
  %i = tile.expr arange(1024)
  %in = tile.expr %i < 1001
  %at = tile.expr program_id(x) * 1024 + %i
  %p = tile.expr %x + %at
  %v = tile.load %p, %in
  tile.store %p, %zero
  %q = tile.expr %y + %at
  tile.store %q, %v
  tile.return
}

tile.func @doubled(%x: !tile.ptr<i32>, %most: !tile.ptr<i32>) {
  tile.grid = 1
  %p = tile.expr %x + arange(8192)
  %v = tile.load %p
  %w = tile.expr %v + %v
  tile.store %p, %w
  %m = tile.reduce max %v axis 0 : tensor<8192xi32> -> i32
  tile.store %most, %m
  tile.return
}

func.func @main(%rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant 1024 : index
  %end = arith.constant 1001 : index
  %all = arith.muli %rows, %width : index
  %zero = arith.constant 0 : i32
  %x = tile_host.alloc(%all) : (index) -> memref<?xi32>
  %y = tile_host.alloc(%all) : (index) -> memref<?xi32>
  %none = tile_host.alloc(%all) : (index) -> memref<?xi32>
  %want = tile_host.alloc(%all) : (index) -> memref<?xi32>
  scf.for %i = %c0 to %all step %c1 {
    %value = arith.index_cast %i : index to i32
    %lane = arith.remui %i, %width : index
    %in = arith.cmpi ult, %lane, %end : index
    %read = arith.select %in, %value, %zero : i32
    memref.store %value, %x[%i] : memref<?xi32>
    memref.store %zero, %none[%i] : memref<?xi32>
    memref.store %read, %want[%i] : memref<?xi32>
  }
  %count = arith.index_cast %rows : index to i32
  tile_host.launch @cleared(%x, %y, %count) : memref<?xi32>, memref<?xi32>, i32
  tile_host.expect_close %x, %none : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %y, %want : memref<?xi32>, memref<?xi32>

  %long = arith.constant 8192 : index
  %last = arith.constant 8191 : i32
  %row = tile_host.alloc(%long) : (index) -> memref<?xi32>
  %twice = tile_host.alloc(%long) : (index) -> memref<?xi32>
  %most = tile_host.alloc(%c1) : (index) -> memref<?xi32>
  %wanted = tile_host.alloc(%c1) : (index) -> memref<?xi32>
  scf.for %i = %c0 to %long step %c1 {
    %value = arith.index_cast %i : index to i32
    %double = arith.addi %value, %value : i32
    memref.store %value, %row[%i] : memref<?xi32>
    memref.store %double, %twice[%i] : memref<?xi32>
  }
  memref.store %last, %wanted[%c0] : memref<?xi32>
  tile_host.launch @doubled(%row, %most) : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %row, %twice : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %most, %wanted : memref<?xi32>, memref<?xi32>
  return
}
