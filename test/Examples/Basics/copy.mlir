// Copies a vector, a block of elements to each program: the tutorials' first kernel.
//
//   tile-run copy.mlir               x = 1 .. 6 in blocks of 2, so three programs
//   tile-run copy.mlir --args 1000   any other length; -D BLOCK=1024 makes larger blocks
//
// All programs run the same code on a tile of BLOCK elements, and know each other apart by
// their number alone:
//
//   program 0 | offs = [0 1], mask = [true true], x = [1 2]
//   program 1 | offs = [2 3], mask = [true true], x = [3 4]
//   program 2 | offs = [4 5], mask = [true true], x = [5 6]
//
// So a program's first element is its number times BLOCK. (Two ways to get that wrong: to leave
// it out, whereupon all programs copy the first block; and to multiply by n, whereupon only
// program 0 is inside.) The mask keeps the last program inside when BLOCK does not divide n.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefixes=CHECK,SIX
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009 -D BLOCK=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 100000 -D BLOCK=1000 | FileCheck %s
// RUN: tile-run %s --check --args 7
// SIX: {{^}}[1 2 3 4 5 6]{{$}}
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: : copy({{.*}}GB/s

tile.func @copy(%x: !tile.ptr<i32>, %z: !tile.ptr<i32>, %n: i32) meta {BLOCK = 2} {
  // One program for each block, the last one perhaps not full.
  tile.grid = %n ceildiv BLOCK
  // No arithmetic; 4 bytes in and 4 bytes out for each element.
  tile.cost = 0, %n * 8

  // offs = program * BLOCK + [0 .. BLOCK - 1]
  %offs = tile.expr program_id(x) * BLOCK + arange(BLOCK)
  %mask = tile.expr %offs < %n

  // z[offs] = x[offs] where the mask is true
  %x_ptrs = tile.expr %x + %offs
  %z_ptrs = tile.expr %z + %offs
  %values = tile.load %x_ptrs, %mask
  tile.store %z_ptrs, %values, %mask
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 6 : i32}) {
  %x = tile_host.alloc(%n) -> memref<?xi32>
  %z = tile_host.alloc(%n) -> memref<?xi32>

  // x[i] = i + 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %next = arith.addi %i, %c1 : index
    %value = arith.index_cast %next : index to i32
    memref.store %value, %x[%i] : memref<?xi32>
  }
  tile_host.launch @copy(%x, %z, %n)
  tile_host.dump %z
  tile_host.expect_close %z, %x
  return
}
