// The layouts of ops that are neither element-wise nor loads: what they ask of their operands, and what comes of it.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// The transposed tile has the transposed layout: each thread keeps what it has.
// CHECK-LABEL: tile.func @trans(
// CHECK: tile.trans %{{.*}} order [1, 0] : tensor<32x8xf32, #tile_gpu.layout<register = {{\[\[}}[[I:[0-9]+]], [[J:[0-9]+]]]], lane = {{\[\[}}[[K:[0-9]+]], [[L:[0-9]+]]],{{.*}} -> tensor<8x32xf32, #tile_gpu.layout<register = {{\[\[}}[[J]], [[I]]]], lane = {{\[\[}}[[L]], [[K]]],
tile.func @trans(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %box = tile.reshape %v : tensor<256xf32> -> tensor<32x8xf32>
  %t = tile.trans %box order [1, 0] : tensor<32x8xf32> -> tensor<8x32xf32>
  %flat = tile.reshape %t : tensor<8x32xf32> -> tensor<256xf32>
  tile.store %ptrs, %flat : tensor<256x!tile.ptr<f32>>
  tile.return
}

// The two values of a pair lie in two registers of a thread, so that taking pairs apart moves nothing.
// CHECK-LABEL: tile.func @join_split(
// CHECK: tile.join %{{.*}}, %{{.*}} : tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>> -> tensor<256x2xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [1, 0]], lane = {{\[\[}}2, 0],
// CHECK: tile.split %{{.*}} : tensor<256x2xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [1, 0]], {{.*}} -> tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>>
// CHECK-NOT: tile_gpu.convert_layout
tile.func @join_split(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<256xf32>
  %pairs = tile.join %v, %w : tensor<256xf32> -> tensor<256x2xf32>
  %turned = arith.negf %pairs : tensor<256x2xf32>
  %a, %b = tile.split %turned : tensor<256x2xf32> -> tensor<256xf32>
  tile.store %ptrs, %b : tensor<256x!tile.ptr<f32>>
  tile.return
}

// The second half comes in registers of its own.
// CHECK-LABEL: tile.func @cat(
// CHECK: tile.cat %{{.*}}, %{{.*}} axis 0 : tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>>, tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>> -> tensor<512xf32, #tile_gpu.layout<register = {{\[\[}}1], [256]], lane = {{\[\[}}2],
tile.func @cat(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<256xf32>
  %long = tile.cat %v, %w axis 0 : tensor<256xf32>, tensor<256xf32> -> tensor<512xf32>
  %long_lanes = tile.arange : tensor<512xi32>
  %long_ps = tile.splat %p : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %long_ptrs = tile.addptr %long_ps, %long_lanes : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %long_ptrs, %long : tensor<512x!tile.ptr<f32>>
  tile.return
}

// Indices lie where the results will.
// CHECK-LABEL: tile.func @gather(
// CHECK: tile.gather %{{.*}}, %{{.*}} axis 0 : tensor<256xf32, {{.*}}>, tensor<256xi32, [[L:#tile_gpu.layout<.*>]]> -> tensor<256xf32, [[L]]>
tile.func @gather(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %picked = tile.gather %v, %lanes axis 0 : tensor<256xf32>, tensor<256xi32> -> tensor<256xf32>
  tile.store %ptrs, %picked : tensor<256x!tile.ptr<f32>>
  tile.return
}

// What is picked at indices that anybody can compute lies as its readers want it, and so no conversion stands behind it.
// CHECK-LABEL: tile.func @gathered_row(
// CHECK: tile.gather %{{.*}}, %{{.*}} axis 0
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @gathered_row(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %k: i32) {
  %r = tile.arange : tensor<16xi32>
  %c = tile.arange : tensor<64xi32>
  %re = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %ce = tile.expand_dims %c axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rows = tile.broadcast %re : tensor<16x1xi32> -> tensor<16x64xi32>
  %columns = tile.broadcast %ce : tensor<1x64xi32> -> tensor<16x64xi32>
  %pitch = arith.constant dense<64> : tensor<16x64xi32>
  %lines = arith.muli %rows, %pitch : tensor<16x64xi32>
  %offsets = arith.addi %lines, %columns : tensor<16x64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x64x!tile.ptr<f32>>
  %at = tile.addptr %ps, %offsets : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  %v = tile.load %at : tensor<16x64x!tile.ptr<f32>>
  %i = tile.splat %k : i32 -> tensor<1x64xi32>
  %row = tile.gather %v, %i axis 0 : tensor<16x64xf32>, tensor<1x64xi32> -> tensor<1x64xf32>
  %all = tile.broadcast %row : tensor<1x64xf32> -> tensor<16x64xf32>
  %sum = arith.addf %v, %all : tensor<16x64xf32>
  tile.store %at, %sum : tensor<16x64x!tile.ptr<f32>>
  tile.return
}

// Pointers, values and old values lie alike, as those of a load do.
// CHECK-LABEL: tile.func @atomics(
// CHECK: tile.atomic_rmw add relaxed gpu %{{.*}}, %[[NEW:.*]] : tensor<256x!tile.ptr<i32>, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>>
// CHECK: tile.atomic_cas relaxed gpu %{{.*}}, %[[NEW]], %{{.*}} : tensor<256x!tile.ptr<i32>, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>>
tile.func @atomics(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<i32>>
  %old = tile.atomic_rmw add relaxed gpu %ptrs, %v : tensor<256x!tile.ptr<i32>>
  %older = tile.atomic_cas relaxed gpu %ptrs, %v, %old : tensor<256x!tile.ptr<i32>>
  tile.store %ptrs, %older : tensor<256x!tile.ptr<i32>>
  tile.return
}

// A scan leaves its results where its operands are.
// CHECK-LABEL: tile.func @scan(
// CHECK: tile.scan add %{{.*}} axis 0 : tensor<256xf32, [[S:#tile_gpu.layout<.*>]]> -> tensor<256xf32, [[S]]>
tile.func @scan(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %sums = tile.scan add %v axis 0 : tensor<256xf32> -> tensor<256xf32>
  tile.store %ptrs, %sums : tensor<256x!tile.ptr<f32>>
  tile.return
}

// Of what is scanned along another dimension than the one that lies in memory a thread has neighbours: rows 0 to 3 here.
// CHECK-LABEL: tile.func @scan_columns(
// CHECK: tile.load {{.*}}#tile_gpu.layout<register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [4, 0], [8, 0]], warp = {{\[\[}}16, 0], [32, 0]]>
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @scan_columns(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %rows = tile.arange : tensor<64xi32>
  %columns = tile.arange : tensor<32xi32>
  %pitch = arith.constant dense<32> : tensor<64xi32>
  %starts = arith.muli %rows, %pitch : tensor<64xi32>
  %r = tile.expand_dims %starts axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %c = tile.expand_dims %columns axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rs = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x32xi32>
  %cs = tile.broadcast %c : tensor<1x32xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %rs, %cs : tensor<64x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %offsets : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  %v = tile.load %ptrs : tensor<64x32x!tile.ptr<f32>>
  %sums = tile.scan add %v axis 0 : tensor<64x32xf32> -> tensor<64x32xf32>
  tile.store %ptrs, %sums : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

// The bins have a layout of their own, spread over all lanes; warps beyond the bins hold copies.
// CHECK-LABEL: tile.func @histogram(
// CHECK: tile.histogram %{{.*}} : tensor<256xi32, {{.*}}> -> tensor<64xi32, #tile_gpu.layout<register = [], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [0]]>>
tile.func @histogram(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<i32>>
  %found = tile.histogram %v : tensor<256xi32> -> tensor<64xi32>
  %bins = tile.arange : tensor<64xi32>
  %bin_ps = tile.splat %p : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %bin_ptrs = tile.addptr %bin_ps, %bins : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %bin_ptrs, %found : tensor<64x!tile.ptr<i32>>
  tile.return
}

// What moves together lies alike.
// CHECK-LABEL: tile.func @sort(
// CHECK: tile.sort %{{.*}}, %{{.*}} axis 0 : tensor<256xf32, [[T:#tile_gpu.layout<.*>]]>, tensor<256xi32, [[T]]>
tile.func @sort(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %sorted, %from = tile.sort %v, %lanes axis 0 : tensor<256xf32>, tensor<256xi32>
  tile.store %ptrs, %sorted : tensor<256x!tile.ptr<f32>>
  tile.return
}

// The keys of a partial sort and what moves with them lie alike; results have a layout of their own.
// CHECK-LABEL: tile.func @partial_sort(
// CHECK: tile.partial_sort %{{.*}}, %{{.*}} axis 0 : (tensor<256xf32, [[T:#tile_gpu.layout<.*>]]>, tensor<256xi32, [[T]]>) -> (tensor<8xf32, #tile_gpu.layout<{{.*}}>>, tensor<8xi32
tile.func @partial_sort(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %sorted, %from = tile.partial_sort %v, %lanes axis 0 : (tensor<256xf32>, tensor<256xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %few = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %places = tile.addptr %few, %from : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %places, %sorted : tensor<8x!tile.ptr<f32>>
  tile.return
}

// Neither has a wish; a tile is printed and tested where it is.
// CHECK-LABEL: tile.func @print_assert(
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.print "v" %{{.*}} : tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>>
// CHECK: tile.assert %{{.*}}, "negative" : tensor<256xi1, #tile_gpu.layout<register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = {{\[\[}}64], [128]]>>
tile.func @print_assert(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %fine = arith.cmpf oge, %v, %zero : tensor<256xf32>
  tile.print "v" %v : tensor<256xf32>
  tile.assert %fine, "negative" : tensor<256xi1>
  tile.return
}

// The result of one wgmma, narrowed, is A of the next where it lies. Not so for what came from memory, nor where the warp
// groups divide N: then each needs rows that others hold.
// CHECK-LABEL: tile.func @chained_dots(
// CHECK: %[[S:.*]] = tile.dot
// CHECK: %[[P:.*]] = arith.truncf %[[S]]
// CHECK-NOT: tile_gpu.buffer_store %[[P]]
// CHECK: tile.dot %[[P]], %{{.*}}, %{{.*}} by wgmma : tensor<128x64xf16, #tile_gpu.layout<{{.*}}>>, !tile_gpu.buffer<64x64xf16
// CHECK-LABEL: tile.func @chained_apart(
// CHECK: %[[P:.*]] = arith.truncf
// CHECK: tile_gpu.buffer_store %[[P]], %[[B:.*]] :
// CHECK: tile.dot %[[B]], %{{.*}} by wgmma : !tile_gpu.buffer<64x128xf16
tile.func @chained_dots(%out: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %a = arith.constant dense<1.0> : tensor<128x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %v = arith.constant dense<1.0> : tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %s = tile.dot %a, %b, %c by wgmma : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
  %d = tile.dot %p, %v, %c by wgmma : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %sums = tile.reduce add %d axis 1 : tensor<128x64xf32> -> tensor<128xf32>
  %lanes = tile.arange : tensor<128xi32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %ptrs = tile.addptr %outs, %lanes : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %ptrs, %sums : tensor<128x!tile.ptr<f32>>
  tile.return
}

tile.func @chained_apart(%out: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x128xf16>
  %v = arith.constant dense<1.0> : tensor<128x128xf16>
  %c = arith.constant dense<0.0> : tensor<64x128xf32>
  %s = tile.dot %a, %b, %c by wgmma : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
  %p = arith.truncf %s : tensor<64x128xf32> to tensor<64x128xf16>
  %d = tile.dot %p, %v, %c by wgmma : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
  %sums = tile.reduce add %d axis 1 : tensor<64x128xf32> -> tensor<64xf32>
  %lanes = tile.arange : tensor<64xi32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ptrs = tile.addptr %outs, %lanes : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %ptrs, %sums : tensor<64x!tile.ptr<f32>>
  tile.return
}

// A change of shape whose source has a layout that neither of two stores wants: once more for the other one, from the
// source as it is, not as it was converted for the first.
// CHECK-LABEL: tile.func @moved_twice(
// CHECK: %[[G:.*]] = tile.histogram
// CHECK-DAG: %[[ALONG:.*]] = tile_gpu.convert_layout %[[G]] : {{.*}} -> tensor<2048xi32, #tile_gpu.layout<register = {{\[\[}}32], [256], [512], [1024]], {{.*}}>>
// CHECK-DAG: %[[DOWN:.*]] = tile_gpu.convert_layout %[[G]] : {{.*}} -> tensor<2048xi32, #tile_gpu.layout<register = {{\[\[}}64], [128], [16], [32]], {{.*}}>>
// CHECK-DAG: %[[A:.*]] = tile.reshape %[[ALONG]] :
// CHECK-DAG: %[[D:.*]] = tile.reshape %[[DOWN]] :
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.store %{{.*}}, %[[D]] :
// CHECK: tile.store %{{.*}}, %[[A]] :
tile.func @moved_twice(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  %lane = tile.arange : tensor<2048xi32>
  %g = tile.histogram %lane : tensor<2048xi32> -> tensor<2048xi32>
  %box = tile.reshape %g : tensor<2048xi32> -> tensor<32x64xi32>
  %i = tile.arange : tensor<32xi32>
  %j = tile.arange : tensor<64xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rows = tile.broadcast %i1 : tensor<32x1xi32> -> tensor<32x64xi32>
  %columns = tile.broadcast %j1 : tensor<1x64xi32> -> tensor<32x64xi32>
  %height = arith.constant dense<32> : tensor<32x64xi32>
  %left = arith.muli %columns, %height : tensor<32x64xi32>
  %down = arith.addi %left, %rows : tensor<32x64xi32>
  %width = arith.constant dense<65> : tensor<32x64xi32>
  %above = arith.muli %rows, %width : tensor<32x64xi32>
  %along = arith.addi %above, %columns : tensor<32x64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x64x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<32x64x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %down : tensor<32x64x!tile.ptr<i32>>, tensor<32x64xi32>
  %yp = tile.addptr %ys, %along : tensor<32x64x!tile.ptr<i32>>, tensor<32x64xi32>
  tile.store %xp, %box : tensor<32x64x!tile.ptr<i32>>
  tile.store %yp, %box : tensor<32x64x!tile.ptr<i32>>
  tile.return
}

// What a product is added to, widened and scaled, moves to where the product is while it is narrow; where the scaled tile is stored
// besides, it is the product that moves, to where memory has all the rest.
// CHECK-LABEL: tile.func @residual(
// CHECK: %[[R:.*]] = tile.load
// CHECK-NEXT: %[[N:.*]] = tile_gpu.convert_layout %[[R]] : tensor<64x64xf16
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: %[[W:.*]] = arith.extf %[[N]]
// CHECK: %[[S:.*]] = arith.mulf %[[W]], %{{.*}}
// CHECK: arith.addf %{{.*}}, %[[S]]
// CHECK-LABEL: tile.func @residual_kept(
// CHECK: %[[D:.*]] = tile.dot
// CHECK: %[[M:.*]] = tile_gpu.convert_layout %[[D]] {{.*}}: tensor<64x64xf32
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: %[[S:.*]] = arith.mulf
// CHECK: arith.addf %[[M]], %[[S]]
// CHECK-NOT: tile_gpu.convert_layout
tile.func @residual(%c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %alpha: f32) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero by wgmma : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %lanes = tile.arange : tensor<4096xi32>
  %at = tile.reshape %lanes : tensor<4096xi32> -> tensor<64x64xi32>
  %cs = tile.splat %c : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %ptrs = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %r = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
  %wide = arith.extf %r : tensor<64x64xf16> to tensor<64x64xf32>
  %alphas = tile.splat %alpha : f32 -> tensor<64x64xf32>
  %scaled = arith.mulf %wide, %alphas : tensor<64x64xf32>
  %sum = arith.addf %d, %scaled : tensor<64x64xf32>
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.store %ptrs, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

tile.func @residual_kept(%c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %alpha: f32) {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero by wgmma : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  %lanes = tile.arange : tensor<4096xi32>
  %at = tile.reshape %lanes : tensor<4096xi32> -> tensor<64x64xi32>
  %cs = tile.splat %c : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %ptrs = tile.addptr %cs, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %others = tile.addptr %qs, %at : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %r = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
  %wide = arith.extf %r : tensor<64x64xf16> to tensor<64x64xf32>
  %alphas = tile.splat %alpha : f32 -> tensor<64x64xf32>
  %scaled = arith.mulf %wide, %alphas : tensor<64x64xf32>
  tile.store %others, %scaled : tensor<64x64x!tile.ptr<f32>>
  %sum = arith.addf %d, %scaled : tensor<64x64xf32>
  %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
  tile.store %ptrs, %h : tensor<64x64x!tile.ptr<f16>>
  tile.return
}

// What an atomic leaves may be more than the registers of all threads: it cannot be had in parts, as a load can.
// CHECK-LABEL: tile.func @large_atomic(
// CHECK: tile.atomic_rmw add relaxed gpu %{{.*}} : tensor<32768x!tile.ptr<i64>, #
tile.func @large_atomic(%p: !tile.ptr<i64>, %out: !tile.ptr<i64>) {
  %lanes = tile.arange : tensor<32768xi32>
  %one = arith.constant dense<1> : tensor<32768xi64>
  %ptrs = tile.expr %p + %lanes
  %old = tile.atomic_rmw add relaxed gpu %ptrs, %one : tensor<32768x!tile.ptr<i64>>
  %outs = tile.expr %out + %lanes
  tile.store %outs, %old : tensor<32768x!tile.ptr<i64>>
  tile.return
}
