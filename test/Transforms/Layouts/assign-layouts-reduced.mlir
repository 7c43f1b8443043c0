// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// A column times a row, summed along the column: lanes have the 16 sums, and runs of the column lie in a thread.
// CHECK-LABEL: tile.func @columns
tile.func @columns(%k: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<64xi32>
  %j = tile.arange : tensor<16xi32>
  %ks = tile.splat %k : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %vs = tile.splat %v : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %kp = tile.addptr %ks, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %vp = tile.addptr %vs, %j : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %kt = tile.load %kp : tensor<64x!tile.ptr<f32>>
  %vt = tile.load %vp : tensor<16x!tile.ptr<f32>>
  %kc = tile.expand_dims %kt axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %vr = tile.expand_dims %vt axis 0 : tensor<16xf32> -> tensor<1x16xf32>
  %kb = tile.broadcast %kc : tensor<64x1xf32> -> tensor<64x16xf32>
  %vb = tile.broadcast %vr : tensor<1x16xf32> -> tensor<64x16xf32>
  // CHECK: tile_gpu.convert_layout %{{.*}} : tensor<64xf32
  // CHECK: arith.mulf {{.*}} : tensor<64x16xf32, #tile_gpu.layout<register = {{\[\[}}1, 0], [2, 0], [8, 0], [16, 0], [32, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [4, 0]],
  %p = arith.mulf %kb, %vb : tensor<64x16xf32>
  %s = tile.reduce add %p axis 0 : tensor<64x16xf32> -> tensor<16xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %op = tile.addptr %os, %j : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  tile.store %op, %s : tensor<16x!tile.ptr<f32>>
  tile.return
}

// Counted by rows, of which lanes and warps have enough: as the numbers were loaded, without a conversion.
// CHECK-LABEL: tile.func @rows
// CHECK-NOT: convert_layout
// CHECK: arith.cmpi eq, {{.*}} : tensor<256x8xi32, #tile_gpu.layout<register = {{\[\[}}1, 0], [0, 1], [0, 2], [0, 4]], lane = {{\[\[}}2, 0],
// CHECK-NOT: convert_layout
tile.func @rows(%ids: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %j = tile.arange : tensor<8xi32>
  %xs = tile.splat %ids : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %x = tile.load %xp : tensor<256x!tile.ptr<i32>>
  %xc = tile.expand_dims %x axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %xb = tile.broadcast %xc : tensor<256x1xi32> -> tensor<256x8xi32>
  %jb = tile.broadcast %jr : tensor<1x8xi32> -> tensor<256x8xi32>
  %is = arith.cmpi eq, %xb, %jb : tensor<256x8xi32>
  %n = arith.extui %is : tensor<256x8xi1> to tensor<256x8xi32>
  %c = tile.reduce add %n axis 1 : tensor<256x8xi32> -> tensor<256xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %op = tile.addptr %os, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %op, %c : tensor<256x!tile.ptr<i32>>
  tile.return
}

// What memory holds decides, whatever is summed of it: no conversion of the tile.
// CHECK-LABEL: tile.func @loaded
// CHECK: tile.load {{.*}} : tensor<64x16x!tile.ptr<f32>, [[L:#tile_gpu.layout<.*>]]>
// CHECK: arith.mulf {{.*}} : tensor<64x16xf32, [[L]]>
tile.func @loaded(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %c16 = arith.constant dense<16> : tensor<64x1xi32>
  %i = tile.arange : tensor<64xi32>
  %j = tile.arange : tensor<16xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %im = arith.muli %ic, %c16 : tensor<64x1xi32>
  %ib = tile.broadcast %im : tensor<64x1xi32> -> tensor<64x16xi32>
  %jb = tile.broadcast %jr : tensor<1x16xi32> -> tensor<64x16xi32>
  %at = arith.addi %ib, %jb : tensor<64x16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %xt = tile.load %xp : tensor<64x16x!tile.ptr<f32>>
  %ks = tile.splat %k : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %kp = tile.addptr %ks, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %kt = tile.load %kp : tensor<64x!tile.ptr<f32>>
  %kc = tile.expand_dims %kt axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %kb = tile.broadcast %kc : tensor<64x1xf32> -> tensor<64x16xf32>
  %p = arith.mulf %xt, %kb : tensor<64x16xf32>
  %s = tile.reduce add %p axis 0 : tensor<64x16xf32> -> tensor<16xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %op = tile.addptr %os, %j : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  tile.store %op, %s : tensor<16x!tile.ptr<f32>>
  tile.return
}

// 256 x 128 counts of 4 bytes are more than 4 warps have registers, but nobody holds them: each is added as it is made.
// CHECK-LABEL: tile.func @transient
// CHECK: tile.reduce add %{{.*}} axis 0 : tensor<256x128xi32,
tile.func @transient(%ids: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %j = tile.arange : tensor<128xi32>
  %xs = tile.splat %ids : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %x = tile.load %xp : tensor<256x!tile.ptr<i32>>
  %xc = tile.expand_dims %x axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %xb = tile.broadcast %xc : tensor<256x1xi32> -> tensor<256x128xi32>
  %jb = tile.broadcast %jr : tensor<1x128xi32> -> tensor<256x128xi32>
  %is = arith.cmpi eq, %xb, %jb : tensor<256x128xi32>
  %n = arith.extui %is : tensor<256x128xi1> to tensor<256x128xi32>
  %c = tile.reduce add %n axis 0 : tensor<256x128xi32> -> tensor<128xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %op = tile.addptr %os, %j : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %op, %c : tensor<128x!tile.ptr<i32>>
  tile.return
}

// So is each of what is reduced in another shape.
// CHECK-LABEL: tile.func @reshaped
// CHECK: tile.reduce add %{{.*}} axis 1 : tensor<4x64x128xi32,
tile.func @reshaped(%ids: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<256xi32>
  %j = tile.arange : tensor<128xi32>
  %xs = tile.splat %ids : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %x = tile.load %xp : tensor<256x!tile.ptr<i32>>
  %xc = tile.expand_dims %x axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %xb = tile.broadcast %xc : tensor<256x1xi32> -> tensor<256x128xi32>
  %jb = tile.broadcast %jr : tensor<1x128xi32> -> tensor<256x128xi32>
  %is = arith.cmpi eq, %xb, %jb : tensor<256x128xi32>
  %n = arith.extui %is : tensor<256x128xi1> to tensor<256x128xi32>
  %parts = tile.reshape %n : tensor<256x128xi32> -> tensor<4x64x128xi32>
  %sums = tile.reduce add %parts axis 1 : tensor<4x64x128xi32> -> tensor<4x128xi32>
  %c = tile.reduce add %sums axis 0 : tensor<4x128xi32> -> tensor<128xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %op = tile.addptr %os, %j : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %op, %c : tensor<128x!tile.ptr<i32>>
  tile.return
}

// A box that nobody asks anything of is read 16 bytes a thread.
// CHECK-LABEL: tile.func @box
// CHECK: tile_gpu.buffer_load {{.*}} -> tensor<64x64xf16, #tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]>>
tile.func @box(%a: !tile.ptr<f16>, %out: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s64 = arith.constant 64 : i64
  %d = tile.make_desc %a, [%c64, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %x = tile.desc_load %d[%c0, %c0] : !tile.desc<64x64xf16>
  %wide = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
  %sum = tile.reduce add %wide axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %all = tile.reduce add %sum axis 0 : tensor<64xf32> -> f32
  tile.store %out, %all : !tile.ptr<f32>
  tile.return
}

// A column from in front of a loop meets a row that each step loads: the row lies as it was loaded, and the column is
// converted, in front; the sums cross lanes once.
// CHECK-LABEL: tile.func @steps
// CHECK: tile_gpu.convert_layout {{.*}} : tensor<64xf32
// CHECK: scf.for
// CHECK-NOT: convert_layout
// CHECK: arith.subf {{.*}} : tensor<64x32xf32, #tile_gpu.layout<register = {{.*}}, lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]],
// CHECK-NOT: convert_layout
// CHECK: scf.yield
tile.func @steps(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %m: !tile.ptr<f32>, %n: i32, %out: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %i = tile.arange : tensor<64xi32>
  %j = tile.arange : tensor<32xi32>
  %xs = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %x = tile.load %xp : tensor<64x!tile.ptr<f32>>
  %xc = tile.expand_dims %x axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %xb = tile.broadcast %xc : tensor<64x1xf32> -> tensor<64x32xf32>
  %ys = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %zs = tile.splat %m : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<32xi32>
    %at = arith.addi %ks, %j : tensor<32xi32>
    %yp = tile.addptr %ys, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %y = tile.load %yp : tensor<32x!tile.ptr<f32>>
    %yr = tile.expand_dims %y axis 0 : tensor<32xf32> -> tensor<1x32xf32>
    %yb = tile.broadcast %yr : tensor<1x32xf32> -> tensor<64x32xf32>
    %d = arith.subf %yb, %xb : tensor<64x32xf32>
    %zp = tile.addptr %zs, %at : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %z = tile.load %zp : tensor<32x!tile.ptr<f32>>
    %zr = tile.expand_dims %z axis 0 : tensor<32xf32> -> tensor<1x32xf32>
    %zb = tile.broadcast %zr : tensor<1x32xf32> -> tensor<64x32xf32>
    %q = arith.mulf %d, %zb : tensor<64x32xf32>
    %next = arith.addf %acc, %q : tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  %s = tile.reduce add %sum axis 1 : tensor<64x32xf32> -> tensor<64xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %op, %s : tensor<64x!tile.ptr<f32>>
  tile.return
}

// What each step reduces and only combines with what it carries, threads reduce once, behind the loop: so the row that
// each step loads may lie along the lanes, though its columns are what is reduced.
// CHECK-LABEL: tile.func @least
// CHECK: scf.for
// CHECK-NOT: convert_layout
// CHECK: arith.subi {{.*}} : tensor<32x64xi32, #tile_gpu.layout<register = {{.*}}, lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]],
// CHECK: scf.yield
tile.func @least(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %m: !tile.ptr<i32>, %n: i32, %out: !tile.ptr<i32>) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %most = arith.constant dense<2147483647> : tensor<32xi32>
  %i = tile.arange : tensor<32xi32>
  %j = tile.arange : tensor<64xi32>
  %xs = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %x = tile.load %xp : tensor<32x!tile.ptr<i32>>
  %xc = tile.expand_dims %x axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %xb = tile.broadcast %xc : tensor<32x1xi32> -> tensor<32x64xi32>
  %ys = tile.splat %m : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %best = scf.for %k = %c0 to %n step %c64 iter_args(%low = %most) -> (tensor<32xi32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64xi32>
    %at = arith.addi %ks, %j : tensor<64xi32>
    %yp = tile.addptr %ys, %at : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
    %y = tile.load %yp : tensor<64x!tile.ptr<i32>>
    %yr = tile.expand_dims %y axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %yb = tile.broadcast %yr : tensor<1x64xi32> -> tensor<32x64xi32>
    %d = arith.subi %yb, %xb : tensor<32x64xi32>
    %q = arith.muli %d, %d : tensor<32x64xi32>
    %r = tile.reduce %q axis 1 : tensor<32x64xi32> -> tensor<32xi32> {
    ^bb0(%a: i32, %b: i32):
      %c = arith.minsi %a, %b : i32
      tile.yield %c : i32
    }
    %next = arith.minsi %low, %r : tensor<32xi32>
    scf.yield %next : tensor<32xi32>
  }
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %op = tile.addptr %os, %i : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %op, %best : tensor<32x!tile.ptr<i32>>
  tile.return
}

// Rows are summed, and added up: warps divide the columns, for two sums of rows to exchange, and a thread has both rows of its
// columns, whose sums nobody exchanges.
// CHECK-LABEL: tile.func @both_ways
// CHECK: tile.load {{.*}} : tensor<2x1024x!tile.ptr<f32>, #tile_gpu.layout<register = {{.*}}[1, 0]{{.*}}, warp = {{\[\[}}0, 128], [0, 256]]>>
// CHECK-NOT: convert_layout {{.*}} : tensor<1024x
tile.func @both_ways(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %rows: !tile.ptr<f32>, %columns: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %c1024 = arith.constant dense<1024> : tensor<2x1xi32>
  %i = tile.arange : tensor<2xi32>
  %j = tile.arange : tensor<1024xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %im = arith.muli %ic, %c1024 : tensor<2x1xi32>
  %ib = tile.broadcast %im : tensor<2x1xi32> -> tensor<2x1024xi32>
  %jb = tile.broadcast %jr : tensor<1x1024xi32> -> tensor<2x1024xi32>
  %at = arith.addi %ib, %jb : tensor<2x1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2x1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<2x1024x!tile.ptr<f32>>, tensor<2x1024xi32>
  %xv = tile.load %xp : tensor<2x1024x!tile.ptr<f32>>
  %r = tile.reduce add %xv axis 1 : tensor<2x1024xf32> -> tensor<2xf32>
  %c = tile.reduce add %xv axis 0 : tensor<2x1024xf32> -> tensor<1024xf32>
  %rs = tile.splat %rows : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  %rp = tile.addptr %rs, %i : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
  tile.store %rp, %r : tensor<2x!tile.ptr<f32>>
  %cs = tile.splat %columns : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %cp = tile.addptr %cs, %j : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %cp, %c : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Two rows are fewer than four warps, which meet for their sums all the same: they divide columns, so that each weight is held
// by one of them. Eight rows are enough for warps of their own.
// CHECK-LABEL: tile.func @weighted
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, #tile_gpu.layout<register = {{.*}}, warp = {{\[\[}}128], [256]]>>
// CHECK: tile.load {{.*}} : tensor<2x1024x!tile.ptr<f32>, #tile_gpu.layout<register = {{.*}}[1, 0]{{.*}}, warp = {{\[\[}}0, 128], [0, 256]]>>
// CHECK-NOT: convert_layout {{.*}} : tensor<1024x
// CHECK: tile.load {{.*}} : tensor<8x1024x!tile.ptr<f32>, #tile_gpu.layout<{{.*}} warp = {{\[\[}}1, 0], [2, 0]]>>
tile.func @weighted(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) {
  %i = tile.arange : tensor<2xi32>
  %h = tile.arange : tensor<8xi32>
  %j = tile.arange : tensor<1024xi32>
  %jr = tile.expand_dims %j axis 0 : tensor<1024xi32> -> tensor<1x1024xi32>
  %ws = tile.splat %w : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %wp = tile.addptr %ws, %j : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %wv = tile.load %wp : tensor<1024x!tile.ptr<f32>>
  %wr = tile.expand_dims %wv axis 0 : tensor<1024xf32> -> tensor<1x1024xf32>
  %c2 = arith.constant dense<1024> : tensor<2x1xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %im = arith.muli %ic, %c2 : tensor<2x1xi32>
  %ib = tile.broadcast %im : tensor<2x1xi32> -> tensor<2x1024xi32>
  %jb = tile.broadcast %jr : tensor<1x1024xi32> -> tensor<2x1024xi32>
  %at = arith.addi %ib, %jb : tensor<2x1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<2x1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<2x1024x!tile.ptr<f32>>, tensor<2x1024xi32>
  %xv = tile.load %xp : tensor<2x1024x!tile.ptr<f32>>
  %wb = tile.broadcast %wr : tensor<1x1024xf32> -> tensor<2x1024xf32>
  %p = arith.mulf %xv, %wb : tensor<2x1024xf32>
  %r = tile.reduce add %p axis 1 : tensor<2x1024xf32> -> tensor<2xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
  tile.store %op, %r : tensor<2x!tile.ptr<f32>>
  %c8 = arith.constant dense<1024> : tensor<8x1xi32>
  %hc = tile.expand_dims %h axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %hm = arith.muli %hc, %c8 : tensor<8x1xi32>
  %hb = tile.broadcast %hm : tensor<8x1xi32> -> tensor<8x1024xi32>
  %kb = tile.broadcast %jr : tensor<1x1024xi32> -> tensor<8x1024xi32>
  %bt = arith.addi %hb, %kb : tensor<8x1024xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8x1024x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %bt : tensor<8x1024x!tile.ptr<f32>>, tensor<8x1024xi32>
  %yv = tile.load %yp : tensor<8x1024x!tile.ptr<f32>>
  %vb = tile.broadcast %wr : tensor<1x1024xf32> -> tensor<8x1024xf32>
  %q = arith.mulf %yv, %vb : tensor<8x1024xf32>
  %s = tile.reduce add %q axis 1 : tensor<8x1024xf32> -> tensor<8xf32>
  %ts = tile.splat %out : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %tp = tile.addptr %ts, %h : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %tp, %s : tensor<8x!tile.ptr<f32>>
  tile.return
}

// A window of 5 x 5 around every second pixel of rows of 91: its columns lie in runs of five, and windows as close. Lanes
// take a window each, and threads all of it but what two warps share.
// CHECK-LABEL: tile.func @windows(
// CHECK: tile.load {{.*}} : tensor<128x32x!tile.ptr<f32>, #tile_gpu.layout<register = {{.*}}, lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{.*}}>>
// CHECK: tile.reduce add
tile.func @windows(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<128xi32>
  %w = tile.arange : tensor<32xi32>
  %five = arith.constant dense<5> : tensor<32xi32>
  %pitch = arith.constant dense<91> : tensor<32xi32>
  %two = arith.constant dense<2> : tensor<128xi32>
  %column = arith.remsi %w, %five {tile.nonnegative} : tensor<32xi32>
  %row = arith.divsi %w, %five {tile.nonnegative} : tensor<32xi32>
  %down = arith.muli %row, %pitch : tensor<32xi32>
  %at = arith.addi %down, %column : tensor<32xi32>
  %pixel = arith.muli %i, %two : tensor<128xi32>
  %pixels = tile.expand_dims %pixel axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %window = tile.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %a = tile.broadcast %pixels : tensor<128x1xi32> -> tensor<128x32xi32>
  %b = tile.broadcast %window : tensor<1x32xi32> -> tensor<128x32xi32>
  %offset = arith.addi %a, %b : tensor<128x32xi32>
  %p = tile.splat %in : !tile.ptr<f32> -> tensor<128x32x!tile.ptr<f32>>
  %q = tile.addptr %p, %offset : tensor<128x32x!tile.ptr<f32>>, tensor<128x32xi32>
  %x = tile.load %q : tensor<128x32x!tile.ptr<f32>>
  %s = tile.reduce add %x axis 1 : tensor<128x32xf32> -> tensor<128xf32>
  %op = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %oq = tile.addptr %op, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %oq, %s : tensor<128x!tile.ptr<f32>>
  tile.return
}

// A triangle solved row by row: what the step reduces meets a row that it loads, and is repeated again. It lies as the
// reduction left it, and the row from memory is brought there.
// CHECK-LABEL: tile.func @solve
// CHECK: scf.for
// CHECK: %[[R:.*]] = tile.reduce add {{.*}} axis 0 {{.*}} -> tensor<16xf32, #tile_gpu.layout<register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [0], [0], [0]], warp = []>>
// CHECK-NEXT: arith.addf %{{.*}}, %[[R]] : tensor<16xf32, #tile_gpu.layout<register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [0], [0], [0]], warp = []>>
// CHECK-NOT: convert_layout
// CHECK: scf.yield
tile.func @solve(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 1 : i32} {
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<16xi32>
  %ic = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %ir = tile.expand_dims %i axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %pitch = arith.constant dense<16> : tensor<16x1xi32>
  %at = arith.muli %ic, %pitch : tensor<16x1xi32>
  %rows = tile.broadcast %at : tensor<16x1xi32> -> tensor<16x16xi32>
  %cols = tile.broadcast %ir : tensor<1x16xi32> -> tensor<16x16xi32>
  %offs = arith.addi %rows, %cols : tensor<16x16xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %ap = tile.addptr %as, %offs : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  %x0 = tile.load %ap : tensor<16x16x!tile.ptr<f32>>
  %ics = tile.broadcast %ic : tensor<16x1xi32> -> tensor<16x16xi32>
  %x = scf.for %r = %c2 to %c16 step %c1 iter_args(%x1 = %x0) -> tensor<16x16xf32> : i32 {
    %start = arith.muli %r, %c16 : i32
    %base = tile.addptr %a, %start : !tile.ptr<f32>, i32
    %bs = tile.splat %base : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
    %bp = tile.addptr %bs, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
    %b = tile.load %bp : tensor<16x!tile.ptr<f32>>
    %bc = tile.expand_dims %b axis 1 : tensor<16xf32> -> tensor<16x1xf32>
    %bb = tile.broadcast %bc : tensor<16x1xf32> -> tensor<16x16xf32>
    %p = arith.mulf %bb, %x1 : tensor<16x16xf32>
    %s = tile.reduce add %p axis 0 : tensor<16x16xf32> -> tensor<16xf32>
    %n = arith.addf %b, %s : tensor<16xf32>
    %nr = tile.expand_dims %n axis 0 : tensor<16xf32> -> tensor<1x16xf32>
    %nb = tile.broadcast %nr : tensor<1x16xf32> -> tensor<16x16xf32>
    %rs = tile.splat %r : i32 -> tensor<16x16xi32>
    %is = arith.cmpi eq, %ics, %rs : tensor<16x16xi32>
    %x2 = arith.select %is, %nb, %x1 : tensor<16x16xi1>, tensor<16x16xf32>
    scf.yield %x2 : tensor<16x16xf32>
  }
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %op = tile.addptr %os, %offs : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %op, %x : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// Of four columns the mask leaves the first, which warps divide; the others are a thread's own, who knows that they are not there.
// CHECK-LABEL: tile.func @one_column
tile.func @one_column(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %c: i32) attributes {tile.num_warps = 4 : i32} {
  %one = arith.constant dense<1> : tensor<1x4xi64>
  %four = arith.constant 4 : i64
  %zero = arith.constant dense<0.0> : tensor<512x4xf16>
  %pid = tile.program_id x
  %wide = arith.extsi %pid : i32 to i64
  %first = arith.muli %wide, %four : i64
  %lanes = tile.arange : tensor<4xi32>
  %few = arith.extsi %lanes : tensor<4xi32> to tensor<4xi64>
  %firsts = tile.splat %first : i64 -> tensor<4xi64>
  %column = arith.addi %firsts, %few : tensor<4xi64>
  %columns = tile.expand_dims %column axis 0 : tensor<4xi64> -> tensor<1x4xi64>
  %in = arith.cmpi slt, %columns, %one : tensor<1x4xi64>
  %mask = tile.broadcast %in : tensor<1x4xi1> -> tensor<512x4xi1>
  %row = tile.arange : tensor<512xi32>
  %rows = tile.expand_dims %row axis 1 : tensor<512xi32> -> tensor<512x1xi32>
  %across = tile.broadcast %columns : tensor<1x4xi64> -> tensor<512x4xi64>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<512x1x!tile.ptr<f16>>
  %down = tile.addptr %xs, %rows : tensor<512x1x!tile.ptr<f16>>, tensor<512x1xi32>
  %all = tile.broadcast %down : tensor<512x1x!tile.ptr<f16>> -> tensor<512x4x!tile.ptr<f16>>
  %from = tile.addptr %all, %across : tensor<512x4x!tile.ptr<f16>>, tensor<512x4xi64>
  // CHECK: tile.load {{.*}}register = {{\[\[}}32, 0], [64, 0], [0, 1], [0, 2]], lane = {{.*}} warp = {{\[\[}}128, 0], [256, 0]]
  %v = tile.load %from, %mask, %zero : tensor<512x4x!tile.ptr<f16>>
  %sum = tile.reduce add %v axis 0 : tensor<512x4xf16> -> tensor<4xf16>
  %ys = tile.splat %y : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
  %to = tile.addptr %ys, %column : tensor<4x!tile.ptr<f16>>, tensor<4xi64>
  tile.store %to, %sum : tensor<4x!tile.ptr<f16>>
  tile.return
}

// Eight splats over 16 x 16 pixels, of 16 warps: pixels are fewer than lanes and warps. Warps have pixels alone; a pixel's two lanes hold four splats each,
// and what is scanned along splats counts as what is summed along them does.
// CHECK-LABEL: tile.func @splats
// CHECK: tile.scan add %{{.*}} axis 0 : tensor<8x16x16xf32, [[SPLATS:#tile_gpu.layout<register = \[\[1, 0, 0\], \[2, 0, 0\]\], lane = \[\[0, 0, 1\], \[0, 0, 2\], \[0, 0, 4\], \[0, 0, 8\], \[4, 0, 0\]\], warp = \[\[0, 1, 0\], \[0, 2, 0\], \[0, 4, 0\], \[0, 8, 0\]\]>]]>
// CHECK: tile.reduce max %{{.*}} axis 0 : tensor<8x16x16xf32, [[SPLATS]]>
tile.func @splats(%centers: !tile.ptr<f32>, %out: !tile.ptr<f32>) attributes {tile.num_warps = 16 : i32} {
  %i = tile.arange : tensor<8xi32>
  %c = tile.splat %centers : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %cp = tile.addptr %c, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %center = tile.load %cp : tensor<8x!tile.ptr<f32>>
  %c1 = tile.expand_dims %center axis 1 : tensor<8xf32> -> tensor<8x1xf32>
  %c2 = tile.expand_dims %c1 axis 2 : tensor<8x1xf32> -> tensor<8x1x1xf32>
  %p = tile.arange : tensor<16xi32>
  %pf = arith.sitofp %p : tensor<16xi32> to tensor<16xf32>
  %px = tile.expand_dims %pf axis 0 : tensor<16xf32> -> tensor<1x16xf32>
  %py = tile.expand_dims %pf axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %px0 = tile.expand_dims %px axis 0 : tensor<1x16xf32> -> tensor<1x1x16xf32>
  %py0 = tile.expand_dims %py axis 0 : tensor<16x1xf32> -> tensor<1x16x1xf32>
  %xs = tile.broadcast %px0 : tensor<1x1x16xf32> -> tensor<8x16x16xf32>
  %ys = tile.broadcast %py0 : tensor<1x16x1xf32> -> tensor<8x16x16xf32>
  %cs = tile.broadcast %c2 : tensor<8x1x1xf32> -> tensor<8x16x16xf32>
  %dx = arith.subf %cs, %xs : tensor<8x16x16xf32>
  %d = arith.mulf %dx, %ys : tensor<8x16x16xf32>
  %sum = tile.scan add %d axis 0 : tensor<8x16x16xf32> -> tensor<8x16x16xf32>
  %most = tile.reduce max %sum axis 0 : tensor<8x16x16xf32> -> tensor<16x16xf32>
  %row = tile.expand_dims %p axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %column = tile.expand_dims %p axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %pitch = arith.constant dense<16> : tensor<16x1xi32>
  %at = arith.muli %row, %pitch : tensor<16x1xi32>
  %rows = tile.broadcast %at : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tile.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offs = arith.addi %rows, %columns : tensor<16x16xi32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<16x16x!tile.ptr<f32>>
  %op = tile.addptr %os, %offs : tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>
  tile.store %op, %most : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
