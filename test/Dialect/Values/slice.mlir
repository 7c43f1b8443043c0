// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: tile.func private @parts
// FOLD-LABEL: tile.func private @parts
tile.func private @parts(%x: tensor<16x64xf16>, %y: tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D]>>)
    -> (tensor<16x32xf16>, tensor<5x1xf16>, tensor<?x?x!tile.ptr<f16>, #tile.dims<[D floordiv 2, M]>>) {
  // CHECK: %[[A:.*]] = tile.slice %{{.*}}[0, 32] : tensor<16x64xf16> -> tensor<16x32xf16>
  %a = tile.slice %x[0, 32] : tensor<16x64xf16> -> tensor<16x32xf16>
  // CHECK: tile.slice %{{.*}}[3, 7] : tensor<16x32xf16> -> tensor<5x1xf16>
  %b = tile.slice %a[3, 7] -> tensor<5x1xf16>
  // CHECK: %[[C:.*]] = tile.slice %{{.*}}[0, D floordiv 2] : tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D]>> -> tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D floordiv 2]>>
  %c = tile.slice %y[0, D floordiv 2] -> tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D floordiv 2]>>
  // CHECK: tile.slice %[[C]][(B * 2) + 1, B * 4] {note} :
  %d = tile.slice %c[2 * B + 1, 4 * B] {note} : tensor<?x?x!tile.ptr<f16>, #tile.dims<[M, D floordiv 2]>>
      -> tensor<4x?x!tile.ptr<f16>, #tile.dims<[B]>>
  %t = tile.trans %c order [1, 0]
  tile.return %a, %b, %t : tensor<16x32xf16>, tensor<5x1xf16>, tensor<?x?x!tile.ptr<f16>, #tile.dims<[D floordiv 2, M]>>
}
// A part of a part is a part; what is named stays.
// FOLD: tile.slice %{{.*}}[3, 39] : tensor<16x64xf16> -> tensor<5x1xf16>
// FOLD: tile.slice %{{.*}}[0, D floordiv 2]

// CHECK-LABEL: tile.func private @folds
// FOLD-LABEL: tile.func private @folds
tile.func private @folds(%x: tensor<8xf32>, %s: f32) -> (tensor<8xf32>, tensor<2xf32>, tensor<2xi32>, tensor<8xf32>) {
  // All of it.
  %a = tile.slice %x[0] : tensor<8xf32> -> tensor<8xf32>
  // One value everywhere.
  // FOLD-DAG: %[[SPLAT:.*]] = tile.splat %{{.*}} : f32 -> tensor<2xf32>
  %b = tile.splat %s : f32 -> tensor<8xf32>
  %c = tile.slice %b[6] : tensor<8xf32> -> tensor<2xf32>
  // FOLD-DAG: %[[SEVEN:.*]] = arith.constant dense<7> : tensor<2xi32>
  %d = arith.constant dense<7> : tensor<4xi32>
  %e = tile.slice %d[1] : tensor<4xi32> -> tensor<2xi32>
  %f = tile.slice %a[0] : tensor<8xf32> -> tensor<8xf32>
  // FOLD: tile.return %[[X:.*]], %[[SPLAT]], %[[SEVEN]], %[[X]]
  tile.return %a, %c, %e, %f : tensor<8xf32>, tensor<2xf32>, tensor<2xi32>, tensor<8xf32>
}
