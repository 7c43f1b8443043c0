// Rows that begin anywhere are read in chunks of 16 bytes, each by a thread, and copied ahead of products so: where they are
// long (ragged-bytes, 64). Those of 32 bytes lie in three chunks for two: threads read them word by word.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts,canonicalize,cse,tile-pipeline{num-stages=3}))' | FileCheck %s

// CHECK-LABEL: tile.func @long
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x32xf16, stages = 3, ragged>
// CHECK: tile_gpu.async_copy
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @long(%x: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<512xi32>
  %o = tile.reshape %i : tensor<512xi32> -> tensor<16x32xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<16x32x!tile.ptr<f16>>
  %p = tile.addptr %xs, %o : tensor<16x32x!tile.ptr<f16>>, tensor<16x32xi32>
  %b = arith.constant dense<1.0> : tensor<32x32xf16>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x32xf32>) : i32 {
    %a = tile.load %p : tensor<16x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<16x32xf16>, tensor<32x32xf16> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  tile.store %cs, %r : tensor<16x32x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @short
// CHECK-NOT: ragged
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.return
tile.func @short(%x: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32} {
  %i = tile.arange : tensor<256xi32>
  %o = tile.reshape %i : tensor<256xi32> -> tensor<16x16xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %p = tile.addptr %xs, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x32xf32>) : i32 {
    %a = tile.load %p : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<16x16xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  tile.store %cs, %r : tensor<16x32x!tile.ptr<f32>>
  tile.return
}

// A launch that packs arrays may be asked for any: all of them are copied.
// CHECK-LABEL: tile.func @packs
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<16x16xf16, stages = 3, ragged>
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @packs(%x: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) attributes {tile.num_warps = 1 : i32, tile_gpu.packs} {
  %i = tile.arange : tensor<256xi32>
  %o = tile.reshape %i : tensor<256xi32> -> tensor<16x16xi32>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<16x16x!tile.ptr<f16>>
  %p = tile.addptr %xs, %o : tensor<16x16x!tile.ptr<f16>>, tensor<16x16xi32>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x32xf32>) : i32 {
    %a = tile.load %p : tensor<16x16x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<16x16xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  tile.store %cs, %r : tensor<16x32x!tile.ptr<f32>>
  tile.return
}
