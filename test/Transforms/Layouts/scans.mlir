// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts,cse))' | FileCheck %s

// Sums along rows, of what is read column by column and stored row by row: they run as they are
// stored, each row in one warp, and not as they are read, in parts of four warps. What is stored
// besides is converted once for both.
// CHECK-LABEL: tile.func @sums(
// CHECK: %[[ROWS:.*]] = tile_gpu.convert_layout {{.*}} -> tensor<8x128xf32, [[ROW:#tile_gpu.layout<.*]], warp = {{\[\[}}1, 0], [2, 0]]>>
// CHECK: arith.addf %[[ROWS]], %[[ROWS]]
// CHECK: tile.scan add %{{.*}} axis 1 : tensor<8x128xf32, [[ROW]], warp = {{\[\[}}1, 0], [2, 0]]>>
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @sums(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %copy: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %r = tile.arange : tensor<8xi32>
  %c = tile.arange : tensor<128xi32>
  %rows = tile.expand_dims %r axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %cols = tile.expand_dims %c axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %rb = tile.broadcast %rows : tensor<8x1xi32> -> tensor<8x128xi32>
  %cb = tile.broadcast %cols : tensor<1x128xi32> -> tensor<8x128xi32>
  %eight = arith.constant dense<8> : tensor<8x128xi32>
  %many = arith.constant dense<128> : tensor<8x128xi32>
  %across = arith.muli %cb, %eight : tensor<8x128xi32>
  %from = arith.addi %across, %rb : tensor<8x128xi32>
  %along = arith.muli %rb, %many : tensor<8x128xi32>
  %to = arith.addi %along, %cb : tensor<8x128xi32>
  %in_p = tile.splat %in : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  %src = tile.addptr %in_p, %from : tensor<8x128x!tile.ptr<f32>>, tensor<8x128xi32>
  %x = tile.load %src : tensor<8x128x!tile.ptr<f32>>
  %copy_p = tile.splat %copy : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  %copies = tile.addptr %copy_p, %to : tensor<8x128x!tile.ptr<f32>>, tensor<8x128xi32>
  tile.store %copies, %x : tensor<8x128x!tile.ptr<f32>>
  %twice = arith.addf %x, %x : tensor<8x128xf32>
  %sums = tile.scan add %twice axis 1 : tensor<8x128xf32> -> tensor<8x128xf32>
  %out_p = tile.splat %out : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  %dst = tile.addptr %out_p, %to : tensor<8x128x!tile.ptr<f32>>, tensor<8x128xi32>
  tile.store %dst, %sums : tensor<8x128x!tile.ptr<f32>>
  tile.return
}

// Nobody stores the sums: they run as what they are of was read.
// CHECK-LABEL: tile.func @totals(
// CHECK: tile.scan add %{{.*}} axis 1 : tensor<8x128xf32, {{.*}}warp = {{\[\[}}0, 32], [0, 64]]>>
tile.func @totals(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %copy: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %r = tile.arange : tensor<8xi32>
  %c = tile.arange : tensor<128xi32>
  %rows = tile.expand_dims %r axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %cols = tile.expand_dims %c axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %rb = tile.broadcast %rows : tensor<8x1xi32> -> tensor<8x128xi32>
  %cb = tile.broadcast %cols : tensor<1x128xi32> -> tensor<8x128xi32>
  %eight = arith.constant dense<8> : tensor<8x128xi32>
  %many = arith.constant dense<128> : tensor<8x128xi32>
  %across = arith.muli %cb, %eight : tensor<8x128xi32>
  %from = arith.addi %across, %rb : tensor<8x128xi32>
  %along = arith.muli %rb, %many : tensor<8x128xi32>
  %to = arith.addi %along, %cb : tensor<8x128xi32>
  %in_p = tile.splat %in : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  %src = tile.addptr %in_p, %from : tensor<8x128x!tile.ptr<f32>>, tensor<8x128xi32>
  %x = tile.load %src : tensor<8x128x!tile.ptr<f32>>
  %copy_p = tile.splat %copy : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  %copies = tile.addptr %copy_p, %to : tensor<8x128x!tile.ptr<f32>>, tensor<8x128xi32>
  tile.store %copies, %x : tensor<8x128x!tile.ptr<f32>>
  %twice = arith.addf %x, %x : tensor<8x128xf32>
  %sums = tile.scan add %twice axis 1 : tensor<8x128xf32> -> tensor<8x128xf32>
  %most = tile.reduce max %sums axis 1 : tensor<8x128xf32> -> tensor<8xf32>
  %firsts = tile.splat %out : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %ends = tile.addptr %firsts, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %ends, %most : tensor<8x!tile.ptr<f32>>
  tile.return
}

// A row that is spread over the steps of a recurrence goes where these lie: what is scanned has neighbours along the
// axis in a thread, and comes from memory and goes back to it so, though the row comes first.
// CHECK-LABEL: tile.func @decayed(
// CHECK: tile.load {{.*}} : tensor<256x8x!tile.ptr<f32>, [[STEPS:#tile_gpu.layout<register = \[\[0, 1\], \[0, 2\], \[1, 0\], \[2, 0\]\].*]]>{{$}}
// CHECK-NOT: convert_layout
// CHECK: tile.scan {{.*}} axis 0 : tensor<256x8xf32, [[STEPS]]>, tensor<256x8xf32, [[STEPS]]>
// CHECK-NOT: convert_layout
// CHECK: tile.store {{.*}} : tensor<256x8x!tile.ptr<f32>, [[STEPS]]>
// CHECK: tile.return
tile.func @decayed(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %decays: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %t = tile.arange : tensor<256xi32>
  %c = tile.arange : tensor<8xi32>
  %many = arith.constant dense<512> : tensor<256x8xi32>
  %rows = tile.expand_dims %t axis 1 : tensor<256xi32> -> tensor<256x1xi32>
  %cols = tile.expand_dims %c axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %rb = tile.broadcast %rows : tensor<256x1xi32> -> tensor<256x8xi32>
  %cb = tile.broadcast %cols : tensor<1x8xi32> -> tensor<256x8xi32>
  %along = arith.muli %rb, %many : tensor<256x8xi32>
  %at = arith.addi %along, %cb : tensor<256x8xi32>
  %dp = tile.splat %decays : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %dq = tile.addptr %dp, %c : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %d = tile.load %dq : tensor<8x!tile.ptr<f32>>
  %row = tile.expand_dims %d axis 0 : tensor<8xf32> -> tensor<1x8xf32>
  %decay = tile.broadcast %row : tensor<1x8xf32> -> tensor<256x8xf32>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<256x8x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %at : tensor<256x8x!tile.ptr<f32>>, tensor<256x8xi32>
  %x = tile.load %xq : tensor<256x8x!tile.ptr<f32>>
  %p:2 = tile.scan %decay, %x axis 0 : tensor<256x8xf32>, tensor<256x8xf32> -> tensor<256x8xf32>, tensor<256x8xf32> {
  ^bb0(%a: f32, %b: f32, %e: f32, %f: f32):
    %g = arith.mulf %a, %e : f32
    %h = arith.mulf %b, %e : f32
    %i = arith.addf %h, %f : f32
    tile.yield %g, %i : f32, f32
  }
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<256x8x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %at : tensor<256x8x!tile.ptr<f32>>, tensor<256x8xi32>
  tile.store %yq, %p#1 : tensor<256x8x!tile.ptr<f32>>
  tile.return
}

// Of what is scanned along memory a thread has as many neighbours as the narrower elements have in 16 bytes, four f32 and
// not two i64: each run of neighbours is one more total for lanes to exchange.
// CHECK-LABEL: tile.func @greatest(
// CHECK: tile.scan {{.*}} axis 0 : tensor<1024xf32, #tile_gpu.layout<register = {{\[\[}}1], [2], [512]], {{.*}}>>, tensor<1024xi64,
tile.func @greatest(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                    %where: !tile.ptr<i64> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<1024xi32>
  %place = arith.extsi %i : tensor<1024xi32> to tensor<1024xi64>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %xq : tensor<1024x!tile.ptr<f32>>
  %m:2 = tile.scan %x, %place axis 0 : tensor<1024xf32>, tensor<1024xi64> -> tensor<1024xf32>, tensor<1024xi64> {
  ^bb0(%a: f32, %j: i64, %b: f32, %k: i64):
    %less = arith.cmpf ogt, %a, %b : f32
    %c = arith.select %less, %a, %b : f32
    %l = arith.select %less, %j, %k : i64
    tile.yield %c, %l : f32, i64
  }
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yq, %m#0 : tensor<1024x!tile.ptr<f32>>
  %zp = tile.splat %where : !tile.ptr<i64> -> tensor<1024x!tile.ptr<i64>>
  %zq = tile.addptr %zp, %i : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  tile.store %zq, %m#1 : tensor<1024x!tile.ptr<i64>>
  tile.return
}

// What is loaded narrower than it is scanned decides nothing: of sums in i64 of bytes a thread has two neighbours, as it stores
// them.
// CHECK-LABEL: tile.func @widened(
// CHECK: tile.scan add {{.*}} axis 0 : tensor<1024xi64, #tile_gpu.layout<register = {{\[\[}}1], [256], [512]], {{.*}}>>
tile.func @widened(%in: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i64> {tile.divisibility = 16 : i32}) {
  %i = tile.arange : tensor<1024xi32>
  %xp = tile.splat %in : !tile.ptr<i8> -> tensor<1024x!tile.ptr<i8>>
  %xq = tile.addptr %xp, %i : tensor<1024x!tile.ptr<i8>>, tensor<1024xi32>
  %x = tile.load %xq : tensor<1024x!tile.ptr<i8>>
  %w = arith.extsi %x : tensor<1024xi8> to tensor<1024xi64>
  %s = tile.scan add %w axis 0 : tensor<1024xi64> -> tensor<1024xi64>
  %yp = tile.splat %out : !tile.ptr<i64> -> tensor<1024x!tile.ptr<i64>>
  %yq = tile.addptr %yp, %i : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  tile.store %yq, %s : tensor<1024x!tile.ptr<i64>>
  tile.return
}

// A state space's steps, of two tiles that are made of what is loaded: a thread would have parts of the lines of 64 places, of 256 words,
// as other warps had theirs, and all of them would wait for these. It has whole lines.
// CHECK-LABEL: tile.func @steps(
// CHECK: tile.scan %{{.*}} axis 0 : tensor<64x16x16xf32, {{.*}}lane = {{\[\[}}0, {{.*}}], [0, {{.*}}], [0, {{.*}}], [0, {{.*}}], [0, {{.*}}]], warp = {{\[\[}}0, {{.*}}], [0, {{.*}}]]>>
tile.func @steps(%a: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                 %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %r = tile.arange : tensor<64xi32>
  %c = tile.arange : tensor<16xi32>
  %rows = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %c axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %rb = tile.broadcast %rows : tensor<64x1xi32> -> tensor<64x16xi32>
  %cb = tile.broadcast %cols : tensor<1x16xi32> -> tensor<64x16xi32>
  %many = arith.constant dense<16> : tensor<64x16xi32>
  %along = arith.muli %rb, %many : tensor<64x16xi32>
  %at = arith.addi %along, %cb : tensor<64x16xi32>
  %ap = tile.splat %a : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>>
  %aq = tile.addptr %ap, %at : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %x = tile.load %aq : tensor<64x16x!tile.ptr<f32>>
  %bp = tile.splat %b : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>>
  %bq = tile.addptr %bp, %at : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  %y = tile.load %bq : tensor<64x16x!tile.ptr<f32>>
  %x1 = tile.expand_dims %x axis 2 : tensor<64x16xf32> -> tensor<64x16x1xf32>
  %y1 = tile.expand_dims %y axis 1 : tensor<64x16xf32> -> tensor<64x1x16xf32>
  %x3 = tile.broadcast %x1 : tensor<64x16x1xf32> -> tensor<64x16x16xf32>
  %y3 = tile.broadcast %y1 : tensor<64x1x16xf32> -> tensor<64x16x16xf32>
  %u = arith.mulf %x3, %y3 : tensor<64x16x16xf32>
  %d = arith.addf %x3, %y3 : tensor<64x16x16xf32>
  %s:2 = tile.scan %d, %u axis 0 : tensor<64x16x16xf32>, tensor<64x16x16xf32> -> tensor<64x16x16xf32>, tensor<64x16x16xf32> {
  ^bb0(%a1: f32, %b1: f32, %a2: f32, %b2: f32):
    %product = arith.mulf %a1, %a2 : f32
    %scaled = arith.mulf %a2, %b1 : f32
    %next = arith.addf %scaled, %b2 : f32
    tile.yield %product, %next : f32, f32
  }
  %sum = tile.reduce add %s#1 axis 2 : tensor<64x16x16xf32> -> tensor<64x16xf32>
  %op = tile.splat %out : !tile.ptr<f32> -> tensor<64x16x!tile.ptr<f32>>
  %oq = tile.addptr %op, %at : tensor<64x16x!tile.ptr<f32>>, tensor<64x16xi32>
  tile.store %oq, %sum : tensor<64x16x!tile.ptr<f32>>
  tile.return
}

// Rows of a column lie apart, by a number that is not 1 where the launch says so: whoever has which, each lies in a sector of its own.
// So a thread has neighbours, and one total of them.
// CHECK-LABEL: tile.func @column(
// CHECK: tile.load {{.*}} : tensor<1024x!tile.ptr<f32>, [[DOWN:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\]\].*]]>
// CHECK-NOT: convert_layout
// CHECK: tile.scan add {{.*}} axis 0 : tensor<1024xf32, [[DOWN]]>
// CHECK: tile.store {{.*}} : tensor<1024x!tile.ptr<f32>, [[DOWN]]>
tile.func @column(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32)
    attributes {tile.knows_ones} {
  %i = tile.arange : tensor<1024xi32>
  %p = tile.splat %pitch : i32 -> tensor<1024xi32>
  %at = arith.muli %i, %p : tensor<1024xi32>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %xq : tensor<1024x!tile.ptr<f32>>
  %s = tile.scan add %x axis 0 : tensor<1024xf32> -> tensor<1024xf32>
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yq, %s : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// The number may be 1, and then neighbours of lanes share sectors.
// CHECK-LABEL: tile.func @perhaps(
// CHECK: tile.scan add {{.*}} axis 0 : tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}128]], {{.*}}>>
tile.func @perhaps(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %pitch: i32) {
  %i = tile.arange : tensor<256xi32>
  %p = tile.splat %pitch : i32 -> tensor<256xi32>
  %at = arith.muli %i, %p : tensor<256xi32>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %x = tile.load %xq : tensor<256x!tile.ptr<f32>>
  %s = tile.scan add %x axis 0 : tensor<256xf32> -> tensor<256xf32>
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %yq, %s : tensor<256x!tile.ptr<f32>>
  tile.return
}

// A row that begins anywhere is read and written by single elements, and scanned by 32 neighbours a thread. Places, which are wider
// where they are stored, are converted before.
// CHECK-LABEL: tile.func @anywhere(
// CHECK: %[[READ:.*]] = tile.load {{.*}} : tensor<4096x!tile.ptr<f32>, [[APART:#tile_gpu.layout<register = \[\[128\].*]]>
// CHECK: %[[SIDE:.*]] = tile_gpu.convert_layout %[[READ]] {{.*}} -> tensor<4096xf32, [[OWN:#tile_gpu.layout<register = \[\[1\], \[2\], \[4\], \[8\], \[16\]\].*]]>
// CHECK: %[[SUMS:.*]]:2 = tile.scan %[[SIDE]], %{{.*}} axis 0 : tensor<4096xf32, [[OWN]]>, tensor<4096xi32, [[OWN]]>
// CHECK-DAG: tile_gpu.convert_layout %[[SUMS]]#0 {{.*}} -> tensor<4096xf32, [[APART]]>
// CHECK-DAG: %[[PLACES:.*]] = tile_gpu.convert_layout %[[SUMS]]#1 {{.*}} -> tensor<4096xi32, [[APART]]>
// CHECK: arith.extsi %[[PLACES]]
tile.func @anywhere(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                    %where: !tile.ptr<i64> {tile.divisibility = 16 : i32}, %first: i32) {
  %i = tile.arange : tensor<4096xi32>
  %f = tile.splat %first : i32 -> tensor<4096xi32>
  %at = arith.addi %i, %f : tensor<4096xi32>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %at : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %x = tile.load %xq : tensor<4096x!tile.ptr<f32>>
  %m:2 = tile.scan %x, %i axis 0 : tensor<4096xf32>, tensor<4096xi32> -> tensor<4096xf32>, tensor<4096xi32> {
  ^bb0(%a: f32, %j: i32, %b: f32, %k: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %c = arith.select %more, %a, %b : f32
    %l = arith.select %more, %j, %k : i32
    tile.yield %c, %l : f32, i32
  }
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %at : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  tile.store %yq, %m#0 : tensor<4096x!tile.ptr<f32>>
  %zp = tile.splat %where : !tile.ptr<i64> -> tensor<4096x!tile.ptr<i64>>
  %zq = tile.addptr %zp, %at : tensor<4096x!tile.ptr<i64>>, tensor<4096xi32>
  %w = arith.extsi %m#1 : tensor<4096xi32> to tensor<4096xi64>
  tile.store %zq, %w : tensor<4096x!tile.ptr<i64>>
  tile.return
}

// Of a few elements a thread that costs more than it saves.
// CHECK-LABEL: tile.func @few(
// CHECK-NOT: convert_layout
// CHECK: tile.scan add {{.*}} axis 0 : tensor<256xf32, #tile_gpu.layout<register = {{\[\[}}128]], {{.*}}>>
// CHECK-NOT: convert_layout
// CHECK: tile.return
tile.func @few(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %first: i32) {
  %i = tile.arange : tensor<256xi32>
  %f = tile.splat %first : i32 -> tensor<256xi32>
  %at = arith.addi %i, %f : tensor<256xi32>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %x = tile.load %xq : tensor<256x!tile.ptr<f32>>
  %s = tile.scan add %x axis 0 : tensor<256xf32> -> tensor<256xf32>
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %at : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %yq, %s : tensor<256x!tile.ptr<f32>>
  tile.return
}

// One warp's as well.
// CHECK-LABEL: tile.func @alone(
// CHECK: tile.scan add {{.*}} axis 0 : tensor<1024xf32, #tile_gpu.layout<register = {{\[\[}}1], [2], [4], [8], [16]], {{.*}}>>
tile.func @alone(%in: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %first: i32)
    attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<1024xi32>
  %f = tile.splat %first : i32 -> tensor<1024xi32>
  %at = arith.addi %i, %f : tensor<1024xi32>
  %xp = tile.splat %in : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xq = tile.addptr %xp, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x = tile.load %xq : tensor<1024x!tile.ptr<f32>>
  %s = tile.scan add %x axis 0 : tensor<1024xf32> -> tensor<1024xf32>
  %yp = tile.splat %out : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %yq = tile.addptr %yp, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %yq, %s : tensor<1024x!tile.ptr<f32>>
  tile.return
}
