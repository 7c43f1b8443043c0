// Loads that are not one arm's alone stay.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-choose-pointers))' | FileCheck %s

// What another arm reads too; what is loaded whatever the condition is; what is written between the two.
// CHECK-LABEL: tile.func @shared
// CHECK-COUNT-2: tile.load
// CHECK-LABEL: tile.func @always
// CHECK-COUNT-2: tile.load
// CHECK-LABEL: tile.func @written
// CHECK: tile.load
// CHECK: tile.store
// CHECK: tile.load
tile.func @shared(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %c: tensor<64xi1>, %d: tensor<64xi1>,
                  %in: tensor<64xi1>, %out: tensor<64x!tile.ptr<f32>>) {
  %m0 = arith.andi %c, %in : tensor<64xi1>
  %m1 = arith.andi %d, %in : tensor<64xi1>
  %x = tile.load %p, %m0 : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1 : tensor<64x!tile.ptr<f32>>
  %z = arith.addf %x, %y : tensor<64xf32>
  %v = arith.select %c, %x, %z : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
tile.func @always(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %c: tensor<64xi1>, %in: tensor<64xi1>,
                  %out: tensor<64x!tile.ptr<f32>>) {
  %x = tile.load %p, %in : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %in : tensor<64x!tile.ptr<f32>>
  %v = arith.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
tile.func @written(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %c: tensor<64xi1>, %d: tensor<64xi1>,
                   %in: tensor<64xi1>, %out: tensor<64x!tile.ptr<f32>>) {
  %m0 = arith.andi %c, %in : tensor<64xi1>
  %m1 = arith.andi %d, %in : tensor<64xi1>
  %x = tile.load %p, %m0 : tensor<64x!tile.ptr<f32>>
  tile.store %out, %x, %m0 : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1 : tensor<64x!tile.ptr<f32>>
  %v = arith.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
