// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-chain-dots))' -verify-diagnostics | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#lanes = #tile_gpu.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#columns = #tile_gpu.layout<register = [[1], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>
#line = #tile_gpu.layout<register = [[0, 1], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
!a = !tile_gpu.buffer<64x16xf16, swizzle = 32>
!b = !tile_gpu.buffer<16x64xf16, swizzle = 128>
#row = #tile_gpu.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
!s = tensor<64x64xf32, #acc>
#each = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [0]], warp = [[16], [32]]>
#own = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [[16, 0], [32, 0]]>
#rows = #tile_gpu.layout<register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>
#column = #tile_gpu.layout<register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>

// The last one waits for all. A buffer that the first does not read may be filled meanwhile.
// CHECK-LABEL: tile.func private @chain
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma async :
// CHECK: tile_gpu.buffer_store
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma async :
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} by wgmma :
tile.func private @chain(%a: !a, %b: !b, %sum: !s, %v: tensor<16x64xf16, #row>) -> !s {
  %x = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  %other = tile_gpu.alloc_shared : !b
  tile_gpu.buffer_store %v, %other : tensor<16x64xf16, #row> -> !b
  %y = tile.dot %a, %other, %x by wgmma : !a, !b -> !s
  %z = tile.dot %a, %b, %y by wgmma : !a, !b -> !s
  tile.return %z : !s
}

// What somebody else reads is waited for, too; mma.sync is done when it is done.
// CHECK-LABEL: tile.func private @read
// CHECK-NOT: async
// CHECK: tile.return
tile.func private @read(%a: !a, %b: !b, %sum: !s) -> (!s, !s, !s) {
  %x = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  %y = tile.dot %a, %b, %x by wgmma : !a, !b -> !s
  %w = tile.dot %a, %b, %sum by mma_sync : !a, !b -> !s
  %z = tile.dot %a, %b, %w by mma_sync : !a, !b -> !s
  tile.return %x, %y, %z : !s, !s, !s
}

// The first dot has to be done with its operands before somebody overwrites them.
// CHECK-LABEL: tile.func private @overwritten
// CHECK-NOT: async
// CHECK: tile.return
tile.func private @overwritten(%a: !a, %sum: !s, %v: tensor<16x64xf16, #row>) -> !s {
  %b = tile_gpu.alloc_shared : !b
  // expected-remark @below {{dot is waited for: expected nothing between two dots that could overwrite what the first reads, found another op}}
  %x = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  tile_gpu.buffer_store %v, %b : tensor<16x64xf16, #row> -> !b
  %y = tile.dot %a, %b, %x by wgmma : !a, !b -> !s
  tile.return %y : !s
}

// Whoever fills a ring is told behind the last dot that it may.
// CHECK-LABEL: tile.func private @freed
// CHECK: tile.dot {{.*}} by wgmma async :
// CHECK-NEXT: tile.dot {{.*}} by wgmma :
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: tile.return
tile.func private @freed(%a: !a, %b: !b, %sum: !s, %empty: !tile_gpu.buffer<1xi64>) -> !s {
  %x = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  tile_gpu.group_barrier
  tile_gpu.barrier_arrive %empty : !tile_gpu.buffer<1xi64>
  %y = tile.dot %a, %b, %x by wgmma : !a, !b -> !s
  tile.return %y : !s
}

// A loop between two dots may hold anything.
// CHECK-LABEL: tile.func private @looped
// CHECK-NOT: async
// CHECK: tile.return
tile.func private @looped(%a: !a, %b: !b, %sum: !s, %n: i32) -> !s {
  // expected-remark @below {{dot is waited for: expected nothing between two dots}}
  %x = tile.dot %a, %b, %sum by wgmma : !a, !b -> !s
  %c1 = arith.constant 1 : i32
  scf.for %i = %c1 to %n step %c1 : i32 {
  }
  %y = tile.dot %a, %b, %x by wgmma : !a, !b -> !s
  tile.return %y : !s
}

// A product that is scaled in its step: what the threads do for the scale is done under it, and it is waited for in front of the
// first reader, or of whoever is told that the slot may be filled.
// CHECK-LABEL: tile.func private @scaled
// CHECK: scf.for
// CHECK: tile_gpu.buffer_load
// CHECK-NEXT: %[[D:.*]] = tile.dot {{.*}} by wgmma async :
// CHECK-NEXT: %[[X:.*]] = tile_gpu.convert_layout
// CHECK-NEXT: %[[Y:.*]] = tile.expand_dims %[[X]]
// CHECK-NEXT: %[[Z:.*]] = tile.broadcast %[[Y]]
// CHECK-NEXT: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: arith.mulf %[[W]], %[[Z]]
tile.func private @scaled(%a: !a, %b: !b, %zero: !s, %n: i32, %v: !tile_gpu.buffer<64xf32>, %empty: !tile_gpu.buffer<1xi64>) -> !s {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !s
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %x = tile_gpu.buffer_load %v : !tile_gpu.buffer<64xf32> -> tensor<64xf32, #each>
    %x1 = tile_gpu.convert_layout %x : tensor<64xf32, #each> -> tensor<64xf32, #rows>
    %x2 = tile.expand_dims %x1 axis 1 : tensor<64xf32, #rows> -> tensor<64x1xf32, #column>
    %x3 = tile.broadcast %x2 : tensor<64x1xf32, #column> -> !s
    %d = tile.dot %a, %b, %none by wgmma : !a, !b -> !s
    tile_gpu.barrier_arrive %empty : !tile_gpu.buffer<1xi64>
    %e = arith.mulf %d, %x3 : !s
    %next = arith.addf %s, %e : !s
    scf.yield %next : !s
  }
  tile.return %r : !s
}

// The same with four blocks of a multiprocessor, whose threads have 96 registers: the sum, what it is added to and a word for each
// column are more, so the columns come behind the wait. Their load does not.
// CHECK-LABEL: tile.func private @crowded
// CHECK: scf.for
// CHECK: %[[D:.*]] = tile.dot {{.*}} by wgmma async :
// CHECK-NEXT: %[[L:.*]] = tile.load
// CHECK-NEXT: %[[W:.*]] = tile_gpu.dot_wait %[[D]] pending 0 tied
// CHECK-NEXT: %[[X:.*]] = tile_gpu.convert_layout %[[L]]
// CHECK-NEXT: %[[Y:.*]] = tile.expand_dims %[[X]]
// CHECK-NEXT: %[[Z:.*]] = tile.broadcast %[[Y]]
// CHECK-NEXT: arith.mulf %[[W]], %[[Z]]
tile.func private @crowded(%a: !a, %b: !b, %zero: !s, %n: i32, %v: tensor<64x!tile.ptr<f32>, #lanes>) -> !s attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, blocks = 4, stores = boxes>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !s
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!s) : i32 {
    %d = tile.dot %a, %b, %none by wgmma : !a, !b -> !s
    %x = tile.load %v : tensor<64x!tile.ptr<f32>, #lanes>
    %x1 = tile_gpu.convert_layout %x : tensor<64xf32, #lanes> -> tensor<64xf32, #columns>
    %x2 = tile.expand_dims %x1 axis 0 : tensor<64xf32, #columns> -> tensor<1x64xf32, #line>
    %x3 = tile.broadcast %x2 : tensor<1x64xf32, #line> -> !s
    %e = arith.mulf %d, %x3 : !s
    %next = arith.addf %s, %e : !s
    scf.yield %next : !s
  }
  tile.return %r : !s
}

// Nothing is there to do meanwhile; and a sum that goes on is not one of the step.
// CHECK-LABEL: tile.func private @nothing
// CHECK-NOT: async
// CHECK: tile.return
tile.func private @nothing(%a: !a, %b: !b, %zero: !s, %n: i32) -> (!s, !s) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !s
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero) -> (!s, !s) : i32 {
    %d = tile.dot %a, %b, %none by wgmma : !a, !b -> !s
    %next = arith.addf %s, %d : !s
    %more = tile.dot %a, %b, %t by wgmma : !a, !b -> !s
    scf.yield %next, %more : !s, !s
  }
  tile.return %r#0, %r#1 : !s, !s
}

// A dot that is on its way while the next step begins starts in front of what the step computes
// besides, which may read the slot until others are told that they may fill it.
// CHECK-LABEL: tile.func private @beside
// CHECK: tile_gpu.barrier_wait
// CHECK-NEXT: %[[D:.*]] = tile.dot {{.*}} by wgmma async :
// CHECK-NEXT: tile_gpu.buffer_load
// CHECK-NEXT: arith.extf
// CHECK-NEXT: tile.reduce
// CHECK-NEXT: arith.addf
// CHECK-NEXT: tile_gpu.dot_wait %[[D]] pending 1
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.barrier_arrive
tile.func private @beside(%a: !a, %b: !b, %zero: !s, %n: i32, %none: tensor<64xf32, #each>, %full: !tile_gpu.buffer<1xi64>, %empty: !tile_gpu.buffer<1xi64>) -> (!s, tensor<64xf32, #each>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %beside = %none) -> (!s, tensor<64xf32, #each>) : i32 {
    tile_gpu.barrier_wait %full parity %c0 : !tile_gpu.buffer<1xi64>
    %x = tile_gpu.buffer_load %a : !a -> tensor<64x16xf16, #own>
    %wide = arith.extf %x : tensor<64x16xf16, #own> to tensor<64x16xf32, #own>
    %own = tile.reduce add %wide axis 1 : tensor<64x16xf32, #own> -> tensor<64xf32, #each>
    %next = arith.addf %beside, %own : tensor<64xf32, #each>
    %d = tile.dot %a, %b, %sum by wgmma async : !a, !b -> !s
    %w = tile_gpu.dot_wait %d pending 1 : !s
    tile_gpu.group_barrier
    tile_gpu.barrier_arrive %empty : !tile_gpu.buffer<1xi64>
    scf.yield %w, %next : !s, tensor<64xf32, #each>
  }
  %w = tile_gpu.dot_wait %r#0 pending 0 : !s
  tile.return %w, %r#1 : !s, tensor<64xf32, #each>
}

// What is read of a slot stays in front of a store to shared memory, and what is made of it goes.
// CHECK-LABEL: tile.func private @stored
// CHECK: tile_gpu.buffer_load
// CHECK-NEXT: tile_gpu.buffer_store
// CHECK-NEXT: tile.dot {{.*}} by wgmma async :
// CHECK-NEXT: arith.extf
tile.func private @stored(%a: !a, %b: !b, %zero: !s, %n: i32, %none: tensor<64x16xf32, #own>) -> (!s, tensor<64x16xf32, #own>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %beside = %none) -> (!s, tensor<64x16xf32, #own>) : i32 {
    %x = tile_gpu.buffer_load %a : !a -> tensor<64x16xf16, #own>
    tile_gpu.buffer_store %x, %a : tensor<64x16xf16, #own> -> !a
    %wide = arith.extf %x : tensor<64x16xf16, #own> to tensor<64x16xf32, #own>
    %d = tile.dot %a, %b, %sum by wgmma async : !a, !b -> !s
    %w = tile_gpu.dot_wait %d pending 1 : !s
    scf.yield %w, %wide : !s, tensor<64x16xf32, #own>
  }
  %w = tile_gpu.dot_wait %r#0 pending 0 : !s
  tile.return %w, %r#1 : !s, tensor<64x16xf32, #own>
}
