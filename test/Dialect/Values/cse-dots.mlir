// RUN: tile-opt %s --cse | FileCheck %s
//
// Equal dots are one. Equal dots that are on their way are not: the waits behind them count them.

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x16xf16, swizzle = 32>
!b = !tile_gpu.buffer<16x64xf16, swizzle = 128>
!s = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.func private @ended
// CHECK: %[[D:.*]] = tile.dot
// CHECK-NOT: tile.dot
// CHECK: tile.return %[[D]], %[[D]]
tile.func private @ended(%a: !a, %b: !b, %sum: !s) -> (!s, !s) {
  %x = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  %y = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  tile.return %x, %y : !s, !s
}

// CHECK-LABEL: tile.func private @under_way
// CHECK: %[[X:.*]] = tile.dot {{.*}} async
// CHECK: %[[Y:.*]] = tile.dot {{.*}} async
// CHECK: tile_gpu.dot_wait %[[X]] pending 1
// CHECK: tile_gpu.dot_wait %[[Y]] pending 0
tile.func private @under_way(%a: !a, %b: !b, %sum: !s) -> (!s, !s) {
  %x = tile.dot %a, %b, %sum by wgmma async : !a, !b -> !s
  %y = tile.dot %a, %b, %sum by wgmma async : !a, !b -> !s
  %first = tile_gpu.dot_wait %x pending 1 tied : !s
  %second = tile_gpu.dot_wait %y pending 0 tied : !s
  tile.return %first, %second : !s, !s
}
