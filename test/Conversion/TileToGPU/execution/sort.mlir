// Sorts and histograms, against counting loops on the host: the place of an element in the sorted row
// is how many keys come before it, earlier ones first among equals.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, {{.*}}in 7 comparisons

!tile = tensor<8x64xi32>
!ptrs = tensor<8x64x!tile.ptr<i32>>
!floats = tensor<8x64xf32>
!fptrs = tensor<8x64x!tile.ptr<f32>>

// Rows ascending, and where each key was; columns descending, and where each was; rows of f32 and of
// f64 by value; counts of small values, of which some are masked.
tile.func @sort(%x: !tile.ptr<i32>, %up: !tile.ptr<i32>, %upAt: !tile.ptr<i32>,
                %down: !tile.ptr<i32>, %downAt: !tile.ptr<i32>, %floats: !tile.ptr<f32>,
                %doubles: !tile.ptr<f32>, %counts: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %n = tile.arange : tensor<512xi32>
  %at = tile.reshape %n : tensor<512xi32> -> !tile
  %xs = tile.splat %x : !tile.ptr<i32> -> !ptrs
  %xp = tile.addptr %xs, %at : !ptrs, !tile
  %v = tile.load %xp : !ptrs

  %u, %ua = tile.sort %v, %at axis 1 : !tile, !tile
  %us = tile.splat %up : !tile.ptr<i32> -> !ptrs
  %upp = tile.addptr %us, %at : !ptrs, !tile
  tile.store %upp, %u : !ptrs
  %uas = tile.splat %upAt : !tile.ptr<i32> -> !ptrs
  %uap = tile.addptr %uas, %at : !ptrs, !tile
  tile.store %uap, %ua : !ptrs

  %d, %da = tile.sort %v, %at axis 0 {descending} : !tile, !tile
  %ds = tile.splat %down : !tile.ptr<i32> -> !ptrs
  %dp = tile.addptr %ds, %at : !ptrs, !tile
  tile.store %dp, %d : !ptrs
  %das = tile.splat %downAt : !tile.ptr<i32> -> !ptrs
  %dap = tile.addptr %das, %at : !ptrs, !tile
  tile.store %dap, %da : !ptrs

  %f = arith.sitofp %v : !tile to !floats
  %fs = tile.sort %f axis 1 : !floats
  %fl = tile.splat %floats : !tile.ptr<f32> -> !fptrs
  %fp = tile.addptr %fl, %at : !fptrs, !tile
  tile.store %fp, %fs : !fptrs
  %w = arith.extf %f : !floats to tensor<8x64xf64>
  %ws, %wf = tile.sort %w, %f axis 1 : tensor<8x64xf64>, !floats
  %wl = tile.splat %doubles : !tile.ptr<f32> -> !fptrs
  %wp = tile.addptr %wl, %at : !fptrs, !tile
  tile.store %wp, %wf : !fptrs

  %flat = tile.reshape %v : !tile -> tensor<512xi32>
  %limit = arith.constant dense<500> : tensor<512xi32>
  %in = arith.cmpi slt, %n, %limit : tensor<512xi32>
  %h = tile.histogram %flat, %in : tensor<512xi32> -> tensor<10xi32>
  %b = tile.arange : tensor<10xi32>
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<10x!tile.ptr<i32>>
  %cp = tile.addptr %cs, %b : tensor<10x!tile.ptr<i32>>, tensor<10xi32>
  tile.store %cp, %h : tensor<10x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %c500 = arith.constant 500 : index
  %x = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %up = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %upAt = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %down = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %downAt = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %floats = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xf32>
  %doubles = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xf32>
  %counts = tile_host.alloc(%c10) : (index) -> memref<?xi32>
  // Few values, so that there are equal ones; from -6 to 12.
  %prime = arith.constant 0x9e3779b1 : i32
  %values = arith.constant 19 : i32
  %six = arith.constant 6 : i32
  %shift = arith.constant 16 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %rows = arith.muli %i, %c64 : index
      %k = arith.addi %rows, %j : index
      %k32 = arith.index_cast %k : index to i32
      %y = arith.muli %k32, %prime : i32
      %y2 = arith.shrui %y, %shift : i32
      %z = arith.remui %y2, %values : i32
      %a = arith.subi %z, %six : i32
      memref.store %a, %x[%i, %j] : memref<?x?xi32>
    }
  }
  tile_host.launch @sort(%x, %up, %upAt, %down, %downAt, %floats, %doubles, %counts)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>,
        memref<?x?xf32>, memref<?x?xf32>, memref<?xi32>

  %upWant = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %upAtWant = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %downWant = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %downAtWant = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xi32>
  %floatsWant = tile_host.alloc(%c8, %c64) : (index, index) -> memref<?x?xf32>
  %countsWant = tile_host.alloc(%c10) : (index) -> memref<?xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %rows = arith.muli %i, %c64 : index
      %k = arith.addi %rows, %j : index
      %k32 = arith.index_cast %k : index to i32
      %place = scf.for %m = %c0 to %c64 step %c1 iter_args(%p = %c0) -> index {
        %w = memref.load %x[%i, %m] : memref<?x?xi32>
        %less = arith.cmpi slt, %w, %v : i32
        %same = arith.cmpi eq, %w, %v : i32
        %before = arith.cmpi ult, %m, %j : index
        %tie = arith.andi %same, %before : i1
        %first = arith.ori %less, %tie : i1
        %more = arith.addi %p, %c1 : index
        %q = arith.select %first, %more, %p : index
        scf.yield %q : index
      }
      memref.store %v, %upWant[%i, %place] : memref<?x?xi32>
      memref.store %k32, %upAtWant[%i, %place] : memref<?x?xi32>
      %f = arith.sitofp %v : i32 to f32
      memref.store %f, %floatsWant[%i, %place] : memref<?x?xf32>
      %row = scf.for %m = %c0 to %c8 step %c1 iter_args(%p = %c0) -> index {
        %w = memref.load %x[%m, %j] : memref<?x?xi32>
        %greater = arith.cmpi sgt, %w, %v : i32
        %same = arith.cmpi eq, %w, %v : i32
        %before = arith.cmpi ult, %m, %i : index
        %tie = arith.andi %same, %before : i1
        %first = arith.ori %greater, %tie : i1
        %more = arith.addi %p, %c1 : index
        %q = arith.select %first, %more, %p : index
        scf.yield %q : index
      }
      memref.store %v, %downWant[%row, %j] : memref<?x?xi32>
      memref.store %k32, %downAtWant[%row, %j] : memref<?x?xi32>
      %zero = arith.constant 0 : i32
      %ten = arith.constant 10 : i32
      %low = arith.cmpi sge, %v, %zero : i32
      %high = arith.cmpi slt, %v, %ten : i32
      %seen = arith.cmpi ult, %k, %c500 : index
      %inside = arith.andi %low, %high : i1
      %counted = arith.andi %inside, %seen : i1
      scf.if %counted {
        %bin = arith.index_cast %v : i32 to index
        %one = arith.constant 1 : i32
        %had = memref.load %countsWant[%bin] : memref<?xi32>
        %has = arith.addi %had, %one : i32
        memref.store %has, %countsWant[%bin] : memref<?xi32>
      }
    }
  }
  tile_host.expect_close %up, %upWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %upAt, %upAtWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %down, %downWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %downAt, %downAtWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %floats, %floatsWant : memref<?x?xf32>, memref<?x?xf32>
  tile_host.expect_close %doubles, %floatsWant : memref<?x?xf32>, memref<?x?xf32>
  tile_host.expect_close %counts, %countsWant : memref<?xi32>, memref<?xi32>
  return
}
