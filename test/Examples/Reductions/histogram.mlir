// How often each of 0 .. BINS - 1 occurs in an array.
//
//   tile-run histogram.mlir                 98,432 elements, 64 bins
//   tile-run histogram.mlir --args 1000003  any other number
//
// Each program counts its own N elements with tile.histogram, in the program, where nobody else is. Only what comes of
// it, one number for each bin, is added to the result in memory, atomically, since all programs do so.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000003 -D N=4096 | FileCheck %s
// RUN: tile-run %s --check --args 1009
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: : histogram({{.*}}GB/s

!lanes = tensor<?xi32, #tile.dims<[N]>>
!bins = tensor<?xi32, #tile.dims<[BINS]>>

tile.func @histogram(%x: !tile.ptr<i32>, %counts: !tile.ptr<i32>, %n: i32) meta {N = 1024, BINS = 64} {
  tile.grid = %n ceildiv N
  // A count an element, which is read once, 4 bytes.
  tile.cost = %n, %n * 4
  %numbers = tile.expr program_id(x) * N + arange(N)
  %in = tile.expr %numbers < %n
  %x_ptrs = tile.expr %x + %numbers
  %values = tile.load %x_ptrs, %in

  // What is masked out was not there, and counts nowhere.
  %found = tile.histogram %values, %in : !lanes -> !bins
  %bin_ptrs = tile.expr %counts + arange(BINS)
  %before = tile.atomic_rmw add relaxed gpu %bin_ptrs, %found
  tile.return
}

// Values from -8 to 66, so that some are in no bin.
func.func @main(%n: i32 {tile_host.default = 98432 : i32}) {
  %bins = arith.constant 64 : i32
  %a = tile_host.random(%n) seed 1 -> memref<?xi32>
  %b = tile_host.random(%n) seed 2 -> memref<?xi32>
  %x = tile_host.alloc(%n) -> memref<?xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%x : memref<?xi32>) {
  ^bb0(%low: i32, %high: i32, %old: i32):
    %four = arith.constant 4 : i32
    %thirty = arith.constant 30 : i32
    %scaled = arith.muli %high, %four : i32
    %sum = arith.addi %low, %scaled : i32
    %value = arith.addi %sum, %thirty : i32
    linalg.yield %value : i32
  }
  %counts = tile_host.alloc(%bins) -> memref<?xi32>
  tile_host.launch @histogram(%x, %counts, %n)

  %want = tile_host.alloc(%bins) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %value = memref.load %x[%i] : memref<?xi32>
    %counted = arith.cmpi ult, %value, %bins : i32
    scf.if %counted {
      %bin = arith.index_cast %value : i32 to index
      %count = memref.load %want[%bin] : memref<?xi32>
      %next = arith.addi %count, %one : i32
      memref.store %next, %want[%bin] : memref<?xi32>
    }
  }
  tile_host.expect_close %counts, %want
  return
}
