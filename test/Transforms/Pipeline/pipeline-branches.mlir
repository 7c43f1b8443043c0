// What a branch of a step fills in shared memory is there beside the slots: with 17408 bytes for two blocks these have
// three slots of 2048 bytes each, where a branch stores an operand of its own, and four without it; with 21504 bytes four.
// RUN: sed 's/TAKEN/210/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefixes=CHECK,LITTLE
// RUN: sed 's/TAKEN/206/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s --check-prefixes=CHECK,ENOUGH

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
!tile = tensor<32x32xf16, #v>
!index = tensor<32x32xi32, #v>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>
!acc = tensor<32x32xf32, #acc>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>

// CHECK-LABEL: tile.func @stored
// LITTLE: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
// ENOUGH: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
// CHECK: scf.if
// CHECK: tile_gpu.buffer_store
tile.func @stored(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc, %own: !tile) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %odd = arith.trunci %k : i32 to i1
    %e = scf.if %odd -> (!acc) {
      %s = tile_gpu.alloc_shared : !buffer
      tile_gpu.buffer_store %own, %s : !tile -> !buffer
      %f = tile.dot %b, %s, %d by mma_sync : !buffer, !buffer -> !acc
      scf.yield %f : !acc
    } else {
      scf.yield %d : !acc
    }
    scf.yield %e : !acc
  }
  tile.return
}

// CHECK-LABEL: tile.func @empty
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 4>
tile.func @empty(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc, %z: !acc) {
  %taken = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1024xi8, stages = TAKEN>
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %odd = arith.trunci %k : i32 to i1
    %e = scf.if %odd -> (!acc) {
      %f = arith.addf %d, %z : !acc
      scf.yield %f : !acc
    } else {
      scf.yield %d : !acc
    }
    scf.yield %e : !acc
  }
  tile.return
}
