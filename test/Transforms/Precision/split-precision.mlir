// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-precision))' | FileCheck %s

// The large product comes first, since nothing is computed for it. What tensor cores do not see of each operand, 0 of what is
// infinite or no number (there it is unequal to itself), is multiplied by the other one. What was summed up before is added as f32
// rounds.
// CHECK-LABEL: tile.func private @split
// CHECK-SAME: (%[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x64xf32>, %[[C:.*]]: tensor<64x64xf32>
tile.func private @split(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  // CHECK: %[[X:.*]] = tile.dot %[[A]], %[[B]], %[[NONE]] precision tf32 :
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[A]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[SEEN:.*]] = arith.constant dense<-8192> : tensor<64x32xi32>
  // CHECK: %[[TOP:.*]] = arith.andi %[[BITS]], %[[SEEN]]
  // CHECK: %[[LARGE:.*]] = arith.bitcast %[[TOP]] : tensor<64x32xi32> to tensor<64x32xf32>
  // CHECK: %[[REST:.*]] = arith.subf %[[A]], %[[LARGE]]
  // CHECK: %[[NUMBER:.*]] = arith.cmpf oeq, %[[REST]], %[[REST]]
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[AS:.*]] = arith.select %[[NUMBER]], %[[REST]], %[[ZERO]]
  // CHECK: %[[Y:.*]] = tile.dot %[[AS]], %[[B]], %[[X]] precision tf32 :
  // CHECK: %[[BS:.*]] = arith.select {{.*}} : tensor<32x64xi1>, tensor<32x64xf32>
  // CHECK: %[[Z:.*]] = tile.dot %[[A]], %[[BS]], %[[Y]] precision tf32 :
  // CHECK: %[[D:.*]] = arith.addf %[[C]], %[[Z]]
  // CHECK: tile.return %[[D]]
  %d = tile.dot %a, %b, %c precision tf32x3 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %d : tensor<64x64xf32>
}

// Others stay.
// CHECK-LABEL: tile.func private @plain
// CHECK-NEXT: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision tf32 :
// CHECK-NEXT: tile.dot %{{[^:]*}} :
// CHECK-NEXT: tile.return
tile.func private @plain(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %e = tile.dot %a, %b, %d : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return %e : tensor<64x64xf32>
}
