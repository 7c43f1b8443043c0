// Counts and ends are those of the loop before: none, one, whole and broken steps, on the CPU, which runs loops as they stand.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-uplift-loops))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=RANGE --input-file %t.mlir
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RANGE: tile.func @count
// RANGE-NOT: scf.while
// RANGE: scf.for
// RANGE: scf.for
// RANGE: scf.for
// RANGE-NOT: scf.while
// RANGE: func.func @main
// CHECK: largest error 0, relative 0, in 1 comparison
tile.func @count(%starts: !tile.ptr<i32>, %ends: !tile.ptr<i32>, %lasts: !tile.ptr<i32>) {
  tile.grid = 64
  %start_ptr = tile.expr %starts + program_id(x)
  %end_ptr = tile.expr %ends + program_id(x)
  %start = tile.load %start_ptr
  %end = tile.load %end_ptr
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %last, %count = scf.while (%i = %start, %s = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %t = arith.addi %s, %c1 : i32
    %next = arith.addi %i, %c32 : i32
    scf.yield %next, %t : i32, i32
  }
  // From a number on that is 40 before the start, at it, and behind it.
  %pid = tile.program_id x
  %c4 = arith.constant 4 : i32
  %fourth = arith.remsi %pid, %c4 : i32
  %from = tile.expr %start - 40 + 40 * %fourth
  %ahead, %own = scf.while (%i = %start, %s = %c0) : (i32, i32) -> (i32, i32) {
    %begun = arith.cmpi sge, %i, %from : i32
    %more = arith.cmpi slt, %i, %end : i32
    %goes = arith.andi %begun, %more : i1
    scf.condition(%goes) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %t = arith.addi %s, %i : i32
    %next = arith.addi %i, %c32 : i32
    scf.yield %next, %t : i32, i32
  }
  // By steps of both signs, between the numbers.
  %step = tile.expr 14 * %fourth - 7
  %left, %any = scf.while (%i = %start, %s = %c0) : (i32, i32) -> (i32, i32) {
    %begun = arith.cmpi sle, %from, %i : i32
    %more = arith.cmpi sgt, %end, %i : i32
    %goes = arith.andi %more, %begun : i1
    scf.condition(%goes) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %t = arith.addi %s, %i : i32
    %next = arith.addi %i, %step : i32
    scf.yield %next, %t : i32, i32
  }
  %both = tile.expr %count * 1000 + %last + 3 * %ahead + 7 * %own + 11 * %left + 13 * %any
  %to = tile.expr %lasts + program_id(x)
  tile.store %to, %both
  tile.return
}

func.func @main() {
  %many = arith.constant 64 : i32
  %starts = tile_host.alloc(%many) -> memref<?xi32>
  %ends = tile_host.alloc(%many) -> memref<?xi32>
  %lasts = tile_host.alloc(%many) -> memref<?xi32>
  %want = tile_host.alloc(%many) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 32 : i32
  %thousand = arith.constant 1000 : i32
  %c7 = arith.constant 7 : i32
  %c29 = arith.constant 29 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %forty = arith.constant 40 : i32
  %fourteen = arith.constant 14 : i32
  %eleven = arith.constant 11 : i32
  %thirteen = arith.constant 13 : i32
  %c100 = arith.constant 100 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    // From -100 on, and from 200 before the start to 63 * 29 behind -200.
    %i32 = arith.index_cast %i : index to i32
    %i7 = arith.muli %i32, %c7 : i32
    %i29 = arith.muli %i32, %c29 : i32
    %start = arith.subi %i7, %c100 : i32
    %below = arith.subi %i29, %c100 : i32
    %end = arith.subi %below, %c100 : i32
    memref.store %start, %starts[%i] : memref<?xi32>
    memref.store %end, %ends[%i] : memref<?xi32>
    %last, %count = scf.while (%k = %start, %s = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi slt, %k, %end : i32
      scf.condition(%more) %k, %s : i32, i32
    } do {
    ^bb0(%k: i32, %s: i32):
      %t = arith.addi %s, %one : i32
      %next = arith.addi %k, %step : i32
      scf.yield %next, %t : i32, i32
    }
    %fourth = arith.remsi %i32, %four : i32
    %far = arith.muli %fourth, %forty : i32
    %back = arith.subi %start, %forty : i32
    %from = arith.addi %back, %far : i32
    %ahead, %own = scf.while (%k = %start, %s = %zero) : (i32, i32) -> (i32, i32) {
      %begun = arith.cmpi sge, %k, %from : i32
      %more = arith.cmpi slt, %k, %end : i32
      %goes = arith.andi %begun, %more : i1
      scf.condition(%goes) %k, %s : i32, i32
    } do {
    ^bb0(%k: i32, %s: i32):
      %t = arith.addi %s, %k : i32
      %next = arith.addi %k, %step : i32
      scf.yield %next, %t : i32, i32
    }
    %fourteen_each = arith.muli %fourth, %fourteen : i32
    %either = arith.subi %fourteen_each, %c7 : i32
    %left, %any = scf.while (%k = %start, %s = %zero) : (i32, i32) -> (i32, i32) {
      %begun = arith.cmpi sle, %from, %k : i32
      %more = arith.cmpi sgt, %end, %k : i32
      %goes = arith.andi %more, %begun : i1
      scf.condition(%goes) %k, %s : i32, i32
    } do {
    ^bb0(%k: i32, %s: i32):
      %t = arith.addi %s, %k : i32
      %next = arith.addi %k, %either : i32
      scf.yield %next, %t : i32, i32
    }
    %thousands = arith.muli %count, %thousand : i32
    %lasts3 = arith.muli %ahead, %three : i32
    %owns7 = arith.muli %own, %c7 : i32
    %one_loop = arith.addi %thousands, %last : i32
    %two_loops = arith.addi %one_loop, %lasts3 : i32
    %lefts11 = arith.muli %left, %eleven : i32
    %anys13 = arith.muli %any, %thirteen : i32
    %three_loops = arith.addi %two_loops, %owns7 : i32
    %with_left = arith.addi %three_loops, %lefts11 : i32
    %both = arith.addi %with_left, %anys13 : i32
    memref.store %both, %want[%i] : memref<?xi32>
  }
  tile_host.launch @count(%starts, %ends, %lasts)
  tile_host.expect_close %lasts, %want {atol = 0.0, rtol = 0.0}
  return
}
