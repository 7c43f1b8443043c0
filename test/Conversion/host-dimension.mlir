// Host programs go no further than the pipelines' end, and are not simplified on the way: upstream's
// rules for memref.dim (22.1) read out of bounds for an index below 0.
// RUN: tile-opt %s --tile-to-nvvm | FileCheck %s
// RUN: tile-opt %s --tile-to-cpu
// CHECK: gpu.module
// CHECK-NOT: memref.dim

func.func @host(%x: memref<?xf32>) -> index {
  %c = arith.constant -2147483648 : index
  %d = memref.dim %x, %c : memref<?xf32>
  return %d : index
}

tile.func @kernel() {
  tile.return
}
