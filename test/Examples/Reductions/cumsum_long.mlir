// Cumulative sums of one array of any length, in one pass: y[i] = x[0] + .. + x[i].
//
//   tile-run cumsum_long.mlir                  98,432 elements
//   tile-run cumsum_long.mlir --args 16777216  any other number
//
// Each program sums up its own N elements and says so in `states`, before it knows what all blocks in front of its own add
// up to; and then looks back for that, 32 blocks at a time, until one of them knows it already ("decoupled look-back",
// Merrill and Garland 2016). A state is 64 bits, so that it is written and read at once: the sum, and above it 0 (nothing
// yet), 1 (of the block), 2 (of all up to the block). Which block is whose is counted by `counts`: whoever waits for a
// block knows that a program has begun with it. Both start from zeros, which the program that is done last puts back.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009 -D N=64 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000003 | FileCheck %s
// RUN: tile-run %s --check --args 1030 -D N=128
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : cumsum_long({{.*}}GB/s

!values = tensor<?xf32, #tile.dims<[N]>>
!lanes = tensor<32xi32>
!states = tensor<32xi64>
!flags = tensor<32xi1>

tile.func @cumsum_long(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %states: !tile.ptr<i64>, %counts: !tile.ptr<i32>,
                       %n: i32) meta {N = 4096, num_warps = 8} {
  tile.grid = %n ceildiv N
  // An addition an element, which is read and written once, 4 bytes each way.
  tile.cost = %n, %n * 8
  %c1 = arith.constant 1 : i32
  %mine = tile.atomic_rmw add relaxed gpu %counts, %c1
  %numbers = tile.expr %mine * N + arange(N)
  %in = tile.expr %numbers < %n
  %x_ptrs = tile.expr %x + %numbers
  %values = tile.load %x_ptrs, %in
  %sums = tile.scan add %values axis 0 : !values -> !values
  %block = tile.reduce add %values axis 0
  tile.call @tell(%states, %mine, %block, %c1) : (!tile.ptr<i64>, i32, f32, i32) -> ()
  %before = tile.call @look_back(%states, %mine) : (!tile.ptr<i64>, i32) -> f32
  %c2 = arith.constant 2 : i32
  %after = arith.addf %before, %block : f32
  tile.call @tell(%states, %mine, %after, %c2) : (!tile.ptr<i64>, i32, f32, i32) -> ()
  %all = tile.expr %before + %sums
  %y_ptrs = tile.expr %y + %numbers
  tile.store %y_ptrs, %all, %in

  %done_ptr = tile.expr %counts + 1
  %done = tile.atomic_rmw add acq_rel gpu %done_ptr, %c1
  %last = tile.expr %done == num_programs(x) - 1
  scf.if %last {
    tile.call @clear(%states, %counts) : (!tile.ptr<i64>, !tile.ptr<i32>) -> ()
  }
  tile.return
}

// Zeros for the next launch.
tile.func private @clear(%states: !tile.ptr<i64>, %counts: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %zeros = arith.constant dense<0> : tensor<1024xi64>
  %lanes = tile.arange : tensor<1024xi32>
  %blocks = tile.num_programs x
  scf.for %b = %c0 to %blocks step %c1024 : i32 {
    %numbers = tile.expr %b + %lanes
    %in = tile.expr %numbers < %blocks
    %ptrs = tile.expr %states + %numbers
    tile.store %ptrs, %zeros, %in
  }
  %done_ptr = tile.expr %counts + 1
  tile.store %counts, %c0
  tile.store %done_ptr, %c0
  tile.return
}

// states[block] = what << 32 | sum
tile.func private @tell(%states: !tile.ptr<i64>, %block: i32, %sum: f32, %what: i32) {
  %bits = arith.bitcast %sum : f32 to i32
  %low = arith.extui %bits : i32 to i64
  %c32 = arith.constant 32 : i64
  %wide = arith.extui %what : i32 to i64
  %high = arith.shli %wide, %c32 : i64
  %state = arith.ori %high, %low : i64
  %ptr = tile.expr %states + %block
  %old = tile.atomic_rmw xchg relaxed gpu %ptr, %state
  tile.return
}

// The sum of all blocks in front of `block`.
tile.func private @look_back(%states: !tile.ptr<i64>, %block: i32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<32xf32>
  %nothing = arith.constant dense<0> : !states
  %c32 = arith.constant dense<32> : !states
  %none = arith.constant dense<32> : !lanes
  %c0 = arith.constant 0 : i32
  %back = tile.arange : !lanes
  %end, %sum = scf.while (%end = %block, %sum = %zero) : (i32, f32) -> (i32, f32) {
    %more = arith.cmpi sgt, %end, %c0 : i32
    scf.condition(%more) %end, %sum : i32, f32
  } do {
  ^bb0(%end: i32, %sum: f32):
    // The nearest first.
    %number = tile.expr %end - 1 - %back
    %there = tile.expr %number >= 0
    %ptrs = tile.expr %states + %number
    %state = tile.atomic_rmw or relaxed gpu %ptrs, %nothing, %there
    %what = arith.shrui %state, %c32 : !states
    %bits = arith.trunci %state : !states to !lanes
    %sums = arith.bitcast %bits : !lanes to tensor<32xf32>
    // Those up to one that knows the sum of all.
    %knows = tile.expr %what == 2
    %candidates = arith.select %knows, %back, %none : !flags, !lanes
    %last = tile.reduce min %candidates axis 0
    %wanted = tile.expr %there and %back <= %last
    %missing = tile.expr %wanted and %what == 0
    %missing32 = arith.extui %missing : !flags to !lanes
    %waits = tile.reduce max %missing32 axis 0
    %parts = arith.select %wanted, %sums, %zeros : !flags, tensor<32xf32>
    %part = tile.reduce add %parts axis 0
    %ready = tile.expr %waits == 0
    %found = tile.expr %last < 32
    %further = tile.expr select(%found, 0, %end - 32)
    %next = arith.select %ready, %further, %end : i32
    %longer = arith.addf %sum, %part : f32
    %after = arith.select %ready, %longer, %sum : f32
    scf.yield %next, %after : i32, f32
  }
  tile.return %sum : f32
}

func.func @main(%n: i32 {tile_host.default = 98432 : i32}) {
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %y = tile_host.alloc(%n) -> memref<?xf32>
  %states = tile_host.alloc(%n) -> memref<?xi64>
  %two = arith.constant 2 : i32
  %counts = tile_host.alloc(%two) -> memref<?xi32>
  tile_host.launch @cumsum_long(%x, %y, %states, %counts, %n)

  %want = tile_host.alloc(%n) -> memref<?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %end = arith.index_cast %n : i32 to index
  %total = scf.for %i = %c0 to %end step %c1 iter_args(%before = %zero) -> f64 {
    %value = memref.load %x[%i] : memref<?xf32>
    %value64 = arith.extf %value : f32 to f64
    %after = arith.addf %before, %value64 : f64
    memref.store %after, %want[%i] : memref<?xf64>
    scf.yield %after : f64
  }
  // The sums wander: what rounding adds up to does not shrink where they come near to zero.
  tile_host.expect_close %y, %want {atol = 5.0e-3, rtol = 1.0e-6}
  return
}
