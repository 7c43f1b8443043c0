// A kernel without a grid runs on the launch's, and so does one with a grid of its own: rows of a matrix, some of them.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons
//
// RUN: tile-run %s --target=cpu --kernel fill --grid 2,3 --arg zeros:i32[6]:out=%t.npy --arg 3
// RUN: not tile-run %s --target=cpu --kernel fill --arg zeros:i32[6] --arg 3 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: error: expected kernel 'fill' to have a tile.grid, or the launch to give one (grid(%n), --grid), found neither
// RUN: not tile-run %s --target=cpu --args 0,-1 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: grid.mlir:{{[0-9]+}}:3: error: expected

// x[i, j] = i + 10 j + 1 of a matrix with rows of `columns`.
tile.func @fill(%x: !tile.ptr<i32>, %columns: i32) {
  %p = tile.expr %x + (program_id(x) * %columns + program_id(y))
  %v = tile.expr program_id(x) + 10 * program_id(y) + 1
  tile.store %p, %v
  tile.return
}

tile.func @ones(%x: !tile.ptr<i32>, %n: i32) {
  tile.grid = %n
  %p = tile.expr %x + program_id(x)
  %one = arith.constant 1 : i32
  tile.store %p, %one
  tile.return
}

func.func @main(%rows: i32 {tile_host.default = 2 : i32}, %columns: i32 {tile_host.default = 3 : i32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %x = tile_host.alloc() : () -> memref<2x3xi32>
  tile_host.launch @fill(%x, %columns) grid(%rows, %columns) : memref<2x3xi32>, i32
  %want = tile_host.alloc() : () -> memref<2x3xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %a = arith.index_cast %i : index to i32
      %b = arith.index_cast %j : index to i32
      %c = arith.muli %b, %ten : i32
      %d = arith.addi %a, %c : i32
      %v = arith.addi %d, %one : i32
      memref.store %v, %want[%i, %j] : memref<2x3xi32>
    }
  }
  tile_host.expect_close %x, %want : memref<2x3xi32>, memref<2x3xi32>

  // Five of its own, two of the launch's.
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  %own = tile_host.alloc() : () -> memref<5xi32>
  tile_host.launch @ones(%own, %five) : memref<5xi32>, i32
  %some = tile_host.alloc() : () -> memref<5xi32>
  tile_host.launch @ones(%some, %five) grid(%two) : memref<5xi32>, i32
  %want_own = tile_host.alloc() : () -> memref<5xi32>
  %want_some = tile_host.alloc() : () -> memref<5xi32>
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %one, %want_own[%i] : memref<5xi32>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %one, %want_some[%i] : memref<5xi32>
  }
  tile_host.expect_close %own, %want_own : memref<5xi32>, memref<5xi32>
  tile_host.expect_close %some, %want_some : memref<5xi32>, memref<5xi32>
  return
}
