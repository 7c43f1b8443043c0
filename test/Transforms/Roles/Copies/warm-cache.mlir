// RUN: sed 's/^\(tile.func.*)\) {$/\1 attributes {tile.num_ctas = 4 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles))' --verify-each | FileCheck %s
// RUN: sed 's/^\(tile.func.*)\) {$/\1 attributes {tile.num_ctas = 1 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles))' --verify-each | FileCheck %s
// RUN: tile-run %s --kernel once --emit=ptx --arch sm_90a -D num_warps=4 | FileCheck %s --check-prefix=PTX

// A block has one program, and no earlier one under which to wait for its first boxes: all threads ask the cache for
// what the first four steps copy of A and B before anything else. The result is only written.
// PTX-NOT: mbarrier
// PTX-COUNT-2: prefetch.global.L2
// PTX-NOT: prefetch.global
// CHECK-LABEL: tile.func @once
// CHECK-SAME: %[[PA:[a-z0-9]+]]: !tile.ptr<f16> {{{[^%]*}}}, %[[PB:[a-z0-9]+]]: !tile.ptr<f16>
// CHECK: %[[A:.*]] = tile.make_desc %[[PA]], {{.*}} -> !tile.desc<128x64xf16>
// CHECK: %[[B:.*]] = tile.make_desc %[[PB]], {{.*}} -> !tile.desc<64x64xf16>
// CHECK: tile_gpu.prefetch_array %[[A]] first 256 of 1 : !tile.desc<128x64xf16>
// CHECK-NEXT: tile_gpu.prefetch_array %[[B]] first 256 of 0 : !tile.desc<64x64xf16>
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile_gpu.barrier_init
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @once(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32, %n: i32 {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 16 : i32}) attributes {tile_gpu.single_wave = 1 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %bn iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}

// Blocks with several programs wait once.
// CHECK-LABEL: tile.func @several
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @several(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %bn iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}

// Boxes of two shapes, but one array, along the same dimension.
// CHECK-LABEL: tile.func @same
// CHECK-COUNT-1: tile_gpu.prefetch_array %{{.*}} first 256 of 1
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @same(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.single_wave = 1 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %bn iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %z = tile.desc_load %db[%n0, %k0] : !tile.desc<64x64xf16>
    %y = tile.trans %z order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}

// Two arrays that begin in the same place: the one may hold the other, or not.
// CHECK-LABEL: tile.func @parts
// CHECK-COUNT-2: tile_gpu.prefetch_array
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @parts(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.single_wave = 1 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %a, [%k, %n], [%k64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %c0 to %k step %bn iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}

// Where the loop begins is not known.
// CHECK-LABEL: tile.func @from
// CHECK-NOT: tile_gpu.prefetch_array
// CHECK: tile.return
tile.func @from(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile_gpu.single_wave = 1 : i32} {
  tile.grid(%m : i32, %n : i32) {
    %bm = arith.constant 128 : i32
    %bn = arith.constant 64 : i32
    %x = arith.ceildivsi %m, %bm : i32
    %y = arith.ceildivsi %n, %bn : i32
    tile.yield %x, %y : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %bm = arith.constant 128 : i32
  %bn = arith.constant 64 : i32
  %m0 = arith.muli %pm, %bm : i32
  %n0 = arith.muli %pn, %bn : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc = scf.for %k0 = %m to %k step %bn iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x64xf16>
  tile.return
}
