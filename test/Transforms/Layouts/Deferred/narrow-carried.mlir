// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(tile-narrow-carried,canonicalize))' | FileCheck %s

// Sums of columns whose rows a thread has for itself: of 64 x 32 numbers in a step it carries one for each column.
#x = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[16, 0], [32, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @columns
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf32
// CHECK: %[[PARTS:.*]] = scf.for {{.*}} iter_args(%[[PART:.*]] = %{{.*}}) -> (tensor<4x32xf32, #tile_gpu.layout<register = [], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}1, 0], [2, 0]]>>)
// CHECK: %[[SPLIT:.*]] = tile.reshape %{{.*}} : tensor<64x32xf32, {{.*}}> -> tensor<4x16x32xf32
// CHECK: %[[OWN:.*]] = tile.reduce add %[[SPLIT]] axis 1
// CHECK: %[[NEXT:.*]] = arith.addf %[[PART]], %[[OWN]] fastmath<contract>
// CHECK: scf.yield %[[NEXT]]
// CHECK: tile.reduce add %[[PARTS]] axis 0 : tensor<4x32xf32
tile.func private @columns(%x: tensor<64x32xf32, #x>, %n: i32) -> tensor<32xf32, #r> attributes {tile.num_warps = 4 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32, #x>
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %zero) -> (tensor<64x32xf32, #x>) : i32 {
    %y = arith.mulf %x, %x : tensor<64x32xf32, #x>
    %next = arith.addf %sum, %y fastmath<contract> : tensor<64x32xf32, #x>
    scf.yield %next : tensor<64x32xf32, #x>
  }
  %r = tile.reduce add %all axis 0 : tensor<64x32xf32, #x> -> tensor<32xf32, #r>
  tile.return %r : tensor<32xf32, #r>
}

// -----

// Where warps are few nobody computes while a step's sums wait for each other: sixteen registers are no reason.
#x = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[16, 0], [32, 0]]>
#r = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
// CHECK-LABEL: tile.func private @few
// CHECK: %[[ALL:.*]] = scf.for {{.*}} -> (tensor<64x32xf32
// CHECK-NOT: tile.reduce
// CHECK: scf.yield
// CHECK: tile.reduce add %[[ALL]] axis 0 : tensor<64x32xf32
tile.func private @few(%x: tensor<64x32xf32, #x>, %n: i32) -> tensor<32xf32, #r> attributes {tile.num_warps = 4 : i32, tile_gpu.programs = 1 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32, #x>
  %all = scf.for %i = %first to %n step %step iter_args(%sum = %zero) -> (tensor<64x32xf32, #x>) : i32 {
    %y = arith.mulf %x, %x : tensor<64x32xf32, #x>
    %next = arith.addf %sum, %y fastmath<contract> : tensor<64x32xf32, #x>
    scf.yield %next : tensor<64x32xf32, #x>
  }
  %r = tile.reduce add %all axis 0 : tensor<64x32xf32, #x> -> tensor<32xf32, #r>
  tile.return %r : tensor<32xf32, #r>
}

// -----

// All of the axis is a thread's, in loops within each other, where a mask says so: no thread meets another, and what the mask leaves out is -0.
#x = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#r = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
// CHECK-LABEL: tile.func private @masked
// CHECK: %[[NONE:.*]] = arith.constant dense<-0.000000e+00> : tensor<16x32xf32
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}) -> (tensor<32xf32
// CHECK: %[[SOME:.*]] = scf.for {{.*}} iter_args(%[[INNER:.*]] = %[[OUTER]]) -> (tensor<32xf32
// CHECK: %[[TERM:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NONE]] : tensor<16x32xi1
// CHECK: %[[OWN:.*]] = tile.reduce add %[[TERM]] axis 0
// CHECK: %[[NEXT:.*]] = arith.addf %[[INNER]], %[[OWN]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: scf.yield %[[SOME]]
// CHECK-NOT: tile.reduce
// CHECK: tile.return %[[ALL]]
tile.func private @masked(%x: tensor<16x32xf32, #x>, %m: tensor<16x32xi1, #x>, %n: i32) -> tensor<32xf32, #r> attributes {tile.num_warps = 1 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf32, #x>
  %all = scf.for %i = %first to %n step %step iter_args(%outer = %zero) -> (tensor<16x32xf32, #x>) : i32 {
    %some = scf.for %j = %first to %n step %step iter_args(%sum = %outer) -> (tensor<16x32xf32, #x>) : i32 {
      %y = arith.addf %sum, %x : tensor<16x32xf32, #x>
      %next = arith.select %m, %y, %sum : tensor<16x32xi1, #x>, tensor<16x32xf32, #x>
      scf.yield %next : tensor<16x32xf32, #x>
    }
    scf.yield %some : tensor<16x32xf32, #x>
  }
  %r = tile.reduce add %all axis 0 : tensor<16x32xf32, #x> -> tensor<32xf32, #r>
  tile.return %r : tensor<32xf32, #r>
}

// -----

// A whole row is one number, the greatest.
#x = #tile_gpu.layout<register = [[1], [2], [128], [256]], lane = [[4], [8], [16], [32], [64]], warp = []>
// CHECK-LABEL: tile.func private @greatest
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[PART:.*]] = %{{.*}}) -> (tensor<32xf32
// CHECK: arith.maximumf %{{.*}} : tensor<32xf32
// CHECK: tile.reduce max %[[ALL]] axis 0 : tensor<32xf32, {{.*}}> -> f32
tile.func private @greatest(%x: tensor<512xf32, #x>, %start: tensor<512xf32, #x>, %n: i32) -> f32 attributes {tile.num_warps = 1 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %all = scf.for %i = %first to %n step %step iter_args(%high = %start) -> (tensor<512xf32, #x>) : i32 {
    %next = arith.maximumf %x, %high : tensor<512xf32, #x>
    scf.yield %next : tensor<512xf32, #x>
  }
  %r = tile.reduce max %all axis 0 : tensor<512xf32, #x> -> f32
  tile.return %r : f32
}

// -----

// Few numbers a thread, another combination, and a sum that its step looks at: all are carried.
#x = #tile_gpu.layout<register = [[1], [2], [128], [256]], lane = [[4], [8], [16], [32], [64]], warp = []>
#few = #tile_gpu.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
// CHECK-LABEL: tile.func private @carried
// CHECK: scf.for {{.*}} -> (tensor<128xf32, {{.*}}>, tensor<512xf32, {{.*}}>, tensor<512xf32, {{.*}}>)
tile.func private @carried(%x: tensor<512xf32, #x>, %f: tensor<128xf32, #few>, %n: i32) -> (f32, f32, f32) attributes {tile.num_warps = 1 : i32} {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #x>
  %none = arith.constant dense<0.0> : tensor<128xf32, #few>
  %all:3 = scf.for %i = %first to %n step %step iter_args(%p = %none, %q = %zero, %s = %zero) -> (tensor<128xf32, #few>, tensor<512xf32, #x>, tensor<512xf32, #x>) : i32 {
    %p2 = arith.addf %p, %f : tensor<128xf32, #few>
    %q2 = arith.maximumf %q, %x : tensor<512xf32, #x>
    %y = arith.mulf %s, %x : tensor<512xf32, #x>
    %s2 = arith.addf %s, %y : tensor<512xf32, #x>
    scf.yield %p2, %q2, %s2 : tensor<128xf32, #few>, tensor<512xf32, #x>, tensor<512xf32, #x>
  }
  %a = tile.reduce add %all#0 axis 0 : tensor<128xf32, #few> -> f32
  %b = tile.reduce add %all#1 axis 0 : tensor<512xf32, #x> -> f32
  %c = tile.reduce add %all#2 axis 0 : tensor<512xf32, #x> -> f32
  tile.return %a, %b, %c : f32, f32, f32
}
