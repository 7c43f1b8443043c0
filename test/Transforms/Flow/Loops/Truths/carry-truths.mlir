// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-carry-truths{num-warps=4},canonicalize))' | FileCheck %s

// 16 truths a thread.
// CHECK-LABEL: tile.func @any
tile.func @any(%x: tensor<2048x!tile.ptr<f32>>, %n: i32, %out: tensor<2048x!tile.ptr<i8>>) {
  %none = arith.constant dense<false> : tensor<2048xi1>
  %zero = arith.constant dense<0.0> : tensor<2048xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0> : tensor<2048xi32>
  // CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[ZEROS]]) -> (tensor<2048xi32>)
  %any = scf.for %i = %c0 to %n step %c1 iter_args(%a = %none) -> (tensor<2048xi1>) : i32 {
    %at = tile.splat %i : i32 -> tensor<2048xi32>
    %from = tile.addptr %x, %at : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
    %v = tile.load %from : tensor<2048x!tile.ptr<f32>>
    // CHECK: %[[IS:.*]] = arith.cmpf une
    %is = arith.cmpf une, %v, %zero : tensor<2048xf32>
    %or = arith.ori %a, %is : tensor<2048xi1>
    // CHECK: %[[NUMBER:.*]] = arith.extui %[[IS]] : tensor<2048xi1> to tensor<2048xi32>
    // CHECK: %[[OR:.*]] = arith.ori %[[A]], %[[NUMBER]] : tensor<2048xi32>
    // CHECK: scf.yield %[[OR]] : tensor<2048xi32>
    scf.yield %or : tensor<2048xi1>
  }
  // CHECK: arith.cmpi ne, %[[SUM]], %[[ZEROS]] : tensor<2048xi32>
  %byte = arith.extui %any : tensor<2048xi1> to tensor<2048xi8>
  tile.store %out, %byte : tensor<2048x!tile.ptr<i8>>
  tile.return
}

// What a step looks at is still a truth there; what no joint makes becomes a number as it is.
// CHECK-LABEL: tile.func @looks
tile.func @looks(%x: tensor<2048x!tile.ptr<f32>>, %n: i32) {
  %all = arith.constant dense<true> : tensor<2048xi1>
  %zero = arith.constant dense<0.0> : tensor<2048xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0> : tensor<2048xi32>
  // CHECK-DAG: %[[ONES:.*]] = arith.constant dense<1> : tensor<2048xi32>
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[ONES]]) -> (tensor<2048xi32>)
  %left = scf.for %i = %c0 to %n step %c1 iter_args(%a = %all) -> (tensor<2048xi1>) : i32 {
    // CHECK: %[[MASK:.*]] = arith.cmpi ne, %[[A]], %[[ZEROS]]
    // CHECK: tile.load %{{.*}}, %[[MASK]]
    %v = tile.load %x, %a, %zero : tensor<2048x!tile.ptr<f32>>
    // CHECK: %[[IS:.*]] = arith.cmpf
    %is = arith.cmpf ogt, %v, %zero : tensor<2048xf32>
    // CHECK: %[[NUMBER:.*]] = arith.extui %[[IS]]
    // CHECK: scf.yield %[[NUMBER]]
    scf.yield %is : tensor<2048xi1>
  }
  tile.store %x, %zero, %left : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// One truth a thread is a predicate.
// CHECK-LABEL: tile.func @few
tile.func @few(%x: tensor<128x!tile.ptr<f32>>, %n: i32) {
  %none = arith.constant dense<false> : tensor<128xi1>
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for {{.*}} -> (tensor<128xi1>)
  %any = scf.for %i = %c0 to %n step %c1 iter_args(%a = %none) -> (tensor<128xi1>) : i32 {
    %v = tile.load %x : tensor<128x!tile.ptr<f32>>
    %is = arith.cmpf une, %v, %zero : tensor<128xf32>
    %or = arith.ori %a, %is : tensor<128xi1>
    scf.yield %or : tensor<128xi1>
  }
  tile.store %x, %zero, %any : tensor<128x!tile.ptr<f32>>
  tile.return
}
