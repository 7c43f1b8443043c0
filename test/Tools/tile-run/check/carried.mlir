// Pointers that a loop swaps are of either array, and each access is held against the one that it reaches: nothing is found of the first kernel,
// and of the second what is read behind the shorter array. One that moves on alone is of the array that it begins in.
//
// RUN: not tile-run %s --check 2>&1 | FileCheck %s
// CHECK: error: expected an address inside an array, found one of none read by program (0, 0, 0)
// CHECK: error: expected an address inside an array, found one of none written by program (0, 0, 0)
// CHECK: error: expected an element of %x (8xi32), 0 to 7, found element 8 read by program (0, 0, 0)
// CHECK-NOT: error:

tile.func @swapped(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %steps: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %steps step %c1 iter_args(%p = %x, %q = %y) -> (!tile.ptr<i32>, !tile.ptr<i32>) : i32 {
    %at = tile.addptr %p, %k : !tile.ptr<i32>, i32
    %v = tile.load %at : !tile.ptr<i32>
    tile.store %at, %v : !tile.ptr<i32>
    scf.yield %q, %p : !tile.ptr<i32>, !tile.ptr<i32>
  }
  tile.return
}

tile.func @moved(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %steps: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %steps step %c1 iter_args(%p = %x) -> (!tile.ptr<i32>) : i32 {
    %v = tile.load %p : !tile.ptr<i32>
    %next = tile.addptr %p, %c1 : !tile.ptr<i32>, i32
    scf.yield %next : !tile.ptr<i32>
  }
  tile.return
}

func.func @main() {
  %four = arith.constant 4 : i32
  %six = arith.constant 6 : i32
  %eight = arith.constant 8 : i32
  %nine = arith.constant 9 : i32
  %x = tile_host.random(%eight) seed 1 : (i32) -> memref<?xi32>
  %y = tile_host.random(%four) seed 2 : (i32) -> memref<?xi32>
  tile_host.launch @swapped(%x, %y, %four) : memref<?xi32>, memref<?xi32>, i32
  tile_host.launch @swapped(%x, %y, %six) : memref<?xi32>, memref<?xi32>, i32
  tile_host.launch @moved(%x, %y, %nine) : memref<?xi32>, memref<?xi32>, i32
  return
}
