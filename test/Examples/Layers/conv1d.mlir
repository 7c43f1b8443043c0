// A convolution in one dimension: y[i] = sum over t of w[t] * x[i + t - TAPS / 2].
//
//   tile-run conv1d.mlir                     98,432 elements, 7 taps
//   tile-run conv1d.mlir --args 1000003,31   LENGTH,TAPS
//
// (As in neural networks, w is not mirrored; what lies outside of x is 0, so y is as long as x.) A program does N elements
// of y. For each tap it loads N elements of x, shifted by one more each time, most of which the cache still
// has, and multiplies them by one weight.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 5,31 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,2 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 100000,31 -D N=512 | FileCheck %s
// RUN: tile-run %s --check --args 1009,7
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : conv1d({{.*}}GB/s

!values = tensor<?xf32, #tile.dims<[N]>>

tile.func @conv1d(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %taps: i32)
    meta {N = 1024} {
  tile.grid = %n ceildiv N
  // 2 operations for each element and tap; each element read and written once, 4 bytes each way.
  tile.cost = %n * %taps * 2, %n * 8
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = tile.expr 0.0 : !values
  %half = arith.shrui %taps, %c1 : i32

  %outs = tile.expr program_id(x) * N + arange(N)
  %sum = scf.for %t = %c0 to %taps step %c1 iter_args(%before = %zeros) -> (!values) : i32 {
    %ins = tile.expr %outs + (%t - %half)
    %inside = tile.expr %ins >= 0 and %ins < %n
    %x_ptrs = tile.expr %x + %ins
    %values = tile.load %x_ptrs, %inside

    %w_ptr = tile.expr %w + %t
    %weight = tile.load %w_ptr
    %after = tile.expr %before + %values * %weight
    scf.yield %after : !values
  }
  %in_y = tile.expr %outs < %n
  %y_ptrs = tile.expr %y + %outs
  tile.store %y_ptrs, %sum, %in_y
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 98432 : i32}, %taps: i32 {tile_host.default = 7 : i32}) {
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %w = tile_host.random(%taps) seed 2 -> memref<?xf32>
  %y = tile_host.alloc(%n) -> memref<?xf32>
  tile_host.launch @conv1d(%x, %w, %y, %n, %taps)

  // linalg.conv_1d in f64 on x with zeros around it: y[i] = sum over t of w[t] * wide[i + t].
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = arith.index_cast %n : i32 to index
  %count = arith.index_cast %taps : i32 to index
  %half = arith.shrui %count, %c1 : index
  %sum = arith.addi %length, %count : index
  %wide_length = arith.subi %sum, %c1 : index
  %wide = tile_host.alloc(%wide_length) -> memref<?xf64>
  %w64 = tile_host.alloc(%taps) -> memref<?xf64>
  scf.for %i = %c0 to %length step %c1 {
    %value = memref.load %x[%i] : memref<?xf32>
    %value64 = arith.extf %value : f32 to f64
    %to = arith.addi %i, %half : index
    memref.store %value64, %wide[%to] : memref<?xf64>
  }
  scf.for %t = %c0 to %count step %c1 {
    %weight = memref.load %w[%t] : memref<?xf32>
    %weight64 = arith.extf %weight : f32 to f64
    memref.store %weight64, %w64[%t] : memref<?xf64>
  }
  %want = tile_host.alloc(%n) -> memref<?xf64>
  linalg.conv_1d ins(%wide, %w64 : memref<?xf64>, memref<?xf64>) outs(%want : memref<?xf64>)
  tile_host.expect_close %y, %want {atol = 5.0e-6, rtol = 1.0e-6}
  return
}
