// Layer norm, forward and backward.
//
//   tile-run layer_norm.mlir                         151 x 781, in tiles of N = 1024
//   tile-run layer_norm.mlir --args 4096,4096 -D N=4096   other rows and columns (N >= columns)
//
// Forward, for each row:      mean, variance;  rstd = 1 / sqrt(variance + eps)
//                             xhat = (x - mean) * rstd;   y = xhat * w + b
// Backward, given dy = dL/dy: dx = rstd * (g - mean(g) - xhat * mean(g * xhat)) with g = dy * w
//                             dw = sum over rows of dy * xhat;   db = sum over rows of dy
//
//   @layer_norm            a row in each program, read once and kept; writes y, and mean and rstd for the way back
//   @layer_norm_dx         a row in each program
//   @layer_norm_dw_db      a stripe of BN columns in each program, BM rows at a time: no atomics, so the
//                          sums are the same in every run
//
// x, y, w, b and their gradients are f16; all arithmetic is in f32.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,128 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 257,3 -D N=4 -D BM=16 -D BN=8 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 64,4096 -D N=4096 | FileCheck %s
// RUN: tile-run %s --check --args 7,100
// CHECK: largest error {{.*}}, relative {{([0-8].*e-04|.*e-0[5-9]|0\.000[0-9]*|0)}}, in 4 comparisons
// CHECK: : layer_norm({{.*}}GB/s
// CHECK: : layer_norm_dx({{.*}}GB/s
// CHECK: : layer_norm_dw_db({{.*}}GB/s

//===- helpers: a row in a tile of N >= n elements ------------------------===//

!floats = tensor<?xf32, #tile.dims<[N]>>

// base[row * n + [0 .. N - 1]] as f32, 0 past the row's end.
tile.func private @load_row(%base: !tile.ptr<f16>, %row: i32, %n: i32) -> !floats {
  %ptrs = tile.expr %base + i64(%row) * i64(%n) + arange(N)
  %in = tile.expr arange(N) < %n
  %halves = tile.load %ptrs, %in
  %floats = tile.expr f32(%halves)
  tile.return %floats
}

tile.func private @store_row(%base: !tile.ptr<f16>, %row: i32, %n: i32, %values: !floats) {
  %ptrs = tile.expr %base + i64(%row) * i64(%n) + arange(N)
  %in = tile.expr arange(N) < %n
  %halves = tile.expr f16(%values)
  tile.store %ptrs, %halves, %in
  tile.return
}

// The mean of a row of n elements; what is past its end has to be 0.
tile.func private @mean(%x: !floats, %n: i32) -> f32 {
  %sum = tile.reduce add %x axis 0
  %mean = tile.expr %sum / f32(%n)
  tile.return %mean
}

// (x - mean) * rstd, 0 past the row's end.
tile.func private @normalize(%x: !floats, %mean: f32, %rstd: f32, %n: i32) -> !floats {
  %normal = tile.expr select(arange(N) < %n, (%x - %mean) * %rstd, 0.0)
  tile.return %normal
}

//===- forward ------------------------------------------------------------===//

tile.func @layer_norm(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %b: !tile.ptr<f16>, %y: !tile.ptr<f16>,
                      %means: !tile.ptr<f32>, %rstds: !tile.ptr<f32>, %m: i32, %n: i32, %eps: f32)
    meta {N = 1024} {
  tile.grid = %m
  // 8 operations an element, which is read and written once, 2 bytes each way.
  tile.cost = %m * %n * 8, %m * %n * 4
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %row = tile.program_id x
  %x_row = tile.call @load_row(%x, %row, %n) -> !floats
  %mean = tile.call @mean(%x_row, %n) -> f32
  %centered = tile.call @normalize(%x_row, %mean, %one, %n) -> !floats
  %squares = tile.expr %centered * %centered
  %variance = tile.call @mean(%squares, %n) -> f32
  %rstd = tile.expr math.rsqrt(%variance + %eps)

  %w_row = tile.call @load_row(%w, %c0, %n) -> !floats
  %b_row = tile.call @load_row(%b, %c0, %n) -> !floats
  %y_row = tile.expr %centered * %rstd * %w_row + %b_row
  tile.call @store_row(%y, %row, %n, %y_row)
  %mean_ptr = tile.expr %means + %row
  %rstd_ptr = tile.expr %rstds + %row
  tile.store %mean_ptr, %mean
  tile.store %rstd_ptr, %rstd
  tile.return
}

//===- backward -----------------------------------------------------------===//

tile.func @layer_norm_dx(%dy: !tile.ptr<f16>, %x: !tile.ptr<f16>, %w: !tile.ptr<f16>,
                         %means: !tile.ptr<f32>, %rstds: !tile.ptr<f32>, %dx: !tile.ptr<f16>,
                         %m: i32, %n: i32)
    meta {N = 1024} {
  tile.grid = %m
  // 12 operations an element; x and dy in and dx out, 2 bytes each.
  tile.cost = %m * %n * 12, %m * %n * 6
  %c0 = arith.constant 0 : i32
  %row = tile.program_id x
  %mean_ptr = tile.expr %means + %row
  %rstd_ptr = tile.expr %rstds + %row
  %mean = tile.load %mean_ptr
  %rstd = tile.load %rstd_ptr
  %x_row = tile.call @load_row(%x, %row, %n) -> !floats
  %dy_row = tile.call @load_row(%dy, %row, %n) -> !floats
  %w_row = tile.call @load_row(%w, %c0, %n) -> !floats
  %xhat = tile.call @normalize(%x_row, %mean, %rstd, %n) -> !floats
  %g = tile.expr %dy_row * %w_row
  %g_xhat = tile.expr %g * %xhat
  %g_mean = tile.call @mean(%g, %n) -> f32
  %g_xhat_mean = tile.call @mean(%g_xhat, %n) -> f32

  // dx = rstd * (g - mean(g) - xhat * mean(g * xhat))
  %dx_row = tile.expr (%g - %g_mean - %xhat * %g_xhat_mean) * %rstd
  tile.call @store_row(%dx, %row, %n, %dx_row)
  tile.return
}

!rows = tensor<?xi32, #tile.dims<[BM]>>
!columns = tensor<?xi32, #tile.dims<[BN]>>
!block = tensor<?x?xf32, #tile.dims<[BM, BN]>>

// base[rows, columns] as f32, 0 where there is none.
tile.func private @load_block(%base: !tile.ptr<f16>, %rows: !rows, %columns: !columns, %m: i32, %n: i32) -> !block {
  %ptrs = tile.expr %base + (col(%rows) * %n + row(%columns))
  %in = tile.expr col(%rows) < %m and row(%columns) < %n
  %halves = tile.load %ptrs, %in
  %floats = tile.expr f32(%halves)
  tile.return %floats
}

// base[rows] in each column of a block, 0 where there is none.
tile.func private @load_column(%base: !tile.ptr<f32>, %rows: !rows, %m: i32) -> !block {
  %ptrs = tile.expr %base + %rows
  %in = tile.expr %rows < %m
  %values = tile.load %ptrs, %in
  %block = tile.expr col(%values) : !block
  tile.return %block
}

// base[columns] = the sums of a block's columns.
tile.func private @store_sums(%base: !tile.ptr<f16>, %columns: !columns, %n: i32, %block: !block) {
  %sums = tile.reduce add %block axis 0
  %halves = tile.expr f16(%sums)
  %ptrs = tile.expr %base + %columns
  %in = tile.expr %columns < %n
  tile.store %ptrs, %halves, %in
  tile.return
}

tile.func @layer_norm_dw_db(%dy: !tile.ptr<f16>, %x: !tile.ptr<f16>,
                            %means: !tile.ptr<f32>, %rstds: !tile.ptr<f32>,
                            %dw: !tile.ptr<f16>, %db: !tile.ptr<f16>, %m: i32, %n: i32)
    meta {BM = 32, BN = 32} {
  tile.grid = %n ceildiv BN
  // 5 operations an element; x and dy in, 2 bytes each.
  tile.cost = %m * %n * 5, %m * %n * 4
  %bm = tile.meta BM : i32
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0.0 : !block

  %columns = tile.expr program_id(x) * BN + arange(BN)
  %row_lanes = tile.expr arange(BM)
  %dw_block, %db_block = scf.for %i = %c0 to %m step %bm
      iter_args(%dw_sum = %zeros, %db_sum = %zeros) -> (!block, !block) : i32 {
    %rows = tile.expr %i + %row_lanes
    %x_block = tile.call @load_block(%x, %rows, %columns, %m, %n) -> !block
    %dy_block = tile.call @load_block(%dy, %rows, %columns, %m, %n) -> !block
    %mean = tile.call @load_column(%means, %rows, %m) -> !block
    %rstd = tile.call @load_column(%rstds, %rows, %m) -> !block
    %dw_next = tile.expr %dw_sum + %dy_block * ((%x_block - %mean) * %rstd)
    %db_next = tile.expr %db_sum + %dy_block
    scf.yield %dw_next, %db_next : !block, !block
  }
  tile.call @store_sums(%dw, %columns, %n, %dw_block)
  tile.call @store_sums(%db, %columns, %n, %db_block)
  tile.return
}

//===- the host program ---------------------------------------------------===//

// One row at a time, in f64; dw and db add up over the rows.
func.func private @reference(%x: memref<?x?xf16>, %w: memref<?xf16>, %b: memref<?xf16>, %dy: memref<?x?xf16>,
                             %y: memref<?x?xf64>, %dx: memref<?x?xf64>, %dw: memref<?xf64>, %db: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf16>
  %n = memref.dim %x, %c1 : memref<?x?xf16>
  %n_i64 = arith.index_cast %n : index to i64
  %count = arith.sitofp %n_i64 : i64 to f64
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %eps = arith.constant 1.0e-5 : f64
  scf.for %i = %c0 to %m step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%i, %j] : memref<?x?xf16>
      %v64 = arith.extf %v : f16 to f64
      %t = arith.addf %s, %v64 : f64
      scf.yield %t : f64
    }
    %mean = arith.divf %sum, %count : f64
    %squares = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%i, %j] : memref<?x?xf16>
      %v64 = arith.extf %v : f16 to f64
      %d = arith.subf %v64, %mean : f64
      %dd = arith.mulf %d, %d : f64
      %t = arith.addf %s, %dd : f64
      scf.yield %t : f64
    }
    %variance = arith.divf %squares, %count : f64
    %above = arith.addf %variance, %eps : f64
    %std = math.sqrt %above : f64
    %rstd = arith.divf %one, %std : f64
    %g_sum, %gx_sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero, %sx = %zero) -> (f64, f64) {
      %v = memref.load %x[%i, %j] : memref<?x?xf16>
      %w_j = memref.load %w[%j] : memref<?xf16>
      %b_j = memref.load %b[%j] : memref<?xf16>
      %dy_ij = memref.load %dy[%i, %j] : memref<?x?xf16>
      %v64 = arith.extf %v : f16 to f64
      %w64 = arith.extf %w_j : f16 to f64
      %b64 = arith.extf %b_j : f16 to f64
      %dy64 = arith.extf %dy_ij : f16 to f64
      %d = arith.subf %v64, %mean : f64
      %xhat = arith.mulf %d, %rstd : f64
      %scaled = arith.mulf %xhat, %w64 : f64
      %y_ij = arith.addf %scaled, %b64 : f64
      memref.store %y_ij, %y[%i, %j] : memref<?x?xf64>
      %dw_j = memref.load %dw[%j] : memref<?xf64>
      %db_j = memref.load %db[%j] : memref<?xf64>
      %dy_xhat = arith.mulf %dy64, %xhat : f64
      %dw_next = arith.addf %dw_j, %dy_xhat : f64
      %db_next = arith.addf %db_j, %dy64 : f64
      memref.store %dw_next, %dw[%j] : memref<?xf64>
      memref.store %db_next, %db[%j] : memref<?xf64>
      %g = arith.mulf %dy64, %w64 : f64
      %gx = arith.mulf %g, %xhat : f64
      %t = arith.addf %s, %g : f64
      %tx = arith.addf %sx, %gx : f64
      scf.yield %t, %tx : f64, f64
    }
    %g_mean = arith.divf %g_sum, %count : f64
    %gx_mean = arith.divf %gx_sum, %count : f64
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf16>
      %w_j = memref.load %w[%j] : memref<?xf16>
      %dy_ij = memref.load %dy[%i, %j] : memref<?x?xf16>
      %v64 = arith.extf %v : f16 to f64
      %w64 = arith.extf %w_j : f16 to f64
      %dy64 = arith.extf %dy_ij : f16 to f64
      %d = arith.subf %v64, %mean : f64
      %xhat = arith.mulf %d, %rstd : f64
      %g = arith.mulf %dy64, %w64 : f64
      %along = arith.mulf %xhat, %gx_mean : f64
      %rest = arith.subf %g, %g_mean : f64
      %across = arith.subf %rest, %along : f64
      %dx_ij = arith.mulf %across, %rstd : f64
      memref.store %dx_ij, %dx[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

func.func @main(%m: i32 {tile_host.default = 151 : i32}, %n: i32 {tile_host.default = 781 : i32}) {
  %eps = arith.constant 1.0e-5 : f32
  %x = tile_host.random(%m, %n) seed 1 -> memref<?x?xf16>
  %w = tile_host.random(%n) seed 2 -> memref<?xf16>
  %b = tile_host.random(%n) seed 3 -> memref<?xf16>
  %dy = tile_host.random(%m, %n) seed 4 -> memref<?x?xf16>
  %y = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %means = tile_host.alloc(%m) -> memref<?xf32>
  %rstds = tile_host.alloc(%m) -> memref<?xf32>
  %dx = tile_host.alloc(%m, %n) -> memref<?x?xf16>
  %dw = tile_host.alloc(%n) -> memref<?xf16>
  %db = tile_host.alloc(%n) -> memref<?xf16>
  tile_host.launch @layer_norm(%x, %w, %b, %y, %means, %rstds, %m, %n, %eps)
  tile_host.launch @layer_norm_dx(%dy, %x, %w, %means, %rstds, %dx, %m, %n)
  tile_host.launch @layer_norm_dw_db(%dy, %x, %means, %rstds, %dw, %db, %m, %n)

  %y_want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %dx_want = tile_host.alloc(%m, %n) -> memref<?x?xf64>
  %dw_want = tile_host.alloc(%n) -> memref<?xf64>
  %db_want = tile_host.alloc(%n) -> memref<?xf64>
  func.call @reference(%x, %w, %b, %dy, %y_want, %dx_want, %dw_want, %db_want)
      : (memref<?x?xf16>, memref<?xf16>, memref<?xf16>, memref<?x?xf16>, memref<?x?xf64>, memref<?x?xf64>, memref<?xf64>, memref<?xf64>) -> ()
  tile_host.expect_close %y, %y_want {atol = 1.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %dx, %dx_want {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %dw, %dw_want {atol = 2.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %db, %db_want {atol = 2.0e-3, rtol = 1.0e-3}
  return
}
