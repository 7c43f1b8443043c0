// Cumulative sums along the rows of a matrix: y[i, j] = x[i, 0] + .. + x[i, j].
//
//   tile-run cumsum.mlir                   1000 x 513
//   tile-run cumsum.mlir --args 64,50000   other rows and columns
//
// A program does one row, N elements at a time. tile.scan gives the sums inside a block; what all blocks before add
// up to goes along the loop as one number.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,1009 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,2 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 16,50000 | FileCheck %s
// RUN: tile-run %s --check --args 3,1030
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : cumsum({{.*}}GB/s

!ptrs = tensor<?x!tile.ptr<f32>, #tile.dims<[N]>>
!values = tensor<?xf32, #tile.dims<[N]>>

tile.func @cumsum(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) meta {N = 1024} {
  tile.grid = %m
  // An addition an element, which is read and written once, 4 bytes each way.
  tile.cost = %m * %n, %m * %n * 8
  %row = tile.program_id x
  %xs = tile.call @row_ptrs(%x, %row, %n) -> !ptrs
  %ys = tile.call @row_ptrs(%y, %row, %n) -> !ptrs

  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %size = tile.meta N : i32
  %lanes = tile.expr arange(N)
  %total = scf.for %j = %c0 to %n step %size iter_args(%before = %zero) -> (f32) : i32 {
    %in = tile.expr %lanes < %n - %j
    %x_ptrs = tile.expr %xs + %j
    %y_ptrs = tile.expr %ys + %j

    %values = tile.load %x_ptrs, %in
    %sums = tile.scan add %values axis 0 : !values -> !values
    %all = tile.expr %before + %sums
    tile.store %y_ptrs, %all, %in

    %block = tile.reduce add %values axis 0
    %after = tile.expr %before + %block
    scf.yield %after : f32
  }
  tile.return
}

// &base[row * n + [0 .. N - 1]]
tile.func private @row_ptrs(%base: !tile.ptr<f32>, %row: i32, %n: i32) -> !ptrs {
  %ptrs = tile.expr %base + i64(%row) * i64(%n) + arange(N)
  tile.return %ptrs
}

func.func @main(%m: i32 {tile_host.default = 1000 : i32}, %n: i32 {tile_host.default = 513 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 -> memref<?x?xf32>
  %y = tile_host.alloc(%m, %n) -> memref<?x?xf32>
  tile_host.launch @cumsum(%x, %y, %m, %n)

  %want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = arith.index_cast %m : i32 to index
  %columns = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %rows step %c1 {
    %total = scf.for %j = %c0 to %columns step %c1 iter_args(%before = %zero) -> f64 {
      %value = memref.load %x[%i, %j] : memref<?x?xf32>
      %value64 = arith.extf %value : f32 to f64
      %after = arith.addf %before, %value64 : f64
      memref.store %after, %want[%i, %j] : memref<?x?xf64>
      scf.yield %after : f64
    }
  }
  // The sums wander: what rounding adds up to does not shrink where they come near to zero.
  tile_host.expect_close %y, %want {atol = 5.0e-4, rtol = 1.0e-6}
  return
}
