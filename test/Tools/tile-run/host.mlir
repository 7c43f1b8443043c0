// A host program without kernels: arrays, files, checks, a status.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %s --target=cpu --args 4 | FileCheck %s
// RUN: tile-run %s --target=cpu | FileCheck %s --check-prefix=DEFAULT
// RUN: not tile-run %s --target=cpu --args 5 2>&1 | FileCheck %s --check-prefix=STATUS

// CHECK: 4x3xf32
// CHECK-NEXT: 0 0 0
// CHECK-NEXT: 0 1 2
// CHECK-NEXT: 0 2 4
// CHECK-NEXT: 0 3 6
// CHECK: largest error 0, relative 0, in 1 comparison
// DEFAULT: 2x3xf32
// STATUS: host.mlir:[[#@LINE+1]]:1: error: expected @main to return 0, found 7
func.func @main(%rows: i32 {tile_host.default = 2 : i32}) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.index_cast %rows : i32 to index
  %x = tile_host.alloc(%rows) : (i32) -> memref<?x3xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %ij = arith.muli %i, %j : index
      %integer = arith.index_cast %ij : index to i32
      %value = arith.sitofp %integer : i32 to f32
      memref.store %value, %x[%i, %j] : memref<?x3xf32>
    }
  }
  tile_host.dump %x : memref<?x3xf32>
  tile_host.write %x, "x.npy" : memref<?x3xf32>
  %back = tile_host.read "x.npy" : memref<?x?xf32>
  %cast = memref.cast %back : memref<?x?xf32> to memref<?x3xf32>
  tile_host.expect_close %cast, %x : memref<?x3xf32>, memref<?x3xf32>
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %is_five = arith.cmpi eq, %rows, %five : i32
  %status = arith.select %is_five, %seven, %zero : i32
  return %status : i32
}
