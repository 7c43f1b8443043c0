// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each 2>/dev/null | FileCheck %s

// The device holds a block for each program at a time: an ordinary kernel with two roles, one
// program a block. Results go out behind the dots, a slot of staging for each of the two boxes, so
// that the second waits for nothing.
// CHECK-LABEL: tile.func @matmul
// CHECK-NOT: tile_gpu.persistent
// CHECK-NOT: tile_gpu.one_program
// CHECK-NOT: tile_gpu.grid_extent
// CHECK: tile_gpu.warp_specialize producer {
// CHECK-DAG: %[[X:.*]] = tile.program_id x
// CHECK-DAG: tile.program_id y
// CHECK:   scf.for %{{.*}} = %c0_i32 to %arg5 step %c64_i32
// CHECK-NOT: scf.for
// CHECK: } consumer {
// CHECK:   scf.for %{{.*}} = %c0_i32 to %arg5 step %c64_i32
// CHECK-NOT: scf.for
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK-NOT: tile_gpu.tma_store
// CHECK:   }
// CHECK:   tile_gpu.dot_wait %{{.*}} pending 0
// CHECK:   arith.truncf
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK:   tile_gpu.tma_store %
// CHECK-NOT: tile_gpu.tma_store_wait
// CHECK:   tile_gpu.tma_store %
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.single_wave = 1 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 128 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x128xf16>
  tile.return
}

// Blocks of a cluster number their programs themselves: one row of blocks, but no loop. The first
// that reads another's memory waits for it.
// CHECK-LABEL: tile.func @pairs
// CHECK-SAME: tile_gpu.cluster = 2 : i32
// CHECK-SAME: tile_gpu.one_program
// CHECK-SAME: tile_gpu.persistent
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   tile_gpu.grid_extent x
// CHECK:   %[[BLOCK:.*]] = tile.program_id x
// CHECK:   %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK:   arith.subi %[[BLOCK]], %[[RANK]] : i32
// CHECK-NOT: tile.num_programs
// CHECK-NOT: scf.for
// CHECK:   tile_gpu.cluster_wait
// CHECK-NEXT: scf.for %{{.*}} = %c0_i32 to %arg5 step %c64_i32
// CHECK:     tile_gpu.tma_multicast
// CHECK-NOT: scf.for
// CHECK: } consumer {
// CHECK-NEXT: tile_gpu.cluster_wait
// CHECK:   scf.for %{{.*}} = %c0_i32 to %arg5 step %c64_i32
// CHECK:     tile.dot {{.*}} by wgmma async
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @pairs(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_ctas = 2 : i32, tile.num_warps = 8 : i32, tile_gpu.single_wave = 1 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 128 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x128xf16>
  tile.return
}

// Room for two blocks a program, which share its rows: blocks loop as ever.
// CHECK-LABEL: tile.func @shared
// CHECK-NOT: tile_gpu.one_program
// CHECK-SAME: tile_gpu.persistent
// CHECK-SAME: tile_gpu.shares_last
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:   %[[FIRST:.*]] = tile.program_id x
// CHECK:   %[[BLOCKS:.*]] = tile.num_programs x
// CHECK:   scf.for %{{.*}} = %[[FIRST]] to %{{.*}} step %[[BLOCKS]]
// CHECK: tile.return
tile.func @shared(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32, tile_gpu.single_wave = 2 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 128 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x128xf16>
  tile.return
}

// One warp group has no half to give away: a program a block.
// CHECK-LABEL: tile.func @alone
// CHECK-NOT: tile_gpu.persistent
// CHECK-NOT: tile_gpu.shares_last
// CHECK: tile_gpu.warp_specialize producer {
// CHECK-NOT: tile.num_programs
// CHECK:   scf.for %{{.*}} = %c0_i32 to %arg5 step %c64_i32
// CHECK-NOT: scf.for
// CHECK: } consumer {
// CHECK: tile.return
tile.func @alone(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 4 : i32, tile_gpu.single_wave = 2 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %bn = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 64 : i32
  %bn = arith.constant 128 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<64x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<64x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  %h = arith.truncf %acc : tensor<64x128xf32> to tensor<64x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x128xf16>
  tile.return
}
