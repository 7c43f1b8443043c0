// Quotients and remainders of numbers of which 32 bits hold all, some and none, with and without a sign.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 7 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args -7 | FileCheck %s
// And on a GPU, if there is one.
// RUN: tile-run %s --repeat 1 --args 7 -D num_warps=2 | FileCheck %s
// RUN: tile-run %s --repeat 1 --args -7 -D num_warps=2 | FileCheck %s
// RUN: tile-run %s --repeat 1 --args 4294967299 -D num_warps=2 | FileCheck %s
// RUN: tile-run %s --repeat 1 --args 3000000000 -D num_warps=2 | FileCheck %s
// CHECK: largest error 0, relative 0, in 1 comparison

tile.func @divide(%x: !tile.ptr<i64>, %y: !tile.ptr<i64>, %n: i64) {
  tile.grid = 16
  %at = tile.expr program_id(x) * 512 + arange(512)
  %from = tile.expr %x + %at
  %v = tile.load %from
  %ns = tile.splat %n : i64 -> tensor<512xi64>
  %q = arith.divsi %v, %ns : tensor<512xi64>
  %r = arith.remsi %v, %ns : tensor<512xi64>
  %u = arith.divui %v, %ns : tensor<512xi64>
  %s = arith.remui %v, %ns : tensor<512xi64>
  %three = arith.constant dense<3> : tensor<512xi64>
  %five = arith.constant dense<5> : tensor<512xi64>
  %seven = arith.constant dense<7> : tensor<512xi64>
  %r3 = arith.muli %r, %three : tensor<512xi64>
  %u5 = arith.muli %u, %five : tensor<512xi64>
  %s7 = arith.muli %s, %seven : tensor<512xi64>
  %a = arith.addi %q, %r3 : tensor<512xi64>
  %b = arith.addi %u5, %s7 : tensor<512xi64>
  %c = arith.addi %a, %b : tensor<512xi64>
  %to = tile.expr %y + %at
  tile.store %to, %c
  tile.return
}

func.func @main(%given: index) {
  %size = arith.constant 8192 : index
  %x = tile_host.alloc(%size) : (index) -> memref<?xi64>
  %y = tile_host.alloc(%size) : (index) -> memref<?xi64>
  %want = tile_host.alloc(%size) : (index) -> memref<?xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %given : index to i64
  %by = arith.constant 1048573 : i64
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %seven = arith.constant 7 : i64
  %half = arith.constant 4096 : i64
  scf.for %i = %c0 to %size step %c1 {
    // The first half counts up from 0, across 2^32 soon; the second begins below 0.
    %k = arith.index_cast %i : index to i64
    %far = arith.muli %k, %by : i64
    %below = arith.subi %half, %k : i64
    %steep = arith.muli %below, %by : i64
    %is = arith.cmpi slt, %k, %half : i64
    %v = arith.select %is, %far, %steep : i64
    memref.store %v, %x[%i] : memref<?xi64>
    %q = arith.divsi %v, %n : i64
    %r = arith.remsi %v, %n : i64
    %u = arith.divui %v, %n : i64
    %s = arith.remui %v, %n : i64
    %r3 = arith.muli %r, %three : i64
    %u5 = arith.muli %u, %five : i64
    %s7 = arith.muli %s, %seven : i64
    %a = arith.addi %q, %r3 : i64
    %b = arith.addi %u5, %s7 : i64
    %c = arith.addi %a, %b : i64
    memref.store %c, %want[%i] : memref<?xi64>
  }
  tile_host.launch @divide(%x, %y, %n) : memref<?xi64>, memref<?xi64>, i64
  tile_host.expect_close %y, %want : memref<?xi64>, memref<?xi64>
  return
}
