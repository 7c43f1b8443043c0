// Tiles that are stored along another dimension than loaded, whole ones and those at an array's border, of lengths that vectors do
// not divide, and of three dimensions, against the host's own.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 40,50 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 64,40 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,133 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 40,50 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons

tile.func @turn(%x: !tile.ptr<i16>, %y: !tile.ptr<i16>, %m: i32, %n: i32) {
  tile.grid = (%m ceildiv 20) * (%n ceildiv 40)
  %columns = tile.expr %n ceildiv 40
  %first_i = tile.expr program_id(x) div %columns * 20
  %first_j = tile.expr program_id(x) rem %columns * 40
  %i = tile.expr %first_i + col(arange(20))
  %j = tile.expr %first_j + row(arange(40))
  %in = tile.expr %i < %m and %j < %n
  %from = tile.expr %x + (%i * %n + %j)
  %to = tile.expr %y + (%j * %m + %i)
  %v = tile.load %from, %in : tensor<20x40x!tile.ptr<i16>>
  tile.store %to, %v, %in : tensor<20x40x!tile.ptr<i16>>
  tile.return
}

// y[j, i] = x[i, j] + z[j, i]
tile.func @turn_and_add(%x: !tile.ptr<i64>, %z: !tile.ptr<i64>, %y: !tile.ptr<i64>, %m: i32, %n: i32) {
  tile.grid = (%m ceildiv 16) * (%n ceildiv 64)
  %columns = tile.expr %n ceildiv 64
  %first_i = tile.expr program_id(x) div %columns * 16
  %first_j = tile.expr program_id(x) rem %columns * 64
  %i = tile.expr %first_i + row(arange(16))
  %j = tile.expr %first_j + col(arange(64))
  %in = tile.expr %i < %m and %j < %n
  %from = tile.expr %x + (%i * %n + %j)
  %beside = tile.expr %z + (%j * %m + %i)
  %to = tile.expr %y + (%j * %m + %i)
  %v = tile.load %from, %in : tensor<64x16x!tile.ptr<i64>>
  %w = tile.load %beside, %in : tensor<64x16x!tile.ptr<i64>>
  %sum = arith.addi %v, %w : tensor<64x16xi64>
  tile.store %to, %sum, %in : tensor<64x16x!tile.ptr<i64>>
  tile.return
}

// s[j] = the sum of x[i, j] over i, of columns that are loaded as rows.
tile.func @sums(%x: !tile.ptr<i64>, %s: !tile.ptr<i64>, %m: i32, %n: i32) {
  tile.grid = %n ceildiv 24
  %first = tile.expr program_id(x) * 24
  %j = tile.expr %first + col(arange(24))
  %i = tile.expr row(arange(64))
  %in = tile.expr %i < %m and %j < %n
  %at = tile.expr %x + (%i * %n + %j)
  %v = tile.load %at, %in : tensor<24x64x!tile.ptr<i64>>
  %sums = tile.reduce add %v axis 1 : tensor<24x64xi64> -> tensor<24xi64>
  %place = tile.expr %first + arange(24)
  %seen = tile.expr %place < %n
  %to = tile.expr %s + %place
  tile.store %to, %sums, %seen : tensor<24x!tile.ptr<i64>>
  tile.return
}

func.func @main(%m: i32, %n: i32) {
  %size = arith.muli %m, %n : i32
  %x = tile_host.random(%size) seed 1 : (i32) -> memref<?xi16>
  %y = tile_host.alloc(%size) : (i32) -> memref<?xi16>
  %wy = tile_host.alloc(%size) : (i32) -> memref<?xi16>
  %a = tile_host.random(%size) seed 2 : (i32) -> memref<?xi64>
  %b = tile_host.random(%size) seed 3 : (i32) -> memref<?xi64>
  %c = tile_host.alloc(%size) : (i32) -> memref<?xi64>
  %wc = tile_host.alloc(%size) : (i32) -> memref<?xi64>
  %s = tile_host.alloc(%n) : (i32) -> memref<?xi64>
  %ws = tile_host.alloc(%n) : (i32) -> memref<?xi64>
  tile_host.launch @turn(%x, %y, %m, %n) : memref<?xi16>, memref<?xi16>, i32, i32
  tile_host.launch @turn_and_add(%a, %b, %c, %m, %n) : memref<?xi64>, memref<?xi64>, memref<?xi64>, i32, i32
  tile_host.launch @sums(%a, %s, %m, %n) : memref<?xi64>, memref<?xi64>, i32, i32
  %mi = arith.index_cast %m : i32 to index
  %ni = arith.index_cast %n : i32 to index
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%wy, %wc : memref<?xi16>, memref<?xi64>) {
  ^bb0(%u: i16, %w: i64):
    %k = linalg.index 0 : index
    %j = arith.divui %k, %mi : index
    %i = arith.remui %k, %mi : index
    %row = arith.muli %i, %ni : index
    %from = arith.addi %row, %j : index
    %v = memref.load %x[%from] : memref<?xi16>
    %p = memref.load %a[%from] : memref<?xi64>
    %q = memref.load %b[%k] : memref<?xi64>
    %sum = arith.addi %p, %q : i64
    linalg.yield %v, %sum : i16, i64
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ws : memref<?xi64>) {
  ^bb0(%u: i64):
    %j = linalg.index 0 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %none = arith.constant 0 : i64
    %sum = scf.for %i = %zero to %mi step %one iter_args(%so = %none) -> i64 {
      %row = arith.muli %i, %ni : index
      %from = arith.addi %row, %j : index
      %v = memref.load %a[%from] : memref<?xi64>
      %next = arith.addi %so, %v : i64
      scf.yield %next : i64
    }
    linalg.yield %sum : i64
  }
  tile_host.expect_close %y, %wy : memref<?xi16>, memref<?xi16>
  tile_host.expect_close %c, %wc : memref<?xi64>, memref<?xi64>
  tile_host.expect_close %s, %ws : memref<?xi64>, memref<?xi64>
  return
}
