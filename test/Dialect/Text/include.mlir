// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefix=OUT
//
// Kernels, helpers and private host functions come, each file once; what is public of the host stays behind.
// CHECK-DAG: tile.func private @seven() -> i32
// CHECK-DAG: tile.func private @range(
// CHECK-DAG: tile.func private @from_seven()
// CHECK-DAG: tile.func @shared_kernel(
// CHECK-DAG: func.func private @host_helper() -> i32
// CHECK-DAG: tile.func private @load_block_f32(
// CHECK-NOT: tile.include
// CHECK: tile.func @kernel
// CHECK: func.func @main

tile.include "Inputs/helpers.mlir"
tile.include "Inputs/more.mlir"
tile.include "tile/ranges.mlir"
tile.include "tile/blocks.mlir"
tile.include "tile/order.mlir"
tile.include "tile/softmax.mlir"

// Transposes blocks of 4 x 2, and prints the weights of an online softmax.
tile.func @kernel(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) {
  tile.grid = (%m ceildiv 4) * (%n ceildiv 2)
  %tiles_m = tile.expr %m ceildiv 4
  %tiles_n = tile.expr %n ceildiv 2
  %group = tile.expr 2
  %i, %j = tile.call @grouped_order(%tiles_m, %tiles_n, %group) -> (i32, i32)
  %first_m = tile.expr %i * 4
  %first_n = tile.expr %j * 2
  %one = tile.expr 1
  %block = tile.call @load_block(%x, %first_m, %first_n, %m, %n, %n, %one) -> tensor<4x2xf32>
  %turned = tile.trans %block order [1, 0]
  tile.call @store_block(%y, %first_n, %first_m, %n, %m, %m, %one, %turned)
  tile.return
}

// OUT: pid (0, 0, 0) range: [7 8 9]
// OUT: pid (0, 0, 0) weights:
// OUT: {{\[\[ 0.5 1\]}}
// OUT: {{\[ 1 0.25\]\]}}
// OUT: pid (0, 0, 0) max: [4 3]
// OUT: pid (0, 0, 0) sum: [ 2 1.25]
// OUT: pid (0, 0, 0) factor: [0.125 0]
tile.func @values() {
  tile.grid = 1
  %range = tile.call @from_seven() -> tensor<3xi32>
  tile.print "range" %range : tensor<3xi32>
  %row = tile.expr f32(row(arange(2)))
  %col = tile.expr f32(col(arange(2)))
  %scores = tile.expr (1 - %col) * (%row + 3) + %col * (3 - 2 * %row)
  %max = tile.expr select(arange(2) == 0, 1.0, -inf)
  %sum = tile.expr 4.0 : tensor<2xf32>
  %weights, %new_max, %new_sum, %factor = tile.call @online_softmax(%scores, %max, %sum)
      -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  tile.print "weights" %weights : tensor<2x2xf32>
  tile.print "max" %new_max : tensor<2xf32>
  tile.print "sum" %new_sum : tensor<2xf32>
  tile.print "factor" %factor : tensor<2xf32>
  tile.return
}

// OUT: largest error 0
func.func @main(%m: i32 {tile_host.default = 10 : i32}, %n: i32 {tile_host.default = 7 : i32}) {
  %x = tile_host.random(%m, %n) seed 1 : (i32, i32) -> memref<?x?xf32>
  %y = tile_host.alloc(%n, %m) : (i32, i32) -> memref<?x?xf32>
  tile_host.launch @values()
  tile_host.launch @kernel(%x, %y, %m, %n) : memref<?x?xf32>, memref<?x?xf32>, i32, i32
  %want = tile_host.alloc(%n, %m) : (i32, i32) -> memref<?x?xf32>
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%want : memref<?x?xf32>) permutation = [1, 0]
  tile_host.expect_close %y, %want : memref<?x?xf32>, memref<?x?xf32>
  return
}
