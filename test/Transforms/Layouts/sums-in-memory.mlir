// Sums that begin with what memory has, and those that are added to it, are read and added as the dot's registers lie:
// four lanes have 32 bytes side by side, a sector.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts))' | FileCheck %s

!f16s = tensor<64x64xf16>
!f32s = tensor<64x64xf32>

// CHECK-LABEL: tile.func @begins
tile.func @begins(%base: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %rows = arith.muli %r, %pitch : tensor<64x1xi32>
  %rows_2 = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %rows_2, %columns : tensor<64x64xi32>
  %from = tile.splat %base : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %from, %offsets : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  // CHECK: %[[OLD:.*]] = tile.load
  // CHECK-NOT: convert_layout
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[OLD]] by wgmma
  %old = tile.load %p : tensor<64x64x!tile.ptr<f32>>
  %d = tile.dot %a, %b, %old : !f16s, !f16s -> !f32s
  // CHECK-NOT: convert_layout
  // CHECK: tile.atomic_rmw
  %to = tile.splat %out : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %to, %offsets : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %x = tile.atomic_rmw fadd relaxed gpu %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Four lanes have 16 bytes of f16: their sums are converted, and so are those whose old values are wanted.
// CHECK-LABEL: tile.func @narrow
tile.func @narrow(%out: !tile.ptr<f16>, %wide: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %rows = arith.muli %r, %pitch : tensor<64x1xi32>
  %rows_2 = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %rows_2, %columns : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : !f32s
  %d = tile.dot %a, %b, %zero : !f16s, !f16s -> !f32s
  %h = arith.truncf %d : !f32s to !f16s
  %to = tile.splat %out : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %q = tile.addptr %to, %offsets : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  // CHECK-COUNT-2: tile_gpu.convert_layout
  // CHECK: tile.atomic_rmw
  %x = tile.atomic_rmw fadd relaxed gpu %q, %h : tensor<64x64x!tile.ptr<f16>>
  %to_2 = tile.splat %wide : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q_2 = tile.addptr %to_2, %offsets : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  // CHECK: tile.atomic_rmw
  %y = tile.atomic_rmw fadd relaxed gpu %q_2, %d : tensor<64x64x!tile.ptr<f32>>
  tile.store %q_2, %y : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// What a step reads, adds a dot to and stores lies as memory has it: the dot is converted, once, and neither the other two.
// CHECK-LABEL: tile.func @updates
tile.func @updates(%base: !tile.ptr<f16>, %n: i32) {
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %rows = arith.muli %r, %pitch : tensor<64x1xi32>
  %rows_2 = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %rows_2, %columns : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : !f32s
  scf.for %step = %c0 to %n step %c1 : i32 {
    // CHECK: scf.for
    // CHECK: %[[DOT:.*]] = tile.dot
    // CHECK-NOT: convert_layout
    // CHECK: %[[NARROW:.*]] = arith.truncf %[[DOT]]
    // CHECK-NEXT: tile_gpu.convert_layout %[[NARROW]]
    // CHECK-NOT: convert_layout
    // CHECK: tile.store
    %from = tile.addptr %base, %step : !tile.ptr<f16>, i32
    %froms = tile.splat %from : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
    %q = tile.addptr %froms, %offsets : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %d = tile.dot %a, %b, %zero : !f16s, !f16s -> !f32s
    %h = arith.truncf %d : !f32s to !f16s
    %old = tile.load %q : tensor<64x64x!tile.ptr<f16>>
    %new = arith.addf %h, %old : !f16s
    tile.store %q, %new : tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

// Places that were loaded have a layout of their own, and are twice as wide as what is added: that is converted.
// CHECK-LABEL: tile.func @loaded_places
tile.func @loaded_places(%at: !tile.ptr<i64>, %out: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %i = tile.arange : tensor<64xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %wide = arith.extsi %c : tensor<1x64xi32> to tensor<1x64xi64>
  %columns = tile.broadcast %wide : tensor<1x64xi64> -> tensor<64x64xi64>
  %ats = tile.splat %at : !tile.ptr<i64> -> tensor<64x!tile.ptr<i64>>
  %atp = tile.addptr %ats, %i : tensor<64x!tile.ptr<i64>>, tensor<64xi32>
  %rows = tile.load %atp : tensor<64x!tile.ptr<i64>>
  %r = tile.expand_dims %rows axis 1 : tensor<64xi64> -> tensor<64x1xi64>
  %rows_2 = tile.broadcast %r : tensor<64x1xi64> -> tensor<64x64xi64>
  %offsets = arith.addi %rows_2, %columns : tensor<64x64xi64>
  %zero = arith.constant dense<0.0> : !f32s
  %d = tile.dot %a, %b, %zero : !f16s, !f16s -> !f32s
  %to = tile.splat %out : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %to, %offsets : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi64>
  // CHECK-NOT: tile_gpu.convert_layout {{.*}} : tensor<64x64x!tile.ptr
  // CHECK: tile_gpu.convert_layout {{.*}} : tensor<64x64xf32
  // CHECK-NOT: tile_gpu.convert_layout {{.*}} : tensor<64x64x!tile.ptr
  // CHECK: tile.atomic_rmw
  %x = tile.atomic_rmw fadd relaxed gpu %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// An instruction of a warp adds to 512 bytes side by side, in place of 16 of each 32. Rows of bf16 are loaded by eight, and sums of f32 are added by four.
// CHECK-LABEL: tile.func @gradient
// CHECK: tile.load {{.*}}<register = {{\[\[1\], \[2\], \[4\], \[1024\]\]}}, lane = {{\[\[8\], \[16\], \[32\], \[64\], \[128\]\]}}
// CHECK: tile_gpu.convert_layout {{.*}} -> tensor<2048xf32, #tile_gpu.layout<register = {{\[\[1\], \[2\], \[128\], \[1024\]\]}}, lane = {{\[\[8\], \[16\], \[32\], \[64\], \[4\]\]}}
// CHECK: tile.atomic_rmw fadd
tile.func @gradient(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %sums: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<2048xi32>
  %from = tile.splat %x : !tile.ptr<bf16> -> tensor<2048x!tile.ptr<bf16>>
  %p = tile.addptr %from, %i : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  %v = tile.load %p : tensor<2048x!tile.ptr<bf16>>
  %behind = arith.constant dense<4096> : tensor<2048xi32>
  %p_2 = tile.addptr %p, %behind : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  %v_2 = tile.load %p_2 : tensor<2048x!tile.ptr<bf16>>
  %p_3 = tile.addptr %p_2, %behind : tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>
  %v_3 = tile.load %p_3 : tensor<2048x!tile.ptr<bf16>>
  %xy = arith.mulf %v, %v_2 : tensor<2048xbf16>
  %xyz = arith.mulf %xy, %v_3 : tensor<2048xbf16>
  %w = arith.extf %xyz : tensor<2048xbf16> to tensor<2048xf32>
  %to = tile.splat %sums : !tile.ptr<f32> -> tensor<2048x!tile.ptr<f32>>
  %q = tile.addptr %to, %i : tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>
  %old = tile.atomic_rmw fadd relaxed gpu %q, %w : tensor<2048x!tile.ptr<f32>>
  tile.return
}

// Counts are added one by one.
// CHECK-LABEL: tile.func @counts
// CHECK: tile_gpu.convert_layout {{.*}} -> tensor<1024xi32, #tile_gpu.layout<register = {{\[\[64\], \[32\], \[512\]\]}}, lane = {{\[\[4\], \[8\], \[16\], \[2\], \[1\]\]}}
// CHECK: tile.atomic_rmw add
tile.func @counts(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %sums: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<1024xi32>
  %from = tile.splat %x : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %p = tile.addptr %from, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<i32>>
  %to = tile.splat %sums : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %q = tile.addptr %to, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %old = tile.atomic_rmw add relaxed gpu %q, %v : tensor<1024x!tile.ptr<i32>>
  tile.return
}

// Places that are looked up lie anywhere: nothing is exchanged.
// CHECK-LABEL: tile.func @looked_up
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @looked_up(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %sums: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<1024xi32>
  %from = tile.splat %x : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %p = tile.addptr %from, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %v = tile.load %p : tensor<1024x!tile.ptr<i32>>
  %to = tile.splat %sums : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %q = tile.addptr %to, %v : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %old = tile.atomic_rmw add relaxed gpu %q, %v : tensor<1024x!tile.ptr<i32>>
  tile.return
}

// Four of a thread are added one by one where rows begin anywhere: neighbours go to other lanes, of which eight have a
// sector.
// CHECK-LABEL: tile.func @anywhere
// CHECK: tile.load {{.*}}layout<register = {{\[\[}}1], [2], [512]], lane = {{\[\[}}4], [8], [16], [32], [64]]
// CHECK: tile.atomic_rmw {{.*}}layout<register = {{\[\[}}64], [32], [512]], lane = {{\[\[}}4], [8], [16], [2], [1]]
tile.func @anywhere(%from: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %to: !tile.ptr<f32>, %first: i32) {
  %i = tile.arange : tensor<1024xi32>
  %froms = tile.splat %from : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %froms, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %p : tensor<1024x!tile.ptr<f32>>
  %row = tile.addptr %to, %first : !tile.ptr<f32>, i32
  %rows = tile.splat %row : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %q = tile.addptr %rows, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %old = tile.atomic_rmw fadd relaxed gpu %q, %x : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Where rows begin at 16 bytes, one instruction adds four sums. Of eight columns each of four lanes has two: of sixteen
// each has four, which neighbours exchange, and two lanes have a whole sector as four had before.
// CHECK-LABEL: tile.func @by_four
// CHECK: %[[SUMS:.*]] = tile.dot {{.*}} by wgmma
// CHECK: tile_gpu.convert_layout %[[SUMS]] {{.*}} -> tensor<64x64xf32, #tile_gpu.layout<register = {{\[\[0, 1\], \[0, 2\], \[8, 0\], \[0, 16\], \[0, 32\]\]}}, lane = {{\[\[0, 8\], \[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\]\]}}
// CHECK: tile.atomic_rmw fadd
tile.func @by_four(%out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : !f16s
  %b = arith.constant dense<2.0> : !f16s
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %rows = arith.muli %r, %pitch : tensor<64x1xi32>
  %rows_2 = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %rows_2, %columns : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : !f32s
  %d = tile.dot %a, %b, %zero : !f16s, !f16s -> !f32s
  %to = tile.splat %out : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %to, %offsets : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %x = tile.atomic_rmw fadd relaxed gpu %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
