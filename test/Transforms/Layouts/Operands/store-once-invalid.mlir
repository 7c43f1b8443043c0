// RUN: tile-opt %s -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-store-once))' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!box = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!v = tensor<64x64xf16, #acc>
!sum = tensor<64x64xf32, #acc>


// Where no loop reads boxes it is left to tile-stage-operands, and what is loaded to rings.
// CHECK-LABEL: tile.func @without_boxes
// CHECK-COUNT-2: tile_gpu.buffer_store
tile.func @without_boxes(%n: i32, %x: !v, %other: !box) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant dense<0.0> : !sum
  %b0 = tile_gpu.alloc_shared : !box
  tile_gpu.buffer_store %x, %b0 : !v -> !box
  %d0 = tile.dot %b0, %other, %zero by wgmma : !box, !box -> !sum
  %b1 = tile_gpu.alloc_shared : !box
  // expected-remark @+1 {{operand is stored again so far: expected boxes that a loop reads, found none}}
  tile_gpu.buffer_store %x, %b1 : !v -> !box
  %d1 = tile.dot %b1, %other, %d0 by wgmma : !box, !box -> !sum
  tile.return
}
