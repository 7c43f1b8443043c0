// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' -verify-diagnostics | FileCheck %s

// Loops without dots (lib/Transforms/Pipeline/Feeds.h): loads run ahead without barriers.

#row = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
!tile = tensor<1024xf32, #row>
!index = tensor<1024xi32, #row>
!ptrs = tensor<1024x!tile.ptr<f32>, #row>

// 4 KB a step, and 10 blocks by registers: 64 KB on their way take three stages.
// CHECK-LABEL: tile.func @sums
tile.func @sums(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<1024xf32, stages = 3>
  // CHECK-NOT: arith.select
  // CHECK: tile_gpu.async_copy
  // CHECK: tile_gpu.async_copy
  // CHECK: scf.for
  // CHECK-NEXT: tile_gpu.async_wait 1
  // CHECK-NOT: gpu.barrier
  // CHECK: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK-NOT: scf.if
  // CHECK: %[[V:.*]] = tile_gpu.buffer_load
  // CHECK: arith.addf %{{.*}}, %[[V]]
  // CHECK-NOT: tile.load
  // CHECK: tile_gpu.async_wait 0
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.addf %a, %t : !tile
    scf.yield %s : !tile
  }
  %p = tile.addptr %xs, %i : !ptrs, !index
  tile.store %p, %r : !ptrs
  tile.return
}

// The same of a launch with programs for half of a multiprocessor's warps: 1024 threads of 16 bytes have 16 KiB on their
// way.
// CHECK-LABEL: tile.func @many_programs
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @many_programs(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 8 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  // expected-remark @+1 {{loop does not load ahead: expected fewer warps on a multiprocessor than have enough on their way, found 32}}
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %v = tile.load %p : !ptrs
    %s = arith.addf %a, %v : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// One block by what is computed, 18 warps by what is carried and read: these have more on their way, 32 words a thread, than
// memory takes to keep up.
// CHECK-LABEL: tile.func @wide_steps
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
#steps32 = #tile_gpu.layout<register = [[1], [2], [1024], [2048], [4096]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256], [512]]>
tile.func @wide_steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.programs = 8 : i32} {
  %i = tile.arange : tensor<8192xi32, #steps32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8192x!tile.ptr<f32>, #steps32>
  %zero = arith.constant dense<0.0> : tensor<8192xf32, #steps32>
  %c0 = arith.constant 0 : i32
  %c8192 = arith.constant 8192 : i32
  // expected-remark @+1 {{loop does not load ahead: expected fewer warps on a multiprocessor than have enough on their way, found 18}}
  %r:2 = scf.for %k = %c0 to %n step %c8192 iter_args(%a = %zero, %b = %zero) -> (tensor<8192xf32, #steps32>, tensor<8192xf32, #steps32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<8192xi32, #steps32>
    %o = arith.addi %ks, %i : tensor<8192xi32, #steps32>
    %p = tile.addptr %xs, %o : tensor<8192x!tile.ptr<f32>, #steps32>, tensor<8192xi32, #steps32>
    %v = tile.load %p : tensor<8192x!tile.ptr<f32>, #steps32>
    %s = arith.addf %a, %v : tensor<8192xf32, #steps32>
    %t = arith.maximumf %b, %v : tensor<8192xf32, #steps32>
    scf.yield %s, %t : tensor<8192xf32, #steps32>, tensor<8192xf32, #steps32>
  }
  tile.store %xs, %r#0 : tensor<8192x!tile.ptr<f32>, #steps32>
  tile.store %xs, %r#1 : tensor<8192x!tile.ptr<f32>, #steps32>
  tile.return
}

// The same of four programs of one warp, which have 16 KiB on their way in all, and nothing while they compute.
// CHECK-LABEL: tile.func @wide_steps_of_few
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<1024xf32, stages = 3>
#steps1 = #tile_gpu.layout<register = [[1], [2], [128], [256], [512]], lane = [[4], [8], [16], [32], [64]], warp = []>
tile.func @wide_steps_of_few(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.programs = 4 : i32} {
  %i = tile.arange : tensor<1024xi32, #steps1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>, #steps1>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #steps1>
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (tensor<1024xf32, #steps1>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<1024xi32, #steps1>
    %o = arith.addi %ks, %i : tensor<1024xi32, #steps1>
    %p = tile.addptr %xs, %o : tensor<1024x!tile.ptr<f32>, #steps1>, tensor<1024xi32, #steps1>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>, #steps1>
    %s = arith.addf %a, %v : tensor<1024xf32, #steps1>
    scf.yield %s : tensor<1024xf32, #steps1>
  }
  tile.store %xs, %r : tensor<1024x!tile.ptr<f32>, #steps1>
  tile.return
}
// Numbers that were there before the loop take the registers of other warps: seven tiles, 56 words of each thread.
// CHECK-LABEL: tile.func @held
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<1024xf32
tile.func @held(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 8 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %h0 = tile.load %xs : !ptrs
  %h1 = math.exp %h0 : !tile
  %h2 = math.exp %h1 : !tile
  %h3 = math.exp %h2 : !tile
  %h4 = math.exp %h3 : !tile
  %h5 = math.exp %h4 : !tile
  %h6 = math.exp %h5 : !tile
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %v = tile.load %p : !ptrs
    %s0 = arith.mulf %v, %h0 : !tile
    %s1 = arith.mulf %s0, %h1 : !tile
    %s2 = arith.mulf %s1, %h2 : !tile
    %s3 = arith.mulf %s2, %h3 : !tile
    %s4 = arith.mulf %s3, %h4 : !tile
    %s5 = arith.mulf %s4, %h5 : !tile
    %s6 = arith.mulf %s5, %h6 : !tile
    %s = arith.addf %a, %s6 : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// One or two of a multiprocessor (powers of two are told) have 64 KB on their way by eight steps each, more than the four
// stages that are enough where programs fill it.
// CHECK-LABEL: tile.func @one_program
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<1024xf32, stages = 9>
tile.func @one_program(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.addf %a, %t : !tile
    scf.yield %s : !tile
  }
  %p = tile.addptr %xs, %i : !ptrs, !index
  tile.store %p, %r : !ptrs
  tile.return
}

// Of fewer each has more on its way.
// CHECK-LABEL: tile.func @some_programs
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<1024xf32, stages = 3>
tile.func @some_programs(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 7 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %v = tile.load %p : !ptrs
    %s = arith.addf %a, %v : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// Rows that begin anywhere are copied word by word, each an instruction and one more that reads it: a quarter of the warps
// is enough there.
// CHECK-LABEL: tile.func @words_of_some_programs
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @words_of_some_programs(%x: !tile.ptr<f32>, %n: i32) attributes {tile_gpu.programs = 4 : i32} {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  // expected-remark @+1 {{loop does not load ahead: expected fewer warps on a multiprocessor than have enough on their way, found 16}}
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %v = tile.load %p : !ptrs
    %s = arith.addf %a, %v : !tile
    scf.yield %s : !tile
  }
  tile.store %xs, %r : !ptrs
  tile.return
}

// A recurrence: one word a thread in each step, which nobody else moves over the write. It runs ahead where what is
// read and written lies apart.
// CHECK-LABEL: tile.func @recurrence
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<128xf32, stages = 4>
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.async_wait 2
// CHECK-NOT: tile.load
// CHECK: tile_gpu.buffer_load
// CHECK: tile.store
// CHECK: tile.return
#one = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
!one = tensor<128xf32, #one>
!ones = tensor<128x!tile.ptr<f32>, #one>
tile.func @recurrence(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<128xi32, #one>
  %xs = tile.splat %x : !tile.ptr<f32> -> !ones
  %ys = tile.splat %y : !tile.ptr<f32> -> !ones
  %zero = arith.constant dense<0.0> : !one
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r = scf.for %k = %c0 to %n step %c128 iter_args(%h = %zero) -> (!one) : i32 {
    %ks = tile.splat %k : i32 -> tensor<128xi32, #one>
    %o = arith.addi %ks, %i : tensor<128xi32, #one>
    %p = tile.addptr %xs, %o : !ones, tensor<128xi32, #one>
    %t = tile.load %p : !ones
    %next = arith.addf %h, %t : !one
    %q = tile.addptr %ys, %o : !ones, tensor<128xi32, #one>
    tile.store %q, %next : !ones
    scf.yield %next : !one
  }
  tile.return
}

// Of a second load there is no copy of four bytes: it would be waited for in each step, so neither runs ahead.
// CHECK-LABEL: tile.func @half_words
// CHECK-NOT: alloc_shared
// CHECK: tile.return
!halves = tensor<128x!tile.ptr<f16>, #one>
tile.func @half_words(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<128xi32, #one>
  %xs = tile.splat %x : !tile.ptr<f32> -> !ones
  %gs = tile.splat %g : !tile.ptr<f16> -> !halves
  %ys = tile.splat %y : !tile.ptr<f32> -> !ones
  %zero = arith.constant dense<0.0> : !one
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r = scf.for %k = %c0 to %n step %c128 iter_args(%h = %zero) -> (!one) : i32 {
    %ks = tile.splat %k : i32 -> tensor<128xi32, #one>
    %o = arith.addi %ks, %i : tensor<128xi32, #one>
    %p = tile.addptr %xs, %o : !ones, tensor<128xi32, #one>
    %t = tile.load %p : !ones
    %gp = tile.addptr %gs, %o : !halves, tensor<128xi32, #one>
    %gt = tile.load %gp : !halves
    %gf = arith.extf %gt : tensor<128xf16, #one> to !one
    %kept = arith.mulf %h, %gf : !one
    %next = arith.addf %kept, %t : !one
    %q = tile.addptr %ys, %o : !ones, tensor<128xi32, #one>
    tile.store %q, %next : !ones
    scf.yield %next : !one
  }
  tile.return
}

// What a step changes where it stands no other step reads.
// CHECK-LABEL: tile.func @in_place
tile.func @in_place(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: arith.select
  // CHECK: scf.for
  // CHECK: tile_gpu.async_copy
  // CHECK-NOT: scf.if
  // CHECK: tile_gpu.buffer_load
  // CHECK: tile.store
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %c0 to %n step %c1024 : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.addf %t, %t : !tile
    tile.store %p, %s : !ptrs
  }
  tile.return
}

// Two arrays may be one, or lie one behind the other's start: asked once, in front of the loop.
// All that x is read of, from its first byte on: 4 * (0 + n - 1 + 1023 + 1) of them.
// CHECK-LABEL: tile.func @two_arrays
tile.func @two_arrays(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: %[[X:.*]] = tile.ptr_cast %arg0 : !tile.ptr<f32> -> i64
  // CHECK: %[[Y:.*]] = tile.ptr_cast %arg1 : !tile.ptr<f32> -> i64
  // CHECK: %[[XB:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[YB:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[APART:.*]] = arith.ori %[[XB]], %[[YB]] : i1
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[MAY:.*]] = arith.ori %[[APART]], %[[SAME]] : i1
  // CHECK: %[[E0:.*]] = arith.andi %{{.*}}, %[[MAY]] : i1
  // CHECK: tile.splat %[[E0]]
  // CHECK: %[[FILL:.*]] = arith.select %[[MAY]], %{{.*}}, %{{.*}} : i32
  // CHECK: %[[WAY:.*]] = arith.select %[[MAY]], %{{.*}}, %{{.*}} : i32
  // CHECK: %[[NOT:.*]] = arith.xori %[[MAY]], %{{.*}} : i1
  // CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%{{.*}} = %[[FILL]], %{{.*}} = %{{.*}})
  // CHECK: %[[LATER:.*]] = arith.addi %[[K]], %[[WAY]]
  // CHECK: tile_gpu.async_copy
  // CHECK-NEXT: tile_gpu.async_commit
  // CHECK-NEXT: scf.if %[[NOT]] {
  // CHECK-NEXT: tile_gpu.async_wait 0
  // CHECK: tile_gpu.buffer_load
  // CHECK: tile.store
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %c0 to %n step %c1024 : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %q = tile.addptr %ys, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    tile.store %q, %t : !ptrs
  }
  tile.return
}

// Rows of a stride that is an argument: in place where it is not 0. Pointers that the loop carries
// begin where they are ahead.
// CHECK-LABEL: tile.func @rows
tile.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: %[[MOVES:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[SAME:.*]] = arith.andi %{{.*}}, %[[MOVES]] : i1
  // CHECK: %[[MAY:.*]] = arith.ori %{{.*}}, %[[SAME]] : i1
  // CHECK: %[[MASK:.*]] = tile.splat %[[MAY]] : i1
  // CHECK: arith.select %[[MASK]], %{{.*}}, %{{.*}} : tensor<1024xi1, {{.*}}, tensor<1024x!tile.ptr<f32>
  // CHECK: scf.for
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %p0 = tile.addptr %xs, %i : !ptrs, !index
  %by = tile.splat %stride : i32 -> !index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = scf.for %k = %c0 to %n step %c1 iter_args(%p = %p0) -> (!ptrs) : i32 {
    %t = tile.load %p : !ptrs
    %s = arith.addf %t, %t : !tile
    tile.store %p, %s : !ptrs
    %q = tile.addptr %p, %by : !ptrs, !index
    scf.yield %q : !ptrs
  }
  tile.return
}

// 'other' is put where the mask was off.
// CHECK-LABEL: tile.func @other
tile.func @other(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  // CHECK: %[[V:.*]] = tile_gpu.buffer_load
  // CHECK: arith.select %{{.*}}, %[[V]], %{{.*}} : tensor<1024xi1
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %low = arith.constant dense<0xFF800000> : !tile
  %ns = tile.splat %n : i32 -> !index
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %low) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %m = arith.cmpi slt, %o, %ns : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p, %m, %low : !ptrs
    %s = arith.maximumf %a, %t : !tile
    scf.yield %s : !tile
  }
  %p = tile.addptr %xs, %i : !ptrs, !index
  tile.store %p, %r : !ptrs
  tile.return
}

// A loop may say its number of stages, and 1 is not to run ahead.
// CHECK-LABEL: tile.func @stages
tile.func @stages(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<1024xf32, stages = 2>
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.return
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.addf %a, %t : !tile
    scf.yield %s : !tile
  } {tile.num_stages = 2 : i32}
  %u = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %r) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.mulf %a, %t : !tile
    scf.yield %s : !tile
  } {tile.num_stages = 1 : i32}
  %p = tile.addptr %xs, %i : !ptrs, !index
  tile.store %p, %u : !ptrs
  tile.return
}

#wide = #tile_gpu.layout<register = [[1], [2], [4], [4096], [8192], [16384], [32768]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512], [1024], [2048]]>
// 256 KB a step: no room for two.
// CHECK-LABEL: tile.func @wide
tile.func @wide(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 16 : i32} {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : tensor<65536xi32, #wide>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>, #wide>
  %zero = arith.constant dense<0.0> : tensor<65536xf32, #wide>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 65536 : i32
  // expected-remark @+1 {{loop does not load ahead: expected two stages for 1 block in}}
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<65536xf32, #wide>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<65536xi32, #wide>
    %o = arith.addi %ks, %i : tensor<65536xi32, #wide>
    %p = tile.addptr %xs, %o : tensor<65536x!tile.ptr<f32>, #wide>, tensor<65536xi32, #wide>
    %t = tile.load %p : tensor<65536x!tile.ptr<f32>, #wide>
    %s = arith.addf %a, %t : tensor<65536xf32, #wide>
    scf.yield %s : tensor<65536xf32, #wide>
  }
  tile.return
}

// CHECK-LABEL: tile.func @many_steps
tile.func @many_steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK: tile_gpu.async_copy
  // CHECK: tile.return
  tile.grid() {
    %c64 = arith.constant 64 : i32
    tile.yield %c64 : i32
  }
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %first = tile.program_id x
  %step = tile.num_programs x
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %first to %n step %step : i32 {
    %at = arith.muli %k, %c1024 : i32
    %ks = tile.splat %at : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.addf %t, %t : !tile
    tile.store %p, %s : !ptrs
  }
  tile.return
}

#long = #tile_gpu.layout<register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [[512], [1024]]>
// 64 bytes a thread are on their way in a step, and other blocks compute meanwhile.
// CHECK-LABEL: tile.func @long
tile.func @long(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // CHECK-NOT: tile_gpu.async
  // CHECK: tile.return
  %i = tile.arange : tensor<2048xi32, #long>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>, #long>
  %zero = arith.constant dense<0.0> : tensor<2048xf32, #long>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 2048 : i32
  // expected-remark @+1 {{loop does not load ahead: expected fewer words a thread in a step, or one block a multiprocessor, found 7 blocks}}
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<2048xf32, #long>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<2048xi32, #long>
    %o = arith.addi %ks, %i : tensor<2048xi32, #long>
    %p = tile.addptr %xs, %o : tensor<2048x!tile.ptr<f32>, #long>, tensor<2048xi32, #long>
    %t = tile.load %p : tensor<2048x!tile.ptr<f32>, #long>
    %s = arith.addf %a, %t : tensor<2048xf32, #long>
    scf.yield %s : tensor<2048xf32, #long>
  }
  tile.return
}

// Four steps fill no ring.
// CHECK-LABEL: tile.func @short
// CHECK-NOT: async_copy
// CHECK: tile.load
// CHECK-NOT: async_copy
// CHECK: tile.return
tile.func @short(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %zero = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %c4096 = arith.constant 4096 : i32
  %r = scf.for %k = %c0 to %c4096 step %c1024 iter_args(%a = %zero) -> (!tile) : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %t = tile.load %p : !ptrs
    %s = arith.addf %a, %t : !tile
    scf.yield %s : !tile
  }
  %p = tile.addptr %xs, %i : !ptrs, !index
  tile.store %p, %r : !ptrs
  tile.return
}

// Rows of 32 bytes, 512 apart: what is beside them other programs read, at the same time where nobody runs far ahead.
// CHECK-LABEL: tile.func @parts_of_lines
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf16, stages = 2>
#column = #tile_gpu.layout<register = [[0], [0], [0]], lane = [[0], [1], [2], [4], [8]], warp = [[16], [32]]>
#line = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [0], [0], [0], [0]], warp = [[0], [0]]>
#column2 = #tile_gpu.layout<register = [[0, 0], [0, 0], [0, 0]], lane = [[0, 0], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#line2 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#parts = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
tile.func @parts_of_lines(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  %i = tile.arange : tensor<64xi32, #column>
  %j = tile.arange : tensor<16xi32, #line>
  %i2 = tile.expand_dims %i axis 1 : tensor<64xi32, #column> -> tensor<64x1xi32, #column2>
  %j2 = tile.expand_dims %j axis 0 : tensor<16xi32, #line> -> tensor<1x16xi32, #line2>
  %pitch = arith.constant dense<256> : tensor<64x1xi32, #column2>
  %rows = arith.muli %i2, %pitch : tensor<64x1xi32, #column2>
  %is = tile.broadcast %rows : tensor<64x1xi32, #column2> -> tensor<64x16xi32, #parts>
  %js = tile.broadcast %j2 : tensor<1x16xi32, #line2> -> tensor<64x16xi32, #parts>
  %at = arith.addi %is, %js : tensor<64x16xi32, #parts>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x16x!tile.ptr<f16>, #parts>
  %zero = arith.constant dense<0.0> : tensor<64x16xf16, #parts>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 16384 : i32
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<64x16xf16, #parts>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x16xi32, #parts>
    %o = arith.addi %ks, %at : tensor<64x16xi32, #parts>
    %p = tile.addptr %xs, %o : tensor<64x16x!tile.ptr<f16>, #parts>, tensor<64x16xi32, #parts>
    %t = tile.load %p : tensor<64x16x!tile.ptr<f16>, #parts>
    %s = arith.addf %a, %t : tensor<64x16xf16, #parts>
    scf.yield %s : tensor<64x16xf16, #parts>
  }
  %p = tile.addptr %xs, %at : tensor<64x16x!tile.ptr<f16>, #parts>, tensor<64x16xi32, #parts>
  tile.store %p, %r : tensor<64x16x!tile.ptr<f16>, #parts>
  tile.return
}

// Rows of 64 bytes, half a line, 512 apart, of which a launch has few warps: these wait for each step that is not there,
// and have eight. Of 128 bytes, whole lines, they have as much on their way as memory takes.
// CHECK-LABEL: tile.func @half_lines
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x16xf32, stages = 8>
#deep = #tile_gpu.layout<register = [[0], [0], [0]], lane = [[0], [1], [2], [4], [8]], warp = [[16], [32]]>
#across = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [0], [0], [0], [0]], warp = [[0], [0]]>
#deep2 = #tile_gpu.layout<register = [[0, 0], [0, 0], [0, 0]], lane = [[0, 0], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#across2 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#halves = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
tile.func @half_lines(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : tensor<64xi32, #deep>
  %j = tile.arange : tensor<16xi32, #across>
  %i2 = tile.expand_dims %i axis 1 : tensor<64xi32, #deep> -> tensor<64x1xi32, #deep2>
  %j2 = tile.expand_dims %j axis 0 : tensor<16xi32, #across> -> tensor<1x16xi32, #across2>
  %pitch = arith.constant dense<128> : tensor<64x1xi32, #deep2>
  %rows = arith.muli %i2, %pitch : tensor<64x1xi32, #deep2>
  %is = tile.broadcast %rows : tensor<64x1xi32, #deep2> -> tensor<64x16xi32, #halves>
  %js = tile.broadcast %j2 : tensor<1x16xi32, #across2> -> tensor<64x16xi32, #halves>
  %at = arith.addi %is, %js : tensor<64x16xi32, #halves>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>, #halves>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #halves>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 8192 : i32
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<64x16xf32, #halves>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x16xi32, #halves>
    %o = arith.addi %ks, %at : tensor<64x16xi32, #halves>
    %p = tile.addptr %xs, %o : tensor<64x16x!tile.ptr<f32>, #halves>, tensor<64x16xi32, #halves>
    %t = tile.load %p : tensor<64x16x!tile.ptr<f32>, #halves>
    %s = arith.addf %a, %t : tensor<64x16xf32, #halves>
    scf.yield %s : tensor<64x16xf32, #halves>
  }
  %p = tile.addptr %xs, %at : tensor<64x16x!tile.ptr<f32>, #halves>, tensor<64x16xi32, #halves>
  tile.store %p, %r : tensor<64x16x!tile.ptr<f32>, #halves>
  tile.return
}

// CHECK-LABEL: tile.func @whole_lines
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x32xf32, stages = 5>
#deep3 = #tile_gpu.layout<register = [[0], [0], [16], [32]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>
#across3 = #tile_gpu.layout<register = [[1], [2], [0], [0]], lane = [[4], [8], [16], [0], [0]], warp = [[0], [0]]>
#deep4 = #tile_gpu.layout<register = [[0, 0], [0, 0], [16, 0], [32, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#across4 = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 0], [0, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#lines = #tile_gpu.layout<register = [[0, 1], [0, 2], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
tile.func @whole_lines(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.programs = 1 : i32} {
  %i = tile.arange : tensor<64xi32, #deep3>
  %j = tile.arange : tensor<32xi32, #across3>
  %i2 = tile.expand_dims %i axis 1 : tensor<64xi32, #deep3> -> tensor<64x1xi32, #deep4>
  %j2 = tile.expand_dims %j axis 0 : tensor<32xi32, #across3> -> tensor<1x32xi32, #across4>
  %pitch = arith.constant dense<128> : tensor<64x1xi32, #deep4>
  %rows = arith.muli %i2, %pitch : tensor<64x1xi32, #deep4>
  %is = tile.broadcast %rows : tensor<64x1xi32, #deep4> -> tensor<64x32xi32, #lines>
  %js = tile.broadcast %j2 : tensor<1x32xi32, #across4> -> tensor<64x32xi32, #lines>
  %at = arith.addi %is, %js : tensor<64x32xi32, #lines>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #lines>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32, #lines>
  %c0 = arith.constant 0 : i32
  %step = arith.constant 8192 : i32
  %r = scf.for %k = %c0 to %n step %step iter_args(%a = %zero) -> (tensor<64x32xf32, #lines>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64x32xi32, #lines>
    %o = arith.addi %ks, %at : tensor<64x32xi32, #lines>
    %p = tile.addptr %xs, %o : tensor<64x32x!tile.ptr<f32>, #lines>, tensor<64x32xi32, #lines>
    %t = tile.load %p : tensor<64x32x!tile.ptr<f32>, #lines>
    %s = arith.addf %a, %t : tensor<64x32xf32, #lines>
    scf.yield %s : tensor<64x32xf32, #lines>
  }
  %p = tile.addptr %xs, %at : tensor<64x32x!tile.ptr<f32>, #lines>, tensor<64x32xi32, #lines>
  tile.store %p, %r : tensor<64x32x!tile.ptr<f32>, #lines>
  tile.return
}
