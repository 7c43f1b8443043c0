// Two states that a step stores to memory before it multiplies the first one: each is narrowed, stored as an operand and
// read from there for memory in front of its own dot, so that the second one is not held over the first one's. Not past
// a load, which may read what is stored.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-operands))' | FileCheck %s

#ld = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#d = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!p = tensor<64x16x!tile.ptr<bf16>, #ld>
!m = tensor<64x16xbf16, #ld>
!f = tensor<64x16xf32, #acc>
!h = tensor<64x16xbf16, #acc>
!a = !tile_gpu.buffer<16x64xbf16, swizzle = 128>
!b = !tile_gpu.buffer<64x16xbf16, swizzle = 32>
!s = tensor<16x16xf32, #d>

// CHECK-LABEL: tile.func private @both
// CHECK: %[[X:.*]] = arith.truncf
// CHECK-NEXT: tile_gpu.alloc_shared
// CHECK-NEXT: tile_gpu.buffer_store %[[X]], %[[A:.*]] :
// CHECK-NEXT: %[[READ:.*]] = tile_gpu.buffer_load %[[A]]
// CHECK-NEXT: tile.store %{{.*}}, %[[READ]]
// CHECK-NEXT: tile.dot %{{.*}}, %[[A]]
// CHECK-NEXT: %[[Y:.*]] = arith.truncf
// CHECK-NEXT: tile_gpu.alloc_shared
// CHECK-NEXT: tile_gpu.buffer_store %[[Y]], %[[B:.*]] :
// CHECK-NEXT: %[[LAST:.*]] = tile_gpu.buffer_load %[[B]]
// CHECK-NEXT: tile.store %{{.*}}, %[[LAST]]
// CHECK-NEXT: tile.dot %{{.*}}, %[[B]]
tile.func private @both(%px: !p, %py: !p, %x: !f, %y: !f, %a: !a, %zero: !s) -> !s attributes {tile.num_warps = 1 : i32} {
  %nx = arith.truncf %x : !f to !h
  %mx = tile_gpu.convert_layout %nx : !h -> !m
  tile.store %px, %mx : !p
  %ny = arith.truncf %y : !f to !h
  %my = tile_gpu.convert_layout %ny : !h -> !m
  tile.store %py, %my : !p
  %bx = tile_gpu.alloc_shared : !b
  tile_gpu.buffer_store %nx, %bx : !h -> !b
  %first = tile.dot %a, %bx, %zero by mma_sync : !a, !b -> !s
  %by = tile_gpu.alloc_shared : !b
  tile_gpu.buffer_store %ny, %by : !h -> !b
  %second = tile.dot %a, %by, %first by mma_sync : !a, !b -> !s
  tile.return %second : !s
}

// CHECK-LABEL: tile.func private @behind_a_load
// CHECK: arith.truncf
// CHECK: tile.store
// CHECK: tile.load
// CHECK: tile.dot
tile.func private @behind_a_load(%px: !p, %x: !f, %pa: !tile.ptr<f32>, %a: !a, %zero: !s) -> (!s, f32) attributes {tile.num_warps = 1 : i32} {
  %nx = arith.truncf %x : !f to !h
  %mx = tile_gpu.convert_layout %nx : !h -> !m
  tile.store %px, %mx : !p
  %one = tile.load %pa : !tile.ptr<f32>
  %bx = tile_gpu.alloc_shared : !b
  tile_gpu.buffer_store %nx, %bx : !h -> !b
  %first = tile.dot %a, %bx, %zero by mma_sync : !a, !b -> !s
  tile.return %first, %one : !s, f32
}
