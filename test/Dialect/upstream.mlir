// What upstream's canonicalize, CSE and dead-code elimination do with each op, by its effects: what is pure goes when nobody
// uses it, and merges when it is there twice; what acts stays, used or not.
//
// RUN: tile-opt %s -canonicalize -cse -split-input-file | FileCheck %s

#a = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #tile_gpu.layout<register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = []>

// CHECK-LABEL: tile.func @unused
// CHECK-SAME: {
// CHECK-NEXT: tile.return
tile.func @unused(%x: tensor<8x8xf32>, %h: tensor<8x8xf16>, %i: tensor<8x8xi32>, %n: i32, %s: i64,
                  %p: !tile.ptr<f16>, %y: tensor<8x8xf32, #a>,
                  %ring: !tile_gpu.buffer<8x8xf16, stages = 2>, %k: tensor<16xi32>) {
  %meta = tile.meta BLOCK : i32
  %programs = tile.num_programs y
  %extent = tile_gpu.grid_extent z
  %lanes = tile.arange : tensor<64xi32>
  %new:2 = tile.swizzle2d %n, %n, %n, %n, %n : i32
  %flat = tile.reshape %x : tensor<8x8xf32> -> tensor<64xf32>
  %long = tile.cat %x, %x axis 1 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x16xf32>
  %picked = tile.gather %x, %i axis 0 : tensor<8x8xf32>, tensor<8x8xi32> -> tensor<8x8xf32>
  %d = tile.make_desc %p, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<8x8xf16>
  %box = tile.desc_load %d[%n, %n] : !tile.desc<8x8xf16>
  %product = tile.dot %h, %h, %x : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  %sum = tile.reduce add %x axis 1 : tensor<8x8xf32> -> tensor<8xf32>
  %sums = tile.scan add %x axis 1 : tensor<8x8xf32> -> tensor<8x8xf32>
  %found = tile.histogram %k : tensor<16xi32> -> tensor<4xi32>
  %sorted = tile.sort %k axis 0 : tensor<16xi32>
  %least = tile.partial_sort %k axis 0 : (tensor<16xi32>) -> tensor<4xi32>
  %random = tile.rand %s, %k : i64, tensor<16xi32>
  %moved = tile_gpu.convert_layout %y : tensor<8x8xf32, #a> -> tensor<8x8xf32, #b>
  %stage = tile_gpu.buffer_stage %ring[%n] : !tile_gpu.buffer<8x8xf16, stages = 2> -> !tile_gpu.buffer<8x8xf16>
  %turned = tile_gpu.buffer_trans %stage order [1, 0] : !tile_gpu.buffer<8x8xf16> -> !tile_gpu.buffer<8x8xf16, order = [0, 1]>
  %read = tile_gpu.buffer_load %stage : !tile_gpu.buffer<8x8xf16> -> tensor<8x8xf16>
  tile.return
}

// -----

// CHECK-LABEL: tile.func @twice
// CHECK: %[[META:.*]] = tile.meta BLOCK
// CHECK-NEXT: %[[PROGRAMS:.*]] = tile.num_programs y
// CHECK-NEXT: %[[LANES:.*]] = tile.arange
// CHECK-NEXT: %[[NEW_I:.*]], %[[NEW_J:.*]] = tile.swizzle2d
// CHECK-NEXT: %[[FLAT:.*]] = tile.reshape
// CHECK-NEXT: %[[LONG:.*]] = tile.cat
// CHECK-NEXT: %[[PICKED:.*]] = tile.gather
// CHECK-NEXT: %[[PRODUCT:.*]] = tile.dot
// CHECK-NEXT: %[[SUM:.*]] = tile.reduce add
// CHECK-NEXT: %[[SUMS:.*]] = tile.scan add
// CHECK-NEXT: %[[FOUND:.*]] = tile.histogram
// CHECK-NEXT: %[[SORTED:.*]] = tile.sort
// CHECK-NEXT: %[[LEAST:.*]] = tile.partial_sort
// CHECK-NEXT: %[[RANDOM:.*]] = tile.rand
// CHECK-NEXT: tile.print "" %[[META]], %[[META]], %[[PROGRAMS]], %[[PROGRAMS]], %[[LANES]], %[[LANES]], %[[NEW_I]], %[[NEW_J]] :
// CHECK-NEXT: tile.print "" %[[FLAT]], %[[FLAT]], %[[LONG]], %[[LONG]], %[[PICKED]], %[[PICKED]] :
// CHECK-NEXT: tile.print "" %[[PRODUCT]], %[[PRODUCT]], %[[SUM]], %[[SUM]], %[[SUMS]], %[[SUMS]] :
// CHECK-NEXT: tile.print "" %[[FOUND]], %[[FOUND]], %[[SORTED]], %[[SORTED]], %[[LEAST]], %[[LEAST]], %[[RANDOM]], %[[RANDOM]] :
tile.func @twice(%x: tensor<8x8xf32>, %h: tensor<8x8xf16>, %i: tensor<8x8xi32>, %n: i32, %s: i64,
                 %k: tensor<16xi32>) {
  %meta = tile.meta BLOCK : i32
  %meta2 = tile.meta BLOCK : i32
  %programs = tile.num_programs y
  %programs2 = tile.num_programs y
  %lanes = tile.arange : tensor<64xi32>
  %lanes2 = tile.arange : tensor<64xi32>
  %new:2 = tile.swizzle2d %n, %n, %n, %n, %n : i32
  %new2:2 = tile.swizzle2d %n, %n, %n, %n, %n : i32
  %flat = tile.reshape %x : tensor<8x8xf32> -> tensor<64xf32>
  %flat2 = tile.reshape %x : tensor<8x8xf32> -> tensor<64xf32>
  %long = tile.cat %x, %x axis 1 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x16xf32>
  %long2 = tile.cat %x, %x axis 1 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x16xf32>
  %picked = tile.gather %x, %i axis 0 : tensor<8x8xf32>, tensor<8x8xi32> -> tensor<8x8xf32>
  %picked2 = tile.gather %x, %i axis 0 : tensor<8x8xf32>, tensor<8x8xi32> -> tensor<8x8xf32>
  %product = tile.dot %h, %h, %x : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  %product2 = tile.dot %h, %h, %x : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  %sum = tile.reduce add %x axis 1 : tensor<8x8xf32> -> tensor<8xf32>
  %sum2 = tile.reduce add %x axis 1 : tensor<8x8xf32> -> tensor<8xf32>
  %sums = tile.scan add %x axis 1 : tensor<8x8xf32> -> tensor<8x8xf32>
  %sums2 = tile.scan add %x axis 1 : tensor<8x8xf32> -> tensor<8x8xf32>
  %found = tile.histogram %k : tensor<16xi32> -> tensor<4xi32>
  %found2 = tile.histogram %k : tensor<16xi32> -> tensor<4xi32>
  %sorted = tile.sort %k axis 0 : tensor<16xi32>
  %sorted2 = tile.sort %k axis 0 : tensor<16xi32>
  %least = tile.partial_sort %k axis 0 : (tensor<16xi32>) -> tensor<4xi32>
  %least2 = tile.partial_sort %k axis 0 : (tensor<16xi32>) -> tensor<4xi32>
  %random = tile.rand %s, %k : i64, tensor<16xi32>
  %random2 = tile.rand %s, %k : i64, tensor<16xi32>
  tile.print "" %meta, %meta2, %programs, %programs2, %lanes, %lanes2, %new#0, %new2#1 : i32, i32, i32, i32, tensor<64xi32>, tensor<64xi32>, i32, i32
  tile.print "" %flat, %flat2, %long, %long2, %picked, %picked2 : tensor<64xf32>, tensor<64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  tile.print "" %product, %product2, %sum, %sum2, %sums, %sums2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  tile.print "" %found, %found2, %sorted, %sorted2, %least, %least2, %random, %random2 : tensor<4xi32>, tensor<4xi32>, tensor<16xi32>, tensor<16xi32>, tensor<4xi32>, tensor<4xi32>, tensor<16xf32>, tensor<16xf32>
  tile.return
}

// -----

// Calls, and what writes, stay although nobody uses a result. Two equal ones stay two.
// CHECK-LABEL: tile.func private @helper
tile.func private @helper(%n: i32) -> i32 {
  tile.return %n : i32
}
// CHECK-LABEL: tile.func @acts
// CHECK: tile.grid() {
// CHECK: tile.yield
// CHECK: tile.cost() {
// CHECK: tile.yield
// CHECK: tile.call @helper
// CHECK-NEXT: tile.atomic_rmw add
// CHECK-NEXT: tile.atomic_rmw add
// CHECK-NEXT: tile.atomic_cas
// CHECK-NEXT: tile.make_desc
// CHECK-NEXT: tile.desc_store
// CHECK-NEXT: tile.desc_store
// CHECK-NEXT: tile_gpu.buffer_store
// CHECK-NEXT: tile_gpu.async_copy
// CHECK-NEXT: tile_gpu.async_commit
// CHECK-NEXT: tile_gpu.async_commit
// CHECK-NEXT: tile_gpu.async_wait 0
// CHECK-NEXT: tile_gpu.async_wait 0
// CHECK-NEXT: tile.return
tile.func @acts(%p: !tile.ptr<i32>, %n: i32, %s: i64, %h: !tile.ptr<f16>, %v: tensor<8x8xf16>,
                %buffer: !tile_gpu.buffer<8x8xf16>, %ptrs: tensor<8x8x!tile.ptr<f16>>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.cost() {
    %none = arith.constant 0 : i64
    tile.yield %none, %none : i64, i64
  }
  %called = tile.call @helper(%n) : (i32) -> i32
  %old = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  %old2 = tile.atomic_rmw add relaxed gpu %p, %n : !tile.ptr<i32>
  %swapped = tile.atomic_cas relaxed gpu %p, %n, %n : !tile.ptr<i32>
  %d = tile.make_desc %h, [%n, %n], [%s] : !tile.ptr<f16> -> !tile.desc<8x8xf16>
  tile.desc_store %d[%n, %n], %v : !tile.desc<8x8xf16>
  tile.desc_store %d[%n, %n], %v : !tile.desc<8x8xf16>
  tile_gpu.buffer_store %v, %buffer : tensor<8x8xf16> -> !tile_gpu.buffer<8x8xf16>
  tile_gpu.async_copy %ptrs into %buffer : tensor<8x8x!tile.ptr<f16>> -> !tile_gpu.buffer<8x8xf16>
  tile_gpu.async_commit
  tile_gpu.async_commit
  tile_gpu.async_wait 0
  tile_gpu.async_wait 0
  tile.return
}

// -----

tile.func @kernel(%x: !tile.ptr<f32>) {
  tile.return
}
tile.func @counted(%x: i32, %y: i32) {
  tile.return
}
// An array that nobody uses goes, and with it what fills it; two arrays never become one. Reading a file can fail, so it
// stays.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[X:.*]] = tile_host.alloc
// CHECK-NEXT: %[[Y:.*]] = tile_host.alloc
// CHECK-NEXT: tile_host.read "in.npy"
// CHECK-NEXT: %[[COUNT:.*]] = tile_host.multiprocessors
// CHECK-NEXT: tile_host.launch @counted(%[[COUNT]], %[[COUNT]])
// CHECK-NEXT: tile_host.launch @kernel(%[[X]])
// CHECK-NEXT: tile_host.launch @kernel(%[[X]])
// CHECK-NEXT: tile_host.dump %[[X]]
// CHECK-NEXT: tile_host.write %[[X]], "out.npy"
// CHECK-NEXT: tile_host.expect_close %[[X]], %[[Y]]
// CHECK-NEXT: tile_host.expect_close %[[X]], %[[Y]]
// CHECK-NEXT: return
func.func @main() {
  %x = tile_host.alloc() : () -> memref<4xf32>
  %y = tile_host.alloc() : () -> memref<4xf32>
  %unused = tile_host.alloc() : () -> memref<4xf32>
  %random = tile_host.random() seed 1 : () -> memref<4xf32>
  %read = tile_host.read "in.npy" : memref<?xf32>
  %count = tile_host.multiprocessors
  %again = tile_host.multiprocessors
  %dead = tile_host.multiprocessors
  tile_host.launch @counted(%count, %again) : i32, i32
  tile_host.launch @kernel(%x) : memref<4xf32>
  tile_host.launch @kernel(%x) : memref<4xf32>
  tile_host.dump %x : memref<4xf32>
  tile_host.write %x, "out.npy" : memref<4xf32>
  tile_host.expect_close %x, %y : memref<4xf32>, memref<4xf32>
  tile_host.expect_close %x, %y : memref<4xf32>, memref<4xf32>
  return
}

// -----

// Copies, barriers, waits and roles act, twice if they are there twice; a part of a tile is pure.
// CHECK-LABEL: tile.func @copy_engine
// CHECK-NEXT: tile_gpu.desc_copy
// CHECK-NEXT: tile_gpu.desc_copy
// CHECK-NEXT: tile_gpu.desc_write
// CHECK-NEXT: tile_gpu.desc_write
// CHECK-NEXT: tile_gpu.barrier_init
// CHECK-NEXT: tile_gpu.barrier_init
// CHECK-NEXT: tile_gpu.barrier_expect
// CHECK-NEXT: tile_gpu.barrier_expect
// CHECK-NEXT: tile_gpu.tma_load
// CHECK-NEXT: tile_gpu.tma_load
// CHECK-NEXT: tile_gpu.barrier_wait
// CHECK-NEXT: tile_gpu.barrier_wait
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.turn_wait
// CHECK-NEXT: tile_gpu.turn_wait
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK-NEXT: tile_gpu.tma_store
// CHECK-NEXT: tile_gpu.tma_store
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// CHECK-NEXT: tile_gpu.dot_wait
// CHECK-NEXT: tile_gpu.dot_wait
// CHECK-NEXT: tile_gpu.warp_specialize producer {
// CHECK-NEXT: tile_gpu.barrier_arrive
// CHECK-NEXT: } consumer {
// CHECK-NEXT: tile_gpu.barrier_wait
// CHECK-NEXT: }
// CHECK-NEXT: %[[PART:.*]] = tile_gpu.extract_tile
// CHECK-NEXT: tile.print "" %[[PART]], %[[PART]]
// CHECK-NEXT: tile.return
tile.func @copy_engine(%d: !tile.desc<64x64xf16>, %i: i32, %s: !tile_gpu.buffer<64x64xf16, swizzle = 128>,
                       %b: !tile_gpu.buffer<1xi64>, %x: tensor<64x64xf32>) {
  tile_gpu.desc_copy %d[%i, %i] into %s : !tile.desc<64x64xf16> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile_gpu.desc_copy %d[%i, %i] into %s : !tile.desc<64x64xf16> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile_gpu.desc_write %d[%i, %i] from %s : !tile.desc<64x64xf16>, !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile_gpu.desc_write %d[%i, %i] from %s : !tile.desc<64x64xf16>, !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile_gpu.barrier_init %b count 1 : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_init %b count 1 : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_expect %b bytes 8192 : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_expect %b bytes 8192 : !tile_gpu.buffer<1xi64>
  tile_gpu.tma_load %d[%i, %i] into %s signal %b : !tile.desc<64x64xf16> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.tma_load %d[%i, %i] into %s signal %b : !tile.desc<64x64xf16> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_wait %b parity %i : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_wait %b parity %i : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_arrive %b : !tile_gpu.buffer<1xi64>
  tile_gpu.barrier_arrive %b : !tile_gpu.buffer<1xi64>
  tile_gpu.group_barrier
  tile_gpu.group_barrier
  tile_gpu.turn_wait
  tile_gpu.turn_wait
  tile_gpu.turn_pass
  tile_gpu.turn_pass
  tile_gpu.tma_store %d[%i, %i] from %s : !tile.desc<64x64xf16>, !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile_gpu.tma_store %d[%i, %i] from %s : !tile.desc<64x64xf16>, !tile_gpu.buffer<64x64xf16, swizzle = 128>
  tile_gpu.tma_store_wait 0
  tile_gpu.tma_store_wait 0
  %y = tile_gpu.dot_wait %x pending 0 : tensor<64x64xf32>
  %z = tile_gpu.dot_wait %x pending 0 : tensor<64x64xf32>
  tile_gpu.warp_specialize producer {
    tile_gpu.barrier_arrive %b : !tile_gpu.buffer<1xi64>
  } consumer {
    tile_gpu.barrier_wait %b parity %i : !tile_gpu.buffer<1xi64>
  }
  %part = tile_gpu.extract_tile %x [0, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
  %part2 = tile_gpu.extract_tile %x [0, 32] : tensor<64x64xf32> -> tensor<64x32xf32>
  %unused = tile_gpu.extract_tile %x [0, 0] : tensor<64x64xf32> -> tensor<64x32xf32>
  tile.print "" %part, %part2 : tensor<64x32xf32>, tensor<64x32xf32>
  tile.return
}

// Every block of a cluster takes part in a sum, read or not; and two are two.
// CHECK-LABEL: tile.func @sums
// CHECK-COUNT-2: tile_gpu.add_parts
// CHECK-NEXT: tile.return
tile.func @sums(%x: tensor<64x64xf32>) {
  %s = tile_gpu.add_parts %x : tensor<64x64xf32>
  %t = tile_gpu.add_parts %x : tensor<64x64xf32>
  tile.return
}

// So does every block of a split program; its number is read where it is wanted.
// CHECK-LABEL: tile.func @collected
// CHECK-NOT: tile_gpu.part
// CHECK-COUNT-2: tile_gpu.collect_parts
// CHECK-NEXT: tile.return
tile.func @collected(%x: tensor<64x64xf32>) {
  %r = tile_gpu.part
  %s, %last = tile_gpu.collect_parts %x : tensor<64x64xf32> -> tensor<64x64xf32>
  %t, %last2 = tile_gpu.collect_parts %x : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// Turns with a part of a program, too.
// CHECK-LABEL: tile.func @turns
// CHECK-COUNT-2: tile_gpu.collect_turns
// CHECK-NEXT: tile.return
tile.func @turns(%x: tensor<64x64xf32>, %part: i32, %split: i1) {
  %s, %last = tile_gpu.collect_turns %x part %part of %part when %split together %split {parts = 2} : tensor<64x64xf32> -> tensor<64x64xf32>
  %t, %last2 = tile_gpu.collect_turns %x part %part of %part when %split together %split {parts = 2} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// CHECK-LABEL: tile.func @shared_turns
// CHECK-COUNT-2: tile_gpu.share_turns
// CHECK-NEXT: tile.return
tile.func @shared_turns(%x: tensor<64x64xf32>, %part: i32, %split: i1) {
  %s, %goes, %all = tile_gpu.share_turns %x part %part of %part when %split together %split {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  %t, %goes2, %all2 = tile_gpu.share_turns %x part %part of %part when %split together %split {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}

// Waiting for others, too: whoever has nothing from it, is counted.
// CHECK-LABEL: tile.func @shared
// CHECK-COUNT-2: tile_gpu.share_parts
// CHECK-NEXT: tile.return
tile.func @shared(%x: tensor<64x64xf32>) {
  %s, %goes, %all = tile_gpu.share_parts %x {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  %t, %goes2, %all2 = tile_gpu.share_parts %x {period = 32, shares = array<i64: 0, 16, 32>} : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.return
}
