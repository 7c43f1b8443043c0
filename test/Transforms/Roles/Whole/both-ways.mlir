// What dots of a step read both ways round, as the backward of attention reads queries, is copied once: the other reads
// a view of it. Sums that a step adds to memory go there from the registers that hold them.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-plan-roles,tile-make-persistent,tile-warp-specialize))' | FileCheck %s --check-prefix=ROLES

// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-plan-roles,tile-make-persistent,tile-warp-specialize,tile-chain-dots))' | FileCheck %s --check-prefix=FLY

// CHECK-LABEL: tile.func @two_loops
// CHECK: scf.for
// CHECK: %[[Q:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1]>
// CHECK-NEXT: tile_gpu.desc_copy %{{.*}} into %[[Q]]
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.dot %{{.*}}, %[[Q]], %{{.*}} by wgmma
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: %[[BACK:.*]] = tile_gpu.buffer_trans %[[Q]] order [1, 0]
// CHECK-NEXT: tile.dot %{{.*}}, %[[BACK]], %{{.*}} by wgmma
// CHECK: %[[SUM:.*]] = tile.dot
// CHECK-NOT: convert_layout
// CHECK: tile.atomic_rmw fadd relaxed gpu %{{.*}}, %[[SUM]]
// CHECK: scf.for
// CHECK: tile_gpu.desc_copy
// CHECK-NOT: tile_gpu.desc_copy
// CHECK: tile.return

// The keys' two slots take 64 KiB, parts of the results 32, the scores of one loop or the other 16, once: of 16 KiB each
// there are seven slots.
// ROLES: consumer
// ROLES: tile_gpu.barrier_wait
// ROLES: scf.for
// ROLES: tile_gpu.barrier_wait
// ROLES-NEXT: %[[SLOT:.*]] = tile_gpu.buffer_stage {{.*}} : !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1], stages = 7>
// ROLES-NEXT: tile.dot %{{.*}}, %[[SLOT]]
// ROLES: %[[BACK:.*]] = tile_gpu.buffer_trans %[[SLOT]] order [1, 0]
// ROLES-NEXT: tile.dot %{{.*}}, %[[BACK]]
// ROLES: tile_gpu.barrier_arrive

// Its dots are not waited for one by one: what is stored for the third lies under the second, and the slot is free
// behind the wait for that.
// FLY: consumer
// FLY: scf.for
// FLY: scf.for
// FLY: %[[SCORE:.*]] = tile.dot {{.*}} by wgmma async
// FLY: tile_gpu.dot_wait %[[SCORE]] pending 0 tied
// FLY: arith.truncf
// FLY: %[[T:.*]] = tile.dot {{.*}} by wgmma async
// FLY-NOT: tile_gpu.barrier_arrive
// FLY: tile_gpu.buffer_store
// FLY: %[[SUM:.*]] = tile.dot {{.*}} by wgmma async
// FLY: %[[W:.*]] = tile_gpu.dot_wait %[[T]] pending 1 tied
// FLY: tile_gpu.barrier_arrive
// FLY: tile_gpu.dot_wait %[[SUM]] pending 0 tied
// FLY: tile.atomic_rmw
// FLY: scf.yield %[[W]]
tile.func @two_loops(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %out: !tile.ptr<f16>, %sums: !tile.ptr<f32>, %n: i32, %m: i32) {
  tile.grid(%m : i32) {
    tile.yield %m : i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %pitch = arith.constant 128 : i64
  %dq = tile.make_desc %q, [%n, %c128], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dk = tile.make_desc %k, [%n, %c128], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %dout = tile.make_desc %out, [%n, %c128], [%pitch] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %i = tile.program_id x
  %first = arith.muli %i, %c128 : i32
  %keys = tile.desc_load %dk[%first, %c0] : !tile.desc<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %empty = arith.constant dense<0.0> : tensor<64x128xf32>
  %rows = tile.arange : tensor<64xi32>
  %columns = tile.arange : tensor<128xi32>
  %col = tile.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %row = tile.expand_dims %columns axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %row_2 = tile.broadcast %row : tensor<1x128xi32> -> tensor<64x128xi32>
  %width = arith.constant dense<128> : tensor<64x1xi32>
  %base = tile.splat %sums : !tile.ptr<f32> -> tensor<64x128x!tile.ptr<f32>>
  %middle = arith.addi %first, %c128 : i32
  %a = scf.for %j = %first to %middle step %c64 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %dq[%j, %c0] : !tile.desc<64x128xf16>
    %xt = tile.trans %x order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    %score = tile.dot %keys, %xt, %none : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %score : tensor<128x64xf32> to tensor<128x64xf16>
    %t = tile.dot %p, %x, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %pt = tile.trans %p order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %sum = tile.dot %pt, %keys, %empty : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
    %at = tile.splat %j : i32 -> tensor<64x1xi32>
    %at_2 = arith.addi %at, %col : tensor<64x1xi32>
    %at_3 = arith.muli %at_2, %width : tensor<64x1xi32>
    %at_4 = tile.broadcast %at_3 : tensor<64x1xi32> -> tensor<64x128xi32>
    %at_5 = arith.addi %at_4, %row_2 : tensor<64x128xi32>
    %ptrs = tile.addptr %base, %at_5 : tensor<64x128x!tile.ptr<f32>>, tensor<64x128xi32>
    %old = tile.atomic_rmw fadd relaxed gpu %ptrs, %sum : tensor<64x128x!tile.ptr<f32>>
    scf.yield %t : tensor<128x128xf32>
  }
  %b = scf.for %j = %middle to %n step %c64 iter_args(%s = %a) -> tensor<128x128xf32> : i32 {
    %x = tile.desc_load %dq[%j, %c0] : !tile.desc<64x128xf16>
    %xt = tile.trans %x order [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
    %score = tile.dot %keys, %xt, %none : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
    %p = arith.truncf %score : tensor<128x64xf32> to tensor<128x64xf16>
    %t = tile.dot %p, %x, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %pt = tile.trans %p order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %sum = tile.dot %pt, %keys, %empty : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
    %at = tile.splat %j : i32 -> tensor<64x1xi32>
    %at_2 = arith.addi %at, %col : tensor<64x1xi32>
    %at_3 = arith.muli %at_2, %width : tensor<64x1xi32>
    %at_4 = tile.broadcast %at_3 : tensor<64x1xi32> -> tensor<64x128xi32>
    %at_5 = arith.addi %at_4, %row_2 : tensor<64x128xi32>
    %ptrs = tile.addptr %base, %at_5 : tensor<64x128x!tile.ptr<f32>>, tensor<64x128xi32>
    %old = tile.atomic_rmw fadd relaxed gpu %ptrs, %sum : tensor<64x128x!tile.ptr<f32>>
    scf.yield %t : tensor<128x128xf32>
  }
  %h = arith.truncf %b : tensor<128x128xf32> to tensor<128x128xf16>
  tile.desc_store %dout[%first, %c0], %h : !tile.desc<128x128xf16>
  tile.return
}
