// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles,tile-make-persistent,tile-warp-specialize,tile-stage-stores,canonicalize,cse))' --verify-each | FileCheck %s

// What a program reads in front of its loop, a head's rows, has two slots: the next program's are copied while this one
// multiplies. Its results leave box by box although the arrays have three dimensions.
// CHECK-LABEL: tile.func @heads
// CHECK-SAME: stores = boxes, {{.*}}warm_steps = 0, ahead = 2>
// CHECK: %[[C:.*]] = tile.make_desc %{{.*}} -> !tile.desc<1x64x64xf16>
// CHECK-DAG: %[[Q:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x128xf16, swizzle = 128, stages = 2>
// CHECK-DAG: %[[OUT:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 2>
// CHECK: tile_gpu.warp_specialize producer {
// CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %c0{{[^,]*}}, %[[PHASE:.*]] = %c0
// CHECK: } consumer {
// CHECK: scf.for
// CHECK: %[[SLOT:.*]] = tile_gpu.buffer_stage %[[Q]][%[[AT:.*]]]
// CHECK: tile.dot %[[SLOT]],
// CHECK: arith.cmpi eq, %{{.*}}, %c2
// CHECK: %[[BOX:.*]] = tile_gpu.buffer_stage %[[OUT]][%c0
// CHECK: tile_gpu.tma_store %[[C]][%[[HEAD:.*]], %[[ROW:.*]], %c0{{.*}}] from %[[BOX]]
// CHECK: tile_gpu.tma_store %[[C]][%[[HEAD]], %[[ROW]], %c64{{.*}}] from
// CHECK-NOT: tile_gpu.desc_write
// CHECK: tile.return
tile.func @heads(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %c: !tile.ptr<f16>, %heads: i32, %m: i32, %n: i32) {
  tile.grid(%m : i32, %heads : i32) {
    tile.yield %m, %heads : i32, i32
  }
  %pitch = arith.constant 128 : i64
  %m64 = arith.extsi %m : i32 to i64
  %each = arith.muli %m64, %pitch : i64
  %all = arith.constant 128 : i32
  %dq = tile.make_desc %q, [%heads, %m, %all], [%each, %pitch] : !tile.ptr<f16> -> !tile.desc<1x128x128xf16>
  %dk = tile.make_desc %k, [%heads, %n, %all], [%each, %pitch] : !tile.ptr<f16> -> !tile.desc<1x128x128xf16>
  %dc = tile.make_desc %c, [%heads, %m, %all], [%each, %pitch] : !tile.ptr<f16> -> !tile.desc<1x128x128xf16>
  %pm = tile.program_id x
  %head = tile.program_id y
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %rows = tile.desc_load %dq[%head, %m0, %c0] : !tile.desc<1x128x128xf16>
  %x = tile.reshape %rows : tensor<1x128x128xf16> -> tensor<128x128xf16>
  %acc = scf.for %k0 = %c0 to %n step %c128 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %more = tile.desc_load %dk[%head, %k0, %c0] : !tile.desc<1x128x128xf16>
    %y = tile.reshape %more : tensor<1x128x128xf16> -> tensor<128x128xf16>
    %d = tile.dot %x, %y, %s : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xf16>
  %r = tile.reshape %h : tensor<128x128xf16> -> tensor<1x128x128xf16>
  // expected-remark @+1 {{store is not deferred}}
  tile.desc_store %dc[%head, %m0, %c0], %r : !tile.desc<1x128x128xf16>
  tile.return
}

// -----

// There is no room for them: 64 KiB more would leave two slots to the loop.
// CHECK-LABEL: tile.func @wide
// CHECK-SAME: stages = 4,
// CHECK-NOT: ahead
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x256xf16, swizzle = 128>
// expected-remark @+1 {{boxes outside of loops are not copied ahead: expected room for 65536 bytes more, found less}}
tile.func @wide(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32) {
  tile.grid(%m : i32) {
    tile.yield %m : i32
  }
  %pitch = arith.constant 256 : i64
  %out = arith.constant 64 : i64
  %all = arith.constant 256 : i32
  %c64 = arith.constant 64 : i32
  %dq = tile.make_desc %q, [%m, %all], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x256xf16>
  %dk = tile.make_desc %k, [%n, %all], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x256xf16>
  %dc = tile.make_desc %c, [%m, %c64], [%out] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %m0 = arith.muli %pm, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %x = tile.desc_load %dq[%m0, %c0] : !tile.desc<128x256xf16>
  %acc = scf.for %k0 = %c0 to %n step %c64 iter_args(%s = %zero) -> tensor<128x64xf32> : i32 {
    %y = tile.desc_load %dk[%k0, %c0] : !tile.desc<64x256xf16>
    %t = tile.trans %y order [1, 0] : tensor<64x256xf16> -> tensor<256x64xf16>
    %d = tile.dot %x, %t, %s : tensor<128x256xf16>, tensor<256x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  // expected-remark @+1 {{store is not deferred}}
  tile.desc_store %dc[%m0, %c0], %h : !tile.desc<128x64xf16>
  tile.return
}
