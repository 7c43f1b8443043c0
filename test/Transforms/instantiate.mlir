// Helpers whose signature names extents serve calls of any extents.
//
// RUN: tile-opt %s --tile-instantiate | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline{default-pipeline=})' --mlir-print-local-scope | FileCheck %s --check-prefix=INLINED

!n = tensor<?xi32, #tile.dims<[N]>>
!nm = tensor<?x?xi32, #tile.dims<[N, M]>>
!rows = tensor<?xi32, #tile.dims<[BM]>>
!cols = tensor<?xi32, #tile.dims<[BN]>>

// CHECK-LABEL: tile.func private @range(
tile.func private @range(%i: i32) -> !n {
  %n = tile.meta N : i32
  %first = arith.muli %i, %n : i32
  %firsts = tile.splat %first : i32 -> !n
  %lanes = tile.arange : !n
  %offs = arith.addi %firsts, %lanes : !n
  tile.return %offs : !n
}

// Names that the signature lacks are the caller's: STRIDE stays.
// CHECK-LABEL: tile.func private @sums(
tile.func private @sums(%x: !n, %y: tensor<?xi32, #tile.dims<[M]>>) -> !nm {
  %stride = tile.meta STRIDE : i32
  %strides = tile.splat %stride : i32 -> !n
  %xs = arith.muli %x, %strides : !n
  %column = tile.expand_dims %xs axis 1 : !n -> tensor<?x1xi32, #tile.dims<[N]>>
  %row = tile.expand_dims %y axis 0 : tensor<?xi32, #tile.dims<[M]>> -> tensor<1x?xi32, #tile.dims<[M]>>
  %a = tile.broadcast %column : tensor<?x1xi32, #tile.dims<[N]>> -> !nm
  %b = tile.broadcast %row : tensor<1x?xi32, #tile.dims<[M]>> -> !nm
  %sum = arith.addi %a, %b : !nm
  tile.return %sum : !nm
}

// A name, another name, and a number make three copies; the same call again makes none.
// CHECK-LABEL: tile.func @kernel
// INLINED-LABEL: tile.func @kernel
tile.func @kernel(%i: i32) meta {BM = 8, BN = 16, STRIDE = 100} {
  // CHECK: tile.call @range_BM(%{{.*}}) : (i32) -> tensor<?xi32, #tile.dims<[BM]>>
  // INLINED: tile.meta BM : i32
  // INLINED: tile.arange : tensor<?xi32, #tile.dims<[BM]>>
  %rows = tile.call @range(%i) : (i32) -> !rows
  // CHECK: tile.call @range_BN
  // INLINED: tile.arange : tensor<?xi32, #tile.dims<[BN]>>
  %cols = tile.call @range(%i) : (i32) -> !cols
  // CHECK: tile.call @range_4_0(%{{.*}}) : (i32) -> tensor<4xi32>
  // INLINED: arith.constant 4 : i32
  // INLINED: tile.arange : tensor<4xi32>
  %four = tile.call @range(%i) : (i32) -> tensor<4xi32>
  // CHECK: tile.call @range_BM(
  %again = tile.call @range(%i) : (i32) -> !rows
  // CHECK: tile.call @sums_BM_BN(
  // INLINED: tile.meta STRIDE
  %sum = tile.call @sums(%rows, %cols) : (!rows, !cols) -> tensor<?x?xi32, #tile.dims<[BM, BN]>>
  // A name and a number in one type.
  // CHECK: tile.call @sums_4_BN(%{{.*}}) : ({{.*}}) -> tensor<4x?xi32, #tile.dims<[BN]>>
  // INLINED: arith.addi {{.*}} : tensor<4x?xi32, #tile.dims<[BN]>>
  %mixed = tile.call @sums(%four, %cols) : (tensor<4xi32>, !cols) -> tensor<4x?xi32, #tile.dims<[BN]>>
  tile.return
}
// INLINED-NOT: tile.call

// A call that binds each name to itself keeps its callee.
// CHECK-LABEL: tile.func @same_name
tile.func @same_name(%i: i32) meta {N = 8} {
  // CHECK: tile.call @range(%{{.*}}) : (i32) -> tensor<?xi32, #tile.dims<[N]>>
  %r = tile.call @range(%i) : (i32) -> !n
  tile.return
}

// Names swap places when a call swaps them, all at once.
// CHECK-LABEL: tile.func private @turned(
tile.func private @turned(%x: !nm) -> tensor<?x?xi32, #tile.dims<[M, N]>> {
  %t = tile.trans %x order [1, 0] : !nm -> tensor<?x?xi32, #tile.dims<[M, N]>>
  tile.return %t : tensor<?x?xi32, #tile.dims<[M, N]>>
}
// CHECK-LABEL: tile.func @swapped_names
tile.func @swapped_names() meta {N = 8, M = 16} {
  %c = arith.constant 0 : i32
  %x = tile.splat %c : i32 -> tensor<?x?xi32, #tile.dims<[M, N]>>
  // CHECK: tile.call @turned_M_N(%{{.*}}) : (tensor<?x?xi32, #tile.dims<[M, N]>>) -> tensor<?x?xi32, #tile.dims<[N, M]>>
  %t = tile.call @turned(%x) : (tensor<?x?xi32, #tile.dims<[M, N]>>) -> !nm
  tile.return
}

// Descriptors, and a helper that calls a helper.
// CHECK-LABEL: tile.func private @corner(
tile.func private @corner(%d: !tile.desc<?x?xi32, #tile.dims<[N, M]>>, %i: i32) -> !nm {
  %rows = tile.call @range(%i) : (i32) -> !n
  %x = tile.desc_load %d[%i, %i] : !tile.desc<?x?xi32, #tile.dims<[N, M]>>
  tile.return %x : !nm
}
// CHECK-LABEL: tile.func @nested
tile.func @nested(%d: !tile.desc<?x64xi32, #tile.dims<[BM]>>, %i: i32) meta {BM = 32} {
  // CHECK: tile.call @corner_BM_64
  %x = tile.call @corner(%d, %i) : (!tile.desc<?x64xi32, #tile.dims<[BM]>>, i32) -> tensor<?x64xi32, #tile.dims<[BM]>>
  tile.return
}

// The copies; a name that is taken gets a number.
// CHECK-LABEL: tile.func private @range_4() {
tile.func private @range_4() {
  tile.return
}
// CHECK-LABEL: tile.func private @corner_BM_64(
// CHECK-SAME: %{{.*}}: !tile.desc<?x64xi32, #tile.dims<[BM]>>, %{{.*}}: i32) -> tensor<?x64xi32, #tile.dims<[BM]>>
// CHECK: tile.call @range_BM(
