// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-localize-rows))' | FileCheck %s

// 256 elements over 8 warps, and as each thread of an accumulator wants them.
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>
#columns = #tile_gpu.layout<register = [[1], [8], [16], [32], [64], [128]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0], [0]]>
// Two groups of warps that want one half each.
#halves = #tile_gpu.layout<register = [[1], [8], [16], [32], [64]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0], [128]]>

// Each warp loads all of it, a pair to a lane; mask and addresses follow. f16 is handed on, f32 made of it.
// CHECK-LABEL: tile.func private @bias
// CHECK: %[[I:.*]] = tile.arange : tensor<256xi32, [[WARP:#tile_gpu.layout<register = \[\[1\], \[64\], \[128\]\], lane = \[\[2\], \[4\], \[8\], \[16\], \[32\]\], warp = \[\[0\], \[0\], \[0\]\]>]]>
// CHECK: %[[E:.*]] = tile.splat %arg1 : i32 -> tensor<256xi32, [[WARP]]>
// CHECK: %[[M:.*]] = arith.cmpi slt, %[[I]], %[[E]] : tensor<256xi32, [[WARP]]>
// CHECK: %[[B:.*]] = tile.splat %arg0 : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, [[WARP]]>
// CHECK: %[[P:.*]] = tile.addptr %[[B]], %[[I]]
// CHECK: %[[V:.*]] = tile.load %[[P]], %[[M]] : tensor<256x!tile.ptr<f16>, [[WARP]]>
// CHECK-NOT: tile.load
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[V]] : tensor<256xf16, [[WARP]]> -> tensor<256xf16
// CHECK-NEXT: %[[F:.*]] = arith.extf %[[C]]
// CHECK: tile.return %[[F]]
tile.func private @bias(%bias: !tile.ptr<f16>, %n: i32) -> tensor<256xf32, #columns> {
  %i = tile.arange : tensor<256xi32, #row>
  %ends = tile.splat %n : i32 -> tensor<256xi32, #row>
  %in = arith.cmpi slt, %i, %ends : tensor<256xi32, #row>
  %bases = tile.splat %bias : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #row>
  %p = tile.addptr %bases, %i : tensor<256x!tile.ptr<f16>, #row>, tensor<256xi32, #row>
  %v = tile.load %p, %in : tensor<256x!tile.ptr<f16>, #row>
  %f = arith.extf %v : tensor<256xf16, #row> to tensor<256xf32, #row>
  %c = tile_gpu.convert_layout %f : tensor<256xf32, #row> -> tensor<256xf32, #columns>
  tile.return %c : tensor<256xf32, #columns>
}

// What is computed of the row is computed by each warp, too; a group of warps loads its half.
// CHECK-LABEL: tile.func private @scaled
// CHECK: %[[V:.*]] = tile.load {{.*}} : tensor<256x!tile.ptr<f16>, [[HALF:#tile_gpu.layout<register = \[\[1\], \[64\]\], lane = \[\[2\], \[4\], \[8\], \[16\], \[32\]\], warp = \[\[0\], \[0\], \[128\]\]>]]>
// CHECK: %[[S:.*]] = arith.addf %[[V]], %[[V]] : tensor<256xf16, [[HALF]]>
// CHECK: tile_gpu.convert_layout %[[S]] : tensor<256xf16, [[HALF]]>
tile.func private @scaled(%bias: !tile.ptr<f16>) -> tensor<256xf16, #halves> {
  %i = tile.arange : tensor<256xi32, #row>
  %bases = tile.splat %bias : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #row>
  %p = tile.addptr %bases, %i : tensor<256x!tile.ptr<f16>, #row>, tensor<256xi32, #row>
  %v = tile.load %p : tensor<256x!tile.ptr<f16>, #row>
  %s = arith.addf %v, %v : tensor<256xf16, #row>
  %c = tile_gpu.convert_layout %s : tensor<256xf16, #row> -> tensor<256xf16, #halves>
  tile.return %c : tensor<256xf16, #halves>
}

// Truths are predicates, of which none lie side by side in a word: an element to a lane, where 32 to a lane would be loaded by all of
// them and chosen one by one.
// CHECK-LABEL: tile.func private @truths
// CHECK: tile.load {{.*}} : tensor<256x!tile.ptr<i8>, #tile_gpu.layout<register = {{\[\[32\], \[64\], \[128\]\]}}, lane = {{\[\[1\], \[2\], \[4\], \[8\], \[16\]\]}}, warp = {{\[\[0\], \[0\], \[0\]\]}}>>
// CHECK: %[[T:.*]] = arith.cmpi ne
// CHECK: tile_gpu.convert_layout %[[T]] : tensor<256xi1
tile.func private @truths(%seen: !tile.ptr<i8>) -> tensor<256xi1, #columns> {
  %zero = arith.constant dense<0> : tensor<256xi8, #row>
  %i = tile.arange : tensor<256xi32, #row>
  %bases = tile.splat %seen : !tile.ptr<i8> -> tensor<256x!tile.ptr<i8>, #row>
  %p = tile.addptr %bases, %i : tensor<256x!tile.ptr<i8>, #row>, tensor<256xi32, #row>
  %v = tile.load %p : tensor<256x!tile.ptr<i8>, #row>
  %t = arith.cmpi ne, %v, %zero : tensor<256xi8, #row>
  %c = tile_gpu.convert_layout %t : tensor<256xi1, #row> -> tensor<256xi1, #columns>
  tile.return %c : tensor<256xi1, #columns>
}

// Not a row: what a reduction has computed is where it is.
// CHECK-LABEL: tile.func private @computed
// CHECK: tile_gpu.convert_layout %arg0
tile.func private @computed(%v: tensor<256xf32, #row>) -> tensor<256xf32, #columns> {
  %c = tile_gpu.convert_layout %v : tensor<256xf32, #row> -> tensor<256xf32, #columns>
  tile.return %c : tensor<256xf32, #columns>
}

// A tile without a layout is nobody's row.
// CHECK-LABEL: tile.func private @plain
// CHECK: tile_gpu.convert_layout %arg0 : tensor<64xf32>
tile.func private @plain(%v: tensor<64xf32>) -> tensor<64xf32> {
  %c = tile_gpu.convert_layout %v : tensor<64xf32> -> tensor<64xf32>
  tile.return %c : tensor<64xf32>
}

// A row of a tile of two dimensions, whose positions are spread from one.
// CHECK-LABEL: tile.func private @expanded
// CHECK: %[[I:.*]] = tile.arange : tensor<128xi32, #[[L:.*]]>
// CHECK: %[[J:.*]] = tile.expand_dims %[[I]] axis 0 : tensor<128xi32, {{.*}}> -> tensor<1x128xi32,
// CHECK: %[[P:.*]] = tile.addptr %{{.*}}, %[[J]]
// CHECK: %[[V:.*]] = tile.load %[[P]] : tensor<1x128x!tile.ptr<f16>, {{.*}}warp = {{\[\[}}0, 16], [0, 32], [0, 64]]>>
// CHECK: %[[C:.*]] = tile_gpu.convert_layout %[[V]]
// CHECK: tile.return %[[C]]
#flat = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [0]]>
#thin = #tile_gpu.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 0]]>
#apart = #tile_gpu.layout<register = [], lane = [[0, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [0, 32], [0, 64]]>
tile.func private @expanded(%scales: !tile.ptr<f16>) -> tensor<1x128xf16, #apart> {
  %i = tile.arange : tensor<128xi32, #flat>
  %j = tile.expand_dims %i axis 0 : tensor<128xi32, #flat> -> tensor<1x128xi32, #thin>
  %s = tile.splat %scales : !tile.ptr<f16> -> tensor<1x128x!tile.ptr<f16>, #thin>
  %p = tile.addptr %s, %j : tensor<1x128x!tile.ptr<f16>, #thin>, tensor<1x128xi32, #thin>
  %v = tile.load %p : tensor<1x128x!tile.ptr<f16>, #thin>
  %c = tile_gpu.convert_layout %v : tensor<1x128xf16, #thin> -> tensor<1x128xf16, #apart>
  tile.return %c : tensor<1x128xf16, #apart>
}

// Mask and pointers of a row's numbers, each wanted elsewhere: each warp loads the numbers, which are handed on once.
#numbers = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#copied = #tile_gpu.layout<register = [[32]], lane = [[0], [0], [1], [2], [4]], warp = [[8], [16]]>
#column = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>
#copies = #tile_gpu.layout<register = [[32, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
// CHECK-LABEL: tile.func private @gathered
// CHECK: %[[V:.*]] = tile.load {{.*}} : tensor<64x!tile.ptr<i32>, [[EACH:#tile_gpu.layout<register = \[\], lane = \[\[1\], \[2\], \[4\], \[32\], \[0\]\], warp = \[\[8\], \[16\]\]>]]>
// CHECK: %[[N:.*]] = tile_gpu.convert_layout %[[V]] : tensor<64xi32, [[EACH]]> -> tensor<64xi32, [[COPIED:#tile_gpu.layout<register = \[\[32\]\].*]]>
// CHECK: %[[M:.*]] = arith.cmpi sge, %[[N]], %{{.*}} : tensor<64xi32, [[COPIED]]>
// CHECK: %[[C:.*]] = tile.expand_dims %[[N]] axis 1
// CHECK: %[[Q:.*]] = tile.addptr %{{.*}}, %[[C]]
// CHECK: tile.return %[[M]], %[[Q]]
tile.func private @gathered(%list: !tile.ptr<i32>, %x: !tile.ptr<f16>) -> (tensor<64xi1, #copied>, tensor<64x1x!tile.ptr<f16>, #copies>) {
  %i = tile.arange : tensor<64xi32, #numbers>
  %zero = arith.constant dense<0> : tensor<64xi32, #numbers>
  %bases = tile.splat %list : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>, #numbers>
  %p = tile.addptr %bases, %i : tensor<64x!tile.ptr<i32>, #numbers>, tensor<64xi32, #numbers>
  %r = tile.load %p : tensor<64x!tile.ptr<i32>, #numbers>
  %is = arith.cmpi sge, %r, %zero : tensor<64xi32, #numbers>
  %m = tile_gpu.convert_layout %is : tensor<64xi1, #numbers> -> tensor<64xi1, #copied>
  %c = tile.expand_dims %r axis 1 : tensor<64xi32, #numbers> -> tensor<64x1xi32, #column>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>, #column>
  %rows = tile.addptr %xs, %c : tensor<64x1x!tile.ptr<f16>, #column>, tensor<64x1xi32, #column>
  %q = tile_gpu.convert_layout %rows : tensor<64x1x!tile.ptr<f16>, #column> -> tensor<64x1x!tile.ptr<f16>, #copies>
  tile.return %m, %q : tensor<64xi1, #copied>, tensor<64x1x!tile.ptr<f16>, #copies>
}
