// The K largest elements of each row, in order, and where they are: by sorting.
//
//   tile-run top_k.mlir                   100 x 200, the largest 5
//   tile-run top_k.mlir --args 64,1000,10 -D N=1024 -D K=16   ROWS,COLUMNS,K (N >= columns, K >= K)
//
// A program does one row. tile.sort orders its elements, downwards, and moves their numbers with them; it is
// stable, so of equal elements the one further left comes first. tile.slice takes the first K: no more are
// sorted than that (tile.partial_sort).
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 7,256,256 -D K=256 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 31,997,10 -D N=1024 -D K=16 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 31,997,10 -D N=1024 -D K=10 | FileCheck %s
// RUN: tile-run %s --check --args 7,200,5
// CHECK: largest error 0, relative 0, in 2 comparisons
// CHECK: : top_k({{.*}}GB/s

!lanes = tensor<?xi32, #tile.dims<[N]>>
!values = tensor<?xf32, #tile.dims<[N]>>
!first_lanes = tensor<?xi32, #tile.dims<[K]>>
!first_values = tensor<?xf32, #tile.dims<[K]>>

tile.func @top_k(%x: !tile.ptr<f32>, %values: !tile.ptr<f32>, %columns: !tile.ptr<i32>,
                 %m: i32, %n: i32, %k: i32)
    meta {N = 256, K = 8} {
  tile.grid = %m
  // What sorting computes is not counted; each element is read once, 4 bytes.
  tile.cost = 0, %m * %n * 4
  %row = tile.program_id x
  %lanes = tile.expr arange(N)
  %in = tile.expr %lanes < %n
  %other = tile.expr -inf : !values

  %x_ptrs = tile.expr %x + %row * %n + %lanes
  %elements = tile.load %x_ptrs, %in, %other
  %sorted, %numbers = tile.sort %elements, %lanes axis 0 {descending} : !values, !lanes
  %largest = tile.slice %sorted[0] : !values -> !first_values
  %places = tile.slice %numbers[0] : !lanes -> !first_lanes

  %first_lanes = tile.expr arange(K)
  %first = tile.expr %first_lanes < %k
  %out_offset = tile.expr %row * %k
  %value_ptrs = tile.expr %values + %out_offset + %first_lanes
  %column_ptrs = tile.expr %columns + %out_offset + %first_lanes
  tile.store %value_ptrs, %largest, %first
  tile.store %column_ptrs, %places, %first
  tile.return
}

func.func @main(%m: i32 {tile_host.default = 100 : i32}, %n: i32 {tile_host.default = 200 : i32},
                %k: i32 {tile_host.default = 5 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 -> memref<?x?xf32>
  // Equal elements, to see which comes first: every third is rounded to a half.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%x : memref<?x?xf32>) {
  ^bb0(%value: f32):
    %three = arith.constant 3 : index
    %zero = arith.constant 0 : index
    %half = arith.constant 0.5 : f32
    %two = arith.constant 2.0 : f32
    %j = linalg.index 1 : index
    %phase = arith.remui %j, %three : index
    %third = arith.cmpi eq, %phase, %zero : index
    %doubled = arith.mulf %value, %two : f32
    %down = math.floor %doubled : f32
    %rounded = arith.mulf %down, %half : f32
    %chosen = arith.select %third, %rounded, %value : f32
    linalg.yield %chosen : f32
  }
  %values = tile_host.alloc(%m, %k) -> memref<?x?xf32>
  %columns = tile_host.alloc(%m, %k) -> memref<?x?xi32>
  tile_host.launch @top_k(%x, %values, %columns, %m, %n, %k)

  // Selection: k times the largest of what has not been taken, the leftmost first.
  %taken = tile_host.alloc(%m, %n) -> memref<?x?xi1>
  %want_values = tile_host.alloc(%m, %k) -> memref<?x?xf32>
  %want_columns = tile_host.alloc(%m, %k) -> memref<?x?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %rows = arith.index_cast %m : i32 to index
  %length = arith.index_cast %n : i32 to index
  %count = arith.index_cast %k : i32 to index
  %lowest = arith.constant 0xFF800000 : f32
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %t = %c0 to %count step %c1 {
      %best, %best_at = scf.for %j = %c0 to %length step %c1 iter_args(%b = %lowest, %at = %c0) -> (f32, index) {
        %value = memref.load %x[%i, %j] : memref<?x?xf32>
        %gone = memref.load %taken[%i, %j] : memref<?x?xi1>
        %there = arith.xori %gone, %yes : i1
        %larger = arith.cmpf ogt, %value, %b : f32
        %better = arith.andi %larger, %there : i1
        %next = arith.select %better, %value, %b : f32
        %next_at = arith.select %better, %j, %at : index
        scf.yield %next, %next_at : f32, index
      }
      memref.store %yes, %taken[%i, %best_at] : memref<?x?xi1>
      memref.store %best, %want_values[%i, %t] : memref<?x?xf32>
      %column = arith.index_cast %best_at : index to i32
      memref.store %column, %want_columns[%i, %t] : memref<?x?xi32>
    }
  }
  tile_host.expect_close %values, %want_values
  tile_host.expect_close %columns, %want_columns
  return
}
