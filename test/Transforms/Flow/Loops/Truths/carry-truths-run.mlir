// Which columns have a number above a bound in any row, in all rows, and in an odd number of rows, 16 columns a thread.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 37 | FileCheck %s
// And on a GPU, if there is one.
// RUN: tile-run %s --repeat 1 --args 37 -D num_warps=4 | FileCheck %s
// RUN: tile-run %s --repeat 1 --args 0 -D num_warps=2 | FileCheck %s
// CHECK: largest error 0, relative 0, in 1 comparison

tile.func @columns(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<false> : tensor<2048xi1>
  %every = arith.constant dense<true> : tensor<2048xi1>
  %found:3 = scf.for %k = %c0 to %n step %c1 iter_args(%any = %none, %all = %every, %odd = %none) -> (tensor<2048xi1>, tensor<2048xi1>, tensor<2048xi1>) : i32 {
    %from = tile.expr %x + %k * 2048 + arange(2048)
    %v = tile.load %from
    %is = tile.expr %v > 3
    %some = tile.expr %v > 0 - 5
    %more = arith.ori %any, %is : tensor<2048xi1>
    %both = arith.andi %some, %all : tensor<2048xi1>
    %turned = arith.xori %odd, %is : tensor<2048xi1>
    scf.yield %more, %both, %turned : tensor<2048xi1>, tensor<2048xi1>, tensor<2048xi1>
  }
  %a = arith.extui %found#0 : tensor<2048xi1> to tensor<2048xi32>
  %b = arith.extui %found#1 : tensor<2048xi1> to tensor<2048xi32>
  %c = arith.extui %found#2 : tensor<2048xi1> to tensor<2048xi32>
  %sum = tile.expr %a + 2 * %b + 4 * %c
  %to = tile.expr %out + arange(2048)
  tile.store %to, %sum
  tile.return
}

func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = arith.constant 2048 : index
  %n1 = arith.addi %n, %c1 : index
  %size = arith.muli %n1, %columns : index
  %x = tile_host.alloc(%size) : (index) -> memref<?xi32>
  %out = tile_host.alloc(%columns) : (index) -> memref<?xi32>
  %want = tile_host.alloc(%columns) : (index) -> memref<?xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %least = arith.constant -5 : i32
  %eleven = arith.constant 11 : i32
  %thirteen = arith.constant 13 : i32
  %seventeen = arith.constant 17 : i32
  scf.for %j = %c0 to %columns step %c1 {
    %found:3 = scf.for %i = %c0 to %n step %c1 iter_args(%any = %zero, %all = %one, %odd = %zero) -> (i32, i32, i32) {
      // (13 (i + 2) (j + 1)) % 17 - 11: most columns have all of it.
      %i32 = arith.index_cast %i : index to i32
      %j32 = arith.index_cast %j : index to i32
      %row = arith.addi %i32, %two : i32
      %column = arith.addi %j32, %one : i32
      %product = arith.muli %row, %column : i32
      %more = arith.muli %product, %thirteen : i32
      %rest = arith.remsi %more, %seventeen : i32
      %v = arith.subi %rest, %eleven : i32
      %first = arith.muli %i, %columns : index
      %at = arith.addi %first, %j : index
      memref.store %v, %x[%at] : memref<?xi32>
      %is = arith.cmpi sgt, %v, %three : i32
      %some = arith.cmpi sgt, %v, %least : i32
      %is32 = arith.extui %is : i1 to i32
      %some32 = arith.extui %some : i1 to i32
      %a = arith.ori %any, %is32 : i32
      %b = arith.andi %all, %some32 : i32
      %c = arith.xori %odd, %is32 : i32
      scf.yield %a, %b, %c : i32, i32, i32
    }
    %b = arith.muli %found#1, %two : i32
    %c = arith.muli %found#2, %four : i32
    %ab = arith.addi %found#0, %b : i32
    %abc = arith.addi %ab, %c : i32
    memref.store %abc, %want[%j] : memref<?xi32>
  }
  %rows = arith.index_cast %n : index to i32
  tile_host.launch @columns(%x, %out, %rows) : memref<?xi32>, memref<?xi32>, i32
  tile_host.expect_close %out, %want : memref<?xi32>, memref<?xi32>
  return
}
