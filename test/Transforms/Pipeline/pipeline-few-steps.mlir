// A loop of two known steps has two slots, which are both filled in front of it: a block waits for memory once. Nothing is
// copied in a step. Where nobody knows how many there are, copies run ahead in the loop.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-accelerate-dot{num-warps=2},tile-assign-layouts{num-warps=2},canonicalize,cse,tile-pipeline))' 2>/dev/null | FileCheck %s

// CHECK-LABEL: tile.func @two
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, {{.*}}stages = 2>
// CHECK-COUNT-2: tile_gpu.async_copy
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.async_wait 1
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.dot
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @two(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 2 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %n = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %p = tile.expr %a + col(arange(64)) * 128 + row(arange(64)) + %k
    %x = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %t, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %q = tile.expr %out + col(arange(64)) * 64 + row(arange(64))
  tile.store %q, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// CHECK-LABEL: tile.func @some
// CHECK: scf.for
// CHECK: tile_gpu.async_copy
// CHECK: tile.return
tile.func @some(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %p = tile.expr %a + col(arange(64)) * 128 + row(arange(64)) + %k
    %x = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %t, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %q = tile.expr %out + col(arange(64)) * 64 + row(arange(64))
  tile.store %q, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// One step, or none: its tiles are on their way together in front of the loop, where there is a step, in a slot of their own.
// CHECK-LABEL: tile.func @one
// CHECK: tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: tile_gpu.async_copy
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.async_wait 0
// CHECK-NOT: tile_gpu.async_copy
// CHECK: tile.return
tile.func @one(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 2 : i32} {
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tile.program_id y
  %r = scf.for %k = %pid to %c1 step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %at = arith.muli %k, %c64 : i32
    %p = tile.expr %a + col(arange(64)) * 128 + row(arange(64)) + %at
    %x = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %t, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {tile.most_steps = 1 : i64}
  %q = tile.expr %out + col(arange(64)) * 64 + row(arange(64))
  tile.store %q, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
