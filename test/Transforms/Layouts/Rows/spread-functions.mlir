// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-localize-rows,canonicalize,cse))' | FileCheck %s

#row = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>
#long = #tile_gpu.layout<register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [0], [0]], warp = [[0], [0]]>

// Eight angles a thread, which four lanes and four warps have alike: each is computed by one thread (two of 128 have one), and
// handed on.
// CHECK-LABEL: tile.func @angles
tile.func @angles(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  // CHECK: %[[I:.*]] = tile.arange : tensor<64xi32, [[ONCE:#tile_gpu.layout<register = \[\], lane = \[\[8\], \[16\], \[32\], \[4\], \[2\]\], warp = \[\[1\], \[0\]\]>]]>
  // CHECK: %[[F:.*]] = arith.sitofp %[[I]]
  // CHECK: %[[A:.*]] = arith.mulf
  // CHECK: %[[C:.*]] = math.cos %[[A]] : tensor<64xf32, [[ONCE]]>
  // CHECK: tile_gpu.convert_layout %[[C]] : tensor<64xf32, [[ONCE]]> -> tensor<64xf32, #{{.*}}>
  %i = tile.arange : tensor<64xi32, #row>
  %f = arith.sitofp %i : tensor<64xi32, #row> to tensor<64xf32, #row>
  %s = tile.splat %x : f32 -> tensor<64xf32, #row>
  %a = arith.mulf %f, %s : tensor<64xf32, #row>
  %c = math.cos %a : tensor<64xf32, #row>
  %r = tile.reduce add %c axis 0 : tensor<64xf32, #row> -> f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}

// Of functions of a few instructions nothing is saved; nor where each thread has elements of its own.
// CHECK-LABEL: tile.func @short
tile.func @short(%x: f32, %p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  // CHECK-NOT: convert_layout
  // CHECK: tile.return
  %i = tile.arange : tensor<64xi32, #row>
  %f = arith.sitofp %i : tensor<64xi32, #row> to tensor<64xf32, #row>
  %c = math.exp2 %f : tensor<64xf32, #row>
  %r = tile.reduce add %c axis 0 : tensor<64xf32, #row> -> f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}

// What memory says would have to be loaded otherwise.
// CHECK-LABEL: tile.func @loaded
tile.func @loaded(%q: !tile.ptr<f32>, %p: !tile.ptr<f32>) attributes {tile.num_warps = 4 : i32} {
  // CHECK-NOT: convert_layout
  // CHECK: tile.return
  %i = tile.arange : tensor<64xi32, #row>
  %b = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #row>
  %d = tile.addptr %b, %i : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  %f = tile.load %d : tensor<64x!tile.ptr<f32>, #row>
  %c = math.cos %f : tensor<64xf32, #row>
  %r = tile.reduce add %c axis 0 : tensor<64xf32, #row> -> f32
  tile.store %p, %r : !tile.ptr<f32>
  tile.return
}

// Taps and channels in one index, divided by the extents of a filter, which the launch alone knows: lanes share the
// quotients. By a constant that is a product and a shift.
// CHECK-LABEL: tile.func @taps
tile.func @taps(%n: i32, %p: !tile.ptr<i32>) attributes {tile.num_warps = 4 : i32} {
  // CHECK: %[[I:.*]] = tile.arange : tensor<128xi32, [[LANES:#tile_gpu.layout<register = \[\[1\], \[2\]\], lane = \[\[16\], \[32\], \[64\], \[8\], \[4\]\], warp = \[\[0\], \[0\]\]>]]>
  // CHECK: %[[C:.*]] = arith.divsi %[[I]], %{{.*}} : tensor<128xi32, [[LANES]]>
  // CHECK: tile_gpu.convert_layout %[[C]] : tensor<128xi32, [[LANES]]> -> tensor<128xi32, #{{.*}}>
  // CHECK-NOT: convert_layout
  // CHECK: tile.return
  %i = tile.arange : tensor<128xi32, #long>
  %s = tile.splat %n : i32 -> tensor<128xi32, #long>
  %c = arith.divsi %i, %s : tensor<128xi32, #long>
  %five = arith.constant dense<5> : tensor<128xi32, #long>
  %d = arith.remsi %c, %five : tensor<128xi32, #long>
  %r = tile.reduce add %d axis 0 : tensor<128xi32, #long> -> i32
  tile.store %p, %r : !tile.ptr<i32>
  tile.return
}
