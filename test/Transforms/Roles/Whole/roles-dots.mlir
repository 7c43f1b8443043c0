// RUN: sed 's/^\(tile.func.*)\) {$/\1 attributes {tile.num_ctas = 1 : i32} {/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot{num-warps=8},tile-assign-layouts{num-warps=8},canonicalize,cse,tile-narrow-boxes,tile-plan-roles{ num-stages=4},%roles,canonicalize,cse))' --verify-each | FileCheck %s

// Two dots of one A, and two results. A has one buffer, the three boxes of a step one slot and one
// barrier, and both dots stay in flight: a slot is free when those of the next step are all that is
// unfinished. Both results leave under the next program's first dots. The box of the second dot comes
// first: it waits with the others for the first.
// CHECK-LABEL: tile.func @joined
// CHECK: %[[R2:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x32xf16, swizzle = 64, stages = 4>
// CHECK: %[[R0:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128, stages = 4>
// CHECK: %[[R1:.*]] = tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<64x64xf16, swizzle = 128, stages = 4>
// CHECK: tile_gpu.barrier_init %{{.*}} count 1 : !tile_gpu.buffer<1xi64, stages = 4>
// CHECK: tile_gpu.barrier_init %{{.*}} count 2 : !tile_gpu.buffer<1xi64, stages = 5>
// CHECK-NOT: tile_gpu.barrier_init
// A box of a result is as wide as its rows: 64 columns, and 32.
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x64xf16, swizzle = 128>
// CHECK: tile_gpu.alloc_shared {guarded} : !tile_gpu.buffer<128x32xf16, swizzle = 64>
// CHECK: tile_gpu.warp_specialize producer {
// CHECK:       tile_gpu.barrier_expect %{{.*}} bytes 28672
// CHECK-COUNT-3: tile_gpu.tma_load
// CHECK-NOT:   tile_gpu.tma_load
// CHECK: } consumer {
// CHECK:   scf.for {{.*}} -> (i32, i32, tensor<128x64xf16, {{.*}}>, i32, tensor<128x32xf16, {{.*}}>, i32)
// CHECK:     tile.dot {{.*}} by wgmma async {{.*}} -> tensor<128x64xf32
// CHECK:     tile.dot {{.*}} by wgmma async {{.*}} -> tensor<128x32xf32
// CHECK:     tile_gpu.tma_store {{.*}} !tile.desc<64x64xf16>
// CHECK:     tile.dot {{.*}} by wgmma async {{.*}} -> tensor<128x64xf32
// CHECK:     tile.dot {{.*}} by wgmma async {{.*}} -> tensor<128x32xf32
// CHECK:     tile_gpu.tma_store {{.*}} !tile.desc<64x32xf16>
// CHECK:     scf.for
// CHECK:       tile_gpu.barrier_wait
// CHECK:       %[[A:.*]] = tile_gpu.buffer_stage %[[R0]]
// CHECK:       tile.dot %[[A]], %{{.*}} by wgmma async {{.*}} -> tensor<128x64xf32
// CHECK-NEXT:  %[[D:.*]] = tile.dot %[[A]], %{{.*}} by wgmma async {{.*}} -> tensor<128x32xf32
// CHECK-NEXT:  tile_gpu.dot_wait %[[D]] pending 2
// CHECK:       tile_gpu.barrier_arrive
// CHECK-NOT:   tile_gpu.barrier_arrive
// CHECK:       scf.yield
// CHECK:     tile_gpu.dot_wait {{.*}} pending 0 : tensor<128x
// CHECK:     tile_gpu.dot_wait {{.*}} pending 0 : tensor<128x
// CHECK:     tile_gpu.barrier_arrive
tile.func @joined(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %g: !tile.ptr<f16>, %c: !tile.ptr<f16>, %d: !tile.ptr<f16>, %m: i32, %k: i32) {
  tile.grid(%m : i32) {
    %bm = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    tile.yield %x : i32
  }
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s32 = arith.constant 32 : i64
  %s64 = arith.constant 64 : i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dg = tile.make_desc %g, [%k, %c32], [%s32] : !tile.ptr<f16> -> !tile.desc<64x32xf16>
  %dc = tile.make_desc %c, [%m, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %dd = tile.make_desc %d, [%m, %c32], [%s32] : !tile.ptr<f16> -> !tile.desc<128x32xf16>
  %pm = tile.program_id x
  %m0 = arith.muli %pm, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %zero2 = arith.constant dense<0.0> : tensor<128x32xf32>
  %acc, %acc2 = scf.for %k0 = %c0 to %k step %c64 iter_args(%s = %zero, %t = %zero2) -> (tensor<128x64xf32>, tensor<128x32xf32>) : i32 {
    %z = tile.desc_load %dg[%k0, %c0] : !tile.desc<64x32xf16>
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %c0] : !tile.desc<64x64xf16>
    %e = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %f = tile.dot %x, %z, %t : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
    scf.yield %e, %f : tensor<128x64xf32>, tensor<128x32xf32>
  }
  %h = arith.truncf %acc : tensor<128x64xf32> to tensor<128x64xf16>
  %i = arith.truncf %acc2 : tensor<128x32xf32> to tensor<128x32xf16>
  tile.desc_store %dc[%m0, %c0], %h : !tile.desc<128x64xf16>
  tile.desc_store %dd[%m0, %c0], %i : !tile.desc<128x32xf16>
  tile.return
}

// What the second dot adds to is read before the loop ends: each dot waits for its own boxes, A for
// both, and none stays in flight.
// CHECK-LABEL: tile.func @apart
// CHECK: } consumer {
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       tile_gpu.barrier_wait
// CHECK:       tile.dot {{.*}} by wgmma {{(when %[0-9]+ )?}}:
// CHECK:       tile_gpu.barrier_wait
// CHECK:       tile.dot {{.*}} by wgmma {{(when %[0-9]+ )?}}:
// CHECK-COUNT-2: tile_gpu.barrier_arrive
tile.func @apart(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %g: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %k: i32) {
  tile.grid(%m : i32) {
    %bm = arith.constant 128 : i32
    %x = arith.ceildivsi %m, %bm : i32
    tile.yield %x : i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %s64 = arith.constant 64 : i64
  %k64 = arith.extsi %k : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dg = tile.make_desc %g, [%k, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %dc = tile.make_desc %c, [%m, %c64], [%s64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %pm = tile.program_id x
  %m0 = arith.muli %pm, %c128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %acc, %acc2 = scf.for %k0 = %c0 to %k step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<128x64xf32>, tensor<128x64xf32>) : i32 {
    %x = tile.desc_load %da[%m0, %k0] : !tile.desc<128x64xf16>
    %y = tile.desc_load %db[%k0, %c0] : !tile.desc<64x64xf16>
    %z = tile.desc_load %dg[%k0, %c0] : !tile.desc<64x64xf16>
    %e = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %f = tile.dot %x, %z, %t : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %more = math.absf %f : tensor<128x64xf32>
    scf.yield %e, %more : tensor<128x64xf32>, tensor<128x64xf32>
  }
  %sum = arith.addf %acc, %acc2 : tensor<128x64xf32>
  %h = arith.truncf %sum : tensor<128x64xf32> to tensor<128x64xf16>
  tile.desc_store %dc[%m0, %c0], %h : !tile.desc<128x64xf16>
  tile.return
}
