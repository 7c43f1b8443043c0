// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-precision))' | FileCheck %s

// What tensor cores do not see of each operand, 0 of what is infinite or no number, is multiplied by the other one;
// both small products come before the large one.
// CHECK-LABEL: tile.func private @split
// CHECK-SAME: (%[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x64xf32>, %[[C:.*]]: tensor<64x64xf32>
tile.func private @split(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[A]] : tensor<64x32xf32> to tensor<64x32xi32>
  // CHECK: %[[SEEN:.*]] = arith.constant dense<-8192> : tensor<64x32xi32>
  // CHECK: %[[TOP:.*]] = arith.andi %[[BITS]], %[[SEEN]]
  // CHECK: %[[LARGE:.*]] = arith.bitcast %[[TOP]] : tensor<64x32xi32> to tensor<64x32xf32>
  // CHECK: %[[REST:.*]] = arith.subf %[[A]], %[[LARGE]]
  // CHECK: %[[EXPONENTS:.*]] = arith.constant dense<2139095040> : tensor<64x32xi32>
  // CHECK: %[[EXPONENT:.*]] = arith.andi %[[BITS]], %[[EXPONENTS]]
  // CHECK: %[[NUMBER:.*]] = arith.cmpi ne, %[[EXPONENT]], %[[EXPONENTS]]
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[AS:.*]] = arith.select %[[NUMBER]], %[[REST]], %[[ZERO]]
  // CHECK: %[[BS:.*]] = arith.select {{.*}} : tensor<32x64xi1>, tensor<32x64xf32>
  // CHECK: %[[X:.*]] = tile.dot %[[AS]], %[[B]], %[[C]] precision tf32 :
  // CHECK: %[[Y:.*]] = tile.dot %[[A]], %[[BS]], %[[X]] precision tf32 :
  // CHECK: %[[D:.*]] = tile.dot %[[A]], %[[B]], %[[Y]] precision tf32 :
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
