// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-localize-rows,canonicalize,cse))' | FileCheck %s

// 64 numbers over 4 warps, and as each thread of 64 rows of 16 wants them.
#numbers = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#copied = #tile_gpu.layout<register = [[32]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]]>
#column = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>
#copies = #tile_gpu.layout<register = [[32, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

// A weight and pointers of two rows: each thread loads what it wants of these, and computes with that.
// CHECK-LABEL: tile.func private @corners
// CHECK-NOT: convert_layout
// CHECK: %[[X:.*]] = tile.load {{.*}} : tensor<64x!tile.ptr<f32>, [[COPIED:#tile_gpu.layout<register = \[\[32\]\].*]]>
// CHECK: %[[Y:.*]] = tile.load {{.*}} : tensor<64x!tile.ptr<f32>, [[COPIED]]>
// CHECK: %[[W:.*]] = arith.mulf %[[X]], %[[Y]] : tensor<64xf32, [[COPIED]]>
// CHECK: %[[N:.*]] = arith.fptosi %[[Y]]
// CHECK: %[[C:.*]] = tile.expand_dims %[[N]] axis 1
// CHECK: %[[Q:.*]] = tile.addptr %{{.*}}, %[[C]]
// CHECK-NOT: convert_layout
// CHECK: tile.return %[[W]], %[[Q]]
tile.func private @corners(%xs: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %ys: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f32>) -> (tensor<64xf32, #copied>, tensor<64x1x!tile.ptr<f32>, #copies>) {
  %i = tile.arange : tensor<64xi32, #numbers>
  %xb = tile.splat %xs : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #numbers>
  %xp = tile.addptr %xb, %i : tensor<64x!tile.ptr<f32>, #numbers>, tensor<64xi32, #numbers>
  %x = tile.load %xp : tensor<64x!tile.ptr<f32>, #numbers>
  %yb = tile.splat %ys : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #numbers>
  %yp = tile.addptr %yb, %i : tensor<64x!tile.ptr<f32>, #numbers>, tensor<64xi32, #numbers>
  %y = tile.load %yp : tensor<64x!tile.ptr<f32>, #numbers>
  %w = arith.mulf %x, %y : tensor<64xf32, #numbers>
  %v = tile_gpu.convert_layout %w : tensor<64xf32, #numbers> -> tensor<64xf32, #copied>
  %n = arith.fptosi %y : tensor<64xf32, #numbers> to tensor<64xi32, #numbers>
  %c = tile.expand_dims %n axis 1 : tensor<64xi32, #numbers> -> tensor<64x1xi32, #column>
  %gb = tile.splat %g : !tile.ptr<f32> -> tensor<64x1x!tile.ptr<f32>, #column>
  %p = tile.addptr %gb, %c : tensor<64x1x!tile.ptr<f32>, #column>, tensor<64x1xi32, #column>
  %q = tile_gpu.convert_layout %p : tensor<64x1x!tile.ptr<f32>, #column> -> tensor<64x1x!tile.ptr<f32>, #copies>
  tile.return %v, %q : tensor<64xf32, #copied>, tensor<64x1x!tile.ptr<f32>, #copies>
}

#each = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#quarters = #tile_gpu.layout<register = [[32], [64]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]]>
// So much computed of them that four elements a thread would take longer than two conversions.
// CHECK-LABEL: tile.func private @long
// CHECK-COUNT-2: convert_layout
tile.func private @long(%xs: !tile.ptr<f32>, %ys: !tile.ptr<f32>) -> (tensor<128xf32, #quarters>, tensor<128xf32, #quarters>) {
  %i = tile.arange : tensor<128xi32, #each>
  %xb = tile.splat %xs : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #each>
  %xp = tile.addptr %xb, %i : tensor<128x!tile.ptr<f32>, #each>, tensor<128xi32, #each>
  %x = tile.load %xp : tensor<128x!tile.ptr<f32>, #each>
  %yb = tile.splat %ys : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #each>
  %yp = tile.addptr %yb, %i : tensor<128x!tile.ptr<f32>, #each>, tensor<128xi32, #each>
  %y = tile.load %yp : tensor<128x!tile.ptr<f32>, #each>
  %a = math.sin %x : tensor<128xf32, #each>
  %b = math.cos %y : tensor<128xf32, #each>
  %c = math.sin %b : tensor<128xf32, #each>
  %d = math.cos %a : tensor<128xf32, #each>
  %e = math.powf %c, %d : tensor<128xf32, #each>
  %f = math.erf %e : tensor<128xf32, #each>
  %g = math.tanh %f : tensor<128xf32, #each>
  %h = math.log %g : tensor<128xf32, #each>
  %j = math.sqrt %h : tensor<128xf32, #each>
  %k = math.exp %j : tensor<128xf32, #each>
  %v = tile_gpu.convert_layout %k : tensor<128xf32, #each> -> tensor<128xf32, #quarters>
  %w = tile_gpu.convert_layout %g : tensor<128xf32, #each> -> tensor<128xf32, #quarters>
  tile.return %v, %w : tensor<128xf32, #quarters>, tensor<128xf32, #quarters>
}

// One of them is stored as well: it stays where it is, and so does what is computed of both.
// CHECK-LABEL: tile.func private @stored
// CHECK-COUNT-2: convert_layout
tile.func private @stored(%xs: !tile.ptr<f32>, %ys: !tile.ptr<f32>) -> (tensor<64xf32, #copied>, tensor<64xf32, #copied>) {
  %i = tile.arange : tensor<64xi32, #numbers>
  %xb = tile.splat %xs : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #numbers>
  %xp = tile.addptr %xb, %i : tensor<64x!tile.ptr<f32>, #numbers>, tensor<64xi32, #numbers>
  %x = tile.load %xp : tensor<64x!tile.ptr<f32>, #numbers>
  %yb = tile.splat %ys : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #numbers>
  %yp = tile.addptr %yb, %i : tensor<64x!tile.ptr<f32>, #numbers>, tensor<64xi32, #numbers>
  %y = tile.load %yp : tensor<64x!tile.ptr<f32>, #numbers>
  tile.store %yp, %x : tensor<64x!tile.ptr<f32>, #numbers>
  %w = arith.mulf %x, %y : tensor<64xf32, #numbers>
  %a = arith.addf %x, %y : tensor<64xf32, #numbers>
  %v = tile_gpu.convert_layout %w : tensor<64xf32, #numbers> -> tensor<64xf32, #copied>
  %u = tile_gpu.convert_layout %a : tensor<64xf32, #numbers> -> tensor<64xf32, #copied>
  tile.return %v, %u : tensor<64xf32, #copied>, tensor<64xf32, #copied>
}
