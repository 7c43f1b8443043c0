// Descriptors of 1 to 5 dimensions, over edges on both sides. The host says element by element what
// a box reads: the array's element, or padding.
// RUN: tile-run %s --target=cpu --repeat=1 --args 50,70,0,0 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat=1 --args 50,70,-7,-3 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat=1 --args 33,31,20,40 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat=1 --args 16,32,-2147483648,2147483647 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat=1 --args 1,1,-1,1 | FileCheck %s
// CHECK: largest error 0, relative 0, in 5 comparisons

// out[i, j] = x[i + di, j + dj], box by box. Both are the first %n columns of wider arrays, so that what
// is read or written past a row's end would be seen.
tile.func @shift(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32, %pitch: i32, %di: i32,
                 %dj: i32) {
  tile.grid(%m : i32, %n : i32) {
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %rows = arith.ceildivsi %m, %c16 : i32
    %columns = arith.ceildivsi %n, %c32 : i32
    tile.yield %columns, %rows : i32, i32
  }
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %stride = arith.extsi %pitch : i32 to i64
  %from = tile.make_desc %x, [%m, %n], [%stride] : !tile.ptr<f32> -> !tile.desc<16x32xf32>
  %to = tile.make_desc %out, [%m, %n], [%stride] : !tile.ptr<f32> -> !tile.desc<16x32xf32>
  %row = tile.program_id y
  %column = tile.program_id x
  %i = arith.muli %row, %c16 : i32
  %j = arith.muli %column, %c32 : i32
  %i_from = arith.addi %i, %di : i32
  %j_from = arith.addi %j, %dj : i32
  %v = tile.desc_load %from[%i_from, %j_from] : !tile.desc<16x32xf32>
  tile.desc_store %to[%i, %j], %v : !tile.desc<16x32xf32>
  tile.return
}

// The same the other way round: x goes to out, shifted; what would leave out is dropped.
tile.func @push(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32, %pitch: i32, %di: i32,
                %dj: i32) {
  tile.grid(%m : i32, %n : i32) {
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %rows = arith.ceildivsi %m, %c16 : i32
    %columns = arith.ceildivsi %n, %c32 : i32
    tile.yield %columns, %rows : i32, i32
  }
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %stride = arith.extsi %pitch : i32 to i64
  %from = tile.make_desc %x, [%m, %n], [%stride] : !tile.ptr<f32> -> !tile.desc<16x32xf32>
  %to = tile.make_desc %out, [%m, %n], [%stride] : !tile.ptr<f32> -> !tile.desc<16x32xf32>
  %row = tile.program_id y
  %column = tile.program_id x
  %i = arith.muli %row, %c16 : i32
  %j = arith.muli %column, %c32 : i32
  %v = tile.desc_load %from[%i, %j] : !tile.desc<16x32xf32>
  %i_to = arith.addi %i, %di : i32
  %j_to = arith.addi %j, %dj : i32
  tile.desc_store %to[%i_to, %j_to], %v : !tile.desc<16x32xf32>
  tile.return
}

// A row of %n numbers; where nothing is, NaN is, which counts as 7.
tile.func @pad(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %n: i32, %dj: i32) {
  tile.grid(%n : i32) {
    %c64 = arith.constant 64 : i32
    %programs = arith.ceildivsi %n, %c64 : i32
    tile.yield %programs : i32
  }
  %c64 = arith.constant 64 : i32
  %pid = tile.program_id x
  %j = arith.muli %pid, %c64 : i32
  %j_from = arith.addi %j, %dj : i32
  %from = tile.make_desc %x, [%n], [] padding nan : !tile.ptr<f16> -> !tile.desc<64xf16>
  %to = tile.make_desc %out, [%n], [] : !tile.ptr<f16> -> !tile.desc<64xf16>
  %v = tile.desc_load %from[%j_from] : !tile.desc<64xf16>
  %seven = arith.constant dense<7.0> : tensor<64xf16>
  %is_nan = arith.cmpf uno, %v, %v : tensor<64xf16>
  %shown = arith.select %is_nan, %seven, %v : tensor<64xi1>, tensor<64xf16>
  tile.desc_store %to[%j], %shown : !tile.desc<64xf16>
  tile.return
}

// All of a 3 x 4 x 5 array, and two steps beyond it, out of a box of 4 x 4 x 8.
tile.func @three(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %s20 = arith.constant 20 : i64
  %s5 = arith.constant 5 : i64
  %s32 = arith.constant 32 : i64
  %s8 = arith.constant 8 : i64
  %minus = arith.constant -1 : i32
  %from = tile.make_desc %x, [%c3, %c4, %c5], [%s20, %s5] : !tile.ptr<i32> -> !tile.desc<4x4x8xi32>
  %to = tile.make_desc %out, [%c4, %c4, %c8], [%s32, %s8] : !tile.ptr<i32> -> !tile.desc<4x4x8xi32>
  %v = tile.desc_load %from[%minus, %c1, %minus] : !tile.desc<4x4x8xi32>
  tile.desc_store %to[%c0, %c0, %c0], %v : !tile.desc<4x4x8xi32>
  tile.return
}

// A 2 x 3 x 2 x 3 x 4 array as boxes of 2 x 2 x 2 x 2 x 4: those along dimensions 1 and 3 reach over
// the end.
tile.func @five(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two, %two : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %s72 = arith.constant 72 : i64
  %s24 = arith.constant 24 : i64
  %s12 = arith.constant 12 : i64
  %s4 = arith.constant 4 : i64
  %from = tile.make_desc %x, [%c2, %c3, %c2, %c3, %c4], [%s72, %s24, %s12, %s4]
      : !tile.ptr<i32> -> !tile.desc<2x2x2x2x4xi32>
  %to = tile.make_desc %out, [%c2, %c3, %c2, %c3, %c4], [%s72, %s24, %s12, %s4]
      : !tile.ptr<i32> -> !tile.desc<2x2x2x2x4xi32>
  %p = tile.program_id x
  %q = tile.program_id y
  %i = arith.muli %p, %c2 : i32
  %k = arith.muli %q, %c2 : i32
  %v = tile.desc_load %from[%c0, %i, %c0, %k, %c0] : !tile.desc<2x2x2x2x4xi32>
  tile.desc_store %to[%c0, %i, %c0, %k, %c0], %v : !tile.desc<2x2x2x2x4xi32>
  tile.return
}

// Is 0 <= at < extent?
func.func private @exists(%at: i64, %extent: i32) -> i1 {
  %zero = arith.constant 0 : i64
  %end = arith.extsi %extent : i32 to i64
  %from = arith.cmpi sge, %at, %zero : i64
  %to = arith.cmpi slt, %at, %end : i64
  %in = arith.andi %from, %to : i1
  return %in : i1
}

func.func @main(%m: i32, %n: i32, %di: i32, %dj: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %five = arith.constant 5 : i32
  %three = arith.constant 3 : i32
  %pitch = arith.addi %n, %five : i32
  %rows = arith.addi %m, %three : i32
  %m_index = arith.index_cast %m : i32 to index
  %n_index = arith.index_cast %n : i32 to index
  %di64 = arith.extsi %di : i32 to i64
  %dj64 = arith.extsi %dj : i32 to i64

  %x = tile_host.random(%rows, %pitch) seed 1 : (i32, i32) -> memref<?x?xf32>
  %shifted = tile_host.alloc(%rows, %pitch) : (i32, i32) -> memref<?x?xf32>
  %shifted_want = tile_host.alloc(%rows, %pitch) : (i32, i32) -> memref<?x?xf32>
  tile_host.launch @shift(%x, %shifted, %m, %n, %pitch, %di, %dj)
      : memref<?x?xf32>, memref<?x?xf32>, i32, i32, i32, i32, i32
  %pushed = tile_host.alloc(%rows, %pitch) : (i32, i32) -> memref<?x?xf32>
  %pushed_want = tile_host.alloc(%rows, %pitch) : (i32, i32) -> memref<?x?xf32>
  tile_host.launch @push(%x, %pushed, %m, %n, %pitch, %di, %dj)
      : memref<?x?xf32>, memref<?x?xf32>, i32, i32, i32, i32, i32
  scf.for %i = %c0 to %m_index step %c1 {
    scf.for %j = %c0 to %n_index step %c1 {
      %i64 = arith.index_cast %i : index to i64
      %j64 = arith.index_cast %j : index to i64
      %far_i = arith.addi %i64, %di64 : i64
      %far_j = arith.addi %j64, %dj64 : i64
      %in_i = func.call @exists(%far_i, %m) : (i64, i32) -> i1
      %in_j = func.call @exists(%far_j, %n) : (i64, i32) -> i1
      %in = arith.andi %in_i, %in_j : i1
      scf.if %in {
        %fi = arith.index_cast %far_i : i64 to index
        %fj = arith.index_cast %far_j : i64 to index
        %v = memref.load %x[%fi, %fj] : memref<?x?xf32>
        memref.store %v, %shifted_want[%i, %j] : memref<?x?xf32>
        %w = memref.load %x[%i, %j] : memref<?x?xf32>
        memref.store %w, %pushed_want[%fi, %fj] : memref<?x?xf32>
      }
    }
  }
  tile_host.expect_close %shifted, %shifted_want : memref<?x?xf32>, memref<?x?xf32>
  tile_host.expect_close %pushed, %pushed_want : memref<?x?xf32>, memref<?x?xf32>

  %line = tile_host.random(%n) seed 2 : (i32) -> memref<?xf16>
  %padded = tile_host.alloc(%n) : (i32) -> memref<?xf16>
  %padded_want = tile_host.alloc(%n) : (i32) -> memref<?xf16>
  tile_host.launch @pad(%line, %padded, %n, %dj) : memref<?xf16>, memref<?xf16>, i32, i32
  %seven = arith.constant 7.0 : f16
  scf.for %j = %c0 to %n_index step %c1 {
    %j64 = arith.index_cast %j : index to i64
    %far_j = arith.addi %j64, %dj64 : i64
    %in = func.call @exists(%far_j, %n) : (i64, i32) -> i1
    %v = scf.if %in -> f16 {
      %fj = arith.index_cast %far_j : i64 to index
      %there = memref.load %line[%fj] : memref<?xf16>
      scf.yield %there : f16
    } else {
      scf.yield %seven : f16
    }
    memref.store %v, %padded_want[%j] : memref<?xf16>
  }
  tile_host.expect_close %padded, %padded_want : memref<?xf16>, memref<?xf16>

  %cube = tile_host.random(%c3, %c4, %c5) seed 3 : (index, index, index) -> memref<?x?x?xi32>
  %boxed = tile_host.alloc(%c4, %c4, %c8) : (index, index, index) -> memref<?x?x?xi32>
  %boxed_want = tile_host.alloc(%c4, %c4, %c8) : (index, index, index) -> memref<?x?x?xi32>
  tile_host.launch @three(%cube, %boxed) : memref<?x?x?xi32>, memref<?x?x?xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c1 to %c4 step %c1 {
      scf.for %k = %c0 to %c5 step %c1 {
        %v = memref.load %cube[%i, %j, %k] : memref<?x?x?xi32>
        %bi = arith.addi %i, %c1 : index
        %bj = arith.subi %j, %c1 : index
        %bk = arith.addi %k, %c1 : index
        memref.store %v, %boxed_want[%bi, %bj, %bk] : memref<?x?x?xi32>
      }
    }
  }
  tile_host.expect_close %boxed, %boxed_want : memref<?x?x?xi32>, memref<?x?x?xi32>

  %c144 = arith.constant 144 : index
  %deep = tile_host.random(%c144) seed 4 : (index) -> memref<?xi32>
  %copied = tile_host.alloc(%c144) : (index) -> memref<?xi32>
  tile_host.launch @five(%deep, %copied) : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %copied, %deep : memref<?xi32>, memref<?xi32>
  return
}
