// Adds two vectors of any length: the smallest whole program.
//
//   tile-run vector_add.mlir                 98,432 elements, as the tutorials have it
//   tile-run vector_add.mlir --args 1000003  any other number
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1023 -D BLOCK=100 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 0 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000003 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 4096 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 16777216 | FileCheck %s
// RUN: tile-run %s --check --args 1023
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: cpu{{.*}}: add({{.*}}GB/s
// A grid of no programs is not launched, and nothing is timed.
// NONE: largest error 0, relative 0, in 1 comparison
// NONE-NOT: add(

tile.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32 {tile.key, tile.extent = [2, 0]})
    meta {BLOCK = 1024} {
  tile.grid = %n ceildiv BLOCK                                  // how many programs there are
  tile.cost = %n, 12 * %n                                       // operations and bytes, for figures
  %offs = tile.expr program_id(x) * BLOCK + arange(BLOCK)       // what each of them does
  %in = tile.expr %offs < %n                                    // lanes past the end touch nothing
  %xp = tile.expr %x + %offs
  %xv = tile.load %xp, %in
  %yp = tile.expr %y + %offs
  %yv = tile.load %yp, %in
  %sum = tile.expr %xv + %yv
  %outp = tile.expr %out + %offs
  tile.store %outp, %sum, %in
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 98432 : i32}) {
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %y = tile_host.random(%n) seed 2 -> memref<?xf32>
  %out = tile_host.alloc(%n) -> memref<?xf32>
  tile_host.launch @add(%x, %y, %out, %n)

  %want = tile_host.alloc(%n) -> memref<?xf32>
  linalg.add ins(%x, %y : memref<?xf32>, memref<?xf32>) outs(%want : memref<?xf32>)
  tile_host.expect_close %out, %want
  return
}
