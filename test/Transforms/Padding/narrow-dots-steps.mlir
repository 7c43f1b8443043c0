// What tile-narrow-dots says of dots, the copy engine does not fetch, and wgmma takes no steps for.
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(canonicalize,tile-narrow-dots,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes))' --verify-each | FileCheck %s --check-prefix=BOXES
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(tile.func(canonicalize,tile-narrow-dots,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-pipeline,tile-allocate-shared),convert-tile-to-gpu)' | FileCheck %s --check-prefix=STEPS

// Heads of 160 elements behind tiles of 256: both products of attention. Three of four boxes of 64 hold them.
// BOXES-LABEL: tile.func @both
// BOXES-DAG: tile_gpu.desc_copy {{.*}} : !tile.desc<128x192xf16>
// BOXES-DAG: tile_gpu.desc_copy {{.*}} : !tile.desc<64x192xf16>
// BOXES: tile.dot {{.*}} : !tile_gpu.buffer<128x192xf16, swizzle = 128>, !tile_gpu.buffer<192x64xf16, swizzle = 128, order = [0, 1]> ->
// STEPS-LABEL: llvm.func @both
// STEPS: wgmma.mma_async.sync.aligned.m64n64k16
// STEPS-COUNT-9: wgmma.mma_async.sync.aligned.m64n64k16
// STEPS-NOT: m64n64k16
// STEPS-COUNT-4: wgmma.mma_async.sync.aligned.m64n160k16
tile.func @both(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c160 = arith.constant 160 : i32
  %pitch = arith.constant 160 : i64
  %dq = tile.make_desc %q, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %dk = tile.make_desc %k, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %dv = tile.make_desc %v, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %do = tile.make_desc %o, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %a = tile.desc_load %dq[%c0, %c0] : !tile.desc<128x256xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %start = arith.constant dense<0.0> : tensor<128x256xf32>
  %half = arith.constant dense<0.5> : tensor<128x256xf32>
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %start) -> tensor<128x256xf32> : i32 {
    %x = tile.desc_load %dk[%j, %c0] : !tile.desc<64x256xf16>
    %b = tile.trans %x order [1, 0] : tensor<64x256xf16> -> tensor<256x64xf16>
    %s = tile.dot %a, %b, %zero : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
    %y = tile.desc_load %dv[%j, %c0] : !tile.desc<64x256xf16>
    %old = arith.mulf %acc, %half : tensor<128x256xf32>
    %new = tile.dot %p, %y, %old : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %new : tensor<128x256xf32>
  }
  %h = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xf16>
  tile.desc_store %do[%c0, %c0], %h : !tile.desc<128x256xf16>
  tile.return
}

// -----

// So does mma.sync: of 16 steps for two blocks of 8 columns a warp ten are left.
// STEPS-LABEL: llvm.func @few
// STEPS-COUNT-10: nvvm.mma.sync
// STEPS-NOT: nvvm.mma.sync
tile.func @few(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %o: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c160 = arith.constant 160 : i32
  %pitch = arith.constant 160 : i64
  %dq = tile.make_desc %q, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<16x256xf16>
  %dk = tile.make_desc %k, [%n, %c160], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %do = tile.make_desc %o, [%n, %c160], [%pitch] : !tile.ptr<f32> -> !tile.desc<16x64xf32>
  %a = tile.desc_load %dq[%c0, %c0] : !tile.desc<16x256xf16>
  %x = tile.desc_load %dk[%c0, %c0] : !tile.desc<64x256xf16>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %b = tile.trans %x order [1, 0] : tensor<64x256xf16> -> tensor<256x64xf16>
  %s = tile.dot %a, %b, %zero : tensor<16x256xf16>, tensor<256x64xf16> -> tensor<16x64xf32>
  tile.desc_store %do[%c0, %c0], %s : !tile.desc<16x64xf32>
  tile.return
}
