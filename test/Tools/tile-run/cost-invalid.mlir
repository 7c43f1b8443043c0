// A cost or a grid that divides by zero, or the least number by -1, is an error at the launch and
// no trap.
// RUN: not tile-run %s --target=cpu --args 100,0,1 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tile-run %s --target=cpu --args=-2147483648,-1,1 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not tile-run %s --target=cpu --args 100,1,0 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: tile-run %s --target=cpu --args 100,-1,1 | FileCheck %s --check-prefix=GOOD

tile.func @fill(%x: !tile.ptr<f32>, %n: i32, %d: i32, %programs: i32) {
  tile.grid(%programs : i32) {
    %one = arith.constant 1 : i32
    %q = arith.ceildivui %one, %programs : i32
    tile.yield %q : i32
  }
  tile.cost(%n : i32, %d : i32) {
    %q = arith.divsi %n, %d : i32
    %f = arith.extsi %q : i32 to i64
    tile.yield %f, %f : i64, i64
  }
  tile.return
}

func.func @main(%n: i32, %d: i32, %programs: i32) {
  %x = tile_host.alloc() : () -> memref<16xf32>
  // ZERO: cost-invalid.mlir:[[#@LINE+4]]:3: error: expected divisors other than 0 in the tile.grid and tile.cost of 'fill', found 100 / 0
  // LEAST: cost-invalid.mlir:[[#@LINE+3]]:3: error: expected divisors other than -1 for the least number in the tile.grid and tile.cost of 'fill', found -2147483648 / -1
  // GRID: cost-invalid.mlir:[[#@LINE+2]]:3: error: expected divisors other than 0 in the tile.grid and tile.cost of 'fill', found 1 / 0
  // GOOD: fill(100, -1, 1)
  tile_host.launch @fill(%x, %n, %d, %programs) : memref<16xf32>, i32, i32, i32
  return
}
