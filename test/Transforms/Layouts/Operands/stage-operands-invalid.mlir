// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-operands))' --verify-diagnostics | FileCheck %s

#ld = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0], [64, 0], [128, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16]]>
!p = tensor<256x64x!tile.ptr<f16>, #ld>
!v = tensor<256x64xf16, #ld>
!a = !tile_gpu.buffer<256x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x32xf16, swizzle = 64>
!s = tensor<256x32xf32, #acc>
#half = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0]]>
#sums = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [16, 0], [32, 0], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16]]>
!ph = tensor<128x64x!tile.ptr<f16>, #half>
!vh = tensor<128x64xf16, #half>
!ah = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!sh = tensor<128x32xf32, #sums>

// Two warps have a quarter of shared memory, 58,112 bytes: beside a buffer of 32 KB two tiles of 16 are not there at the same time.
// CHECK-LABEL: tile.func private @large
// CHECK-COUNT-3: tile_gpu.buffer_store
tile.func private @large(%px: !ph, %py: !ph, %other: !b, %zero: !sh) -> (!sh, !v) attributes {tile.num_warps = 2 : i32} {
  %room = tile_gpu.alloc_shared : !a
  %x = tile.load %px : !ph
  // expected-remark @+1 {{operand is stored in front of its dot: expected at most 58112 bytes of shared memory in use, found more}}
  %y = tile.load %py : !ph
  %a = tile_gpu.alloc_shared : !ah
  tile_gpu.buffer_store %x, %a : !vh -> !ah
  %first = tile.dot %a, %other, %zero by mma_sync : !ah, !b -> !sh
  %b = tile_gpu.alloc_shared : !ah
  tile_gpu.buffer_store %y, %b : !vh -> !ah
  %second = tile.dot %b, %other, %first by mma_sync : !ah, !b -> !sh
  %again = tile_gpu.alloc_shared : !ah
  // expected-remark @+1 {{operand is stored again: expected at most 58112 bytes of shared memory in use, found more}}
  tile_gpu.buffer_store %x, %again : !vh -> !ah
  %third = tile.dot %again, %other, %second by mma_sync : !ah, !b -> !sh
  %read = tile_gpu.buffer_load %room : !a -> !v
  tile.return %third, %read : !sh, !v
}

// Threads would hold 384 words over the first dot: then the block has all of the shared memory.
// CHECK-LABEL: tile.func private @full
// CHECK-COUNT-2: tile_gpu.buffer_store
// CHECK-NOT: tile_gpu.buffer_store
tile.func private @full(%px: !p, %py: !p, %other: !b, %zero: !s) -> !s attributes {tile.num_warps = 2 : i32} {
  %x = tile.load %px : !p
  %y = tile.load %py : !p
  %a = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %a : !v -> !a
  %first = tile.dot %a, %other, %zero by mma_sync : !a, !b -> !s
  %b = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %y, %b : !v -> !a
  %second = tile.dot %b, %other, %first by mma_sync : !a, !b -> !s
  %again = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %again : !v -> !a
  %third = tile.dot %again, %other, %second by mma_sync : !a, !b -> !s
  tile.return %third : !s
}

#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#group = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!pw = tensor<64x64x!tile.ptr<f16>, #rows>
!vw = tensor<64x64xf16, #rows>
!w = !tile_gpu.buffer<64x64xf16, swizzle = 128>
!sw = tensor<64x64xf32, #group>
!ps = tensor<64x64x!tile.ptr<f32>, #group>

// The sum is on its way as its step ends: what it reads of B may be written over behind the next step's wait.
// CHECK-LABEL: tile.func private @flies
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.dot
// CHECK: tile_gpu.dot_wait
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot
tile.func private @flies(%pb: !pw, %p: !ps, %a: !w, %n: i32, %zero: !sw) -> !sw attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sw) : i32 {
    // expected-remark @+1 {{operand is stored in front of its dot: expected no dot on its way that reads the one before}}
    %y = tile.load %pb : !pw
    %square = tile.dot %a, %a, %zero by wgmma async : !w, !w -> !sw
    %done = tile_gpu.dot_wait %square pending 0 tied : !sw
    tile.store %p, %done : !ps
    %b = tile_gpu.alloc_shared : !w
    tile_gpu.buffer_store %y, %b : !vw -> !w
    %next = tile.dot %a, %b, %sum by wgmma async : !w, !w -> !sw
    scf.yield %next : !sw
  }
  %over = tile_gpu.dot_wait %all pending 0 tied : !sw
  tile.return %over : !sw
}

// Of a step that waits for it, it is stored as it is loaded.
// CHECK-LABEL: tile.func private @lands
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot
// CHECK: tile_gpu.dot_wait
tile.func private @lands(%pb: !pw, %p: !ps, %a: !w, %n: i32, %zero: !sw) -> !sw attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!sw) : i32 {
    %y = tile.load %pb : !pw
    %square = tile.dot %a, %a, %zero by wgmma async : !w, !w -> !sw
    %done = tile_gpu.dot_wait %square pending 0 tied : !sw
    tile.store %p, %done : !ps
    %b = tile_gpu.alloc_shared : !w
    tile_gpu.buffer_store %y, %b : !vw -> !w
    %next = tile.dot %a, %b, %sum by wgmma async : !w, !w -> !sw
    %over = tile_gpu.dot_wait %next pending 0 tied : !sw
    scf.yield %over : !sw
  }
  tile.return %all : !sw
}
