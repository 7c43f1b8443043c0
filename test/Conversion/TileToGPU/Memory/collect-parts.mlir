// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-tile-to-gpu)' | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!acc = tensor<64x32xf32, #acc>

// 16 words of each of 128 threads in each of three blocks: four chunks, and 3 x 8192 bytes of a program. All are written
// in front of the barrier behind which a number is taken, which the last one takes back to 0; who has that reads all blocks' and
// adds in their order. Caches are asked for where parts and numbers are as a block begins.
// CHECK-DAG: llvm.mlir.global external @__tile_parts_shared(dense<[0, 0, 24576, 6]> : tensor<4xi64>)
// CHECK-DAG: llvm.mlir.global external @__tile_parts_three(dense<[0, 0, 24576, 3]> : tensor<4xi64>) {addr_space = 1 : i32, alignment = 32 : i64} : !llvm.array<4 x i64>
// CHECK-LABEL: llvm.func @three
// CHECK-NOT: nvvm.cluster_dim
// CHECK: %[[RANK:.*]] = arith.remui %{{.*}}, %c3_i32 : i32
// CHECK: arith.divui %{{.*}}, %c3_i32 : i32
// CHECK: %[[WHERE:.*]] = llvm.mlir.addressof @__tile_parts_three : !llvm.ptr<1>
// CHECK: %[[BEHIND:.*]] = arith.muli
// CHECK: llvm.inline_asm has_side_effects {{.*}}ld.global.b64 at{{.*}}prefetch.global.L2 [at]{{.*}} %[[WHERE]], %[[BEHIND]]
// CHECK: %[[NUMBERS:.*]] = llvm.load %[[WHERE]] : !llvm.ptr<1> -> i64
// CHECK: llvm.getelementptr %[[WHERE]][8]
// CHECK: %[[ALL:.*]] = llvm.inttoptr
// CHECK: %[[OWN:.*]] = llvm.getelementptr %[[ALL]][%{{.*}}]
// CHECK: llvm.store %{{.*}}, %[[OWN]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: llvm.getelementptr %[[OWN]][2048]
// CHECK: llvm.getelementptr %[[OWN]][6144]
// CHECK: llvm.store
// CHECK-NOT: llvm.store
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: atom.acq_rel.gpu.global.inc.u32
// CHECK: gpu.barrier
// CHECK: %[[LAST:.*]] = arith.cmpi eq
// CHECK: %[[SUM:.*]] = scf.if %[[LAST]] -> (vector<16xf32>) {
// CHECK: %[[A:.*]] = llvm.load %[[ALL]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.getelementptr %[[ALL]][8192]
// CHECK: %[[B:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[ALL]][16384]
// CHECK: %[[C:.*]] = llvm.load
// CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: arith.addf %[[AB]], %[[C]]
// CHECK: } else {
// CHECK: scf.if %[[LAST]]
tile.func @three(%p: !tile.ptr<f32>, %f: f32) attributes {tile.num_warps = 4 : i32, tile_gpu.splits = 3 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %r = tile_gpu.part
  %x = tile.splat %f : f32 -> !acc
  %s, %last = tile_gpu.collect_parts %x {offset = 0 : i32} : !acc -> !acc
  scf.if %last {
    %q = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
    tile.store %q, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  }
  tile.return
}

// Three clusters of two blocks, of which each has a share of the sum: of four chunks block 0 has the first and the third, and
// each exchanges two, by those of its own rank. So there are two numbers, and 2 x 3 x 4096 bytes of a program.
// CHECK-LABEL: llvm.func @shared
// CHECK: %[[PART:.*]] = arith.remui %{{.*}}, %c6_i32 : i32
// CHECK: %[[SPLIT:.*]] = arith.divui %[[PART]], %c2_i32 : i32
// CHECK: %[[RANK:.*]] = arith.remui %[[PART]], %c2_i32 : i32
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[PLACES:.*]] = arith.muli %{{.*}}, %[[TWO]] : i64
// CHECK: %[[OWN:.*]] = arith.extui %[[RANK]] : i32 to i64
// CHECK: %[[PLACE:.*]] = arith.addi %[[PLACES]], %[[OWN]] : i64
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: vector<4xf32>, !llvm.ptr<1>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-6: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: !llvm.ptr<1> -> vector<4xf32>
// CHECK: } else {
tile.func @shared(%p: !tile.ptr<f32>, %f: f32) attributes {tile.num_warps = 4 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.splits = 3 : i32, tile_gpu.shared_bytes = 16384 : i32} {
  %r = tile_gpu.part
  %x = tile.splat %f : f32 -> !acc
  %own = tile_gpu.add_parts %x {shares = array<i64: 0, 4, 8>, period = 8, offset = 0 : i32} : !acc
  %s, %last = tile_gpu.collect_parts %own {shares = array<i64: 0, 4, 8>, period = 8, offset = 8192 : i32} : !acc -> !acc
  scf.if %last {
    %q = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
    tile.store %q, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  }
  tile.return
}

// Four blocks of no cluster, each of which adds up a share, a chunk of four: all write whole parts, are counted and wait;
// then each reads its chunk of all parts, or all four, where one has given up waiting.
// CHECK-LABEL: llvm.func @shares
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[PART:.*]] = arith.remui %{{.*}}, %c4_i32{{.*}} : i32
// CHECK: %[[SPLIT:.*]] = arith.divui %[[PART]], %c1_i32{{.*}} : i32
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: vector<4xf32>, !llvm.ptr<1>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: atom.acq_rel.gpu.global.add.u32 old
// CHECK-SAME: ld.acquire.gpu.global.u32 seen
// CHECK-SAME: atom.acq_rel.gpu.global.cas.b32 old
// CHECK: gpu.barrier
// CHECK: %[[HOW:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: %[[SHARE:.*]] = arith.cmpi eq, %[[HOW]], %c1_i32{{.*}} : i32
// CHECK: scf.if %[[SHARE]] -> (vector<16xf32>) {
// CHECK: arith.cmpi eq, %[[SPLIT]], %c1_i32{{.*}} : i32
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: !llvm.ptr<1> -> vector<4xf32>
// CHECK: } else {
// CHECK: %[[ALL:.*]] = arith.cmpi eq, %[[HOW]], %c2_i32{{.*}} : i32
// CHECK: scf.if %[[ALL]] -> (vector<16xf32>) {
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: !llvm.ptr<1> -> vector<4xf32>
// CHECK: arith.cmpi ne, %[[HOW]], %c0_i32{{.*}} : i32
// CHECK: arith.cmpi eq, %[[HOW]], %c2_i32{{.*}} : i32
tile.func @shares(%p: !tile.ptr<f32>, %f: f32) attributes {tile.num_warps = 4 : i32, tile_gpu.splits = 4 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %x = tile.splat %f : f32 -> !acc
  %s, %goes, %all = tile_gpu.share_parts %x {shares = array<i64: 0, 4, 8, 12, 16>, period = 16, offset = 0 : i32} : !acc -> !acc
  %any = arith.ori %goes, %all : i1
  scf.if %any {
    %q = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
    tile.store %q, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  }
  tile.return
}

// A turn of three that have a part each of a program: in a branch, since other turns have whole ones. Parts lie where the
// program's number says, 3 x 8192 bytes of each, and each at its own.
// CHECK-LABEL: llvm.func @turns
// CHECK-SAME: %[[PART:[a-z0-9]*]]: i32, %[[NUMBER:[a-z0-9]*]]: i32, %[[WHEN:[a-z0-9]*]]: i1
// CHECK: %[[SUM:.*]]:2 = scf.if %[[WHEN]] -> (vector<16xf32>, i1) {
// CHECK: %[[PLACE:.*]] = arith.extui %[[NUMBER]] : i32 to i64
// CHECK: arith.muli %[[PLACE]], %c24576{{.*}} : i64
// CHECK: arith.extui %[[PART]] : i32 to i64
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: gpu.barrier
// CHECK: atom.acq_rel.gpu.global.inc.u32
// CHECK: gpu.barrier
// CHECK: %[[LAST:.*]] = arith.cmpi eq
// CHECK: scf.if %[[LAST]]
// CHECK-COUNT-12: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.yield %{{.*}}, %[[LAST]] : vector<16xf32>, i1
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %{{.*}}, %true{{.*}} : vector<16xf32>, i1
tile.func @turns(%p: !tile.ptr<f32>, %f: f32, %part: i32, %number: i32, %when: i1) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %x = tile.splat %f : f32 -> !acc
  %s, %last = tile_gpu.collect_turns %x part %part of %number when %when together %when {parts = 3, offset = 0 : i32} : !acc -> !acc
  scf.if %last {
    %q = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
    tile.store %q, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  }
  tile.return
}

// Turns that have a share each of what they add up: they wait for one another where all run at a time, and not at all
// elsewhere, where the last one has all; so has a turn of a whole program.
// CHECK-LABEL: llvm.func @shared_turns
// CHECK-SAME: %[[PART:[a-z0-9]*]]: i32, %[[NUMBER:[a-z0-9]*]]: i32, %[[WHEN:[a-z0-9]*]]: i1, %[[TOGETHER:[a-z0-9]*]]: i1
// CHECK: %[[SUM:.*]]:2 = scf.if %[[WHEN]] -> (vector<16xf32>, i32) {
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: %[[MOST:.*]] = arith.select %[[TOGETHER]], %c16384_i32{{.*}}, %c0_i32
// CHECK: atom.acq_rel.gpu.global.add.u32 old
// CHECK-SAME: %{{.*}}, %[[MOST]]
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: } else {
// CHECK: scf.yield %{{.*}}, %c2_i32{{.*}} : vector<16xf32>, i32
// CHECK: arith.cmpi ne, %[[SUM]]#1, %c0_i32
// CHECK: arith.cmpi eq, %[[SUM]]#1, %c2_i32
tile.func @shared_turns(%p: !tile.ptr<f32>, %f: f32, %part: i32, %number: i32, %when: i1, %together: i1) attributes {tile.num_warps = 4 : i32, tile_gpu.shared_bytes = 1024 : i32} {
  %x = tile.splat %f : f32 -> !acc
  %s, %goes, %all = tile_gpu.share_turns %x part %part of %number when %when together %together {shares = array<i64: 0, 4, 8, 12, 16>, period = 16, offset = 0 : i32} : !acc -> !acc
  %any = arith.ori %goes, %all : i1
  scf.if %any {
    %q = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>, #acc>
    tile.store %q, %s : tensor<64x32x!tile.ptr<f32>, #acc>
  }
  tile.return
}
