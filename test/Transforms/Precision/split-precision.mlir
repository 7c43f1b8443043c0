// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-precision))' | FileCheck %s

// The large product comes first, since nothing is computed for it. What tensor cores do not see of each operand, and a little of
// its sign, is multiplied by the other one; of an infinity, from which nothing is left but a NaN, that infinity. What was summed up
// before is added as f32 rounds.
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
  // CHECK: %[[LITTLE:.*]] = arith.constant dense<1.38777878E-17> : tensor<64x32xf32>
  // CHECK: %[[PART:.*]] = math.fma %[[A]], %[[LITTLE]], %[[REST]]
  // CHECK: %[[PARTBITS:.*]] = arith.bitcast %[[PART]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[ALLBITS:.*]] = arith.bitcast %[[A]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[LEAST:.*]] = arith.minsi %[[PARTBITS]], %[[ALLBITS]]
  // CHECK: %[[AS:.*]] = arith.bitcast %[[LEAST]] : tensor<64x32xi32> to tensor<64x32xf32>
  // CHECK: %[[Y:.*]] = tile.dot %[[AS]], %[[B]], %[[X]] precision tf32 :
  // CHECK: %[[BLEAST:.*]] = arith.minsi {{.*}} : tensor<32x64xi32>
  // CHECK-NEXT: %[[BS:.*]] = arith.bitcast %[[BLEAST]] : tensor<32x64xi32> to tensor<32x64xf32>
  // CHECK-NEXT: %[[Z:.*]] = tile.dot %[[A]], %[[BS]], %[[Y]] precision tf32 :
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
