// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-narrow-depth,canonicalize,cse))' | FileCheck %s

// A depthwise convolution has one channel of the 32 that its tiles are wide: a column and a row are loaded, and multiplied element by element.
// CHECK-LABEL: tile.func @one
// CHECK: %[[A:.*]] = tile.load %{{.*}}, %{{.*}} : tensor<64x1x!tile.ptr<f16>>
// CHECK: %[[B:.*]] = tile.load %{{.*}}, %{{.*}} : tensor<1x16x!tile.ptr<f16>>
// CHECK: %[[WIDE:.*]] = arith.extf %[[A]]
// CHECK: %[[COLUMN:.*]] = tile.broadcast %[[WIDE]] : tensor<64x1xf32> -> tensor<64x16xf32>
// CHECK: %[[ALSO:.*]] = arith.extf %[[B]]
// CHECK: %[[ROW:.*]] = tile.broadcast %[[ALSO]] : tensor<1x16xf32> -> tensor<64x16xf32>
// CHECK: math.fma %[[COLUMN]], %[[ROW]], %{{.*}} : tensor<64x16xf32>
// CHECK-NOT: tile.dot
tile.func @one(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32, %c: tensor<64x16xf32>, %out: tensor<64x16x!tile.ptr<f32>>) {
  %end = arith.constant dense<1> : tensor<32xi32>
  %ks = tile.arange : tensor<32xi32>
  %in = arith.cmpi slt, %ks, %end : tensor<32xi32>
  %rows = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %rows, %ns : tensor<64xi32>
  %r1 = tile.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r = tile.broadcast %r1 : tensor<64x1xi32> -> tensor<64x32xi32>
  %k1 = tile.expand_dims %ks axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %k = tile.broadcast %k1 : tensor<1x32xi32> -> tensor<64x32xi32>
  %at = arith.addi %r, %k : tensor<64x32xi32>
  %i1 = tile.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
  %i = tile.broadcast %i1 : tensor<1x32xi1> -> tensor<64x32xi1>
  %j1 = tile.expand_dims %inside axis 1 : tensor<64xi1> -> tensor<64x1xi1>
  %j = tile.broadcast %j1 : tensor<64x1xi1> -> tensor<64x32xi1>
  %mask = arith.andi %i, %j : tensor<64x32xi1>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>>
  %pa = tile.addptr %ps, %at : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %a = tile.load %pa, %mask : tensor<64x32x!tile.ptr<f16>>
  %l1 = tile.expand_dims %ks axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %l = tile.broadcast %l1 : tensor<32x1xi32> -> tensor<32x16xi32>
  %m1 = tile.expand_dims %in axis 1 : tensor<32xi1> -> tensor<32x1xi1>
  %m = tile.broadcast %m1 : tensor<32x1xi1> -> tensor<32x16xi1>
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<32x16x!tile.ptr<f16>>
  %qa = tile.addptr %qs, %l : tensor<32x16x!tile.ptr<f16>>, tensor<32x16xi32>
  %b = tile.load %qa, %m : tensor<32x16x!tile.ptr<f16>>
  %d = tile.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>
  tile.store %out, %d : tensor<64x16x!tile.ptr<f32>>
  tile.return
}

// Three channels take the 16 that tensor cores multiply at once; the positions begin at 2, and 5 is where they end.
// CHECK-LABEL: tile.func @three
// CHECK: tile.load %{{.*}}, %{{.*}} : tensor<64x16x!tile.ptr<f16>>
// CHECK: tile.dot {{.*}} : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
tile.func @three(%p: !tile.ptr<f16>, %c: tensor<64x64xf32>, %out: tensor<64x64x!tile.ptr<f32>>) {
  %two = arith.constant dense<2> : tensor<64xi32>
  %end = arith.constant dense<4> : tensor<64xi32>
  %lanes = tile.arange : tensor<64xi32>
  %ks = arith.addi %lanes, %two : tensor<64xi32>
  %in = arith.cmpi sle, %ks, %end : tensor<64xi32>
  %k1 = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %k = tile.broadcast %k1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %i1 = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
  %i = tile.broadcast %i1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %ps, %k : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %a = tile.load %pa, %i : tensor<64x64x!tile.ptr<f16>>
  %b = tile.trans %a order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %out, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Below a number that is negative only with a sign, all are in: nothing is left out.
// CHECK-LABEL: tile.func @unsigned
// CHECK: tile.load %{{.*}}, %{{.*}} : tensor<64x64x!tile.ptr<f16>>
// CHECK: tile.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
tile.func @unsigned(%p: !tile.ptr<f16>, %c: tensor<64x64xf32>, %out: tensor<64x64x!tile.ptr<f32>>) {
  %two = arith.constant dense<2> : tensor<64xi32>
  %end = arith.constant dense<-5> : tensor<64xi32>
  %lanes = tile.arange : tensor<64xi32>
  %ks = arith.addi %lanes, %two : tensor<64xi32>
  %in = arith.cmpi ule, %ks, %end : tensor<64xi32>
  %k1 = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %k = tile.broadcast %k1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %i1 = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
  %i = tile.broadcast %i1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %ps, %k : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %a = tile.load %pa, %i : tensor<64x64x!tile.ptr<f16>>
  %b = tile.trans %a order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %out, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// What is not masked may be anything, infinite too; and masked elements that are no zeros count.
// CHECK-LABEL: tile.func @whole
// CHECK: tile.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16>
// CHECK: tile.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16>
tile.func @whole(%p: !tile.ptr<f16>, %x: tensor<64x64xf16>, %c: tensor<64x64xf32>, %out: tensor<64x64x!tile.ptr<f32>>) {
  %end = arith.constant dense<3> : tensor<64xi32>
  %ones = arith.constant dense<1.0> : tensor<64x64xf16>
  %ks = tile.arange : tensor<64xi32>
  %in = arith.cmpi slt, %ks, %end : tensor<64xi32>
  %k1 = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %k = tile.broadcast %k1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %i1 = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
  %i = tile.broadcast %i1 : tensor<1x64xi1> -> tensor<64x64xi1>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %pa = tile.addptr %ps, %k : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %a = tile.load %pa, %i : tensor<64x64x!tile.ptr<f16>>
  %d = tile.dot %a, %x, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %a1 = tile.load %pa, %i, %ones : tensor<64x64x!tile.ptr<f16>>
  %b1 = tile.trans %a1 order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %e = tile.dot %a1, %b1, %d : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %out, %e : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
