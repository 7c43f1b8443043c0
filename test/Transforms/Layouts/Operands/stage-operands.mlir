// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-operands))' | FileCheck %s
// RUN: env TILE_TRACE=stage-operands tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-operands))' 2>&1 >/dev/null | FileCheck %s --check-prefix=TRACE

#ld = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8]]>
!p = tensor<16x64x!tile.ptr<f16>, #ld>
!v = tensor<16x64xf16, #ld>
!a = !tile_gpu.buffer<16x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x16xf16, swizzle = 128, order = [0, 1]>
!s = tensor<16x16xf32, #acc>

// One tile that two dots read as A is stored once; the other tile, transposed, is stored as soon as it is
// loaded, in front of the first dot.
// TRACE: operands that lie in shared memory already: 1; stored early: 1
// CHECK-LABEL: tile.func private @twice
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[Y:.*]] = tile.load
// CHECK-NEXT: %[[T:.*]] = tile.trans %[[Y]]
// CHECK-NEXT: %[[LATE:.*]] = tile_gpu.alloc_shared
// CHECK-NEXT: tile_gpu.buffer_store %[[T]], %[[LATE]]
// CHECK: %[[A:.*]] = tile_gpu.alloc_shared
// CHECK-NEXT: tile_gpu.buffer_store %[[X]], %[[A]]
// CHECK: tile.dot %[[A]],
// CHECK-NOT: tile_gpu.buffer_store %[[X]],
// CHECK: tile.dot %[[A]], %[[LATE]]
tile.func private @twice(%px: !p, %py: !p, %other: !b, %zero: !s) -> (!s, !s) attributes {tile.num_warps = 2 : i32} {
  %x = tile.load %px : !p
  %y = tile.load %py : !p
  %a = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %a : !v -> !a
  %first = tile.dot %a, %other, %zero by mma_sync : !a, !b -> !s
  %again = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %again : !v -> !a
  %yt = tile.trans %y order [1, 0] : !v -> tensor<64x16xf16, #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [0, 8]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4]]>>
  %b = tile_gpu.alloc_shared : !b
  tile_gpu.buffer_store %yt, %b : tensor<64x16xf16, #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [0, 8]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4]]>> -> !b
  %second = tile.dot %again, %b, %first by mma_sync : !a, !b -> !s
  tile.return %first, %second : !s, !s
}

// In a branch and in a loop, too, what was stored in front is found; what a branch stored is not there behind it.
// CHECK-LABEL: tile.func private @regions
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[A:.*]] :
// CHECK: scf.if
// CHECK-NOT: buffer_store
// CHECK: tile.dot %[[A]],
// CHECK: tile_gpu.buffer_store %[[Y:.*]], %[[INNER:.*]] :
// CHECK: tile.dot %[[INNER]],
// CHECK: scf.for
// CHECK-NOT: buffer_store
// CHECK: tile.dot %[[A]],
// CHECK: scf.yield
// CHECK: tile_gpu.buffer_store %[[Y]], %[[OUTER:.*]] :
// CHECK: tile.dot %[[OUTER]],
tile.func private @regions(%x: !v, %y: !v, %other: !b, %zero: !s, %n: i32, %c: i1) -> !s attributes {tile.num_warps = 2 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %a : !v -> !a
  %first = tile.dot %a, %other, %zero by mma_sync : !a, !b -> !s
  %branch = scf.if %c -> (!s) {
    %again = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %x, %again : !v -> !a
    %d = tile.dot %again, %other, %first by mma_sync : !a, !b -> !s
    %inner = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %y, %inner : !v -> !a
    %e = tile.dot %inner, %other, %d by mma_sync : !a, !b -> !s
    scf.yield %e : !s
  } else {
    scf.yield %first : !s
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %branch) -> (!s) : i32 {
    %again = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %x, %again : !v -> !a
    %d = tile.dot %again, %other, %acc by mma_sync : !a, !b -> !s
    scf.yield %d : !s
  }
  %outer = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %y, %outer : !v -> !a
  %last = tile.dot %outer, %other, %sum by mma_sync : !a, !b -> !s
  tile.return %last : !s
}

// Two warps have a quarter of shared memory, 58,112 bytes. A ring has more already, and leaves room for three blocks: they have room
// for one tile more, which is not stored again.
// CHECK-LABEL: tile.func private @beside_a_ring
// CHECK: tile_gpu.buffer_store %[[X:.*]], %[[A:.*]] :
// CHECK: tile.dot %[[A]],
// CHECK-NOT: tile_gpu.buffer_store
// CHECK: tile.dot %[[A]],
// CHECK: tile.return
tile.func private @beside_a_ring(%px: !p, %zero: !s, %n: i32) -> (!s, !s) attributes {tile.num_warps = 2 : i32} {
  %ring = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 128, order = [0, 1], stages = 32>
  %slot = tile_gpu.buffer_stage %ring[%n] : !tile_gpu.buffer<64x16xf16, swizzle = 128, order = [0, 1], stages = 32> -> !b
  %x = tile.load %px : !p
  %a = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %a : !v -> !a
  %first = tile.dot %a, %slot, %zero by mma_sync : !a, !b -> !s
  %again = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %again : !v -> !a
  %second = tile.dot %again, %slot, %zero by mma_sync : !a, !b -> !s
  tile.return %first, %second : !s, !s
}

// What is computed for the second of two dots by mma.sync is stored in front of both, also where it is computed
// between them: threads meet once.
// CHECK-LABEL: tile.func private @computed
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[LOW:.*]] : tensor
// CHECK: %[[H:.*]] = arith.mulf
// CHECK: tile_gpu.buffer_store %[[H]], %[[HIGH:.*]] : tensor
// CHECK: %[[D:.*]] = tile.dot %[[LOW]],
// CHECK-NEXT: %[[E:.*]] = tile.dot %[[HIGH]], %{{.*}}, %[[D]]
tile.func private @computed(%x: !v, %y: !v, %other: !b, %zero: !s, %scale: f16) -> !s attributes {tile.num_warps = 2 : i32} {
  %a = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %x, %a : !v -> !a
  %first = tile.dot %a, %other, %zero by mma_sync : !a, !b -> !s
  %z = arith.mulf %x, %y : !v
  %h = tile_gpu.alloc_shared : !a
  tile_gpu.buffer_store %z, %h : !v -> !a
  %second = tile.dot %h, %other, %first by mma_sync : !a, !b -> !s
  tile.return %second : !s
}
