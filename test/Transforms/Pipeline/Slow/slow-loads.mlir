// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' -verify-diagnostics -o /dev/null

// What dots wait for in each step, and no loop can let run ahead, is said.

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
!tile = tensor<32x32xf16, #v>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>
!acc = tensor<32x32xf32, #acc>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>

tile.func @branch(%p: !ptrs, %q: !ptrs, %n: i32, %c: !acc, %sums: tensor<32x32x!tile.ptr<f32>, #acc>, %w: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !tile
  // Of no loop there are no other steps.
  %first = scf.if %w -> !tile {
    %x = tile.load %q : !ptrs
    scf.yield %x : !tile
  } else {
    scf.yield %zero : !tile
  }
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %first, %b : !tile -> !buffer
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %odd = arith.cmpi eq, %k, %c1 : i32
    %x = scf.if %odd -> !tile {
      // expected-warning @+1 {{load is not pipelined: expected a load of each step, found one in a branch}}
      %y = tile.load %p : !ptrs
      scf.yield %y : !tile
    } else {
      scf.yield %zero : !tile
    }
    // Which no dot reads.
    scf.if %odd {
      %y = tile.load %q : !ptrs
      tile.store %q, %y : !ptrs
    }
    %s = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %x, %s : !tile -> !buffer
    %d = tile.dot %s, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.store %sums, %r : tensor<32x32x!tile.ptr<f32>, #acc>
  tile.return
}

tile.func @condition(%p: !ptrs, %n: i32, %c: !acc, %sums: tensor<32x32x!tile.ptr<f32>, #acc>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %k, %r = scf.while (%k = %c0, %a = %c) : (i32, !acc) -> (i32, !acc) {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %k, %a : i32, !acc
  } do {
  ^bb0(%k: i32, %a: !acc):
    // expected-warning @+1 {{load is not pipelined: expected a loop over a range, found one that runs until a condition}}
    %x = tile.load %p : !ptrs
    %s = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %x, %s : !tile -> !buffer
    %d = tile.dot %s, %s, %a by mma_sync : !buffer, !buffer -> !acc
    %next = arith.addi %k, %c1 : i32
    scf.yield %next, %d : i32, !acc
  }
  tile.store %sums, %r : tensor<32x32x!tile.ptr<f32>, #acc>
  tile.return
}
