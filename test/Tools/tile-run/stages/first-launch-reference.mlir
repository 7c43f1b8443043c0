// A run for the facts of a launch does not compute what results would have been compared with, which here would take years. What a launch
// reads is computed, as is an array that is read.
//
// RUN: timeout 100 tile-run %s --args 64 --emit=ptx --arch sm_90a | FileCheck %s
// RUN: sed 's/@copy(%x)/@copy(%want)/' %s >%t.mlir
// RUN: not timeout 2 tile-run %t.mlir --args 64 --emit=ptx --arch sm_90a
//
// CHECK: .entry copy(

tile.func @copy(%x: !tile.ptr<f32>) {
  tile.grid = 1
  tile.return
}

func.func @twice(%x: f32) -> f32 {
  %sum = arith.addf %x, %x : f32
  return %sum : f32
}

func.func @main(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %years = arith.constant 1000000000000000000 : index
  %x = tile_host.alloc(%n) -> memref<?xf32>
  %want = tile_host.alloc(%n) -> memref<?xf32>
  scf.for %i = %c0 to %years step %c1 {
    %at = arith.remui %i, %c64 : index
    %i64 = arith.index_cast %i : index to i64
    %value = arith.sitofp %i64 : i64 to f32
    memref.store %value, %want[%at] : memref<?xf32>
    %row = memref.subview %want[%at] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%row : memref<1xf32, strided<[1], offset: ?>>) {
    ^bb0(%old: f32):
      %new = func.call @twice(%old) : (f32) -> f32
      linalg.yield %new : f32
    }
  }
  tile_host.expect_close %x, %want {atol = 1.0, rtol = 1.0}
  tile_host.launch @copy(%x)
  tile_host.expect_close %x, %want {atol = 1.0, rtol = 1.0}
  return
}
