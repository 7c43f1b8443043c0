// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(tile-defer-reductions,canonicalize))' | FileCheck %s

// Rows of 64 over 16 lanes of four neighbours each: a thread adds its four, and lanes meet behind the loop.
#x = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [1]], warp = [[2], [4]]>
#s = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @sums
// CHECK-SAME: %[[X:.*]]: tensor<8x64xf32, {{.*}}>, %[[START:.*]]: tensor<8xf32, {{.*}}>
// CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<8x16xf32, #tile_gpu.layout<register = [], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = {{\[\[}}2, 0], [4, 0]]>>
// CHECK: %[[PARTS:.*]] = scf.for {{.*}} iter_args(%[[PART:.*]] = %[[ZERO]])
// CHECK: %[[SPLIT:.*]] = tile.reshape %{{.*}} : tensor<8x64xf32, {{.*}}> -> tensor<8x16x4xf32
// CHECK: %[[OWN:.*]] = tile.reduce add %[[SPLIT]] axis 2
// CHECK: %[[NEXT:.*]] = arith.addf %[[PART]], %[[OWN]] fastmath<contract>
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[SUM:.*]] = tile.reduce add %[[PARTS]] axis 1
// CHECK: %[[MOVED:.*]] = tile_gpu.convert_layout %[[SUM]]
// CHECK: arith.addf %[[START]], %[[MOVED]] fastmath<contract>
tile.func private @sums(%x: tensor<8x64xf32, #x>, %start: tensor<8xf32, #s>, %n: i32) -> tensor<8xf32, #s> attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %start) -> (tensor<8xf32, #s>) : i32 {
    %y = arith.mulf %x, %x : tensor<8x64xf32, #x>
    %r = tile.reduce add %y axis 1 : tensor<8x64xf32, #x> -> tensor<8xf32, #r>
    %c = tile_gpu.convert_layout %r : tensor<8xf32, #r> -> tensor<8xf32, #s>
    %next = arith.addf %sum, %c fastmath<contract> : tensor<8xf32, #s>
    scf.yield %next : tensor<8xf32, #s>
  }
  tile.return %all : tensor<8xf32, #s>
}

// -----

// A number of all of a tile, the greatest; and loops in loops.
#x = #tile_gpu.layout<register = [[1], [256]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
// CHECK-LABEL: tile.func private @greatest
// CHECK: %[[LEAST:.*]] = arith.constant dense<0xFF800000> : tensor<128xf32
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[LEAST]])
// CHECK: %[[SOME:.*]] = scf.for {{.*}} iter_args(%[[INNER:.*]] = %[[LEAST]])
// CHECK: tile.reshape %{{.*}} : tensor<512xf32, {{.*}}> -> tensor<2x128x2xf32
// CHECK: tile.reduce max %{{.*}} axis 2 : {{.*}} -> tensor<2x128xf32
// CHECK: %[[OWN:.*]] = tile.reduce max %{{.*}} axis 0 : {{.*}} -> tensor<128xf32
// CHECK: arith.maximumf %[[OWN]], %[[INNER]]
// CHECK: arith.maximumf %[[SOME]], %[[OUTER]]
// CHECK: %[[MOST:.*]] = tile.reduce max %[[ALL]] axis 0 : tensor<128xf32, {{.*}}> -> f32
// CHECK: arith.maximumf %[[MOST]], %{{.*}} : f32
tile.func private @greatest(%x: tensor<512xf32, #x>, %start: f32, %n: i32) -> f32 attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all = scf.for %i = %first to %n step %step iter_args(%outer = %start) -> (f32) : i32 {
    %some = scf.for %k = %first to %n step %step iter_args(%inner = %outer) -> (f32) : i32 {
      %y = math.absf %x : tensor<512xf32, #x>
      %r = tile.reduce max %y axis 0 : tensor<512xf32, #x> -> f32
      %next = arith.maximumf %r, %inner : f32
      scf.yield %next : f32
    }
    scf.yield %some : f32
  }
  tile.return %all : f32
}

// -----

// What a thread has all of for itself, and keeps, is as good as it is.
#x = #tile_gpu.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
// CHECK-LABEL: tile.func private @own
// CHECK: scf.for
// CHECK: tile.reduce add %{{.*}} axis 1 : tensor<128x4xi32
// CHECK: scf.yield
// CHECK-NOT: tile.reduce
tile.func private @own(%x: tensor<128x4xi32, #x>, %start: tensor<128xi32, #r>, %n: i32) -> tensor<128xi32, #r> attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %start) -> (tensor<128xi32, #r>) : i32 {
    %r = tile.reduce add %x axis 1 : tensor<128x4xi32, #x> -> tensor<128xi32, #r>
    %next = arith.addi %sum, %r : tensor<128xi32, #r>
    scf.yield %next : tensor<128xi32, #r>
  }
  tile.return %all : tensor<128xi32, #r>
}

// -----

// Looked at in the loop, combined by another op, or made by one that is not associative: stays.
#x = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0], [2, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
// CHECK-LABEL: tile.func private @stays
// CHECK: scf.for
// CHECK-COUNT-3: tile.reduce {{.*}} axis 1 : tensor<4x64xf32
// CHECK: scf.yield
// CHECK-NOT: tile.reduce
tile.func private @stays(%x: tensor<4x64xf32, #x>, %start: tensor<4xf32, #r>, %n: i32)
    -> (tensor<4xf32, #r>, tensor<4xf32, #r>, tensor<4xf32, #r>) attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all:3 = scf.for %i = %first to %n step %step iter_args(%a = %start, %b = %start, %c = %start)
      -> (tensor<4xf32, #r>, tensor<4xf32, #r>, tensor<4xf32, #r>) : i32 {
    %y = math.absf %x : tensor<4x64xf32, #x>
    %max = tile.reduce max %y axis 1 : tensor<4x64xf32, #x> -> tensor<4xf32, #r>
    %above = arith.maximumf %a, %max : tensor<4xf32, #r>
    %twice = arith.mulf %above, %above : tensor<4xf32, #r>
    %sum = tile.reduce add %y axis 1 : tensor<4x64xf32, #x> -> tensor<4xf32, #r>
    %product = arith.mulf %b, %sum : tensor<4xf32, #r>
    %differences = tile.reduce %y axis 1 : tensor<4x64xf32, #x> -> tensor<4xf32, #r> {
    ^bb0(%p: f32, %q: f32):
      %d = arith.subf %p, %q : f32
      tile.yield %d : f32
    }
    %less = arith.subf %c, %differences : tensor<4xf32, #r>
    scf.yield %twice, %product, %less : tensor<4xf32, #r>, tensor<4xf32, #r>, tensor<4xf32, #r>
  }
  tile.return %all#0, %all#1, %all#2 : tensor<4xf32, #r>, tensor<4xf32, #r>, tensor<4xf32, #r>
}

// -----

// What is computed of the sum before it is combined, or of what the loop carries, is no part of one sum: stays.
#x = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0], [2, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
// CHECK-LABEL: tile.func private @changed
// CHECK: scf.for
// CHECK-COUNT-2: tile.reduce add {{.*}} axis 1 : tensor<4x64xf32
// CHECK: scf.yield
// CHECK-NOT: tile.reduce
tile.func private @changed(%x: tensor<4x64xf32, #x>, %start: tensor<4xf32, #r>, %n: i32) -> (tensor<4xf32, #r>, tensor<4xf32, #r>)
    attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all:2 = scf.for %i = %first to %n step %step iter_args(%a = %start, %b = %start) -> (tensor<4xf32, #r>, tensor<4xf32, #r>) : i32 {
    %y = math.exp2 %x : tensor<4x64xf32, #x>
    %sum = tile.reduce add %y axis 1 : tensor<4x64xf32, #x> -> tensor<4xf32, #r>
    %distance = math.absf %sum : tensor<4xf32, #r>
    %far = arith.addf %a, %distance : tensor<4xf32, #r>
    %z = math.absf %x : tensor<4x64xf32, #x>
    %other = tile.reduce add %z axis 1 : tensor<4x64xf32, #x> -> tensor<4xf32, #r>
    %before = math.absf %b : tensor<4xf32, #r>
    %next = arith.addf %other, %before : tensor<4xf32, #r>
    scf.yield %far, %next : tensor<4xf32, #r>, tensor<4xf32, #r>
  }
  tile.return %all#0, %all#1 : tensor<4xf32, #r>, tensor<4xf32, #r>
}

// -----

// A loop over whole steps, and one over the last: threads carry their parts from one into the next, and meet behind
// both.
#x = #tile_gpu.layout<register = [[1], [256]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
// CHECK-LABEL: tile.func private @goes_on
// CHECK-SAME: %[[X:.*]]: tensor<512xf32, {{.*}}>, %[[START:[a-z0-9]*]]: f32
// CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<128xf32
// CHECK: %[[WHOLE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK-NOT: -> f32
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[WHOLE]])
// CHECK: %[[SUM:.*]] = tile.reduce add %[[ALL]] axis 0 : tensor<128xf32, {{.*}}> -> f32
// CHECK: %[[END:.*]] = arith.addf %[[START]], %[[SUM]] : f32
// CHECK: tile.return %[[END]]
tile.func private @goes_on(%x: tensor<512xf32, #x>, %start: f32, %m: i32, %n: i32) -> f32 attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %whole = scf.for %i = %first to %m step %step iter_args(%sum = %start) -> (f32) : i32 {
    %y = math.absf %x : tensor<512xf32, #x>
    %r = tile.reduce add %y axis 0 : tensor<512xf32, #x> -> f32
    %next = arith.addf %sum, %r : f32
    scf.yield %next : f32
  }
  %all = scf.for %k = %m to %n step %step iter_args(%sum = %whole) -> (f32) : i32 {
    %y = math.exp %x : tensor<512xf32, #x>
    %r = tile.reduce add %y axis 0 : tensor<512xf32, #x> -> f32
    %next = arith.addf %sum, %r : f32
    scf.yield %next : f32
  }
  tile.return %all : f32
}

// -----

// What is carried on is the greatest, and then a sum: threads meet in between.
#x = #tile_gpu.layout<register = [[1], [256]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
// CHECK-LABEL: tile.func private @changes
// CHECK: scf.for
// CHECK: tile.reduce max %{{.*}} : tensor<128xf32, {{.*}}> -> f32
// CHECK: scf.for
// CHECK: tile.reduce add %{{.*}} : tensor<128xf32, {{.*}}> -> f32
tile.func private @changes(%x: tensor<512xf32, #x>, %start: f32, %m: i32, %n: i32) -> f32 attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %whole = scf.for %i = %first to %m step %step iter_args(%most = %start) -> (f32) : i32 {
    %y = math.absf %x : tensor<512xf32, #x>
    %r = tile.reduce max %y axis 0 : tensor<512xf32, #x> -> f32
    %next = arith.maximumf %most, %r : f32
    scf.yield %next : f32
  }
  %all = scf.for %k = %m to %n step %step iter_args(%sum = %whole) -> (f32) : i32 {
    %y = math.exp %x : tensor<512xf32, #x>
    %r = tile.reduce add %y axis 0 : tensor<512xf32, #x> -> f32
    %next = arith.addf %sum, %r : f32
    scf.yield %next : f32
  }
  tile.return %all : f32
}
