// Lines of helpers, also where the optimizer has left an op none, or put a table beside the function. MLIR's pass for
// scopes crashed on both.
//
// RUN: tile-run %s --emit=ptx --arch=sm_90a -o - | FileCheck %s
// CHECK-LABEL: .entry kernel
// CHECK-DAG: .loc 1 [[#@LINE+9]]
// CHECK-DAG: .loc 1 [[#@LINE+14]]
// CHECK: .file 1 "{{.*}}line-info.mlir"

// The zeros become one, which is of no line.
tile.func private @twins(%x: tensor<8xf64>) -> tensor<8xf64> {
  %zero = arith.constant dense<0.0> : tensor<8xf64>
  %a = arith.addf %x, %zero : tensor<8xf64>
  %also = arith.constant dense<0.0> : tensor<8xf64>
  %y = arith.maxnumf %a, %also : tensor<8xf64>
  tile.return %y : tensor<8xf64>
}

tile.func private @table(%at: tensor<8x!tile.ptr<f64>>, %y: tensor<8xf64>) {
  %numbers = arith.constant dense<[1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0]> : tensor<8xf64>
  %sum = arith.addf %y, %numbers : tensor<8xf64>
  tile.store %at, %sum : tensor<8x!tile.ptr<f64>>
  tile.return
}

tile.func @kernel(%in: !tile.ptr<f64>, %out: !tile.ptr<f64>) {
  %lane = tile.arange : tensor<8xi32>
  %ins = tile.splat %in : !tile.ptr<f64> -> tensor<8x!tile.ptr<f64>>
  %i = tile.addptr %ins, %lane : tensor<8x!tile.ptr<f64>>, tensor<8xi32>
  %x = tile.load %i : tensor<8x!tile.ptr<f64>>
  %outs = tile.splat %out : !tile.ptr<f64> -> tensor<8x!tile.ptr<f64>>
  %p = tile.addptr %outs, %lane : tensor<8x!tile.ptr<f64>>, tensor<8xi32>
  %y = tile.call @twins(%x) : (tensor<8xf64>) -> tensor<8xf64>
  tile.call @table(%p, %y) : (tensor<8x!tile.ptr<f64>>, tensor<8xf64>) -> ()
  tile.return
}
