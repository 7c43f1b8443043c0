// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: sed '/@two_loops/!s/^\(tile.func.*)\) {$/\1 attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 3, stores = boxes>} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse))' | FileCheck %s --check-prefix=ONCE

// Copies by one thread, dots by two warp groups, results stored while the next program runs.
// CHECK-LABEL: tile.func @matmul
// CHECK-SAME: tile_gpu.block_warps = 12
// CHECK-SAME: tile_gpu.persistent
// CHECK: %[[A:.*]] = tile.make_desc {{.*}} -> !tile.desc<128x64xf16>
// CHECK: %[[B:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x256xf16>
// One warp group stores 64 rows.
// CHECK: %[[C:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK: %[[RA:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 4>
// CHECK: %[[RB:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x256xf16, swizzle = 128, stages = 4>
// CHECK: %[[FULL:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 4>
// CHECK: tile_gpu.barrier_init %[[FULL]] count 1
// CHECK: %[[EMPTY:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<1xi64, stages = 5>
// CHECK: tile_gpu.barrier_init %[[EMPTY]] count 2
// CHECK: %[[OUT:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: gpu.barrier
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   %[[FIRST:.*]] = tile.program_id x
// CHECK:   %[[BLOCKS:.*]] = tile.num_programs x
// CHECK:   scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %[[BLOCKS]] iter_args
// CHECK:     scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}) -> (i32, i32)
// CHECK:       %[[E:.*]] = tile_gpu.buffer_stage %[[EMPTY]][%[[S]]]
// CHECK:       tile_gpu.barrier_wait %[[E]]
// CHECK:       %[[F:.*]] = tile_gpu.buffer_stage %[[FULL]][%[[S]]]
// CHECK:       tile_gpu.barrier_expect %[[F]] bytes 49152
// CHECK:       tile_gpu.tma_load %[[A]][%{{.*}}, %[[K]]] into %{{.*}} signal %[[F]]
// CHECK:       tile_gpu.tma_load %[[B]][%[[K]], %{{.*}}] into %{{.*}} signal %[[F]]
// CHECK: } consumer {
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (i32, i32, tensor<128x256xf16, {{.*}}>, i32, i32)
// Four boxes of the last program, one for each of the first four steps.
// The slot before the first is nobody's: nothing is freed.
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK-NOT: tile_gpu.barrier_arrive
// CHECK:     tile_gpu.tma_store %[[C]]
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     tile_gpu.tma_store %[[C]]
// CHECK-COUNT-2:   tile.dot {{.*}} by wgmma async
// CHECK:     scf.for
// CHECK:       %[[F:.*]] = tile_gpu.buffer_stage %[[FULL]][%[[S:.*]]]
// CHECK:       tile_gpu.barrier_wait %[[F]]
// CHECK:       %[[D:.*]] = tile.dot {{.*}} by wgmma async
// CHECK:       tile_gpu.dot_wait %[[D]] pending 1
// CHECK:       tile_gpu.barrier_arrive
// CHECK:     tile_gpu.dot_wait %{{.*}} pending 0
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     arith.truncf
// CHECK-NOT: tile_gpu.tma_store
// CHECK:     scf.yield
// And those of the last of all.
// CHECK:   tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK:   tile_gpu.buffer_store
// CHECK:   tile_gpu.tma_store_wait 0
// CHECK:   tile_gpu.group_barrier
// CHECK:   tile_gpu.tma_store %[[C]]
// CHECK:   tile_gpu.extract_tile %{{.*}} [0, 64]
// CHECK:   tile_gpu.extract_tile %{{.*}} [0, 128]
// CHECK:   tile_gpu.extract_tile %{{.*}} [0, 192]
// CHECK:   tile_gpu.tma_store %[[C]]
// CHECK:   tile_gpu.tma_store_wait 0
// CHECK: tile.return

// A block a program: the results go out at its end.
// ONCE-LABEL: tile.func @matmul
// ONCE-NOT: tile_gpu.persistent
// ONCE: stages = 3
// ONCE: tile_gpu.warp_specialize producer {
// ONCE-COUNT-1: scf.for
// ONCE: } consumer {
// ONCE: tile.dot {{.*}} by wgmma async
// ONCE-COUNT-4: tile_gpu.tma_store %
// ONCE-NOT: tile_gpu.tma_store %
// ONCE: tile.return
tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 256 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 256 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x256xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x256xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = arith.truncf %acc : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x256xf16>
  tile.return
}

// A box that a whole loop reads, and one for each of its dots: Q, K and V of an attention. Each dot
// has a channel of its own, and its result is read at once: none stays in flight. The next program's Q has a slot, too.
// CHECK-LABEL: tile.func @two_dots
// CHECK: %[[Q:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: tile_gpu.barrier_init {{.*}} count 1 : !tile_gpu.buffer<1xi64, stages = 2>
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   tile_gpu.barrier_expect %{{.*}} bytes 16384
// CHECK:   tile_gpu.tma_load
// CHECK:   scf.for
// CHECK:     tile_gpu.barrier_expect %{{.*}} bytes 8192
// CHECK:     tile_gpu.tma_load
// CHECK:     tile_gpu.barrier_expect %{{.*}} bytes 8192
// CHECK:     tile_gpu.tma_load
// CHECK: } consumer {
// CHECK:   tile_gpu.barrier_wait
// CHECK:   scf.for
// CHECK:     tile_gpu.barrier_wait
// CHECK:     tile.dot {{.*}} by wgmma :
// CHECK:     tile_gpu.barrier_arrive
// CHECK:     tile_gpu.barrier_wait
// CHECK:     tile.dot {{.*}} by wgmma :
// CHECK:     tile_gpu.barrier_arrive
// CHECK:   tile_gpu.barrier_arrive
tile.func @two_dots(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %dq = tile.make_desc %q, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dk = tile.make_desc %k, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dv = tile.make_desc %v, [%n, %c64], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %do = tile.make_desc %o, [%n, %c64], [%s] : !tile.ptr<f32> -> !tile.desc<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %qt = tile.desc_load %dq[%c0, %c0] : !tile.desc<128x64xf16>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %kt = tile.desc_load %dk[%i, %c0] : !tile.desc<64x64xf16>
    %kk = tile.trans %kt order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %p = tile.dot %qt, %kk, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %e = math.exp2 %p : tensor<128x64xf32>
    %h = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
    %vt = tile.desc_load %dv[%i, %c0] : !tile.desc<64x64xf16>
    %d = tile.dot %h, %vt, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.desc_store %do[%c0, %c0], %r : !tile.desc<128x64xf32>
  tile.return
}

// Two loops one behind the other read boxes of the same shape: one ring, whose slots are counted on from the first loop
// to the second on both sides.
// CHECK-LABEL: tile.func @two_loops
// CHECK: %[[A:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 8>
// CHECK: %[[B:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x128xf16, swizzle = 128, stages = 8>
// CHECK-NOT: tile_gpu.alloc_shared {{.*}}xf16, swizzle = 128, stages
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   scf.for
// CHECK:     %[[P:.*]]:2 = scf.for
// CHECK:       tile_gpu.tma_load
// CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %[[P]]#0, %{{.*}} = %[[P]]#1) -> (i32, i32)
// CHECK:       tile_gpu.buffer_stage %[[A]]
// CHECK:       tile_gpu.buffer_stage %[[B]]
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK:     %[[C:.*]]:4 = scf.for
// CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[C]]#1, %{{.*}} = %[[C]]#2, %{{.*}} = %c8
// CHECK:       tile_gpu.buffer_stage %[[A]]
tile.func @two_loops(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32, %half: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s = arith.constant 64 : i64
  %s128 = arith.constant 128 : i64
  %da = tile.make_desc %a, [%c64, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%n, %c128], [%s128] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%c64, %c128], [%s128] : !tile.ptr<f32> -> !tile.desc<64x128xf32>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %two = arith.constant dense<2.0> : tensor<64x128xf32>
  %first = scf.for %k = %c0 to %half step %c64 iter_args(%acc = %zero) -> tensor<64x128xf32> : i32 {
    %x = tile.desc_load %da[%c0, %k] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k, %c0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %twice = arith.mulf %first, %two : tensor<64x128xf32>
  %r = scf.for %k = %half to %n step %c64 iter_args(%acc = %twice) -> tensor<64x128xf32> : i32 {
    %x = tile.desc_load %da[%c0, %k] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k, %c0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  tile.desc_store %dc[%c0, %c0], %r : !tile.desc<64x128xf32>
  tile.return
}
