// Positions that divisions take apart, as numbers and as where to load from: chunks within one quotient and across two, with
// numbers below 0 and divisors below 0, against the host's own division.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 5 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 16 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 37 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args=-1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args=-37 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 37 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons

tile.func @parts(%x: !tile.ptr<i32>, %q: !tile.ptr<i32>, %r: !tile.ptr<i32>, %l: !tile.ptr<i32>, %n: i32) {
  tile.grid = 4
  %first = tile.expr program_id(x) * 256
  %at = tile.expr %first + arange(256)
  %c300 = arith.constant 300 : i32
  %less = tile.splat %c300 : i32 -> tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  // Below 0 in the first programs.
  %from = arith.subi %at, %less : tensor<256xi32>
  %quotient = arith.divsi %from, %ns : tensor<256xi32>
  %rest = arith.remsi %from, %ns : tensor<256xi32>
  %qs = tile.expr %q + %at
  tile.store %qs, %quotient : tensor<256x!tile.ptr<i32>>
  %rs = tile.expr %r + %at
  tile.store %rs, %rest : tensor<256x!tile.ptr<i32>>
  // Of 37, the row above and the column are loaded from.
  %c37 = arith.constant 37 : i32
  %width = tile.splat %c37 : i32 -> tensor<256xi32>
  %row = arith.divui %at, %width : tensor<256xi32>
  %column = arith.remui %at, %width : tensor<256xi32>
  %rows = tile.expr %x + %row
  %columns = tile.expr %x + %column
  %a = tile.load %rows : tensor<256x!tile.ptr<i32>>
  %b = tile.load %columns : tensor<256x!tile.ptr<i32>>
  %sum = arith.addi %a, %b : tensor<256xi32>
  %ls = tile.expr %l + %at
  tile.store %ls, %sum : tensor<256x!tile.ptr<i32>>
  tile.return
}
func.func @main(%n: i32) {
  %size = arith.constant 1024 : i32
  %x = tile_host.random(%size) seed 1 : (i32) -> memref<?xi32>
  %q = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %r = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %l = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wq = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wr = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wl = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  tile_host.launch @parts(%x, %q, %r, %l, %n) : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      outs(%wq, %wr, %wl : memref<?xi32>, memref<?xi32>, memref<?xi32>) {
  ^bb0(%u: i32, %v: i32, %w: i32):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i32
    %c300 = arith.constant 300 : i32
    %from = arith.subi %at, %c300 : i32
    %quotient = arith.divsi %from, %n : i32
    %rest = arith.remsi %from, %n : i32
    %c37 = arith.constant 37 : index
    %row = arith.divui %i, %c37 : index
    %column = arith.remui %i, %c37 : index
    %a = memref.load %x[%row] : memref<?xi32>
    %b = memref.load %x[%column] : memref<?xi32>
    %sum = arith.addi %a, %b : i32
    linalg.yield %quotient, %rest, %sum : i32, i32, i32
  }
  tile_host.expect_close %q, %wq : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %r, %wr : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %l, %wl : memref<?xi32>, memref<?xi32>
  return
}
