// Columns of padding are not copied: boxes of B as wide as what wgmma multiplies.
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: sed 's/^\(tile.func.*)\) {$/\1 attributes {tile.num_ctas = 4 : i32} {/' %s | tile-opt --split-input-file --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s --check-prefix=FOUR

// Rows of the box are columns: 208 for 208. Of four blocks that share it two copy a half: 26 patterns of 8 rows are even,
// 13 are not.
// CHECK-LABEL: tile.func @rows
// CHECK-DAG: %[[DESC:.*]] = tile.make_desc {{.*}} -> !tile.desc<208x64xf16>
// CHECK-DAG: %[[RING:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x208xf16, swizzle = 128, order = [0, 1], stages = 4>
// CHECK: tile_gpu.barrier_expect %{{.*}} bytes 43008
// CHECK: tile_gpu.tma_load %[[DESC]][%{{.*}}, %{{.*}}] into
// CHECK: tile.dot {{.*}} : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x208xf16, swizzle = 128, order = [0, 1]> -> tensor<128x256xf32,
// FOUR-LABEL: tile.func @rows
// FOUR-DAG: tile.make_desc {{.*}} -> !tile.desc<104x64xf16>
// FOUR: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x208xf16, swizzle = 128, order = [0, 1], stages = 4>
tile.func @rows(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 208 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<256x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 208 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x256xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %z = tile.desc_load %db[%n0, %k0] : !tile.desc<256x64xf16>
    %y = tile.trans %z order [1, 0] : tensor<256x64xf16> -> tensor<64x256xf16>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 128, 208>} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = arith.truncf %acc : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %dc[%m0, %n0], %h {extents = array<i64: 128, 208>} : !tile.desc<128x256xf16>
  tile.return
}

// -----

// Three boxes of 64 columns hold 144; four blocks that share them copy 16 rows of each.
// CHECK-LABEL: tile.func @columns
// CHECK-DAG: %[[DESC:.*]] = tile.make_desc {{.*}} -> !tile.desc<64x192xf16>
// CHECK-DAG: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x192xf16, swizzle = 128, stages = 4>
// CHECK: tile_gpu.barrier_expect %{{.*}} bytes 40960
// CHECK: tile_gpu.tma_load %[[DESC]][%{{.*}}, %{{.*}}] into
// CHECK: tile.dot {{.*}} !tile_gpu.buffer<64x192xf16, swizzle = 128> -> tensor<128x256xf32,
// FOUR-LABEL: tile.func @columns
// FOUR-DAG: tile.make_desc {{.*}} -> !tile.desc<16x192xf16>
// FOUR: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x192xf16, swizzle = 128, stages = 4>
tile.func @columns(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
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

// 240 need the fourth box.
// CHECK-LABEL: tile.func @all
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x256xf16, swizzle = 128, stages = 4>
// FOUR-LABEL: tile.func @all
tile.func @all(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
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

// Another reader of the box may want all of it.
// CHECK-LABEL: tile.func @another
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x128xf16, swizzle = 128, order = [0, 1],
// FOUR-LABEL: tile.func @another
tile.func @another(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 72 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 72 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %z = tile.desc_load %db[%n0, %k0] : !tile.desc<128x64xf16>
    %y = tile.trans %z order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 128, 72>} : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %e = tile.dot %x, %y, %d : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %e : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%m0, %n0], %h {extents = array<i64: 128, 72>} : !tile.desc<128x128xf16>
  tile.return
}

// -----

// Where warp groups lie along N, each has its part of the padded tile.
// CHECK-LABEL: tile.func @along
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x256xf16, swizzle = 128, order = [0, 1],
// FOUR-LABEL: tile.func @along
tile.func @along(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 64 : i32
    %bn = arith.constant 240 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %db = tile.make_desc %b, [%n, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<256x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 64 : i32
  %bn = arith.constant 240 : i32
  %bk = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %acc = scf.for %k0 = %c0 to %k step %bk iter_args(%s = %zero) -> tensor<64x256xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<64x64xf16>
    %z = tile.desc_load %db[%n0, %k0] : !tile.desc<256x64xf16>
    %y = tile.trans %z order [1, 0] : tensor<256x64xf16> -> tensor<64x256xf16>
    %d = tile.dot %x, %y, %s {tile.extents = array<i64: 64, 240>} : tensor<64x64xf16>, tensor<64x256xf16> -> tensor<64x256xf32>
    scf.yield %d : tensor<64x256xf32>
  }
  %h = arith.truncf %acc : tensor<64x256xf32> to tensor<64x256xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<64x256xf16>
  tile.return
}
