// Sums of segments of any length: out[s] = x[first[s]] + .. + x[first[s + 1] - 1], as rows of a CSR matrix are added.
//
//   tile-run segments.mlir                 10,000 elements in 150 segments
//   tile-run segments.mlir --args 1000003,1000
//
// A program does one segment. Where it begins and ends is in memory, so the bounds of its loop are loaded; N lanes go over
// it in steps, each with a sum of its own, and what they have is added at the end. A segment without elements is 0.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,7 -D N=32 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 100000,1000 -D N=512 | FileCheck %s
// RUN: tile-run %s --check --args 1009,40
// CHECK: largest error {{.*}}, relative {{(.*e-0[6-9]|.*e-[1-9][0-9]|0)}}, in 1 comparison
// CHECK: : segments({{.*}}GB/s

!lanes = tensor<?xf32, #tile.dims<[N]>>

tile.func @segments(%x: !tile.ptr<f32>, %first: !tile.ptr<i32>, %out: !tile.ptr<f32>, %n: i32, %segments: i32)
    meta {N = 256} {
  tile.grid = %segments
  // An addition an element, which is read once, 4 bytes; bounds are read twice.
  tile.cost = %n, 4 * %n + 12 * %segments
  %segment = tile.program_id x
  %begin_ptr = tile.expr %first + %segment
  %end_ptr = tile.expr %begin_ptr + 1
  %begin = tile.load %begin_ptr
  %end = tile.load %end_ptr
  %size = tile.meta N : i32
  %zeros = tile.expr 0.0 : !lanes
  %sums = scf.for %i = %begin to %end step %size iter_args(%before = %zeros) -> (!lanes) : i32 {
    %numbers = tile.expr %i + arange(N)
    %in = tile.expr %numbers < %end
    %ptrs = tile.expr %x + %numbers
    %values = tile.load %ptrs, %in
    %next = tile.expr %before + %values
    scf.yield %next : !lanes
  }
  %sum = tile.reduce add %sums axis 0
  %out_ptr = tile.expr %out + %segment
  tile.store %out_ptr, %sum
  tile.return
}

// Segment s begins at s * s, or at the end: the first is short, each one is longer, and the last ones are empty.
func.func @main(%n: i32 {tile_host.default = 10000 : i32}, %segments: i32 {tile_host.default = 150 : i32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %bounds = arith.addi %segments, %one : i32
  %count = arith.index_cast %segments : i32 to index
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %first = tile_host.alloc(%bounds) -> memref<?xi32>
  %out = tile_host.alloc(%segments) -> memref<?xf32>
  scf.for %s = %c0 to %count step %c1 {
    %square = arith.muli %s, %s : index
    %wish = arith.index_cast %square : index to i32
    %begin = arith.minsi %wish, %n : i32
    memref.store %begin, %first[%s] : memref<?xi32>
  }
  memref.store %n, %first[%count] : memref<?xi32>
  tile_host.launch @segments(%x, %first, %out, %n, %segments)

  %want = tile_host.alloc(%segments) -> memref<?xf64>
  %zero = arith.constant 0.0 : f64
  scf.for %s = %c0 to %count step %c1 {
    %after = arith.addi %s, %c1 : index
    %begin32 = memref.load %first[%s] : memref<?xi32>
    %end32 = memref.load %first[%after] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end = arith.index_cast %end32 : i32 to index
    %sum = scf.for %i = %begin to %end step %c1 iter_args(%before = %zero) -> f64 {
      %value = memref.load %x[%i] : memref<?xf32>
      %wide = arith.extf %value : f32 to f64
      %next = arith.addf %before, %wide : f64
      scf.yield %next : f64
    }
    memref.store %sum, %want[%s] : memref<?xf64>
  }
  tile_host.expect_close %out, %want {atol = 1.0e-5, rtol = 1.0e-5}
  return
}
