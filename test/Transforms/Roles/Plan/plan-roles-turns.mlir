// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles{num-stages=2},%roles,canonicalize,cse))' | FileCheck %s --check-prefix=TWO
// RUN: sed s/256/64/g %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=4},tile-assign-layouts{num-warps=4},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,%roles,canonicalize,cse))' | FileCheck %s --check-prefix=ONE

// The last three steps are taken in turn: what lies behind the loop of one warp group runs under those
// of the other. Three of four slots are held by those who wait.
// CHECK-LABEL: tile.func @matmul
// CHECK: } consumer {
// CHECK: scf.for
// CHECK-COUNT-4: tile.dot {{.*}} by wgmma async
// CHECK: %[[ALL:.*]] = arith.ceildivsi %[[WAY:.*]], %[[BK:.*]] : i32
// CHECK: %[[BEFORE:.*]] = arith.subi %[[ALL]], %c3
// CHECK: %[[MOST:.*]] = arith.maxsi %[[BEFORE]], %c0
// CHECK: %[[FAR:.*]] = arith.muli %[[MOST]], %[[BK]]
// CHECK: %[[MIDDLE:.*]] = arith.addi %[[FAR]], %[[FROM:.*]] : i32
// CHECK: %[[SUM:.*]]:4 = scf.for %{{.*}} = %[[FROM]] to %[[MIDDLE]]
// CHECK-NOT: tile_gpu.turn
// CHECK: tile_gpu.turn_wait
// CHECK-NEXT: %[[LAST:.*]]:4 = scf.for %{{.*}} = %[[MIDDLE]] to %{{.*}} iter_args(%{{.*}} = %[[SUM]]#0,
// CHECK: tile.dot {{.*}} by wgmma async
// CHECK: }
// CHECK-NEXT: tile_gpu.turn_pass
// CHECK: %[[D:.*]] = tile_gpu.dot_wait %[[LAST]]#0 pending 0
// CHECK: math.absf %[[D]]

// With two stages one step is all that can wait.
// TWO-LABEL: tile.func @matmul
// TWO: stages = 2
// TWO: arith.subi %{{.*}}, %c1
// TWO: tile_gpu.turn_wait

// One warp group has nobody to take turns with.
// ONE-LABEL: tile.func @matmul
// ONE-NOT: tile_gpu.turn
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
  %y = math.absf %acc : tensor<128x256xf32>
  %h = arith.truncf %y : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x256xf16>
  tile.return
}
