// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s
// RUN: sed 's/scf.for %%k0 = %%c0 to %%end/scf.for %%k0 = %%m0 to %%end/;s/%%end = arith.addi %%m0, %%c128 : i32/%%has = arith.cmpi slt, %%m0, %%m : i32\n  %%end = arith.select %%has, %%k, %%m0 : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s
// RUN: sed 's/scf.for %%k0 = %%c0 to %%end/scf.for %%k0 = %%c0 to %%k/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s --check-prefix=EVEN
// RUN: sed 's/%%k: i32) {/%%k: i32, %%sizes: !tile.ptr<i32>) {/;s/%%end = arith.addi %%m0, %%c128 : i32/%%end = tile.load %%sizes : !tile.ptr<i32>/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s --check-prefix=READ
// RUN: sed 's/%%k: i32) {/%%k: i32, %%sizes: !tile.ptr<i32>) {/;s/%%end = arith.addi %%m0, %%c128 : i32/%%at = tile.addptr %%sizes, %%pn : !tile.ptr<i32>, i32\n  %%rows = tile.load %%at : !tile.ptr<i32>\n  %%none = arith.cmpi sge, %%m0, %%rows : i32\n  %%end = arith.select %%none, %%c0, %%k : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s --check-prefix=READ
// RUN: sed 's/%%k: i32) {/%%k: i32, %%sizes: !tile.ptr<i32>) {/;s/%%end = arith.addi %%m0, %%c128 : i32/%%at = tile.addptr %%sizes, %%k : !tile.ptr<i32>, i32\n  %%rows = tile.load %%at : !tile.ptr<i32>\n  %%none = arith.cmpi sge, %%m0, %%rows : i32\n  %%end = arith.select %%none, %%c0, %%k : i32/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s --check-prefix=FEW
// RUN: sed 's/%%k: i32) {/%%k: i32) attributes {tile.no_rounds} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles))' | FileCheck %s --check-prefix=READ

// A triangular A: later rows take more steps. Rounds of programs go forth and back, and the last one is not shared.
// CHECK: tile_gpu.schedule<programs = serpentine, {{.*}} last_round = whole
// So it is where a loop begins behind the diagonal, and has no steps where its program returns early.
// How long a program is stands in memory: whoever is done gets the next one.
// So it is where memory has for each batch up to which row its programs have any; where it has one number for all, the last ones have none.
// So does who is told that a loop over programs left no registers.
// READ: tile_gpu.schedule<programs = grid,
// FEW: tile_gpu.schedule<programs = loop,
// EVEN: tile_gpu.schedule<programs = loop, {{.*}} last_round = shared
tile.func @triangular(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c128 : i32
  %n0 = arith.muli %pn, %c128 : i32
  %end = arith.addi %m0, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %acc = scf.for %k0 = %c0 to %end step %c64 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %n0] : !tile.desc<64x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dc[%m0, %n0], %h : !tile.desc<128x128xf16>
  tile.return
}
