// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' --verify-each 2>/dev/null | FileCheck %s

// A program that waits for another has a block of its own, and shares nothing with its neighbours:
// a block with several could wait for one that it has not begun.
// CHECK-LABEL: tile.func @turns
// CHECK-SAME: #tile_gpu.schedule<programs = grid, {{.*}}cluster = 1,
tile.func @turns(%lock: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {tile.num_warps = 8 : i32} {
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
  scf.while : () -> () {
    %now = tile.atomic_cas acquire gpu %lock, %pm, %pm : !tile.ptr<i32>
    %wait = arith.cmpi slt, %now, %pm : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x128xf16>
  tile.return
}
