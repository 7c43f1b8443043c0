// Results with padding leave in boxes that end where the padding begins; the last one begins where it must for that.
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: sed '/@alone/!s/^\(tile.func.*)\) {$/\1 attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = grid, stages = 4, stores = boxes>} {/' %s | tile-opt --split-input-file --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,%roles,canonicalize,cse))' --verify-each | FileCheck %s --check-prefix=ONCE

// Four boxes of 64 columns are 240; the dot keeps its extents on the way.
// CHECK-LABEL: tile.func @wide
// CHECK: %[[C:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: } consumer {
// CHECK: tile.dot {{.*}} by wgmma async {{.*}}{tile.extents = array<i64: 128, 240>}
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK: tile_gpu.tma_store %[[C]]
// CHECK: tile.dot
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 64]
// CHECK: tile.dot
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 128]
// CHECK: tile.dot
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 176] : tensor<128x256xf16, {{.*}}> -> tensor<128x64xf16,
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %c176_i32
// CHECK: tile_gpu.tma_store %[[C]][%{{.*}}, %[[AT]]] from
// CHECK: scf.for
// CHECK-NOT: tile_gpu.desc_write
//
// ONCE-LABEL: tile.func @wide
// ONCE: tile.dot
// ONCE: tile_gpu.extract_tile %{{.*}} [0, 0]
// ONCE: tile_gpu.extract_tile %{{.*}} [0, 64]
// ONCE: tile_gpu.extract_tile %{{.*}} [0, 128]
// ONCE: tile_gpu.extract_tile %{{.*}} [0, 176]
// ONCE-NOT: tile_gpu.extract_tile
// ONCE: tile.return
tile.func @wide(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 240 : i32
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
  %bn = arith.constant 240 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x256xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x256xf16>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 128, 240>} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = arith.truncf %acc : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %dc[%m0, %n0], %h {extents = array<i64: 128, 240>} : !tile.desc<128x256xf16>
  tile.return
}

// -----

// 144 are three: the third takes the first one's slot, and so does the first of the next program, which waits for it.
// CHECK-LABEL: tile.func @three
// CHECK: %[[OUT:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: tile.dot {{.*}} by wgmma async
// CHECK: tile_gpu.tma_store_wait 0
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK-NEXT: tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK-NEXT: %[[ZERO:.*]] = tile_gpu.buffer_stage %[[OUT]][%c0_i32]
// CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[ZERO]]
// CHECK: tile_gpu.tma_store {{.*}} from %[[ZERO]]
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 64]
// CHECK-NEXT: %[[ONE:.*]] = tile_gpu.buffer_stage %[[OUT]][%c1_i32]
// CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[ONE]]
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// CHECK-NEXT: tile_gpu.group_barrier
// CHECK: tile_gpu.tma_store {{.*}} from %[[ONE]]
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 80]
// CHECK-NEXT: tile_gpu.buffer_store %{{.*}}, %[[ZERO]]
// CHECK: tile_gpu.tma_store {{.*}} from %[[ZERO]]
// ONCE-LABEL: tile.func @three
// ONCE-COUNT-3: tile_gpu.extract_tile
// ONCE-NOT: tile_gpu.extract_tile
// ONCE: tile.return
tile.func @three(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 144 : i32
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
  %bn = arith.constant 144 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x256xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x256xf16>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 128, 144>} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = arith.truncf %acc : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %dc[%m0, %n0], %h {extents = array<i64: 128, 144>} : !tile.desc<128x256xf16>
  tile.return
}

// -----

// Boxes as wide as the columns have room for: 24 are two of 16.
// CHECK-LABEL: tile.func @few
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x16xf16, swizzle = 32, stages = 2>
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0] {{.*}} -> tensor<128x16xf16,
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 8] {{.*}} -> tensor<128x16xf16,
// ONCE-LABEL: tile.func @few
// ONCE-COUNT-2: tile_gpu.tma_store %
// ONCE-NOT: tile_gpu.tma_store %
// ONCE: tile.return
tile.func @few(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 24 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x32xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 24 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x32xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x32xf16>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 128, 24>} : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
    scf.yield %d : tensor<128x32xf32>
  }
  %h = arith.truncf %acc : tensor<128x32xf32> to tensor<128x32xf16>
  tile.desc_store %dc[%m0, %n0], %h {extents = array<i64: 128, 24>} : !tile.desc<128x32xf16>
  tile.return
}

// -----

// Where no role is made the boxes leave at once, of a value in the layout that they are cut from.
// CHECK-LABEL: tile.func @alone
// CHECK: %[[DESC:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x64xf16>
// CHECK: tile_gpu.convert_layout
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 0]
// CHECK: tile_gpu.tma_store %[[DESC]]
// CHECK: tile_gpu.extract_tile %{{.*}} [0, 8]
// CHECK: tile_gpu.tma_store %[[DESC]]
// CHECK-NEXT: tile_gpu.tma_store_wait 0
// ONCE-LABEL: tile.func @alone
// ONCE-COUNT-2: tile_gpu.tma_store %
// ONCE-NOT: tile_gpu.tma_store %
// ONCE: tile.return
tile.func @alone(%p: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) {
  %d = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %c0 = arith.constant 0 : i32
  %r = tile.arange : tensor<128xi32>
  %e = tile.expand_dims %r axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %o = tile.broadcast %e : tensor<1x128xi32> -> tensor<128x128xi32>
  %q = tile.splat %p : !tile.ptr<f16> -> tensor<128x128x!tile.ptr<f16>>
  %f = tile.addptr %q, %o : tensor<128x128x!tile.ptr<f16>>, tensor<128x128xi32>
  %v = tile.load %f : tensor<128x128x!tile.ptr<f16>>
  tile.desc_store %d[%c0, %c0], %v {extents = array<i64: 128, 72>} : !tile.desc<128x128xf16>
  tile.return
}
