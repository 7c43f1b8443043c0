// Where the largest element of one array of any length is: the first of several.
//
//   tile-run argmax_long.mlir                  98,432 elements
//   tile-run argmax_long.mlir --args 16777216  any other number
//
// Each program finds the largest of BLOCKS times N elements, and packs it and where it is into one number of 64 bits: the
// value above, in an order that integers have, too; and the position below, the smaller the larger. The largest of
// these is taken in memory, atomically. Who comes last says where it was, and puts back the zeros that both numbers in
// memory start from.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009 -D N=64 -D BLOCKS=3 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000003 | FileCheck %s
// RUN: tile-run %s --check --args 1030 -D N=128 -D BLOCKS=2
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: : argmax_long({{.*}}GB/s

!lanes = tensor<?xi32, #tile.dims<[N]>>
!values = tensor<?xf32, #tile.dims<[N]>>

tile.func @argmax_long(%x: !tile.ptr<f32>, %best: !tile.ptr<i64>, %done: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i32)
    meta {N = 2048, BLOCKS = 16} {
  tile.grid = %n ceildiv (N * BLOCKS)
  // A comparison an element, which is read once, 4 bytes.
  tile.cost = %n, %n * 4
  %first = tile.expr program_id(x) * (N * BLOCKS)
  %some = tile.expr %first < %n
  tile.assume %some
  %lanes = tile.expr arange(N)
  %start = tile.expr %first + %lanes
  %lowests = tile.expr -inf : !values
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %blocks = tile.meta BLOCKS : i32

  // For each lane: the largest value so far, and where it is.
  %values, %places = scf.for %b = %c0 to %blocks step %c1
      iter_args(%largest = %lowests, %place = %start) -> (!values, !lanes) : i32 {
    %numbers = tile.expr %start + %b * N
    %in = tile.expr %numbers < %n
    %ptrs = tile.expr %x + %numbers
    %values = tile.load %ptrs, %in, %lowests
    %larger = tile.expr %values > %largest
    %next = tile.expr select(%larger, %values, %largest)
    %next_place = tile.expr select(%larger, %numbers, %place)
    scf.yield %next, %next_place : !values, !lanes
  }
  %value, %place = tile.reduce %values, %places axis 0 {
  ^bb0(%value_a: f32, %place_a: i32, %value_b: f32, %place_b: i32):
    %larger = tile.expr %value_a > %value_b
    %a = tile.expr %larger or %value_a == %value_b and %place_a < %place_b
    %value = tile.expr select(%a, %value_a, %value_b)
    %place = tile.expr select(%a, %place_a, %place_b)
    tile.yield %value, %place
  }

  // Negative numbers have their bits turned round, others the sign's alone; -0 and 0 are one.
  %ones = arith.constant -1 : i32
  %sign = arith.constant -2147483648 : i32
  %zero = arith.constant 0.0 : f32
  %plain = arith.addf %value, %zero : f32
  %bits = arith.bitcast %plain : f32 to i32
  %negative = tile.expr %bits < 0
  %mask = arith.select %negative, %ones, %sign : i32
  %ordered = arith.xori %bits, %mask : i32
  %back = arith.xori %place, %ones : i32
  %low = arith.extui %back : i32 to i64
  %wide = arith.extui %ordered : i32 to i64
  %c32 = arith.constant 32 : i64
  %high = arith.shli %wide, %c32 : i64
  %key = arith.ori %high, %low : i64
  %before = tile.atomic_rmw umax relaxed gpu %best, %key
  %count = tile.atomic_rmw add acq_rel gpu %done, %c1
  %last = tile.expr %count == num_programs(x) - 1
  scf.if %last {
    %none = arith.constant 0 : i64
    %all = tile.atomic_rmw umax relaxed gpu %best, %none
    %turned = arith.trunci %all : i64 to i32
    %found = arith.xori %turned, %ones : i32
    tile.store %out, %found
    tile.store %best, %none
    tile.store %done, %c0
  }
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 98432 : i32}) {
  %c1_i32 = arith.constant 1 : i32
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %best = tile_host.alloc(%c1_i32) -> memref<?xi64>
  %done = tile_host.alloc(%c1_i32) -> memref<?xi32>
  %out = tile_host.alloc(%c1_i32) -> memref<?xi32>
  tile_host.launch @argmax_long(%x, %best, %done, %out, %n)

  %want = tile_host.alloc(%c1_i32) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  %first = memref.load %x[%c0] : memref<?xf32>
  %value, %place = scf.for %i = %c1 to %end step %c1 iter_args(%best_value = %first, %best_place = %c0) -> (f32, index) {
    %value = memref.load %x[%i] : memref<?xf32>
    %larger = arith.cmpf ogt, %value, %best_value : f32
    %next = arith.select %larger, %value, %best_value : f32
    %next_place = arith.select %larger, %i, %best_place : index
    scf.yield %next, %next_place : f32, index
  }
  %place32 = arith.index_cast %place : index to i32
  memref.store %place32, %want[%c0] : memref<?xi32>
  tile_host.expect_close %out, %want
  return
}
