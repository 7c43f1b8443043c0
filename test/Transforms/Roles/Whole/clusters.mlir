// RUN: sed 's/^\(tile.func.*)\) {$/\1 attributes {tile.num_ctas = 4 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' | FileCheck %s --check-prefix=OWN

// Four blocks work through neighbouring programs. Which of them want the same box follows from their
// programs, and so may be another set for A than for B.
// CHECK-LABEL: tile.func @matmul
// CHECK-SAME: tile_gpu.cluster = 4 : i32
// A is cut by its rows, once or twice. B is four copies of 64 columns, of which each block has some.
// CHECK-DAG: %[[A:.*]] = tile.make_desc {{.*}} -> !tile.desc<128x64xf16>
// CHECK-DAG: %[[A2:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK-DAG: %[[A4:.*]] = tile.make_desc {{.*}} -> !tile.desc<32x64xf16>
// CHECK-DAG: %[[B:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x256xf16>
// Two warp groups of each of four blocks.
// CHECK: tile_gpu.barrier_init %{{.*}} count 1
// CHECK: tile_gpu.barrier_init %{{.*}} count 8
// CHECK-NOT: gpu.barrier
// CHECK: tile_gpu.cluster_arrive
// CHECK-NEXT: tile_gpu.warp_specialize producer {
// CHECK:   %[[ONE:.*]] = tile_gpu.elect
// Two warps have every other program each.
// CHECK:   %[[NUMBER:.*]] = tile_gpu.producer
// CHECK:   %[[BLOCK:.*]] = tile.program_id x
// CHECK:   %[[STEP:.*]] = tile.num_programs x
// CHECK:   %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK:   %[[CLUSTER:.*]] = arith.subi %[[BLOCK]], %[[RANK]] : i32
// CHECK:   %[[OTHERS:.*]] = arith.muli %[[NUMBER]], %[[STEP]] : i32
// CHECK:   %[[FIRST:.*]] = arith.addi %[[CLUSTER]], %[[OTHERS]] : i32
// CHECK:   %[[TWICE:.*]] = arith.addi %[[STEP]], %[[STEP]] : i32
// The last cluster's blocks beyond the last program take that once more.
// CHECK:   scf.for %[[T:.*]] = %[[FIRST]] to %{{.*}} step %[[TWICE]]
// CHECK:     %[[WISH:.*]] = arith.addi %[[T]], %[[RANK]] : i32
// CHECK:     %[[PROGRAM:.*]] = arith.select %{{.*}}, %{{.*}}, %[[WISH]] : i32
// CHECK:     arith.minsi %[[PROGRAM]], %{{.*}} : i32
// Each thread compares rows and columns of the block that it stands for with those of this one.
// CHECK:     %[[LANE:.*]] = tile_gpu.cluster_lane
// CHECK:     arith.addi %[[T]], %[[LANE]] : i32
// CHECK:     %[[ROWS:.*]] = arith.cmpi eq
// CHECK:     %[[TA:.*]] = tile_gpu.cluster_vote %[[ROWS]]
// CHECK:     %[[BEFORE:.*]] = arith.andi %[[TA]], %{{.*}} : i32
// CHECK:     %[[PA:.*]] = math.ctpop %[[BEFORE]] : i32
// CHECK:     math.ctpop %[[TA]] : i32
// CHECK:     %[[COLUMNS:.*]] = arith.cmpi eq
// CHECK:     %[[TB:.*]] = tile_gpu.cluster_vote %[[COLUMNS]]
// The other blocks' barriers are waited for when positions are known, in front of the first box.
// CHECK:     %[[BEGINS:.*]] = arith.cmpi eq, %[[T]], %[[FIRST]] : i32
// CHECK:     scf.if %[[BEGINS]] {
// CHECK-NEXT:  tile_gpu.cluster_wait
// CHECK:     tile_gpu.turn_wait
// CHECK:     scf.for
// CHECK:       scf.if %[[ONE]] {
// CHECK:       tile_gpu.barrier_wait
// CHECK:       tile_gpu.barrier_expect %{{.*}} bytes 49152
// CHECK:       tile_gpu.tma_multicast %[[A]][{{.*}}] cuts %[[A2]], %[[A4]] into {{.*}} part %[[PA]] splits %{{.*}} to %[[TA]] : !tile.desc<128x64xf16>, !tile.desc<64x64xf16>, !tile.desc<32x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
// CHECK:       tile_gpu.tma_multicast %[[B]][{{.*}}] into {{.*}} part %{{.*}} splits %{{.*}} to %[[TB]] : !tile.desc<64x256xf16> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK-NOT:   tile_gpu.tma_load
// The block stays until nobody reads its slots, and so arrives at its barriers.
// CHECK:     %[[AFTER:.*]] = arith.addi %[[T]], %[[STEP]] : i32
// CHECK:     %[[LAST:.*]] = arith.cmpi sge, %[[AFTER]], %{{.*}} : i32
// CHECK:     %[[WAITS:.*]] = arith.andi %[[LAST]], %[[ONE]] : i1
// CHECK:     scf.if %[[WAITS]] {
// CHECK-COUNT-4: tile_gpu.barrier_wait
// CHECK:     tile_gpu.turn_pass
// Whoever has no program waits for them, too.
// CHECK:   scf.if
// CHECK-NEXT: tile_gpu.cluster_wait
// CHECK: } consumer {
// CHECK-NEXT: tile_gpu.cluster_wait
// What is there twice is stored once: past the end there are no rows.
// CHECK:     %[[THERE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK:     %[[REAL:.*]] = arith.andi %[[THERE]], %{{.*}} : i1
// CHECK:     arith.select %[[REAL]], %{{.*}}, %arg3 : i32
// Four boxes of the last results: one behind the first step, the others spread over the loop but for its last three.
// CHECK:     %[[STEPS:.*]] = arith.ceildivsi %{{.*}}, %c64_i32 : i32
// CHECK:     %[[MIDDLE:.*]] = arith.subi %[[STEPS]], %c4_i32 : i32
// CHECK:     %[[EACH:.*]] = arith.divsi %[[MIDDLE]], %c3_i32 : i32
// CHECK:     %[[LEAST:.*]] = arith.maxsi %[[EACH]], %c1_i32 : i32
// CHECK:     %[[FAR:.*]] = arith.muli %[[LEAST]], %c64_i32 : i32
// CHECK:     tile.dot
// There are none before the first program.
// CHECK:     %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK:     scf.if %[[ANY]] {
// CHECK:       tile_gpu.tma_store
// CHECK:     %[[SECOND:.*]] = arith.addi %[[FAR]], %c64_i32 : i32
// CHECK:     scf.for %{{.*}} = %c64_i32 to %[[SECOND]] step %c64_i32
// CHECK:       tile.dot
// CHECK:       tile_gpu.barrier_arrive %{{.*}} {cluster}
// CHECK:     tile_gpu.tma_store
// CHECK:     %[[THIRD:.*]] = arith.addi %[[SECOND]], %[[FAR]] : i32
// CHECK:     scf.for %{{.*}} = %[[SECOND]] to %[[THIRD]] step %c64_i32
// CHECK-NOT: tile_gpu.barrier_arrive %{{[0-9]+}} :
// CHECK-NOT: tile_gpu.cluster_
// CHECK: tile.return
// CHECK-LABEL: tile.func @one_b
// Nothing is known of the rows, and nothing asked for.
// OWN-LABEL: tile.func @matmul
// OWN-SAME: #tile_gpu.schedule<programs = loop, group_rows = 16, cluster = 1,
// OWN-NOT: cluster
// OWN: tile.return
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

// The kernel asks for two itself. Where B does not depend on the program everybody shares it.
// OWN-LABEL: tile.func @one_b
// OWN-SAME: tile_gpu.cluster = 2 : i32
// OWN: tile_gpu.warp_specialize producer {
// Only the rows of A are compared; B goes to both.
// OWN-COUNT-1: tile_gpu.cluster_vote
// OWN-NOT: tile_gpu.cluster_vote
// OWN: tile_gpu.tma_multicast
// OWN: tile_gpu.tma_multicast {{.*}} to %c3_i32
// OWN: } consumer {
tile.func @one_b(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_ctas = 2 : i32} {
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
    %y = tile.desc_load %db[%k0, %c0] : !tile.desc<64x256xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = arith.truncf %acc : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x256xf16>
  tile.return
}

// Rows that begin off a line of 128 bytes take two requests each: sharing is worth it, unasked.
// OWN-LABEL: tile.func @straddling
// OWN-SAME: tile_gpu.cluster = 2 : i32
tile.func @straddling(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32 {tile.divisibility = 8 : i32}, %k: i32 {tile.divisibility = 16 : i32}) {
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

// So do those of which a launch knows that they begin at multiples of 32 bytes, and no more.
// OWN-LABEL: tile.func @straddling_words
// OWN-SAME: tile_gpu.cluster = 2 : i32
tile.func @straddling_words(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %m: i32, %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 8 : i32}) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bm : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f32> -> !tile.desc<128x32xf32>
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f32> -> !tile.desc<128x32xf32>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f32> -> !tile.desc<128x128xf32>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bk = arith.constant 32 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bm : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x32xf32>
    %y = tile.desc_load %db[%n0, %k0] : !tile.desc<128x32xf32>
    %yt = tile.trans %y order [1, 0] : tensor<128x32xf32> -> tensor<32x128xf32>
    %d = tile.dot %x, %yt, %s precision tf32 : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.desc_store %dc[%m0, %n0], %acc : !tile.desc<128x128xf32>
  tile.return
}

// A result that leaves as one box, behind its program: past the first extent there is nothing, either.
// OWN-LABEL: tile.func @layers
// OWN-SAME: tile_gpu.cluster = 2 : i32
// OWN: tile_gpu.warp_specialize
// OWN: } consumer {
// OWN: %[[REAL:.*]] = arith.cmpi slt
// OWN: %[[LAYER:.*]] = arith.select %[[REAL]], %{{.*}}, %{{.*}} : i32
// OWN: tile_gpu.desc_write %{{.*}}[%[[LAYER]], %{{.*}}, %{{.*}}]
tile.func @layers(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_ctas = 2 : i32} {
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
  %dc = tile.make_desc %c, [%n, %m, %n], [%n64, %n64] : !tile.ptr<f16> -> !tile.desc<1x128x256xf16>
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
  %e = tile.expand_dims %h axis 0 : tensor<128x256xf16> -> tensor<1x128x256xf16>
  tile.desc_store %dc[%c0, %m0, %n0], %e : !tile.desc<1x128x256xf16>
  tile.return
}
