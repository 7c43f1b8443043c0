// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --tile-instantiate --inline --symbol-dce --tile-specialize | FileCheck %s --check-prefix=BOUND

// An extent is an affine expression of names; equal ones have one form.
// CHECK-LABEL: tile.func @packed
// BOUND-LABEL: tile.func @packed
tile.func @packed(%p: !tile.ptr<i8>) meta {BK = 64, BM = 16, BN = 32} {
  // CHECK: tile.arange : tensor<?xi32, #tile.dims<[BK floordiv 8]>>
  // BOUND: tile.arange : tensor<8xi32>
  %i = tile.expr col(arange(BK floordiv 8))
  // CHECK: tile.arange : tensor<?xi32, #tile.dims<[BM + BN]>>
  // BOUND: tile.arange : tensor<48xi32>
  %j = tile.expr row(arange(BN + BM))
  // BOUND: tensor<8x48xi32>
  %offs = tile.expr %i * (BM + BN) + %j
  // CHECK: tensor<?x?xi32, #tile.dims<[BK floordiv 8, BM + BN]>>
  %k = tile.expr %offs : tensor<?x?xi32, #tile.dims<[BK floordiv 8, BM + BN]>>
  %q = tile.expr %p + %k
  // BOUND: tile.load %{{.*}} : tensor<8x48x!tile.ptr<i8>>
  %v = tile.load %q
  tile.store %q, %v
  // Helpers are called with arithmetic for their names, and have arithmetic of their own.
  // CHECK: tile.call @halves(%{{.*}}) : (tensor<?xi32, #tile.dims<[BK floordiv 8]>>) -> tensor<?xi32, #tile.dims<[BK floordiv 16]>>
  // BOUND: tile.arange : tensor<4xi32>
  // BOUND: arith.constant 8 : i32
  %x = tile.expr arange(BK floordiv 8)
  %half = tile.call @halves(%x) -> tensor<?xi32, #tile.dims<[BK floordiv 8 floordiv 2]>>
  %four = tile.expr arange(4)
  // BOUND: tile.arange : tensor<2xi32>
  %two = tile.call @halves(%four) -> tensor<2xi32>
  tile.print "x" %half, %two : tensor<?xi32, #tile.dims<[BK floordiv 16]>>, tensor<2xi32>
  tile.return
}

tile.func private @halves(%x: tensor<?xi32, #tile.dims<[N]>>) -> tensor<?xi32, #tile.dims<[N floordiv 2]>> {
  %half = tile.expr arange(N floordiv 2) + N
  tile.return %half : tensor<?xi32, #tile.dims<[N floordiv 2]>>
}
