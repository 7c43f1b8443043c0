// A failed tile.assert: its place, the first program (x fastest) and the first element. What was
// printed before appears; the program goes no further, and what the assert guards does not happen.
//
// RUN: not tile-run %s --target=cpu --args 4,3,5 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not tile-run %s --target=cpu --args 4,3,9 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: tile-run %s --target=cpu --args 2,2,9 --repeat 1 | FileCheck %s --check-prefix=HOLDS
// RUN: %if gpu %{ not tile-run %s --target=gpu --args 4,3,5 2>&1 | FileCheck %s --check-prefix=TILE %}
// RUN: %if gpu %{ not tile-run %s --target=gpu --args 4,3,9 2>&1 | FileCheck %s --check-prefix=SCALAR %}
// RUN: %if gpu %{ tile-run %s --target=gpu --args 2,2,9 --repeat 1 | FileCheck %s --check-prefix=HOLDS %}

// TILE: pid (0, 0, 0) start
// TILE-NOT: pid (3, 0, 0) after
// TILE: pid (3, 2, 0) start
// TILE-NOT: after
// TILE: assert-invalid.mlir:[[#@LINE+22]]:3: error: expected assertion "below the limit" to hold, found it false in program (0, 0, 0) at [1, 1]
// TILE-NOT: error

// SCALAR: pid (0, 0, 0) after
// SCALAR-NOT: pid (3, 0, 0) after
// SCALAR: pid (2, 1, 0) after
// SCALAR: assert-invalid.mlir:[[#@LINE+17]]:3: error: expected assertion "three columns" to hold, found it false in program (3, 0, 0)
// SCALAR-NOT: error

// HOLDS-COUNT-4: after
tile.func @check(%x: !tile.ptr<i32>, %columns: i32, %rows: i32, %limit: i32) {
  tile.grid(%columns : i32, %rows : i32) {
    tile.yield %columns, %rows : i32, i32
  }
  tile.print "start"
  %col = tile.program_id x
  %three = arith.constant 3 : i32
  %few = arith.cmpi slt, %col, %three : i32
  %i = tile.arange : tensor<8xi32>
  %ends = tile.splat %limit : i32 -> tensor<8xi32>
  %in = arith.cmpi slt, %i, %ends : tensor<8xi32>
  %square = tile.reshape %in : tensor<8xi1> -> tensor<2x4xi1>
  tile.assert %square, "below the limit" : tensor<2x4xi1>
  tile.assert %few, "three columns" : i1
  tile.print "after"
  // Out of bounds by far where an assert has failed.
  %far = arith.constant 1073741824 : i32
  %zero = arith.constant 0 : i32
  %at = arith.select %few, %zero, %far : i32
  %p = tile.addptr %x, %at : !tile.ptr<i32>, i32
  tile.store %p, %limit : !tile.ptr<i32>
  tile.return
}

func.func @main(%columns: i32, %rows: i32, %limit: i32) {
  %one = arith.constant 1 : index
  %x = tile_host.alloc(%one) : (index) -> memref<?xi32>
  tile_host.launch @check(%x, %columns, %rows, %limit) : memref<?xi32>, i32, i32, i32
  return
}
