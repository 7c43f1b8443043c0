// What is loaded from one argument and stored elsewhere in another is stored as it is loaded, but where both are one array: there
// all is loaded first.
//
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s --check-prefix=CODE
// RUN: tile-run %s --target=cpu --repeat 1 --args 256 | FileCheck %s
// CHECK: largest error 0, relative 0, in 2 comparisons

// CODE-LABEL: func.func @shift
// CODE: %[[TILE:.*]] = llvm.alloca
// CODE: %[[X:.*]] = llvm.ptrtoint
// CODE: %[[Y:.*]] = llvm.ptrtoint
// CODE: %[[AWAY:.*]] = arith.addi %{{.*}}, %c4095_i64 : i64
// CODE: %[[OTHER:.*]] = arith.cmpi ugt, %[[AWAY]], %c8190_i64 : i64
// CODE: scf.if %[[OTHER]] {
// CODE: %[[V:.*]] = llvm.load %{{.*}} -> vector<8xf32>
// CODE: llvm.store %[[V]]
// CODE: } else {
// CODE: llvm.load %{{.*}} -> vector<8xf32>
// CODE: llvm.store
// CODE: llvm.getelementptr %[[TILE]]
// CODE: llvm.store
tile.func @shift(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  tile.grid = 1
  %at = tile.expr arange(256)
  %from = tile.expr %x + %at
  %to = tile.expr %y + (%at + 3)
  %v = tile.load %from : tensor<256x!tile.ptr<f32>>
  tile.store %to, %v : tensor<256x!tile.ptr<f32>>
  tile.return
}
func.func @main(%n: i32) {
  %c3 = arith.constant 3 : i32
  %size = arith.addi %n, %c3 : i32
  %c5000 = arith.constant 5000 : i32
  %all = arith.addi %size, %c5000 : i32
  %x = tile_host.random(%all) seed 1 : (i32) -> memref<?xf32>
  %z = tile_host.random(%all) seed 1 : (i32) -> memref<?xf32>
  %y = tile_host.random(%all) seed 1 : (i32) -> memref<?xf32>
  %w = tile_host.random(%all) seed 1 : (i32) -> memref<?xf32>
  tile_host.launch @shift(%x, %y) : memref<?xf32>, memref<?xf32>
  tile_host.launch @shift(%z, %z) : memref<?xf32>, memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%w : memref<?xf32>) {
  ^bb0(%u: f32):
    %i = linalg.index 0 : index
    %three = arith.constant 3 : index
    %zero = arith.constant 0 : index
    %before = arith.subi %i, %three : index
    %isFirst = arith.cmpi ult, %i, %three : index
    %at = arith.select %isFirst, %i, %before : index
    %v = memref.load %x[%at] : memref<?xf32>
    %end = arith.index_cast %size : i32 to index
    %isThere = arith.cmpi ult, %i, %end : index
    %now = arith.select %isThere, %v, %u : f32
    linalg.yield %now : f32
  }
  tile_host.expect_close %y, %w : memref<?xf32>, memref<?xf32>
  tile_host.expect_close %z, %w : memref<?xf32>, memref<?xf32>
  return
}
