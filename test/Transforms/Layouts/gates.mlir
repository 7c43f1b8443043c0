// What is computed of one narrow tile, and wanted as a dot's sums lie wherever it is read, is computed there: the tile is
// converted, once, and not each of what it becomes.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-accelerate-dot,tile-assign-layouts,canonicalize,cse))' | FileCheck %s

// A gate and its slope, by both of which sums are multiplied.
// CHECK-LABEL: tile.func @gate
// CHECK: %[[X:.*]] = tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>
// CHECK: %[[MOVED:.*]] = tile_gpu.convert_layout %[[X]] : tensor<64x64xf16
// CHECK: arith.extf %[[MOVED]]
// CHECK-NOT: tile_gpu.convert_layout {{.*}} : tensor<64x64xf32
// CHECK: tile.return
tile.func @gate(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %down = arith.muli %r, %pitch : tensor<64x1xi32>
  %rows = tile.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rows, %columns : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %p = tile.addptr %xs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %v = tile.load %p : tensor<64x64x!tile.ptr<f16>>
  %d = tile.dot %a, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %w = arith.extf %v : tensor<64x64xf16> to tensor<64x64xf32>
  %e = math.exp %w : tensor<64x64xf32>
  %f = arith.addf %e, %one : tensor<64x64xf32>
  %g = arith.divf %w, %f : tensor<64x64xf32>
  %gated = arith.mulf %d, %g : tensor<64x64xf32>
  %h = arith.addf %f, %g : tensor<64x64xf32>
  %slope = arith.mulf %h, %g : tensor<64x64xf32>
  %turned = arith.mulf %d, %slope : tensor<64x64xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %sums = tile.reduce add %gated axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %op, %sums : tensor<64x!tile.ptr<f32>>
  %more = tile.reduce add %turned axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %behind = tile.addptr %op, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %behind, %more : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A gate that is stored as well is computed where it was loaded.
// CHECK-LABEL: tile.func @kept
// CHECK: %[[X:.*]] = tile.load {{.*}} : tensor<64x64x!tile.ptr<f16>
// CHECK-NOT: tile_gpu.convert_layout %[[X]]
// CHECK: arith.divf
// CHECK: tile_gpu.convert_layout {{.*}} : tensor<64x64xf32
// CHECK: tile.return
tile.func @kept(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %gates: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %down = arith.muli %r, %pitch : tensor<64x1xi32>
  %rows = tile.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
  %columns = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %rows, %columns : tensor<64x64xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %p = tile.addptr %xs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %v = tile.load %p : tensor<64x64x!tile.ptr<f16>>
  %d = tile.dot %a, %a, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %w = arith.extf %v : tensor<64x64xf16> to tensor<64x64xf32>
  %e = math.exp %w : tensor<64x64xf32>
  %f = arith.addf %e, %one : tensor<64x64xf32>
  %g = arith.divf %w, %f : tensor<64x64xf32>
  %gated = arith.mulf %d, %g : tensor<64x64xf32>
  %h = arith.addf %f, %g : tensor<64x64xf32>
  %slope = arith.mulf %h, %g : tensor<64x64xf32>
  %turned = arith.mulf %d, %slope : tensor<64x64xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %sums = tile.reduce add %gated axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  tile.store %op, %sums : tensor<64x!tile.ptr<f32>>
  %more = tile.reduce add %turned axis 1 : tensor<64x64xf32> -> tensor<64xf32>
  %behind = tile.addptr %op, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %behind, %more : tensor<64x!tile.ptr<f32>>
  %gs = tile.splat %gates : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %gp = tile.addptr %gs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %gp, %g : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// A small tile that is repeated is converted before it is, and not the large tile of what that becomes.
// CHECK-LABEL: tile.func @repeated
// CHECK: %[[Z:.*]] = tile.load {{.*}} : tensor<2x64x!tile.ptr<i32>
// CHECK: tile_gpu.convert_layout %[[Z]] : tensor<2x64xi32
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.dot
tile.func @repeated(%words: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %zeros: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %a = arith.constant dense<1.0> : tensor<16x64xf16>
  %mask = arith.constant dense<15> : tensor<64x64xi32>
  %i = tile.arange : tensor<64xi32>
  %j = tile.arange : tensor<16xi32>
  %k = tile.arange : tensor<2xi32>
  %c = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %pj = arith.constant dense<64> : tensor<16xi32>
  %pk = arith.constant dense<64> : tensor<2xi32>
  %dj = arith.muli %j, %pj : tensor<16xi32>
  %dk = arith.muli %k, %pk : tensor<2xi32>
  %wr = tile.expand_dims %dj axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %zr = tile.expand_dims %dk axis 1 : tensor<2xi32> -> tensor<2x1xi32>
  %wrows = tile.broadcast %wr : tensor<16x1xi32> -> tensor<16x64xi32>
  %zrows = tile.broadcast %zr : tensor<2x1xi32> -> tensor<2x64xi32>
  %wcols = tile.broadcast %c : tensor<1x64xi32> -> tensor<16x64xi32>
  %zcols = tile.broadcast %c : tensor<1x64xi32> -> tensor<2x64xi32>
  %wat = arith.addi %wrows, %wcols : tensor<16x64xi32>
  %zat = arith.addi %zrows, %zcols : tensor<2x64xi32>
  %ws = tile.splat %words : !tile.ptr<i32> -> tensor<16x64x!tile.ptr<i32>>
  %wp = tile.addptr %ws, %wat : tensor<16x64x!tile.ptr<i32>>, tensor<16x64xi32>
  %w = tile.load %wp : tensor<16x64x!tile.ptr<i32>>
  %zs = tile.splat %zeros : !tile.ptr<i32> -> tensor<2x64x!tile.ptr<i32>>
  %zp = tile.addptr %zs, %zat : tensor<2x64x!tile.ptr<i32>>, tensor<2x64xi32>
  %z = tile.load %zp : tensor<2x64x!tile.ptr<i32>>
  %w3 = tile.expand_dims %w axis 1 : tensor<16x64xi32> -> tensor<16x1x64xi32>
  %wb = tile.broadcast %w3 : tensor<16x1x64xi32> -> tensor<16x4x64xi32>
  %wide = tile.reshape %wb : tensor<16x4x64xi32> -> tensor<64x64xi32>
  %z3 = tile.expand_dims %z axis 1 : tensor<2x64xi32> -> tensor<2x1x64xi32>
  %zb = tile.broadcast %z3 : tensor<2x1x64xi32> -> tensor<2x32x64xi32>
  %zwide = tile.reshape %zb : tensor<2x32x64xi32> -> tensor<64x64xi32>
  %bits = arith.andi %wide, %mask : tensor<64x64xi32>
  %wf = arith.sitofp %bits : tensor<64x64xi32> to tensor<64x64xf16>
  %zf = arith.sitofp %zwide : tensor<64x64xi32> to tensor<64x64xf16>
  %q = arith.subf %wf, %zf : tensor<64x64xf16>
  %d = tile.dot %a, %q, %zero : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
  %sums = tile.reduce add %d axis 0 : tensor<16x64xf32> -> tensor<64xf32>
  %os = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %op = tile.addptr %os, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %op, %sums : tensor<64x!tile.ptr<f32>>
  tile.return
}
