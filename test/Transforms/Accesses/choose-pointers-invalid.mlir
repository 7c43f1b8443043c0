// Loads that are not one arm's alone stay.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-choose-pointers))' | FileCheck %s --implicit-check-not='tensor<64xi1>, tensor<64x!tile.ptr'
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-choose-pointers))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS-COUNT-3: remark: each arm of a choice is loaded: expected loads that are alike, each masked by the condition of its own arm

// What another arm reads too; what is loaded whatever the condition is; what is written between the two; what gives other
// values where it is masked; elements of another type; what is masked by more than the condition and what all share.
// CHECK-LABEL: tile.func @shared
// CHECK-COUNT-2: tile.load
// CHECK-LABEL: tile.func @always
// CHECK-COUNT-2: tile.load
// CHECK-LABEL: tile.func @written
// CHECK: tile.load
// CHECK: tile.store
// CHECK: tile.load
// CHECK-LABEL: tile.func @other_values
// CHECK-COUNT-2: tile.load
// CHECK-LABEL: tile.func @other_types
// CHECK-COUNT-2: tile.load
// CHECK-LABEL: tile.func @other_masks
// CHECK-COUNT-2: tile.load
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
tile.func @other_values(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %c: tensor<64xi1>, %d: tensor<64xi1>,
                  %in: tensor<64xi1>, %also: tensor<64xi1>, %out: tensor<64x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %m0 = arith.andi %c, %in : tensor<64xi1>
  %m1 = arith.andi %d, %in : tensor<64xi1>
  %x = tile.load %p, %m0, %zero : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1, %one : tensor<64x!tile.ptr<f32>>
  %v = arith.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
tile.func @other_types(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f16>>, %c: tensor<64xi1>, %d: tensor<64xi1>,
                  %in: tensor<64xi1>, %also: tensor<64xi1>, %out: tensor<64x!tile.ptr<f32>>) {
  %m0 = arith.andi %c, %in : tensor<64xi1>
  %m1 = arith.andi %d, %in : tensor<64xi1>
  %x = tile.load %p, %m0 : tensor<64x!tile.ptr<f32>>
  %z = tile.load %q, %m1 : tensor<64x!tile.ptr<f16>>
  %y = arith.extf %z : tensor<64xf16> to tensor<64xf32>
  %v = arith.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
tile.func @other_masks(%p: tensor<64x!tile.ptr<f32>>, %q: tensor<64x!tile.ptr<f32>>, %c: tensor<64xi1>, %d: tensor<64xi1>,
                  %in: tensor<64xi1>, %also: tensor<64xi1>, %out: tensor<64x!tile.ptr<f32>>) {
  %m0 = arith.andi %c, %in : tensor<64xi1>
  %m1 = arith.andi %d, %also : tensor<64xi1>
  %x = tile.load %p, %m0 : tensor<64x!tile.ptr<f32>>
  %y = tile.load %q, %m1 : tensor<64x!tile.ptr<f32>>
  %v = arith.select %c, %x, %y : tensor<64xi1>, tensor<64xf32>
  tile.store %out, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}
