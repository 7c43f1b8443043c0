// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-localize-rows))' --split-input-file | FileCheck %s

// 64 elements over 4 warps, and as rows of a tile want them: eight neighbours in each of eight lanes, the same in all
// others. Each lane loads its own, two accesses of 16 bytes, and nothing is converted.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#eight = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @runs
// CHECK: %[[I:.*]] = tile.arange : tensor<64xi32, [[L:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\]\], lane = \[\[8\], \[16\], \[32\], \[0\], \[0\]\], warp = \[\[0\], \[0\]\]>]]>
// CHECK: %[[V:.*]] = tile.load {{.*}} : tensor<64x!tile.ptr<f32>, [[L]]>
// CHECK-NOT: tile.load
tile.func private @runs(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) -> tensor<64xf32, #eight> {
  %i = tile.arange : tensor<64xi32, #row>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
  %c = tile_gpu.convert_layout %v : tensor<64xf32, #row> -> tensor<64xf32, #eight>
  tile.return %c : tensor<64xf32, #eight>
}

// -----

// 64 words a thread are more than LANE_ROW_WORDS: the row goes through shared memory.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#half = #tile_gpu.layout<register = [[1], [2], [4], [8], [16], [32]], lane = [[64], [0], [0], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @long
// CHECK: tile.load {{.*}} : tensor<128x!tile.ptr<f32>, #tile_gpu.layout<register = [], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [64]]>>
tile.func private @long(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}) -> tensor<128xf32, #half> {
  %i = tile.arange : tensor<128xi32, #row>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #row>
  %p = tile.addptr %b, %i : tensor<128x!tile.ptr<f32>, #row>, tensor<128xi32, #row>
  %v = tile.load %p : tensor<128x!tile.ptr<f32>, #row>
  %c = tile_gpu.convert_layout %v : tensor<128xf32, #row> -> tensor<128xf32, #half>
  tile.return %c : tensor<128xf32, #half>
}

// -----

// In a loop that writes, loads run ahead of what threads own: as before.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#eight = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func @loop
// CHECK: scf.for
// CHECK: tile.load {{.*}} : tensor<64x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}32]],
tile.func @loop(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %i = tile.arange : tensor<64xi32, #row>
  %o = tile.arange : tensor<64xi32, #eight>
  scf.for %k = %c0 to %n step %c64 : i32 {
    %at = tile.addptr %x, %k : !tile.ptr<f32>, i32
    %b = tile.splat %at : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
    %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
    %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
    %c = tile_gpu.convert_layout %v : tensor<64xf32, #row> -> tensor<64xf32, #eight>
    %yb = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #eight>
    %yp = tile.addptr %yb, %o : tensor<64x!tile.ptr<f32>, #eight>, tensor<64xi32, #eight>
    tile.store %yp, %c : tensor<64x!tile.ptr<f32>, #eight>
  }
  tile.return
}

// -----

// But where a thread has fewer than the 4 bytes that a copy takes, none of the loop's loads run ahead: each lane loads its own.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#eight = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func @narrow
// CHECK: scf.for
// CHECK: tile.load {{.*}} : tensor<64x!tile.ptr<f16>, #tile_gpu.layout<register = {{\[\[}}1]], {{.*}} warp = {{\[\[}}0], [0]]>>
// CHECK: tile.load {{.*}} : tensor<64x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}1], [2], [4]],
tile.func @narrow(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %i = tile.arange : tensor<64xi32, #row>
  %o = tile.arange : tensor<64xi32, #eight>
  scf.for %k = %c0 to %n step %c64 : i32 {
    %at = tile.addptr %x, %k : !tile.ptr<f16>, i32
    %b = tile.splat %at : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>, #row>
    %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f16>, #row>, tensor<64xi32, #row>
    %h = tile.load %p : tensor<64x!tile.ptr<f16>, #row>
    %v = arith.extf %h : tensor<64xf16, #row> to tensor<64xf32, #row>
    %c = tile_gpu.convert_layout %v : tensor<64xf32, #row> -> tensor<64xf32, #eight>
    %zat = tile.addptr %z, %k : !tile.ptr<f32>, i32
    %zb = tile.splat %zat : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
    %zp = tile.addptr %zb, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
    %w = tile.load %zp : tensor<64x!tile.ptr<f32>, #row>
    %d = tile_gpu.convert_layout %w : tensor<64xf32, #row> -> tensor<64xf32, #eight>
    %e = arith.addf %c, %d : tensor<64xf32, #eight>
    %yb = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #eight>
    %yp = tile.addptr %yb, %o : tensor<64x!tile.ptr<f32>, #eight>, tensor<64xi32, #eight>
    tile.store %yp, %e : tensor<64x!tile.ptr<f32>, #eight>
  }
  tile.return
}

// -----

// Behind a dot, in a loop that has none: its rows come through pointers that it carries. They follow from the step, so each
// lane loads its own.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#eight = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 0]]>
!b = !tile_gpu.buffer<16x16xf16, swizzle = 32>
// CHECK-LABEL: tile.func private @carried
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32> {{{.*}}}, %[[N:.*]]: i32,
// CHECK: tile.dot
// CHECK: %[[C64:.*]] = arith.constant 64 : i64
// CHECK: scf.for %[[I:.*]] = %[[FIRST:.*]] to
// CHECK-NEXT: %[[STEPS:.*]] = arith.subi %[[I]], %[[FIRST]]
// CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[STEPS]] : i32 to i64
// CHECK-NEXT: %[[FAR:.*]] = arith.muli %[[WIDE]], %[[C64]]
// CHECK: %[[ALL:.*]] = tile.splat %[[FAR]] : i64 -> tensor<64xi64, [[L:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\]\], lane = \[\[8\], \[16\], \[32\], \[0\], \[0\]\], warp = \[\[0\], \[0\]\]>]]>
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[ALL]]
// CHECK-NEXT: tile.load %[[P]] : tensor<64x!tile.ptr<f32>, [[L]]>
// CHECK: scf.yield
tile.func private @carried(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %a: !b, %zero: tensor<16x16xf32, #acc>, %none: tensor<64xf32, #eight>) -> (tensor<16x16xf32, #acc>, tensor<64xf32, #eight>) {
  %d = tile.dot %a, %a, %zero by mma_sync : !b, !b -> tensor<16x16xf32, #acc>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<64xi32, #row>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %by = arith.constant dense<64> : tensor<64xi32, #row>
  %sum, %end = scf.for %at = %c0 to %n step %c1 iter_args(%s = %none, %q = %p) -> (tensor<64xf32, #eight>, tensor<64x!tile.ptr<f32>, #row>) : i32 {
    %v = tile.load %q : tensor<64x!tile.ptr<f32>, #row>
    %c = tile_gpu.convert_layout %v : tensor<64xf32, #row> -> tensor<64xf32, #eight>
    %t = arith.addf %s, %c : tensor<64xf32, #eight>
    %next = tile.addptr %q, %by : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
    scf.yield %t, %next : tensor<64xf32, #eight>, tensor<64x!tile.ptr<f32>, #row>
  }
  tile.return %d, %sum : tensor<16x16xf32, #acc>, tensor<64xf32, #eight>
}

// -----

// Beside a dot, through pointers that move on by a number of the step, as those of scales that stay for some steps: the loop carries
// the sum of these, and each warp loads all that it wants.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#columns = #tile_gpu.layout<register = [[1], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 0]]>
!b = !tile_gpu.buffer<16x16xf16, swizzle = 32>
// CHECK-LABEL: tile.func private @stepped
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i64
// CHECK: scf.for %{{.*}} iter_args({{.*}}, %[[FAR:[a-z0-9_]+]] = %[[NONE]]) -> ({{.*}}, i64)
// CHECK: %[[ALL:.*]] = tile.splat %[[FAR]] : i64 -> tensor<64xi64, [[W:#tile_gpu.layout<register = \[\[32\]\], lane = \[\[1\], \[2\], \[4\], \[8\], \[16\]\], warp = \[\[0\], \[0\]\]>]]>
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[ALL]]
// CHECK-NEXT: %[[V:.*]] = tile.load %[[P]] : tensor<64x!tile.ptr<f32>, [[W]]>
// CHECK: tile_gpu.convert_layout %[[V]] : tensor<64xf32, [[W]]>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[BY:.*]] : i32 to i64
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[FAR]], %[[WIDE]]
// CHECK-NEXT: scf.yield {{.*}}, %[[SUM]]
tile.func private @stepped(%x: !tile.ptr<f32>, %n: i32, %a: !b, %zero: tensor<16x16xf32, #acc>, %none: tensor<64xf32, #columns>) -> (tensor<16x16xf32, #acc>, tensor<64xf32, #columns>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %i = tile.arange : tensor<64xi32, #row>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %dots, %sum, %end = scf.for %at = %c0 to %n step %c1 iter_args(%d = %zero, %s = %none, %q = %p) -> (tensor<16x16xf32, #acc>, tensor<64xf32, #columns>, tensor<64x!tile.ptr<f32>, #row>) : i32 {
    %v = tile.load %q : tensor<64x!tile.ptr<f32>, #row>
    %c = tile_gpu.convert_layout %v : tensor<64xf32, #row> -> tensor<64xf32, #columns>
    %e = tile.dot %a, %a, %d by mma_sync : !b, !b -> tensor<16x16xf32, #acc>
    %t = arith.addf %s, %c : tensor<64xf32, #columns>
    %by = arith.andi %at, %c3 : i32
    %bys = tile.splat %by : i32 -> tensor<64xi32, #row>
    %next = tile.addptr %q, %bys : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
    scf.yield %e, %t, %next : tensor<16x16xf32, #acc>, tensor<64xf32, #columns>, tensor<64x!tile.ptr<f32>, #row>
  }
  tile.return %dots, %sum : tensor<16x16xf32, #acc>, tensor<64xf32, #columns>
}

// -----

// The same where someone asks for the pointers behind the loop: they stay what it carries.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#columns = #tile_gpu.layout<register = [[1], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @asked
// CHECK: scf.for %{{.*}} iter_args({{.*}}, %[[Q:[a-z0-9_]+]] = %{{.*}}) -> ({{.*}}!tile.ptr<f32>, {{.*}})
// CHECK-NEXT: tile.load %[[Q]]
// CHECK: tile.return
tile.func private @asked(%x: !tile.ptr<f32>, %n: i32, %none: tensor<64xf32, #columns>) -> (tensor<64xf32, #columns>, tensor<64x!tile.ptr<f32>, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<64xi32, #row>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %by = arith.constant dense<64> : tensor<64xi32, #row>
  %sum, %end = scf.for %at = %c0 to %n step %c1 iter_args(%s = %none, %q = %p) -> (tensor<64xf32, #columns>, tensor<64x!tile.ptr<f32>, #row>) : i32 {
    %v = tile.load %q : tensor<64x!tile.ptr<f32>, #row>
    %c = tile_gpu.convert_layout %v : tensor<64xf32, #row> -> tensor<64xf32, #columns>
    %t = arith.addf %s, %c : tensor<64xf32, #columns>
    %next = tile.addptr %q, %by : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
    scf.yield %t, %next : tensor<64xf32, #columns>, tensor<64x!tile.ptr<f32>, #row>
  }
  tile.return %sum, %end : tensor<64xf32, #columns>, tensor<64x!tile.ptr<f32>, #row>
}

// -----

// Eight of 32 numbers for each warp. Where they lie side by side one access brings all 32, which are handed on;
// of a column, which is a line of the cache a number, each lane loads the eight that it wants.
#all = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#own = #tile_gpu.layout<register = [[4], [8], [16]], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
// CHECK-LABEL: tile.func private @side_by_side
// CHECK: tile.load {{.*}} : tensor<32x!tile.ptr<f32>, #tile_gpu.layout<register = [], lane = {{\[\[}}1], [2], [4], [8], [16]]
// CHECK: tile_gpu.convert_layout
tile.func private @side_by_side(%x: !tile.ptr<f32>, %first: i32) -> tensor<32xf32, #own> {
  %a = tile.arange : tensor<32xi32, #all>
  %f = tile.splat %first : i32 -> tensor<32xi32, #all>
  %i = arith.addi %a, %f : tensor<32xi32, #all>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #all>
  %p = tile.addptr %b, %i : tensor<32x!tile.ptr<f32>, #all>, tensor<32xi32, #all>
  %v = tile.load %p : tensor<32x!tile.ptr<f32>, #all>
  %c = tile_gpu.convert_layout %v : tensor<32xf32, #all> -> tensor<32xf32, #own>
  tile.return %c : tensor<32xf32, #own>
}
// CHECK-LABEL: tile.func private @column
// CHECK: tile.load {{.*}} : tensor<32x!tile.ptr<f32>, #tile_gpu.layout<register = {{\[\[}}4], [8], [16]]
tile.func private @column(%x: !tile.ptr<f32>, %k: i32) -> tensor<32xf32, #own> {
  %i = tile.arange : tensor<32xi32, #all>
  %ks = tile.splat %k : i32 -> tensor<32xi32, #all>
  %at = arith.muli %i, %ks : tensor<32xi32, #all>
  %b = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #all>
  %p = tile.addptr %b, %at : tensor<32x!tile.ptr<f32>, #all>, tensor<32xi32, #all>
  %v = tile.load %p : tensor<32x!tile.ptr<f32>, #all>
  %c = tile_gpu.convert_layout %v : tensor<32xf32, #all> -> tensor<32xf32, #own>
  tile.return %c : tensor<32xf32, #own>
}

// -----

// Somebody else wants the row as it lies: it is loaded both ways. What is computed of 16 bits is so two at a time.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#eight = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @twice
// CHECK: tile.load {{.*}}register = [], lane
// CHECK: tile.load {{.*}}register = {{\[\[}}1], [2], [4]], lane
// CHECK: arith.negf {{.*}}register = {{\[\[}}1], [2], [4]], lane
tile.func private @twice(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}) -> (tensor<64xf16, #eight>, tensor<64xf16, #row>) {
  %i = tile.arange : tensor<64xi32, #row>
  %b = tile.splat %x : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>, #row>
  %p = tile.addptr %b, %i : tensor<64x!tile.ptr<f16>, #row>, tensor<64xi32, #row>
  %v = tile.load %p : tensor<64x!tile.ptr<f16>, #row>
  %n = arith.negf %v : tensor<64xf16, #row>
  %c = tile_gpu.convert_layout %n : tensor<64xf16, #row> -> tensor<64xf16, #eight>
  tile.return %c, %n : tensor<64xf16, #eight>, tensor<64xf16, #row>
}
