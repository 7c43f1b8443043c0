// The mean of each row, in steps of N columns, of which the last one alone is masked.
//
//   tile-run row_means.mlir                       100 rows of 3000
//   tile-run row_means.mlir --args 64,100000      any other numbers: rows, columns (at least 1)
//
// The last step is a loop of its own, from one step before the end to the end, as kernels have it that keep two
// versions of a loop's body: tile-inline-steps makes it the body alone.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,2048 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 5,777 -D N=128 | FileCheck %s
// RUN: tile-run %s --check --args 3,130 -D N=64
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[5-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : row_means({{.*}}GB/s

tile.func @row_means(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {N = 1024} {
  tile.grid = %m
  // An addition an element, which is read once, 4 bytes.
  tile.cost = %m * %n, 4 * (%m * %n)
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %width = tile.meta N : i32
  %lanes = tile.expr arange(N)
  %row = tile.expr %x + i64(program_id(x)) * i64(%n)
  %steps = tile.expr (%n + %width - 1) div %width
  %last = arith.subi %steps, %c1 : i32
  %zeros = tile.expr 0.0 : tensor<?xf32, #tile.dims<[N]>>
  %most = scf.for %i = %c0 to %last step %c1 iter_args(%sums = %zeros)
      -> (tensor<?xf32, #tile.dims<[N]>>) : i32 {
    %p = tile.expr %row + (%i * %width + %lanes)
    %v = tile.load %p
    %next = tile.expr %sums + %v
    scf.yield %next : tensor<?xf32, #tile.dims<[N]>>
  }
  %all = scf.for %i = %last to %steps step %c1 iter_args(%sums = %most)
      -> (tensor<?xf32, #tile.dims<[N]>>) : i32 {
    %column = tile.expr %i * %width + %lanes
    %in = tile.expr %column < %n
    %p = tile.expr %row + %column
    %v = tile.load %p, %in
    %next = tile.expr %sums + %v
    scf.yield %next : tensor<?xf32, #tile.dims<[N]>>
  }
  %sum = tile.reduce add %all axis 0 : tensor<?xf32, #tile.dims<[N]>> -> f32
  %mean = tile.expr %sum / f32(%n)
  %out = tile.expr %y + program_id(x)
  tile.store %out, %mean
  tile.return
}

func.func @main(%m: i32 {tile_host.default = 100 : i32}, %n: i32 {tile_host.default = 3000 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 -> memref<?x?xf32>
  %y = tile_host.alloc(%m) -> memref<?xf32>
  tile_host.launch @row_means(%x, %y, %m, %n)

  %want = tile_host.alloc(%m) -> memref<?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.index_cast %m : i32 to index
  %columns = arith.index_cast %n : i32 to index
  %count = arith.sitofp %n : i32 to f64
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %rows step %c1 {
    %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%s = %zero) -> f64 {
      %v32 = memref.load %x[%i, %j] : memref<?x?xf32>
      %v = arith.extf %v32 : f32 to f64
      %t = arith.addf %s, %v : f64
      scf.yield %t : f64
    }
    %mean = arith.divf %sum, %count : f64
    memref.store %mean, %want[%i] : memref<?xf64>
  }
  tile_host.expect_close %y, %want {rtol = 1.0e-5, atol = 1.0e-6}
  return
}
