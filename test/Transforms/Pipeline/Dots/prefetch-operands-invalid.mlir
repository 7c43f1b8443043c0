// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-prefetch-operands))' -verify-diagnostics | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#wide = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[64, 0], [128, 0]]>
!acc = tensor<32x32xf32, #acc>
!rings = !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>

// Something else reads the copies: it would have to stand before the barrier.
// CHECK-LABEL: tile.func @two_readers
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.async_wait 1
// CHECK-NEXT: gpu.barrier
// CHECK: tile.dot
tile.func @two_readers(%n: i32, %c: !acc) {
  %ra = tile_gpu.alloc_shared : !rings
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected one dot by mma.sync or fma as what reads the copies}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%use] : !rings -> !buffer
    %d = tile.dot %va, %va, %a by mma_sync : !buffer, !buffer -> !acc
    %e = tile.dot %va, %va, %d by mma_sync : !buffer, !buffer -> !acc
    %un = arith.xori %use, %c1 : i32
    scf.yield %e, %un : !acc, i32
  }
  tile.return
}

// One operand was there before the loop.
// CHECK-LABEL: tile.func @one_ring
// CHECK-NOT: tile_gpu.buffer_load
tile.func @one_ring(%n: i32, %c: !acc) {
  %ra = tile_gpu.alloc_shared : !rings
  %q = tile_gpu.alloc_shared : !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected copies for both operands of the dot}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%use] : !rings -> !buffer
    %d = tile.dot %q, %va, %a by mma_sync : !buffer, !buffer -> !acc
    %un = arith.xori %use, %c1 : i32
    scf.yield %d, %un : !acc, i32
  }
  tile.return
}

// Always the same stage: not what a ring is read by.
// CHECK-LABEL: tile.func @no_ring
// CHECK-NOT: tile_gpu.buffer_load
tile.func @no_ring(%n: i32, %c: !acc) {
  %ra = tile_gpu.alloc_shared : !rings
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected operands in the stage that the loop carries}}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%c1] : !rings -> !buffer
    %d = tile.dot %va, %va, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// 256 accumulators a thread leave no room for two parts of operands.
// CHECK-LABEL: tile.func @too_wide
// CHECK-NOT: tile_gpu.buffer_load
tile.func @too_wide(%n: i32, %c: tensor<256x128xf32, #wide>) {
  %ra = tile_gpu.alloc_shared : !tile_gpu.buffer<256x32xf16, swizzle = 64, stages = 2>
  %rb = tile_gpu.alloc_shared : !tile_gpu.buffer<32x128xf16, swizzle = 128, stages = 2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected two parts of both operands to fit the registers}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (tensor<256x128xf32, #wide>, i32) : i32 {
    tile_gpu.async_wait 0
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%use] : !tile_gpu.buffer<256x32xf16, swizzle = 64, stages = 2> -> !tile_gpu.buffer<256x32xf16, swizzle = 64>
    %vb = tile_gpu.buffer_stage %rb[%use] : !tile_gpu.buffer<32x128xf16, swizzle = 128, stages = 2> -> !tile_gpu.buffer<32x128xf16, swizzle = 128>
    %d = tile.dot %va, %vb, %a by mma_sync : !tile_gpu.buffer<256x32xf16, swizzle = 64>, !tile_gpu.buffer<32x128xf16, swizzle = 128> -> tensor<256x128xf32, #wide>
    %un = arith.xori %use, %c1 : i32
    scf.yield %d, %un : tensor<256x128xf32, #wide>, i32
  }
  tile.return
}

// Nothing to cut.
// CHECK-LABEL: tile.func @shallow
// CHECK-NOT: tile_gpu.buffer_load
tile.func @shallow(%n: i32, %c: !acc) {
  %ra = tile_gpu.alloc_shared : !tile_gpu.buffer<32x16xf16, stages = 2>
  %rb = tile_gpu.alloc_shared : !tile_gpu.buffer<16x32xf16, stages = 2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected a dot of two instructions' depth or more}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
    tile_gpu.async_wait 0
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%use] : !tile_gpu.buffer<32x16xf16, stages = 2> -> !tile_gpu.buffer<32x16xf16>
    %vb = tile_gpu.buffer_stage %rb[%use] : !tile_gpu.buffer<16x32xf16, stages = 2> -> !tile_gpu.buffer<16x32xf16>
    %d = tile.dot %va, %vb, %a by mma_sync : !tile_gpu.buffer<32x16xf16>, !tile_gpu.buffer<16x32xf16> -> !acc
    %un = arith.xori %use, %c1 : i32
    scf.yield %d, %un : !acc, i32
  }
  tile.return
}

// Of boxes that another role copies one more stage has to be there than what the step reads.
// CHECK-LABEL: tile.func @one_stage
// CHECK-NOT: tile_gpu.buffer_load
tile.func @one_stage(%n: i32, %c: !acc) {
  %ra = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  %full = tile_gpu.alloc_shared : !tile_gpu.buffer<1xi64>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected a wait for the stage that the loop carries, and another stage}}
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0, %phase = %c0) -> (!acc, i32, i32) : i32 {
    %f = tile_gpu.buffer_stage %full[%use] : !tile_gpu.buffer<1xi64> -> !tile_gpu.buffer<1xi64>
    tile_gpu.barrier_wait %f parity %phase : !tile_gpu.buffer<1xi64>
    %va = tile_gpu.buffer_stage %ra[%use] : !tile_gpu.buffer<32x32xf16, swizzle = 64> -> !buffer
    %d = tile.dot %va, %va, %a by mma_sync : !buffer, !buffer -> !acc
    %other = arith.xori %phase, %c1 : i32
    scf.yield %d, %use, %other : !acc, i32, i32
  }
  tile.return
}

// The slot is given back before it is read.
// CHECK-LABEL: tile.func @given_early
// CHECK-NOT: tile_gpu.buffer_load
tile.func @given_early(%n: i32, %c: !acc) {
  %ra = tile_gpu.alloc_shared : !rings
  %full = tile_gpu.alloc_shared : !tile_gpu.buffer<1xi64, stages = 3>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected a wait for the stage that the loop carries, and another stage}}
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0, %phase = %c0) -> (!acc, i32, i32) : i32 {
    %f = tile_gpu.buffer_stage %full[%use] : !tile_gpu.buffer<1xi64, stages = 3> -> !tile_gpu.buffer<1xi64>
    tile_gpu.barrier_wait %f parity %phase : !tile_gpu.buffer<1xi64>
    tile_gpu.barrier_arrive %f : !tile_gpu.buffer<1xi64>
    %va = tile_gpu.buffer_stage %ra[%use] : !rings -> !buffer
    %d = tile.dot %va, %va, %a by mma_sync : !buffer, !buffer -> !acc
    %un = arith.xori %use, %c1 : i32
    scf.yield %d, %un, %phase : !acc, i32, i32
  }
  tile.return
}

// Nor do as many that were there before the loop, and are wanted behind it.
// CHECK-LABEL: tile.func @held
// CHECK-NOT: tile_gpu.buffer_load
tile.func @held(%n: i32, %c: !acc, %held: tensor<256x128xf32, #wide>) {
  %ra = tile_gpu.alloc_shared : !rings
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{operands are not read ahead: expected two parts of both operands to fit the registers}}
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
    tile_gpu.async_wait 1
    gpu.barrier
    %va = tile_gpu.buffer_stage %ra[%use] : !rings -> !buffer
    %d = tile.dot %va, %va, %a by mma_sync : !buffer, !buffer -> !acc
    %un = arith.xori %use, %c1 : i32
    scf.yield %d, %un : !acc, i32
  }
  %behind = arith.negf %held : tensor<256x128xf32, #wide>
  tile.return
}

// What the loop around carries is held through each of its steps, if those want it behind the loop: here for the next one.
// CHECK-LABEL: tile.func @carried
// CHECK-NOT: tile_gpu.buffer_load
tile.func @carried(%n: i32, %c: !acc, %held: tensor<256x128xf32, #wide>) {
  %ra = tile_gpu.alloc_shared : !rings
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sums = %held) -> (tensor<256x128xf32, #wide>) : i32 {
    // expected-remark @+1 {{operands are not read ahead: expected two parts of both operands to fit the registers}}
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %use = %c0) -> (!acc, i32) : i32 {
      tile_gpu.async_wait 1
      gpu.barrier
      %va = tile_gpu.buffer_stage %ra[%use] : !rings -> !buffer
      %d = tile.dot %va, %va, %a by mma_sync : !buffer, !buffer -> !acc
      %un = arith.xori %use, %c1 : i32
      scf.yield %d, %un : !acc, i32
    }
    scf.yield %sums : tensor<256x128xf32, #wide>
  }
  tile.return
}
