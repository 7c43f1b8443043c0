// Operands that threads make of a step's bytes lie in one place where the second is stored when the first one's dot has
// read it: rings of two slots leave room for two blocks. Where both are stored before the dots, they do not, and the one
// block has as many slots as it would.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [16, 0], [32, 0], [64, 0]], lane = [[0, 16], [0, 32], [0, 64], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [0, 64]]>
#line = #tile_gpu.layout<register = [[1], [2], [4], [8], [2048], [4096], [8192]], lane = [[16], [32], [64], [128], [256]], warp = [[512], [1024]]>

// CHECK-LABEL: tile.func @apart
// CHECK-COUNT-2: tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xi8, stages = 2>
tile.func @apart(%k: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %v: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %n: i32, %q: tensor<16x128xf16, #acc>, %c: tensor<16x128xf32, #acc>) attributes {tile.num_warps = 4 : i32} {
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128>
  tile_gpu.buffer_store %q, %x : tensor<16x128xf16, #acc> -> !tile_gpu.buffer<16x128xf16, swizzle = 128>
  %i = tile.arange : tensor<16384xi32, #line>
  %o = tile.reshape %i : tensor<16384xi32, #line> -> tensor<128x128xi32, #v>
  %ks = tile.splat %k : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>, #v>
  %vs = tile.splat %v : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>, #v>
  %pk = tile.addptr %ks, %o : tensor<128x128x!tile.ptr<i8>, #v>, tensor<128x128xi32, #v>
  %pv = tile.addptr %vs, %o : tensor<128x128x!tile.ptr<i8>, #v>, tensor<128x128xi32, #v>
  %zero = arith.constant dense<0.0> : tensor<16x128xf32, #acc>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x128xf32, #acc>) : i32 {
    %t = tile.load %pk : tensor<128x128x!tile.ptr<i8>, #v>
    %u = tile.load %pv : tensor<128x128x!tile.ptr<i8>, #v>
    %y = arith.sitofp %t : tensor<128x128xi8, #v> to tensor<128x128xf16, #v>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %y, %b : tensor<128x128xf16, #v> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    %s = tile.dot %x, %b, %zero by mma_sync : !tile_gpu.buffer<16x128xf16, swizzle = 128>, !tile_gpu.buffer<128x128xf16, swizzle = 128> -> tensor<16x128xf32, #acc>
    %p = arith.truncf %s : tensor<16x128xf32, #acc> to tensor<16x128xf16, #acc>
    %w = tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128>
    tile_gpu.buffer_store %p, %w : tensor<16x128xf16, #acc> -> !tile_gpu.buffer<16x128xf16, swizzle = 128>
    %z = arith.sitofp %u : tensor<128x128xi8, #v> to tensor<128x128xf16, #v>
    %e = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %z, %e : tensor<128x128xf16, #v> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    %d = tile.dot %w, %e, %a by mma_sync : !tile_gpu.buffer<16x128xf16, swizzle = 128>, !tile_gpu.buffer<128x128xf16, swizzle = 128> -> tensor<16x128xf32, #acc>
    scf.yield %d : tensor<16x128xf32, #acc>
  }
  tile.return
}

// CHECK-LABEL: tile.func @together
// CHECK-COUNT-2: tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xi8, stages = 4>
tile.func @together(%k: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %v: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %n: i32, %q: tensor<16x128xf16, #acc>, %c: tensor<16x128xf32, #acc>) attributes {tile.num_warps = 4 : i32} {
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128>
  tile_gpu.buffer_store %q, %x : tensor<16x128xf16, #acc> -> !tile_gpu.buffer<16x128xf16, swizzle = 128>
  %i = tile.arange : tensor<16384xi32, #line>
  %o = tile.reshape %i : tensor<16384xi32, #line> -> tensor<128x128xi32, #v>
  %ks = tile.splat %k : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>, #v>
  %vs = tile.splat %v : !tile.ptr<i8> -> tensor<128x128x!tile.ptr<i8>, #v>
  %pk = tile.addptr %ks, %o : tensor<128x128x!tile.ptr<i8>, #v>, tensor<128x128xi32, #v>
  %pv = tile.addptr %vs, %o : tensor<128x128x!tile.ptr<i8>, #v>, tensor<128x128xi32, #v>
  %zero = arith.constant dense<0.0> : tensor<16x128xf32, #acc>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x128xf32, #acc>) : i32 {
    %t = tile.load %pk : tensor<128x128x!tile.ptr<i8>, #v>
    %u = tile.load %pv : tensor<128x128x!tile.ptr<i8>, #v>
    %y = arith.sitofp %t : tensor<128x128xi8, #v> to tensor<128x128xf16, #v>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %y, %b : tensor<128x128xf16, #v> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    %z = arith.sitofp %u : tensor<128x128xi8, #v> to tensor<128x128xf16, #v>
    %e = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %z, %e : tensor<128x128xf16, #v> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    %s = tile.dot %x, %b, %zero by mma_sync : !tile_gpu.buffer<16x128xf16, swizzle = 128>, !tile_gpu.buffer<128x128xf16, swizzle = 128> -> tensor<16x128xf32, #acc>
    %p = arith.truncf %s : tensor<16x128xf32, #acc> to tensor<16x128xf16, #acc>
    %w = tile_gpu.alloc_shared : !tile_gpu.buffer<16x128xf16, swizzle = 128>
    tile_gpu.buffer_store %p, %w : tensor<16x128xf16, #acc> -> !tile_gpu.buffer<16x128xf16, swizzle = 128>
    %d = tile.dot %w, %e, %a by mma_sync : !tile_gpu.buffer<16x128xf16, swizzle = 128>, !tile_gpu.buffer<128x128xf16, swizzle = 128> -> tensor<16x128xf32, #acc>
    scf.yield %d : tensor<16x128xf32, #acc>
  }
  tile.return
}
