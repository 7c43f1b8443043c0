// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-invert-divisors))' | FileCheck %s

// A row's sum divides all of the row: two multiplications an element, and a division a row.
// CHECK-LABEL: tile.func private @rows
// CHECK-SAME: (%[[X:.*]]: tensor<16x64xf32>, %[[SUM:.*]]: tensor<16x1xf32>)
// CHECK: %[[SIZE:.*]] = math.absf %[[SUM]]
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<8.50705917E+37>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<1.17549435E-38>
// CHECK-DAG: %[[LARGE:.*]] = arith.cmpf ogt, %[[SIZE]], %[[MOST]]
// CHECK-DAG: %[[SMALL:.*]] = arith.cmpf olt, %[[SIZE]], %[[LEAST]]
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// CHECK-DAG: %[[UP:.*]] = arith.constant dense<1.84467441E+19>
// CHECK-DAG: %[[DOWN:.*]] = arith.constant dense<5.42101086E-20>
// CHECK: %[[RAISED:.*]] = arith.select %[[SMALL]], %[[UP]], %[[ONE]]
// CHECK: %[[SCALE:.*]] = arith.select %[[LARGE]], %[[DOWN]], %[[RAISED]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[SCALE]]
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[SCALED]] {tile_gpu.divisor_in_range} : tensor<16x1xf32>
// CHECK: %[[SCALES:.*]] = tile.broadcast %[[SCALE]] : tensor<16x1xf32> -> tensor<16x64xf32>
// CHECK: %[[INVERSES:.*]] = tile.broadcast %[[INVERSE]] : tensor<16x1xf32> -> tensor<16x64xf32>
// CHECK: %[[NEAR:.*]] = arith.mulf %[[X]], %[[SCALES]]
// CHECK: %[[Y:.*]] = arith.mulf %[[NEAR]], %[[INVERSES]]
// CHECK: tile.return %[[Y]]
tile.func private @rows(%x: tensor<16x64xf32>, %sum: tensor<16x1xf32>) -> tensor<16x64xf32> {
  %all = tile.broadcast %sum : tensor<16x1xf32> -> tensor<16x64xf32>
  %y = arith.divf %x, %all fastmath<arcp> : tensor<16x64xf32>
  tile.return %y : tensor<16x64xf32>
}

// One scalar divides all.
// CHECK-LABEL: tile.func private @scalar
// CHECK: arith.divf %{{.*}}, %{{.*}} {tile_gpu.divisor_in_range} : f32
// CHECK: tile.splat %{{.*}} : f32 -> tensor<64xf32>
// CHECK-NOT: arith.divf
// CHECK: tile.return
tile.func private @scalar(%x: tensor<64xf32>, %n: f32) -> tensor<64xf32> {
  %all = tile.splat %n : f32 -> tensor<64xf32>
  %y = arith.divf %x, %all fastmath<contract,afn> : tensor<64xf32>
  tile.return %y : tensor<64xf32>
}

// Exact divisions are exact; a divisor for each element has nothing to share; f64 is exact whatever it says.
// CHECK-LABEL: tile.func private @others
// CHECK: arith.divf %{{.*}}, %{{.*}} : tensor<16x64xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : tensor<16x64xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : tensor<64xf64>
// CHECK-NOT: arith.mulf
tile.func private @others(%x: tensor<16x64xf32>, %sum: tensor<16x1xf32>, %s: f32, %d: tensor<64xf64>, %e: f64)
    -> (tensor<16x64xf32>, tensor<16x64xf32>, f32, tensor<64xf64>) {
  %all = tile.broadcast %sum : tensor<16x1xf32> -> tensor<16x64xf32>
  %y = arith.divf %x, %all : tensor<16x64xf32>
  %z = arith.divf %x, %y fastmath<arcp> : tensor<16x64xf32>
  %t = arith.divf %s, %s fastmath<arcp> : f32
  %es = tile.splat %e : f64 -> tensor<64xf64>
  %u = arith.divf %d, %es fastmath<arcp> : tensor<64xf64>
  tile.return %y, %z, %t, %u : tensor<16x64xf32>, tensor<16x64xf32>, f32, tensor<64xf64>
}
