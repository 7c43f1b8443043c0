// Rows of a table by an index of each, which two stores need and so lies in a buffer: a chunk within a row reads one index of it,
// and its lanes of the table lie together.
//
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s --check-prefix=CODE
// RUN: tile-run %s --target=cpu --repeat 1 --args 60 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 60 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons

// CODE-LABEL: func.func @rows
// CODE: %[[INDICES:.*]] = llvm.alloca %{{.*}} x i32
// CODE: llvm.ptrtoint
// CODE: llvm.ptrtoint
// CODE: scf.if
// CODE: %[[PLACE:.*]] = llvm.getelementptr %[[INDICES]]
// CODE: %[[ROW:.*]] = llvm.load %[[PLACE]] {{.*}} -> i32
// CODE: arith.muli %[[ROW]]
// CODE: llvm.load %{{.*}} -> vector<8xf32>
// CODE: llvm.store %{{.*}} : vector<8xf32>
tile.func @rows(%rows: !tile.ptr<i32>, %table: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<i32>) {
  tile.grid = 5
  %at = tile.expr program_id(x) * 256 + arange(256)
  %c60 = arith.constant 60 : i32
  %length = tile.splat %c60 : i32 -> tensor<256xi32>
  %q = arith.divsi %at, %length : tensor<256xi32>
  %r = arith.remsi %at, %length : tensor<256xi32>
  %places = tile.expr %rows + %q
  %row = tile.load %places : tensor<256x!tile.ptr<i32>>
  %zs = tile.expr %z + %at
  tile.store %zs, %row : tensor<256x!tile.ptr<i32>>
  %from = tile.expr %table + (%row * 60 + %r)
  %v = tile.load %from : tensor<256x!tile.ptr<f32>>
  %ys = tile.expr %y + %at
  tile.store %ys, %v : tensor<256x!tile.ptr<f32>>
  tile.return
}

func.func @main(%n: i32) {
  %size = arith.constant 1280 : i32
  %entries = arith.constant 22 : i32
  %rows = tile_host.alloc(%entries) : (i32) -> memref<?xi32>
  %table = tile_host.random(%size) seed 1 : (i32) -> memref<?xf32>
  %y = tile_host.alloc(%size) : (i32) -> memref<?xf32>
  %z = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wy = tile_host.alloc(%size) : (i32) -> memref<?xf32>
  %wz = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c20 = arith.constant 20 : index
  %c22 = arith.constant 22 : index
  %c60 = arith.constant 60 : index
  %c1280 = arith.constant 1280 : index
  scf.for %i = %c0 to %c22 step %c1 {
    %times = arith.muli %i, %c7 : index
    %row = arith.remui %times, %c20 : index
    %number = arith.index_cast %row : index to i32
    memref.store %number, %rows[%i] : memref<?xi32>
  }
  tile_host.launch @rows(%rows, %table, %y, %z) : memref<?xi32>, memref<?xf32>, memref<?xf32>, memref<?xi32>
  scf.for %i = %c0 to %c1280 step %c1 {
    %q = arith.divui %i, %c60 : index
    %r = arith.remui %i, %c60 : index
    %row = memref.load %rows[%q] : memref<?xi32>
    %k = arith.index_cast %row : i32 to index
    %first = arith.muli %k, %c60 : index
    %from = arith.addi %first, %r : index
    %v = memref.load %table[%from] : memref<?xf32>
    memref.store %v, %wy[%i] : memref<?xf32>
    memref.store %row, %wz[%i] : memref<?xi32>
  }
  tile_host.expect_close %y, %wy : memref<?xf32>, memref<?xf32>
  tile_host.expect_close %z, %wz : memref<?xi32>, memref<?xi32>
  return
}
