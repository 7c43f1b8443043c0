// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-share-copies,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: env TILE_TRACE=all tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-share-copies))' 2>&1 >/dev/null | FileCheck %s --check-prefix=TRACE

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>

// Each thread of the producer's warp stands for a block, and votes whether that one wants the same rows of A, and the
// same columns of B. A is halved up to twice by its rows; B, which is two copies of 64 columns, between them first.
// TRACE: [[@LINE+35]]:{{.*}}blocks of a cluster of 4 share copies of 2 boxes
// CHECK-LABEL: tile.func @both
// CHECK-SAME: tile_gpu.cluster = 4 : i32
// CHECK: %[[A:.*]] = tile.make_desc {{.*}} -> !tile.desc<128x64xf16>
// CHECK: %[[A2:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK: %[[A4:.*]] = tile.make_desc {{.*}} -> !tile.desc<32x64xf16>
// CHECK: %[[B:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x128xf16>
// CHECK: %[[B2:.*]] = tile.make_desc {{.*}} -> !tile.desc<32x128xf16>
// CHECK: %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step
// CHECK:   %[[TURN:.*]] = arith.addi %[[T]], %[[RANK]]
// CHECK:   %[[P:.*]] = arith.remui %[[TURN]], %{{.*}}
// CHECK:   %[[Q:.*]] = arith.divui %[[TURN]], %{{.*}}
// CHECK:   %[[ROW:.*]] = arith.muli %[[P]], %c128
// CHECK:   %[[COLUMN:.*]] = arith.muli %[[Q]], %c128
// CHECK:   %[[LANE:.*]] = tile_gpu.cluster_lane
// CHECK:   %[[OTHER:.*]] = arith.addi %[[T]], %[[LANE]]
// CHECK:   %[[P2:.*]] = arith.remui %[[OTHER]], %{{.*}}
// CHECK:   %[[ROW2:.*]] = arith.muli %[[P2]], %c128
// CHECK:   %[[SAME:.*]] = arith.cmpi eq, %[[ROW]], %[[ROW2]]
// CHECK:   %[[TO:.*]] = tile_gpu.cluster_vote %[[SAME]]
// Of those that share, this one copies the part of its number among them.
// CHECK:   %[[BIT:.*]] = arith.shli %c1{{.*}}, %[[RANK]]
// CHECK:   %[[BELOW:.*]] = arith.subi %[[BIT]], %c1
// CHECK:   %[[BEFORE:.*]] = arith.andi %[[TO]], %[[BELOW]]
// CHECK:   %[[PART:.*]] = math.ctpop %[[BEFORE]]
// CHECK:   %[[ALL:.*]] = math.ctpop %[[TO]]
// CHECK:   arith.cmpi uge, %[[ALL]], %c2
// CHECK:   arith.cmpi uge, %[[ALL]], %c4
// CHECK:   %[[TOO:.*]] = arith.cmpi eq, %[[COLUMN]], %{{.*}}
// CHECK:   %[[TOB:.*]] = tile_gpu.cluster_vote %[[TOO]]
// CHECK:   scf.for %[[K:[a-z0-9]+]] =
// CHECK:     tile_gpu.desc_multicast %[[A]][%[[ROW]], %[[K]]] cuts %[[A2]], %[[A4]] into %{{.*}} part %[[PART]] splits %{{.*}} to %[[TO]]
// CHECK:     tile_gpu.desc_multicast %[[B]][%[[K]], %[[COLUMN]]] cuts %[[B2]] into %{{.*}} part %{{.*}} splits %{{.*}} to %[[TOB]]
// CHECK-NOT: tile_gpu.desc_copy
tile.func @both(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 4, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// All blocks want the same columns, whatever their program: nobody has to vote.
// CHECK-LABEL: tile.func @always
// CHECK-COUNT-1: tile_gpu.cluster_vote
// CHECK-NOT: tile_gpu.cluster_vote
// CHECK: tile_gpu.desc_multicast {{.*}} to %c3_i32 : !tile.desc<64x128xf16>
tile.func @always(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %c0] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// Blocks on their own share nothing.
// CHECK-LABEL: tile.func @alone
// CHECK-NOT: tile_gpu.cluster =
// CHECK-NOT: tile_gpu.desc_multicast
// CHECK: tile.return
tile.func @alone(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}
