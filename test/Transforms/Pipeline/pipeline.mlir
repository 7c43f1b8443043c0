// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=3}))' -verify-diagnostics | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
!tile = tensor<32x32xf16, #v>
!index = tensor<32x32xi32, #v>
!mask = tensor<32x32xi1, #v>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>
!acc = tensor<32x32xf32, #acc>
!buffer = !tile_gpu.buffer<32x32xf16, swizzle = 64>
!turned = !tile_gpu.buffer<32x32xf16, order = [0, 1]>

// Two iterations ahead in a ring of three: wait, barrier, copy, compute. Copies of iterations that do
// not exist are masked off, so a loop that never runs copies nothing.
// CHECK-LABEL: tile.func @ring
tile.func @ring(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: %[[STEP:.*]] = arith.constant dense<1024>
  // CHECK: %[[P0:.*]] = tile.addptr
  // CHECK: %[[RING:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 3>
  // CHECK: %[[E0:.*]] = arith.cmpi slt, %{{.*}}, %[[N:.*]] : i32
  // CHECK: %[[P1:.*]] = tile.addptr %[[P0]], %[[STEP]]
  // CHECK: %[[M0:.*]] = tile.splat %[[E0]] : i1
  // CHECK: %[[S0:.*]] = tile_gpu.buffer_stage %[[RING]][%{{.*}}]
  // CHECK: tile_gpu.async_copy %[[P0]], %[[M0]] into %[[S0]]
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK: %[[P2:.*]] = tile.addptr %[[P1]], %[[STEP]]
  // CHECK: tile_gpu.async_copy %[[P1]], %{{.*}} into
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[AHEAD:.*]] = %[[P2]], %[[FILL:.*]] = %[[C2]], %[[USE:.*]] = %[[C0]])
  // CHECK-NEXT: tile_gpu.async_wait 1
  // CHECK-NEXT: gpu.barrier
  // CHECK: %[[LATER:.*]] = arith.addi %[[I]]
  // CHECK: %[[E:.*]] = arith.cmpi slt, %[[LATER]], %[[N]]
  // CHECK: %[[NEXT:.*]] = tile.addptr %[[AHEAD]], %[[STEP]]
  // CHECK: %[[M:.*]] = tile.splat %[[E]] : i1
  // CHECK: %[[SF:.*]] = tile_gpu.buffer_stage %[[RING]][%[[FILL]]]
  // CHECK: tile_gpu.async_copy %[[AHEAD]], %[[M]] into %[[SF]]
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK: %[[SU:.*]] = tile_gpu.buffer_stage %[[RING]][%[[USE]]]
  // CHECK-NOT: tile.load
  // CHECK: %[[D:.*]] = tile.dot %[[SU]], %[[SU]], %[[ACC]]
  // CHECK: scf.yield %[[D]], %{{.*}}, %[[NEXT]], %{{.*}}, %{{.*}}
  // CHECK: }
  // CHECK-NEXT: tile_gpu.async_wait 0
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %step = arith.constant dense<1024> : !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p0 = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r, %e = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c, %p = %p0) -> (!acc, !ptrs) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %q = tile.addptr %p, %step : !ptrs, !index
    scf.yield %d, %q : !acc, !ptrs
  }
  tile.return
}

// What the loop reads in all its steps is stored behind the first copies: these do not wait for its load. What is read in
// front of the loop, too, stays.
// CHECK-LABEL: tile.func @first
tile.func @first(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: %[[V:.*]] = tile.load
  // CHECK: %[[EARLY:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  // CHECK: tile_gpu.buffer_store %[[V]], %[[EARLY]]
  // CHECK: tile.dot
  // CHECK: %[[LATE:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  // CHECK-NOT: tile_gpu.buffer_store
  // CHECK-COUNT-2: tile_gpu.async_copy
  // CHECK: tile_gpu.async_commit
  // CHECK: tile_gpu.buffer_store %[[V]], %[[LATE]]
  // CHECK: scf.for
  // CHECK: tile_gpu.async_wait
  // CHECK: tile.dot %[[LATE]], %{{.*}}, %{{.*}}
  // CHECK: tile.dot %[[EARLY]], %{{.*}}, %{{.*}}
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %step = arith.constant dense<1024> : !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p0 = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tile.load %p0 : !ptrs
  %early = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %v, %early : !tile -> !buffer
  %first = tile.dot %early, %early, %c by mma_sync : !buffer, !buffer -> !acc
  %late = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %v, %late : !tile -> !buffer
  %r, %e = scf.for %k = %c0 to %n step %c1 iter_args(%a = %first, %p = %p0) -> (!acc, !ptrs) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %late, %b, %a by mma_sync : !buffer, !buffer -> !acc
    %f = tile.dot %early, %b, %d by mma_sync : !buffer, !buffer -> !acc
    %q = tile.addptr %p, %step : !ptrs, !index
    scf.yield %f, %q : !acc, !ptrs
  }
  tile.return
}

// Round an outer loop, the next prologue must not pass the last reads of this one.
// CHECK-LABEL: tile.func @nested
tile.func @nested(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: scf.for
  // CHECK: tile_gpu.async_copy
  // CHECK: scf.for
  // CHECK: tile.dot
  // CHECK: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: tile_gpu.async_wait 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: scf.yield
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r0 = scf.for %j = %c0 to %n step %c1 iter_args(%c2 = %c) -> (!acc) : i32 {
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c2) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  scf.yield %r : !acc
  }
  tile.return
}

// The mask of the load still holds.
// CHECK-LABEL: tile.func @masked
tile.func @masked(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: %[[M:.*]] = arith.cmpi slt, {{.*}} : tensor
  // CHECK: %[[E:.*]] = tile.splat %{{.*}} : i1
  // CHECK-NEXT: %[[B:.*]] = arith.andi %[[M]], %[[E]]
  // CHECK: tile_gpu.async_copy %{{.*}}, %[[B]] into
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ns = tile.splat %n : i32 -> !index
  %m = arith.cmpi slt, %ns, %ns : !index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p, %m : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// The loop's own number of stages comes first.
// CHECK-LABEL: tile.func @own_stages
tile.func @own_stages(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64, stages = 2>
  // CHECK: tile_gpu.async_wait 0
  // CHECK: tile.dot
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
    scf.yield %d : !acc
  } {tile.num_stages = 2 : i32}
  tile.return
}

// As does one that asks for none.
// CHECK-LABEL: tile.func @one_stage
tile.func @one_stage(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
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
    scf.yield %d : !acc
  } {tile.num_stages = 1 : i32}
  tile.return
}

// What feeds no dot stays as it is.
// CHECK-LABEL: tile.func @no_dot
tile.func @no_dot(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %t = tile.load %p : !ptrs
    %u = arith.addf %t, %t : !tile
    %w = arith.addf %u, %t : !tile
  }
  tile.return
}

// A copy that runs ahead could pass the store.
// CHECK-LABEL: tile.func @writes
tile.func @writes(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{copies do not pass the loop's writes: expected writes to addresses that are sums of strides times positions}}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    // expected-warning @+1 {{load is not pipelined: expected a loop without writes of global memory or barriers}}
    %t = tile.load %p : !ptrs
    %z = arith.constant dense<0.0> : !tile
    tile.store %p, %z : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// A copy fills with zeros only.
// CHECK-LABEL: tile.func @other
tile.func @other(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %one = arith.constant dense<1.0> : !tile
    %m = arith.constant dense<false> : !mask
    // expected-warning @+1 {{load is not pipelined: expected masked-out lanes to read 0}}
    %t = tile.load %p, %m, %one : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Nothing is copied where no step loads anything: zeros need no ring.
// CHECK-LABEL: tile.func @nothing
tile.func @nothing(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %m = arith.constant dense<false> : !mask
    // expected-warning @+1 {{load is not pipelined: expected a mask that lets some step load, found none}}
    %t = tile.load %p, %m : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Zeros that are spelled out are zeros.
// CHECK-LABEL: tile.func @zero
tile.func @zero(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: tile_gpu.async_copy
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %o0 = arith.constant dense<0.0> : !tile
    %m = arith.constant dense<true> : !mask
    %t = tile.load %p, %m, %o0 : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// The buffer lives longer than an iteration: threads fill it from the ring.
// CHECK-LABEL: tile.func @outside
tile.func @outside(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK: %[[OWN:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, swizzle = 64>
  // CHECK: %[[RING:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, stages = 3>
  // CHECK: scf.for
  // CHECK: tile_gpu.async_commit
  // CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage %[[RING]]
  // CHECK: %[[SEEN:.*]] = tile_gpu.buffer_load %[[SLOT]]
  // CHECK-NEXT: tile_gpu.buffer_store %[[SEEN]], %[[OWN]]
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = tile_gpu.alloc_shared : !buffer
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %t = tile.load %p : !ptrs
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Elements that do not lie side by side.
// CHECK-LABEL: tile.func @narrow
tile.func @narrow(%x: !tile.ptr<f16>, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %two = arith.constant dense<2> : !index
  %apart = arith.muli %o, %two : !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %apart : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    // expected-warning @+1 {{load is not pipelined: expected runs of 4 bytes or more in memory}}
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Side by side in global memory, not in shared memory.
// CHECK-LABEL: tile.func @turned
tile.func @turned(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    // expected-warning @+1 {{load is not pipelined: expected runs of 4 bytes or more in shared memory}}
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !turned
    tile_gpu.buffer_store %t, %b : !tile -> !turned
    %d = tile.dot %b, %b, %a by mma_sync : !turned, !turned -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Addresses that are loaded from places that are loaded, too.
// CHECK-LABEL: tile.func @indirect
tile.func @indirect(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    %y0 = tile.addptr %y, %k : !tile.ptr<i32>, i32
    %i0 = tile.load %y0 : !tile.ptr<i32>
    %y1 = tile.addptr %y, %i0 : !tile.ptr<i32>, i32
    %i1 = tile.load %y1 : !tile.ptr<i32>
    %c8 = arith.constant 8 : i32
    %i8 = arith.muli %i1, %c8 : i32
    %is = tile.splat %i8 : i32 -> !index
    %q = tile.addptr %p, %is : !ptrs, !index
    // expected-warning @+1 {{load is not pipelined: expected addresses that follow from arithmetic, or from a load whose own do}}
    %t = tile.load %q : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}

// Iterations that exist are told by a signed comparison.
// CHECK-LABEL: tile.func @unsigned
tile.func @unsigned(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %c: !acc) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: scf.for unsigned
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : tensor<1024xi32, #line>
  %o = tile.reshape %i : tensor<1024xi32, #line> -> !index
  %xs = tile.splat %x : !tile.ptr<f16> -> !ptrs
  %p = tile.addptr %xs, %o : !ptrs, !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%a = %c) -> (!acc) : i32 {
    // expected-warning @+1 {{load is not pipelined: expected a loop over signed numbers}}
    %t = tile.load %p : !ptrs
    %b = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %t, %b : !tile -> !buffer
    %d = tile.dot %b, %b, %a by mma_sync : !buffer, !buffer -> !acc
    scf.yield %d : !acc
  }
  tile.return
}
