// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-slices))' | FileCheck %s

// A half is one of two, whichever dimension it is of.
// CHECK-LABEL: tile.func private @halves
tile.func private @halves(%x: tensor<16x64xf16>) -> (tensor<16x32xf16>, tensor<8x64xf16>) {
  // CHECK: %[[A:.*]] = tile.reshape %{{.*}} : tensor<16x64xf16> -> tensor<16x2x32xf16>
  // CHECK: %[[B:.*]] = tile.trans %[[A]] order [0, 2, 1] : tensor<16x2x32xf16> -> tensor<16x32x2xf16>
  // CHECK: %{{.*}}, %[[RIGHT:.*]] = tile.split %[[B]]
  %right = tile.slice %x[0, 32] : tensor<16x64xf16> -> tensor<16x32xf16>
  // CHECK: %[[C:.*]] = tile.reshape %{{.*}} : tensor<16x64xf16> -> tensor<2x8x64xf16>
  // CHECK: %[[D:.*]] = tile.trans %[[C]] order [1, 2, 0] : tensor<2x8x64xf16> -> tensor<8x64x2xf16>
  // CHECK: %[[TOP:.*]], %{{.*}} = tile.split %[[D]]
  %top = tile.slice %x[0, 0] : tensor<16x64xf16> -> tensor<8x64xf16>
  // CHECK-NOT: tile.slice
  // CHECK-NOT: tile.gather
  // CHECK: tile.return %[[RIGHT]], %[[TOP]]
  tile.return %right, %top : tensor<16x32xf16>, tensor<8x64xf16>
}

// The third quarter is the first half of the second half.
// CHECK-LABEL: tile.func private @quarter
tile.func private @quarter(%x: tensor<64xi32>) -> tensor<16xi32> {
  // CHECK: tile.reshape %{{.*}} : tensor<64xi32> -> tensor<2x32xi32>
  // CHECK: %{{.*}}, %[[H:.*]] = tile.split
  // CHECK: tile.reshape %[[H]] : tensor<32xi32> -> tensor<2x16xi32>
  // CHECK: %[[Q:.*]], %{{.*}} = tile.split
  // CHECK: tile.return %[[Q]]
  %q = tile.slice %x[32] : tensor<64xi32> -> tensor<16xi32>
  tile.return %q : tensor<16xi32>
}

// Anything else is picked: what begins in between, what has another extent, what has no halves.
// CHECK-LABEL: tile.func private @others
tile.func private @others(%x: tensor<8x96xf32>) -> (tensor<8x40xf32>, tensor<2x96xf32>) {
  // CHECK: %[[L:.*]] = tile.arange : tensor<40xi32>
  // CHECK: %[[T:.*]] = arith.constant dense<10> : tensor<40xi32>
  // CHECK: %[[S:.*]] = arith.addi %[[L]], %[[T]]
  // CHECK: %[[ROW:.*]] = tile.reshape %[[S]] : tensor<40xi32> -> tensor<1x40xi32>
  // CHECK: %[[ROWS:.*]] = tile.broadcast %[[ROW]] : tensor<1x40xi32> -> tensor<8x40xi32>
  // CHECK: tile.gather %{{.*}}, %[[ROWS]] axis 1 : tensor<8x96xf32>, tensor<8x40xi32> -> tensor<8x40xf32>
  %a = tile.slice %x[0, 10] : tensor<8x96xf32> -> tensor<8x40xf32>
  // CHECK: arith.constant dense<3> : tensor<2xi32>
  // CHECK: tile.gather %{{.*}} axis 0 : tensor<8x96xf32>, tensor<2x96xi32> -> tensor<2x96xf32>
  %b = tile.slice %x[3, 0] : tensor<8x96xf32> -> tensor<2x96xf32>
  tile.return %a, %b : tensor<8x40xf32>, tensor<2x96xf32>
}

// A tile of 16 dimensions has no room for another.
// CHECK-LABEL: tile.func private @full
tile.func private @full(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x4xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf32> {
  // CHECK: tile.gather %{{.*}} axis 15
  %a = tile.slice %x[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
      -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf32>
  tile.return %a : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf32>
}

// What is not bound yet stays.
// CHECK-LABEL: tile.func private @named
tile.func private @named(%x: tensor<?xf32, #tile.dims<[N]>>, %y: tensor<64xf32>) -> tensor<32xf32> {
  // CHECK: tile.slice %{{.*}}[0] :
  %a = tile.slice %x[0] -> tensor<?xf32, #tile.dims<[N floordiv 2]>>
  // CHECK: tile.slice %{{.*}}[N floordiv 2] :
  %b = tile.slice %y[N floordiv 2] -> tensor<32xf32>
  tile.return %b : tensor<32xf32>
}

// Of a sort no more than the first elements are wanted, by one or several.
// CHECK-LABEL: tile.func private @first
tile.func private @first(%x: tensor<4x64xf32>, %y: tensor<4x64xi32>) -> (tensor<4x8xf32>, tensor<4x16xi32>) {
  // CHECK-NOT: tile.sort
  // CHECK: %[[S:.*]]:2 = tile.partial_sort %{{.*}}, %{{.*}} axis 1 {descending} : (tensor<4x64xf32>, tensor<4x64xi32>) -> (tensor<4x16xf32>, tensor<4x16xi32>)
  %s, %t = tile.sort %x, %y axis 1 {descending} : tensor<4x64xf32>, tensor<4x64xi32>
  // CHECK: %[[H:.*]], %{{.*}} = tile.split
  %a = tile.slice %s[0, 0] : tensor<4x64xf32> -> tensor<4x8xf32>
  // CHECK: tile.return %[[H]], %[[S]]#1
  %b = tile.slice %t[0, 0] : tensor<4x64xi32> -> tensor<4x16xi32>
  tile.return %a, %b : tensor<4x8xf32>, tensor<4x16xi32>
}

// Others are wanted, more than half are, or all are.
// CHECK-LABEL: tile.func private @all
tile.func private @all(%x: tensor<64xf32>) -> (tensor<8xf32>, tensor<40xf32>, tensor<8xf32>, tensor<64xf32>) {
  // CHECK-COUNT-3: tile.sort
  // CHECK-NOT: tile.partial_sort
  %s = tile.sort %x axis 0 : tensor<64xf32>
  %a = tile.slice %s[8] : tensor<64xf32> -> tensor<8xf32>
  %t = tile.sort %x axis 0 : tensor<64xf32>
  %b = tile.slice %t[0] : tensor<64xf32> -> tensor<40xf32>
  %u = tile.sort %x axis 0 : tensor<64xf32>
  %c = tile.slice %u[0] : tensor<64xf32> -> tensor<8xf32>
  tile.return %a, %b, %c, %u : tensor<8xf32>, tensor<40xf32>, tensor<8xf32>, tensor<64xf32>
}
