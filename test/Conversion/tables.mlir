// Constant tiles of the same elements are one array of the module, whichever kernel reads them, for a GPU and for the CPU.
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 | FileCheck %s
// RUN: tile-opt %s --tile-to-cpu | FileCheck %s

// CHECK-COUNT-2: llvm.mlir.global internal constant @__tile_table_
// CHECK-NOT: llvm.mlir.global internal constant @__tile_table_

// CHECK: @first(
// CHECK: llvm.mlir.addressof @[[ONE:__tile_table_[0-9]+]] 
tile.func @first(%p: !tile.ptr<i32>) {
  %k = arith.constant dense<[3, 1, 2, 0]> : tensor<4xi32>
  %x = tile.expr %p + arange(4)
  tile.store %x, %k
  tile.return
}

// CHECK: @other(
// CHECK: llvm.mlir.addressof @[[OTHER:__tile_table_[0-9]+]] 
tile.func @other(%p: !tile.ptr<i32>) {
  %k = arith.constant dense<[3, 1, 2, 5]> : tensor<4xi32>
  %x = tile.expr %p + arange(4)
  tile.store %x, %k
  tile.return
}

// CHECK: @same(
// CHECK: llvm.mlir.addressof @[[ONE]] 
tile.func @same(%p: !tile.ptr<i32>) {
  %k = arith.constant dense<[3, 1, 2, 0]> : tensor<4xi32>
  %x = tile.expr %p + arange(4)
  tile.store %x, %k
  tile.return
}
