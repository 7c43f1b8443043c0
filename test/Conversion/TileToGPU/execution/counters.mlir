// Loops that count numbers without a sign: how many steps they have, and the sum of their counters. From -3 to -1, which are
// 2^32 - 3 and 2^32 - 1; from -1 to 0, which is below it; and from 2^31 - 2 to 2^31 + 2.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons

tile.func @count(%x: !tile.ptr<i32>, %low: i32, %high: i32) attributes {tile.num_warps = 1 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %steps, %sum = scf.for unsigned %i = %low to %high step %c1 iter_args(%n = %c0, %s = %c0) -> (i32, i32) : i32 {
    %m = arith.addi %n, %c1 : i32
    %t = arith.addi %s, %i : i32
    scf.yield %m, %t : i32, i32
  }
  tile.store %x, %steps : !tile.ptr<i32>
  %p = tile.addptr %x, %c1 : !tile.ptr<i32>, i32
  tile.store %p, %sum : !tile.ptr<i32>
  tile.return
}

func.func @check(%low: i32, %high: i32, %steps: i32, %sum: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = arith.constant -7 : i32
  %x = tile_host.alloc() : () -> memref<2xi32>
  %want = tile_host.alloc() : () -> memref<2xi32>
  memref.store %minus, %x[%c0] : memref<2xi32>
  memref.store %minus, %x[%c1] : memref<2xi32>
  memref.store %steps, %want[%c0] : memref<2xi32>
  memref.store %sum, %want[%c1] : memref<2xi32>
  tile_host.launch @count(%x, %low, %high) : memref<2xi32>, i32, i32
  tile_host.expect_close %x, %want : memref<2xi32>, memref<2xi32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %minus1 = arith.constant -1 : i32
  %minus2 = arith.constant -2 : i32
  %minus3 = arith.constant -3 : i32
  %minus5 = arith.constant -5 : i32
  %near = arith.constant 2147483646 : i32
  %behind = arith.constant -2147483646 : i32
  func.call @check(%minus3, %minus1, %c2, %minus5) : (i32, i32, i32, i32) -> ()
  func.call @check(%minus1, %c0, %c0, %c0) : (i32, i32, i32, i32) -> ()
  func.call @check(%near, %behind, %c4, %minus2) : (i32, i32, i32, i32) -> ()
  return
}
