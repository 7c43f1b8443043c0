// Counts and ends are those of the loop before: none, one, whole and broken steps, on the CPU, which runs loops as they stand.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-uplift-loops))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=RANGE --input-file %t.mlir
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RANGE: tile.func @count
// RANGE-NOT: scf.while
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
  %both = tile.expr %count * 1000 + %last
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
    %thousands = arith.muli %count, %thousand : i32
    %both = arith.addi %thousands, %last : i32
    memref.store %both, %want[%i] : memref<?xi32>
  }
  tile_host.launch @count(%starts, %ends, %lasts)
  tile_host.expect_close %lasts, %want {atol = 0.0, rtol = 0.0}
  return
}
