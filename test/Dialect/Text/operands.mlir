// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

// What an access has beside its pointers is repeated to their shape, and types follow from operands.
// CHECK-LABEL: tile.func @accesses
// CHECK-SAME: (%[[X:.*]]: !tile.ptr<i32>, %[[SOME:.*]]: i1, %[[V:.*]]: i32, %[[ROW:.*]]: tensor<1x4xi1>)
tile.func @accesses(%x: !tile.ptr<i32>, %some: i1, %v: i32, %row: tensor<1x4xi1>) {
  // CHECK: %[[OFFS:.*]] = tile.arange : tensor<4xi32>
  %offs = tile.arange : tensor<4xi32>
  // CHECK: %[[XS:.*]] = tile.splat %[[X]] : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  // CHECK: %[[P:.*]] = tile.addptr %[[XS]], %[[OFFS]] : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %p = tile.addptr %x, %offs : !tile.ptr<i32>, tensor<4xi32>
  // CHECK: %[[MASK:.*]] = tile.splat %[[SOME]] : i1 -> tensor<4xi1>
  // CHECK: %[[OTHER:.*]] = tile.splat %[[V]] : i32 -> tensor<4xi32>
  // CHECK: tile.load %[[P]], %[[MASK]], %[[OTHER]] : tensor<4x!tile.ptr<i32>>
  %a = tile.load %p, %some, %v : tensor<4x!tile.ptr<i32>>
  // CHECK: %[[ONE:.*]] = tile.splat %[[V]] : i32 -> tensor<4xi32>
  // CHECK: %[[Q:.*]] = tile.addptr %[[P]], %[[ONE]] :
  %q = tile.addptr %p, %v
  // CHECK: tile.store %[[Q]], %{{.*}}, %{{.*}} : tensor<4x!tile.ptr<i32>>
  tile.store %q, %v, %some
  // CHECK: tile.atomic_rmw add relaxed gpu %[[Q]], %{{.*}}, %{{.*}} : tensor<4x!tile.ptr<i32>>
  %b = tile.atomic_rmw add relaxed gpu %q, %v, %some
  // CHECK: tile.atomic_cas relaxed gpu %[[Q]], %{{.*}}, %{{.*}} : tensor<4x!tile.ptr<i32>>
  %c = tile.atomic_cas relaxed gpu %q, %v, %a
  // CHECK: tile.load %[[X]] : !tile.ptr<i32>
  %d = tile.load %x
  // CHECK: %[[TALL:.*]] = tile.expand_dims %[[P]] axis 1 : tensor<4x!tile.ptr<i32>> -> tensor<4x1x!tile.ptr<i32>>
  %tall = tile.expand_dims %p axis 1
  // CHECK: %[[OFFROW:.*]] = tile.expand_dims %[[OFFS]] axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %off_row = tile.expand_dims %offs axis 0
  // CHECK: %[[TALLS:.*]] = tile.broadcast %[[TALL]] : tensor<4x1x!tile.ptr<i32>> -> tensor<4x4x!tile.ptr<i32>>
  // CHECK: %[[OFFROWS:.*]] = tile.broadcast %[[OFFROW]] : tensor<1x4xi32> -> tensor<4x4xi32>
  // CHECK: %[[SQUARE:.*]] = tile.addptr %[[TALLS]], %[[OFFROWS]] :
  %square = tile.addptr %tall, %off_row
  // CHECK: %[[ROWS:.*]] = tile.broadcast %[[ROW]] : tensor<1x4xi1> -> tensor<4x4xi1>
  // CHECK: %[[E:.*]] = tile.load %[[SQUARE]], %[[ROWS]] : tensor<4x4x!tile.ptr<i32>>
  %e = tile.load %square, %row
  // CHECK: %[[F:.*]] = tile.trans %[[E]] order [1, 0] : tensor<4x4xi32> -> tensor<4x4xi32>
  %f = tile.trans %e order [1, 0]
  // CHECK: %[[G:.*]] = tile.reduce add %[[F]] axis 1 : tensor<4x4xi32> -> tensor<4xi32>
  %g = tile.reduce add %f axis 1
  // CHECK: %[[H:.*]] = tile.scan max %[[G]] axis 0 : tensor<4xi32> -> tensor<4xi32>
  %h = tile.scan max %g axis 0
  // CHECK: tile.reduce max %[[H]] axis 0 : tensor<4xi32> -> i32
  %i = tile.reduce max %h axis 0
  tile.print "i" %i : i32
  // Of several operands, too; the region says types of its own.
  // CHECK: tile.reduce %{{.*}}, %{{.*}} axis 1 : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4xi32>, tensor<4xi32>
  %j, %k = tile.reduce %e, %f axis 1 {
  ^bb0(%va: i32, %na: i32, %vb: i32, %nb: i32):
    %less = tile.expr %va < %vb
    %l = tile.expr select(%less, %va, %vb)
    %m = tile.expr select(%less, %na, %nb)
    tile.yield %l, %m
  }
  tile.return
}

// An accumulator is a number too.
// CHECK-LABEL: tile.func @products
tile.func @products(%a: tensor<?x16xf16, #tile.dims<[M]>>, %b: tensor<16x?xf16, #tile.dims<[N]>>,
                    %c: tensor<1x?xf32, #tile.dims<[N]>>, %i: i32, %j: tensor<4xi32>) meta {M = 16, N = 16} {
  %zero = tile.expr 0.0
  // CHECK: %[[ZEROS:.*]] = tile.splat %{{.*}} : f32 -> tensor<?x?xf32, #tile.dims<[M, N]>>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[ZEROS]] : tensor<?x16xf16, #tile.dims<[M]>>, tensor<16x?xf16, #tile.dims<[N]>> -> tensor<?x?xf32, #tile.dims<[M, N]>>
  %d = tile.dot %a, %b, %zero
  // CHECK: %[[BIASES:.*]] = tile.broadcast %{{.*}} : tensor<1x?xf32, #tile.dims<[N]>> -> tensor<?x?xf32, #tile.dims<[M, N]>>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[BIASES]] :
  %e = tile.dot %a, %b, %c
  // CHECK: tile.dot
  %f = tile.dot %a, %b, %d
  // CHECK-COUNT-4: tile.splat %{{.*}} : i32 -> tensor<4xi32>
  // CHECK: tile.swizzle2d {{.*}} : tensor<4xi32>
  %k, %l = tile.swizzle2d %i, %j, %i, %i, %i
  tile.return
}

// The types of a call's operands are theirs.
tile.func private @range(%first: i32) -> tensor<?xi32, #tile.dims<[N]>> {
  %range = tile.expr %first + arange(N)
  tile.return %range : tensor<?xi32, #tile.dims<[N]>>
}
tile.func private @check(%first: i32, %more: tensor<4xi32>) {
  tile.return
}
// CHECK-LABEL: tile.func @calls
tile.func @calls(%first: i32) {
  // CHECK: %[[FOUR:.*]] = tile.call @range(%[[FIRST:.*]]) : (i32) -> tensor<4xi32>
  %four = tile.call @range(%first) -> tensor<4xi32>
  // CHECK: tile.call @check(%[[FIRST]], %[[FOUR]]) : (i32, tensor<4xi32>) -> ()
  tile.call @check(%first, %four)
  tile.return
}
