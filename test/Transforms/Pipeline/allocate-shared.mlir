// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-allocate-shared))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#t = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]]>
!tile = tensor<32x32xf16, #v>
!buffer = !tile_gpu.buffer<32x32xf16>
!ptrs = tensor<32x32x!tile.ptr<f16>, #v>

// Read after write.
// CHECK-LABEL: tile.func @raw
// CHECK-SAME: tile_gpu.shared_bytes = 2048 : i32
tile.func @raw(%x: f16) {
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile.return
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  %c = tile_gpu.buffer_load %b : !buffer -> !tile
  %d = tile_gpu.buffer_load %b : !buffer -> !tile
  tile.return
}

// Write after read, and a barrier that is there already.
// CHECK-LABEL: tile.func @war
tile.func @war(%x: f16) {
  // CHECK: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile.return
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  %c = tile_gpu.buffer_load %b : !buffer -> !tile
  tile_gpu.buffer_store %c, %b : !tile -> !buffer
  gpu.barrier
  %d = tile_gpu.buffer_load %b : !buffer -> !tile
  tile.return
}

// Alive at once: side by side, and one barrier covers both.
// CHECK-LABEL: tile.func @together
// CHECK-SAME: tile_gpu.shared_bytes = 4096 : i32
tile.func @together(%x: f16) {
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  // CHECK: tile_gpu.alloc_shared {offset = 2048 : i32}
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile.return
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  %c = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  tile_gpu.buffer_store %a, %c : !tile -> !buffer
  %d = tile_gpu.buffer_load %b : !buffer -> !tile
  %e = tile_gpu.buffer_load %c : !buffer -> !tile
  tile.return
}

// A loop that reads a buffer has done so when the op behind it takes scratch, which may lie in its place.
// CHECK-LABEL: tile.func @behind
// CHECK-SAME: tile_gpu.shared_bytes = 2048 : i32
tile.func @behind(%x: f16, %n: i32) {
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  // CHECK: scf.for
  // CHECK: tile_gpu.buffer_load
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile_gpu.convert_layout %{{.*}} {offset = 0 : i32}
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (!tile) : i32 {
    %c = tile_gpu.buffer_load %b : !buffer -> !tile
    %d = arith.addf %t, %c : !tile
    scf.yield %d : !tile
  }
  %e = tile_gpu.convert_layout %s : !tile -> tensor<32x32xf16, #t>
  tile.return
}

// Alive one after the other: the same place, with a barrier between the last read and the write.
// CHECK-LABEL: tile.func @reused
// CHECK-SAME: tile_gpu.shared_bytes = 2048 : i32
tile.func @reused(%x: f16) {
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile_gpu.alloc_shared {offset = 0 : i32}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  %c = tile_gpu.buffer_load %b : !buffer -> !tile
  %d = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %c, %d : !tile -> !buffer
  %e = tile_gpu.buffer_load %d : !buffer -> !tile
  tile.return
}

// What an op exchanges for itself has its own barrier after the write; the next one must wait for
// its reads.
// CHECK-LABEL: tile.func @scratch
tile.func @scratch(%x: f16) {
  // CHECK: tile_gpu.convert_layout %{{.*}} {offset = 0 : i32}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.convert_layout %{{.*}} {offset = 0 : i32}
  // CHECK-NEXT: tile.return
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.convert_layout %a : !tile -> tensor<32x32xf16, #t>
  %c = tile_gpu.convert_layout %b : tensor<32x32xf16, #t> -> !tile
  tile.return
}

// The second of two reductions has a place of its own, and need not wait for those that read the first one's.
// CHECK-LABEL: tile.func @reductions
// CHECK-SAME: tile_gpu.shared_bytes = 144 : i32
#four = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
tile.func @reductions(%x: tensor<256xf32, #four>) {
  // CHECK: tile.reduce add %{{.*}} {offset = 0 : i32}
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.reduce add %{{.*}} {offset = 128 : i32}
  // CHECK: tile.return
  %a = tile.reduce add %x axis 0 : tensor<256xf32, #four> -> f32
  %b = tile.splat %a : f32 -> tensor<256xf32, #four>
  %c = arith.subf %x, %b : tensor<256xf32, #four>
  %d = tile.reduce add %c axis 0 : tensor<256xf32, #four> -> f32
  tile.return
}

// The end of an iteration meets the start of the next; the barrier stands in the loop, once.
// CHECK-LABEL: tile.func @loop
tile.func @loop(%x: f16, %n: i32) {
  // CHECK: scf.for
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: }
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile_gpu.buffer_store %a, %b : !tile -> !buffer
    %c = tile_gpu.buffer_load %b : !buffer -> !tile
  }
  tile.return
}

// A buffer from outside is alive all round the loop: one made inside lies beside it.
// CHECK-LABEL: tile.func @round_the_loop
// CHECK-SAME: tile_gpu.shared_bytes = 4096 : i32
tile.func @round_the_loop(%x: f16, %n: i32) {
  // CHECK: %[[OUT:.*]] = tile_gpu.alloc_shared {offset = [[#A:]] : i32}
  // CHECK: scf.for
  // CHECK: tile_gpu.alloc_shared {offset = [[#2048 - A]] : i32}
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %c = tile_gpu.buffer_load %b : !buffer -> !tile
    %d = tile_gpu.alloc_shared : !buffer
    tile_gpu.buffer_store %c, %d : !tile -> !buffer
    %e = tile_gpu.buffer_load %d : !buffer -> !tile
  }
  tile.return
}

// Either branch may have written; none need have had a barrier.
// CHECK-LABEL: tile.func @branches
tile.func @branches(%x: f16, %c: i1) {
  // CHECK: scf.if
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  scf.if %c {
    tile_gpu.buffer_store %a, %b : !tile -> !buffer
  } else {
  }
  %d = tile_gpu.buffer_load %b : !buffer -> !tile
  tile.return
}

// A while is left after its condition, which reads once more.
// CHECK-LABEL: tile.func @condition
tile.func @condition(%x: f16, %n: i32) {
  // CHECK: scf.while
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK: } do {
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_store
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  %c0 = arith.constant 0 : i32
  scf.while : () -> () {
    %d = tile_gpu.buffer_load %b : !buffer -> !tile
    %go = arith.cmpi slt, %c0, %n : i32
    scf.condition(%go)
  } do {
    gpu.barrier
    scf.yield
  }
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  tile.return
}

// A ring is ordered by the waits and barriers that came with it.
// CHECK-LABEL: tile.func @ring
// CHECK-SAME: tile_gpu.shared_bytes = 6144 : i32
tile.func @ring(%p: !tile.ptr<f16>, %n: i32) {
  // CHECK: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK: scf.for
  // CHECK-NEXT: tile_gpu.async_wait 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: }
  %ps = tile.splat %p : !tile.ptr<f16> -> !ptrs
  %r = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16, stages = 3>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = tile_gpu.buffer_stage %r[%c0] : !tile_gpu.buffer<32x32xf16, stages = 3> -> !buffer
  %s1 = tile_gpu.buffer_stage %r[%c1] : !tile_gpu.buffer<32x32xf16, stages = 3> -> !buffer
  tile_gpu.async_copy %ps into %s0 : !ptrs -> !buffer
  tile_gpu.async_commit
  scf.for %i = %c0 to %n step %c1 : i32 {
    tile_gpu.async_wait 0
    gpu.barrier
    tile_gpu.async_copy %ps into %s1 : !ptrs -> !buffer
    tile_gpu.async_commit
    %d = tile_gpu.buffer_load %s0 : !buffer -> !tile
  }
  tile.return
}

// A barrier does not order copies that no wait has made sure of: the scratch that takes their place
// stands behind the wait and another barrier.
// CHECK-LABEL: tile.func @flying
tile.func @flying(%p: !tile.ptr<f16>, %x: f16) {
  // CHECK: tile_gpu.async_copy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.async_wait 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.convert_layout %{{.*}} {offset = 0 : i32}
  %ps = tile.splat %p : !tile.ptr<f16> -> !ptrs
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.async_copy %ps into %b : !ptrs -> !buffer
  gpu.barrier
  tile_gpu.async_wait 0
  %c = tile_gpu.convert_layout %a : !tile -> tensor<32x32xf16, #t>
  tile.return
}

// Printing a tile takes scratch, through which one thread tells the others where to. Where the print
// may be skipped, so may its barrier: what was pending before still is.
// CHECK-LABEL: tile.func @prints
// CHECK-SAME: attributes {tile_gpu.shared_bytes = {{[0-9]+}} : i32}
tile.func @prints(%p: i1, %x: f16) {
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  // CHECK: tile_gpu.buffer_store
  // CHECK-NEXT: tile.print "if" {{.*}}offset
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  tile.print "if" %a if %p : !tile
  %c = tile_gpu.buffer_load %b : !buffer -> !tile
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: tile.print "always" {{.*}}offset
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile.print "scalar" %{{.*}} : f16
  tile_gpu.buffer_store %c, %b : !tile -> !buffer
  tile.print "always" %a : !tile
  %d = tile_gpu.buffer_load %b : !buffer -> !tile
  tile.print "scalar" %x : f16
  tile.return
}

// No shared memory: nothing but the attribute changes.
// CHECK-LABEL: tile.func @none
// CHECK-SAME: attributes {tile_gpu.shared_bytes = 0 : i32}
tile.func @none(%x: f16) {
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.return
  %a = tile.splat %x : f16 -> !tile
  tile.return
}

// Parts of a sum are added where a ring of boxes was, which is read to its end by then; its barriers stay.
// CHECK-LABEL: tile.func @parts
// CHECK-SAME: tile_gpu.shared_bytes = 8224 : i32
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#wide = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
tile.func @parts(%x: tensor<64x16xf32, #acc>) attributes {tile.num_warps = 4 : i32, tile_gpu.cluster = 2 : i32} {
  // CHECK: tile_gpu.alloc_shared {guarded, offset = 0 : i32}
  %ring = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<32x32xf16, stages = 4>
  // CHECK: tile_gpu.alloc_shared {guarded, offset = 8192 : i32}
  %full = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.barrier_init %full count 1 : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.warp_specialize producer {
  } consumer {
    %c0 = arith.constant 0 : i32
    %slot = tile_gpu.buffer_stage %ring[%c0] : !tile_gpu.buffer<32x32xf16, stages = 4> -> !buffer
    // CHECK: tile_gpu.buffer_load
    %t = tile_gpu.buffer_load %slot : !buffer -> !tile
    // CHECK: gpu.barrier
    // CHECK-NEXT: tile_gpu.add_parts %{{.*}} {offset = 0 : i32}
    %s = tile_gpu.add_parts %x : tensor<64x16xf32, #acc>
    %stage = tile_gpu.buffer_stage %full[%c0] : !tile_gpu.buffer<1xi64, stages = 4> -> !tile_gpu.buffer<1xi64>
    tile_gpu.barrier_arrive %stage : !tile_gpu.buffer<1xi64>
  }
  tile.return
}

// So do results, which leave from there, behind a barrier. A loop over programs fills rings again under what is behind its own loops.
// CHECK-LABEL: tile.func @results
// CHECK-SAME: tile_gpu.shared_bytes = 16416 : i32
tile.func @results(%x: !tile) attributes {tile.num_warps = 4 : i32} {
  // CHECK: tile_gpu.alloc_shared {guarded, offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, stages = 2>
  %ring = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, stages = 2>
  %full = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.barrier_init %full count 1 : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.warp_specialize producer {
  } consumer {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 9 : i32
    scf.for %i = %c0 to %c9 step %c1 : i32 {
      %slot = tile_gpu.buffer_stage %ring[%c0] : !tile_gpu.buffer<64x64xf16, stages = 2> -> !tile_gpu.buffer<64x64xf16>
      %t = tile_gpu.buffer_load %slot : !tile_gpu.buffer<64x64xf16> -> tensor<64x64xf16, #wide>
    }
    // CHECK: tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16>
    %result = tile_gpu.alloc_shared : !buffer
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile_gpu.buffer_store
    tile_gpu.buffer_store %x, %result : !tile -> !buffer
    %t = tile_gpu.buffer_load %result : !buffer -> !tile
  }
  tile.return
}

// What the copy engine reads has its place to the end: nobody waits for it when the next result is staged.
// CHECK-LABEL: tile.func @leaving
tile.func @leaving(%p: !tile.ptr<f16>, %n: i32, %s: i64, %x: !tile) attributes {tile.num_warps = 4 : i32} {
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<32x32xf16>
  // CHECK: tile_gpu.alloc_shared {guarded, offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, stages = 2>
  %ring = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, stages = 2>
  // CHECK: tile_gpu.alloc_shared {guarded, offset = [[FIRST:[0-9]+]] : i32} : !tile_gpu.buffer<32x32xf16>
  %first = tile_gpu.alloc_shared {guarded} : !buffer
  // CHECK-NOT: tile_gpu.alloc_shared {guarded, offset = [[FIRST]] : i32}
  // CHECK: tile_gpu.warp_specialize
  %second = tile_gpu.alloc_shared {guarded} : !buffer
  tile_gpu.warp_specialize producer {
  } consumer {
    %c0 = arith.constant 0 : i32
    %slot = tile_gpu.buffer_stage %ring[%c0] : !tile_gpu.buffer<64x64xf16, stages = 2> -> !tile_gpu.buffer<64x64xf16>
    %t = tile_gpu.buffer_load %slot : !tile_gpu.buffer<64x64xf16> -> tensor<64x64xf16, #wide>
    tile_gpu.buffer_store %x, %first : !tile -> !buffer
    tile_gpu.tma_store %d[%c0, %c0] from %first : !tile.desc<32x32xf16>, !buffer
    tile_gpu.buffer_store %x, %second : !tile -> !buffer
    tile_gpu.tma_store %d[%c0, %n] from %second : !tile.desc<32x32xf16>, !buffer
  }
  tile.return
}

// CHECK-LABEL: tile.func @programs
// CHECK-SAME: tile_gpu.shared_bytes = 18464 : i32
tile.func @programs(%x: !tile) attributes {tile.num_warps = 4 : i32} {
  %ring = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, stages = 2>
  %full = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.barrier_init %full count 1 : !tile_gpu.buffer<1xi64, stages = 4>
  tile_gpu.warp_specialize producer {
  } consumer {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 9 : i32
    scf.for %program = %c0 to %c9 step %c1 : i32 {
      %slot = tile_gpu.buffer_stage %ring[%c0] : !tile_gpu.buffer<64x64xf16, stages = 2> -> !tile_gpu.buffer<64x64xf16>
      %t = tile_gpu.buffer_load %slot : !tile_gpu.buffer<64x64xf16> -> tensor<64x64xf16, #wide>
      // CHECK: tile_gpu.alloc_shared {offset = 16384 : i32} : !tile_gpu.buffer<32x32xf16>
      %result = tile_gpu.alloc_shared : !buffer
      tile_gpu.buffer_store %x, %result : !tile -> !buffer
      %u = tile_gpu.buffer_load %result : !buffer -> !tile
    }
  }
  tile.return
}

// What a dot reads that was only started is alive until one behind it is waited for, whatever barriers stand between.
// CHECK-LABEL: tile.func @started
// CHECK-SAME: tile_gpu.shared_bytes = 8192 : i32
#sum = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#few = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
tile.func @started(%x: tensor<64x16xf16, #few>, %v: tensor<16x64xf16, #rows>, %c: tensor<64x64xf32, #sum>) attributes {tile.num_warps = 4 : i32} {
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x16xf16, swizzle = 32>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 32>
  tile_gpu.buffer_store %x, %a : tensor<64x16xf16, #few> -> !tile_gpu.buffer<64x16xf16, swizzle = 32>
  // CHECK: tile_gpu.alloc_shared {offset = 2048 : i32}
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
  tile_gpu.buffer_store %v, %b : tensor<16x64xf16, #rows> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
  %d = tile.dot %a, %b, %c by wgmma async : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #sum>
  // CHECK: tile_gpu.alloc_shared {offset = 4096 : i32}
  %e = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
  tile_gpu.buffer_store %v, %e : tensor<16x64xf16, #rows> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
  %f = tile.dot %a, %e, %d by wgmma async : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #sum>
  // CHECK: tile_gpu.alloc_shared {offset = 6144 : i32}
  %g = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 32>
  tile_gpu.buffer_store %x, %g : tensor<64x16xf16, #few> -> !tile_gpu.buffer<64x16xf16, swizzle = 32>
  %h = tile.dot %g, %e, %f by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #sum>
  // Behind it, and behind a wait, the places are free again.
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  %i = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 32>
  tile_gpu.buffer_store %x, %i : tensor<64x16xf16, #few> -> !tile_gpu.buffer<64x16xf16, swizzle = 32>
  // CHECK: tile_gpu.alloc_shared {offset = 2048 : i32}
  %j = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
  tile_gpu.buffer_store %v, %j : tensor<16x64xf16, #rows> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
  %k = tile.dot %i, %j, %h by wgmma async : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #sum>
  %l = tile_gpu.dot_wait %k pending 0 : tensor<64x64xf32, #sum>
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  %m = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 32>
  tile_gpu.buffer_store %x, %m : tensor<64x16xf16, #few> -> !tile_gpu.buffer<64x16xf16, swizzle = 32>
  tile.return
}

// What a loop reads and never writes has its barrier in front of the loop, once. A loop behind it needs none.
// CHECK-LABEL: tile.func @read_in_loops
tile.func @read_in_loops(%x: f16, %n: i32) {
  // CHECK: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_store
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  scf.for %i = %c0 to %n step %c1 : i32 {
    %c = tile_gpu.buffer_load %b : !buffer -> !tile
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      %d = tile_gpu.buffer_load %b : !buffer -> !tile
    }
  }
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  tile.return
}

// A step that has a barrier of its own in front of what it reads meets nothing from before the loop.
// CHECK-LABEL: tile.func @own_barrier
tile.func @own_barrier(%x: f16, %n: i32) {
  // CHECK: tile_gpu.buffer_store
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: }
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  scf.for %i = %c0 to %n step %c1 : i32 {
    gpu.barrier
    %c = tile_gpu.buffer_load %b : !buffer -> !tile
  }
  tile.return
}

// What is alive one after the other has places of its own, while as many blocks of threads fit and the L1
// cache keeps its size: no barrier stands between the dot's reads and the next store. 16 blocks of 3 KB leave it as much
// as 16 of 3.5 KB, and less than 16 of 5.
// CHECK-LABEL: tile.func @spread
// CHECK-SAME: tile_gpu.shared_bytes = 2560 : i32
#mma = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [16, 0]]>
#small = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
tile.func @spread(%x: f16, %c: tensor<32x32xf32, #mma>) attributes {tile.num_warps = 4 : i32} {
  // CHECK: tile_gpu.alloc_shared {offset = 0 : i32}
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.dot
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile_gpu.alloc_shared {offset = 2048 : i32}
  // CHECK-NEXT: tile_gpu.buffer_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.buffer_load
  // CHECK-NEXT: tile_gpu.alloc_shared {offset = 0 : i32}
  %a = tile.splat %x : f16 -> !tile
  %b = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %b : !tile -> !buffer
  %d = tile.dot %b, %b, %c by mma_sync : !buffer, !buffer -> tensor<32x32xf32, #mma>
  %s = tile.splat %x : f16 -> tensor<16x16xf16, #small>
  %e = tile_gpu.alloc_shared : !tile_gpu.buffer<16x16xf16>
  tile_gpu.buffer_store %s, %e : tensor<16x16xf16, #small> -> !tile_gpu.buffer<16x16xf16>
  %f = tile_gpu.buffer_load %e : !tile_gpu.buffer<16x16xf16> -> tensor<16x16xf16, #small>
  %g = tile_gpu.alloc_shared : !buffer
  tile_gpu.buffer_store %a, %g : !tile -> !buffer
  %h = tile_gpu.buffer_load %g : !buffer -> !tile
  tile.return
}

// A dot on its way is ended by its wait, which each warp group has for itself: what it read is written again behind a barrier behind
// that. None in front of it will do, and one warp group needs none.
// CHECK-LABEL: tile.func @groups
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.dot_wait
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.buffer_store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.dot
// CHECK-NEXT: scf.yield
#sum8 = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#rows8 = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]]>
#few8 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
tile.func @groups(%x: tensor<128x16xf16, #few8>, %v: tensor<16x64xf16, #rows8>, %c: tensor<128x64xf32, #sum8>, %n: i32) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x16xf16, swizzle = 32>
  tile_gpu.buffer_store %x, %a : tensor<128x16xf16, #few8> -> !tile_gpu.buffer<128x16xf16, swizzle = 32>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> (tensor<128x64xf32, #sum8>) : i32 {
    gpu.barrier
    %w = tile_gpu.dot_wait %s pending 0 : tensor<128x64xf32, #sum8>
    tile_gpu.buffer_store %v, %b : tensor<16x64xf16, #rows8> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
    %d = tile.dot %a, %b, %w by wgmma async : !tile_gpu.buffer<128x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<128x64xf32, #sum8>
    scf.yield %d : tensor<128x64xf32, #sum8>
  }
  tile.return
}

// CHECK-LABEL: tile.func @one_group
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.dot_wait
// CHECK-NEXT: tile_gpu.buffer_store
tile.func @one_group(%x: tensor<64x16xf16, #few>, %v: tensor<16x64xf16, #rows>, %c: tensor<64x64xf32, #sum>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, swizzle = 32>
  tile_gpu.buffer_store %x, %a : tensor<64x16xf16, #few> -> !tile_gpu.buffer<64x16xf16, swizzle = 32>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> (tensor<64x64xf32, #sum>) : i32 {
    gpu.barrier
    %w = tile_gpu.dot_wait %s pending 0 : tensor<64x64xf32, #sum>
    tile_gpu.buffer_store %v, %b : tensor<16x64xf16, #rows> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
    %d = tile.dot %a, %b, %w by wgmma async : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #sum>
    scf.yield %d : tensor<64x64xf32, #sum>
  }
  tile.return
}

// What threads store in front of a loop for its products is fenced there, at a barrier of its own if there is none, and not in each step,
// whose barrier is for the copies.
#q = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#k = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#s = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!q = !tile_gpu.buffer<64x16xf16, swizzle = 32>
!k = !tile_gpu.buffer<16x64xf16, swizzle = 128>
// CHECK-LABEL: tile.func @fenced
// CHECK: tile_gpu.buffer_store
// CHECK: gpu.barrier{{$}}
// CHECK-NEXT: scf.for
// CHECK: tile_gpu.async_wait 0
// CHECK-NEXT: gpu.barrier {tile_gpu.unfenced}
// CHECK-NEXT: tile.dot
tile.func @fenced(%x: f16, %p: tensor<16x64x!tile.ptr<f16>, #k>, %n: i32, %zero: tensor<64x64xf32, #s>) {
  %a = tile.splat %x : f16 -> tensor<64x16xf16, #q>
  %q = tile_gpu.alloc_shared : !q
  %k = tile_gpu.alloc_shared : !k
  tile_gpu.buffer_store %a, %q : tensor<64x16xf16, #q> -> !q
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (tensor<64x64xf32, #s>) : i32 {
    tile_gpu.async_copy %p into %k : tensor<16x64x!tile.ptr<f16>, #k> -> !k
    tile_gpu.async_commit
    tile_gpu.async_wait 0
    %d = tile.dot %q, %k, %t by wgmma : !q, !k -> tensor<64x64xf32, #s>
    scf.yield %d : tensor<64x64xf32, #s>
  }
  tile.return
}
