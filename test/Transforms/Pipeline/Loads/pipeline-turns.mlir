// Two slots of keys and values of 256 elements leave a multiprocessor one block of four warps, one slot two: keys and values
// are copied by turns, each under what is multiplied of the other: values by the places of their own step. What is both
// comes when a step has read it. What threads read between the two, a bias say, comes with the keys. Dots by wgmma are
// waited for one by one then. Who asks for three slots has them.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline{num-stages=3}))' | FileCheck %s --check-prefix=ASKED
// ASKED-LABEL: tile.func @two
// ASKED-COUNT-2: !tile_gpu.buffer<64x256xf16, swizzle = 128, stages = 3>

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], warp = [[1, 0], [2, 0]]>
#t = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [64, 0], [128, 0]], warp = [[0, 1], [0, 2]]>
#s = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 64], [0, 128]]>
#line = #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048], [4096], [8192]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

#g = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#gline = #tile_gpu.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// CHECK-LABEL: tile.func @two
// CHECK: %[[K:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK-NEXT: %[[V:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK: %[[FIRST:.*]] = tile_gpu.buffer_stage %[[K]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[FIRST]]
// CHECK-NOT: tile_gpu.async_copy
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[AT:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %c0{{[_i0-9]*}}, %{{.*}} = %c0{{[_i0-9]*}})
// CHECK: tile_gpu.async_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK: %[[VALUES:.*]] = tile_gpu.buffer_stage %[[V]]
// CHECK: tile_gpu.async_copy %[[AT]], %{{.*}} into %[[VALUES]]
// CHECK-NEXT: tile_gpu.async_commit
// CHECK: tile.dot
// CHECK: tile_gpu.async_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.*]] = tile_gpu.buffer_stage %[[K]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[NEXT]]
// CHECK-NEXT: tile_gpu.async_commit
// CHECK-NEXT: tile.dot
// CHECK-NOT: tile_gpu.async_copy
// CHECK: %[[MOVED:.*]] = tile.addptr %[[AT]]
// CHECK: scf.yield %{{.*}}, %[[MOVED]],
tile.func @two(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %q: tensor<16x256xf16, #acc>,
               %c: tensor<16x256xf32, #acc>) attributes {tile.num_warps = 4 : i32} {
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<16x256xf16, swizzle = 128>
  tile_gpu.buffer_store %q, %x : tensor<16x256xf16, #acc> -> !tile_gpu.buffer<16x256xf16, swizzle = 128>
  %i = tile.arange : tensor<16384xi32, #line>
  %o = tile.reshape %i : tensor<16384xi32, #line> -> tensor<64x256xi32, #v>
  %ks = tile.splat %k : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %vs = tile.splat %v : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %pk = tile.addptr %ks, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %pv = tile.addptr %vs, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #s>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %far = arith.constant dense<16384> : tensor<64x256xi32, #v>
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c, %at = %pv) -> (tensor<16x256xf32, #acc>, tensor<64x256x!tile.ptr<f16>, #v>) : i32 {
    %y = tile.load %pk : tensor<64x256x!tile.ptr<f16>, #v>
    %u = tile.trans %y order [1, 0] : tensor<64x256xf16, #v> -> tensor<256x64xf16, #t>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    tile_gpu.buffer_store %u, %b : tensor<256x64xf16, #t> -> !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    %s = tile.dot %x, %b, %zero by mma_sync : !tile_gpu.buffer<16x256xf16, swizzle = 128>, !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]> -> tensor<16x64xf32, #s>
    %p = arith.truncf %s : tensor<16x64xf32, #s> to tensor<16x64xf16, #s>
    %w = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
    tile_gpu.buffer_store %p, %w : tensor<16x64xf16, #s> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
    %z = tile.load %at : tensor<64x256x!tile.ptr<f16>, #v>
    %e = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
    tile_gpu.buffer_store %z, %e : tensor<64x256xf16, #v> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
    %d = tile.dot %w, %e, %a by mma_sync : !tile_gpu.buffer<16x64xf16, swizzle = 128>, !tile_gpu.buffer<64x256xf16, swizzle = 128> -> tensor<16x256xf32, #acc>
    %next = tile.addptr %at, %far : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
    scf.yield %d, %next : tensor<16x256xf32, #acc>, tensor<64x256x!tile.ptr<f16>, #v>
  }
  tile.return
}

// CHECK-LABEL: tile.func @bias
// CHECK: %[[K:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK-NEXT: %[[G:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16
// CHECK-NEXT: %[[V:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK: scf.for
// CHECK: tile_gpu.async_wait 0
// CHECK: %[[VALUES:.*]] = tile_gpu.buffer_stage %[[V]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[VALUES]]
// CHECK: tile.dot
// CHECK: tile_gpu.buffer_load
// CHECK: tile_gpu.async_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.*]] = tile_gpu.buffer_stage %[[K]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[NEXT]]
// CHECK: %[[BIAS:.*]] = tile_gpu.buffer_stage %[[G]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[BIAS]]
// CHECK-NEXT: tile_gpu.async_commit
// CHECK-NEXT: tile.dot
tile.func @bias(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %g: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %q: tensor<16x256xf16, #acc>,
               %c: tensor<16x256xf32, #acc>) attributes {tile.num_warps = 4 : i32} {
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<16x256xf16, swizzle = 128>
  tile_gpu.buffer_store %q, %x : tensor<16x256xf16, #acc> -> !tile_gpu.buffer<16x256xf16, swizzle = 128>
  %i = tile.arange : tensor<16384xi32, #line>
  %o = tile.reshape %i : tensor<16384xi32, #line> -> tensor<64x256xi32, #v>
  %ks = tile.splat %k : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %vs = tile.splat %v : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %pk = tile.addptr %ks, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %pv = tile.addptr %vs, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %ig = tile.arange : tensor<1024xi32, #gline>
  %og = tile.reshape %ig : tensor<1024xi32, #gline> -> tensor<16x64xi32, #g>
  %gs = tile.splat %g : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>, #g>
  %pg = tile.addptr %gs, %og : tensor<16x64x!tile.ptr<f16>, #g>, tensor<16x64xi32, #g>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #s>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %far = arith.constant dense<16384> : tensor<64x256xi32, #v>
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c, %at = %pv) -> (tensor<16x256xf32, #acc>, tensor<64x256x!tile.ptr<f16>, #v>) : i32 {
    %y = tile.load %pk : tensor<64x256x!tile.ptr<f16>, #v>
    %u = tile.trans %y order [1, 0] : tensor<64x256xf16, #v> -> tensor<256x64xf16, #t>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    tile_gpu.buffer_store %u, %b : tensor<256x64xf16, #t> -> !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    %s = tile.dot %x, %b, %zero by mma_sync : !tile_gpu.buffer<16x256xf16, swizzle = 128>, !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]> -> tensor<16x64xf32, #s>
    %h = tile.load %pg : tensor<16x64x!tile.ptr<f16>, #g>
    %hs = tile_gpu.convert_layout %h : tensor<16x64xf16, #g> -> tensor<16x64xf16, #s>
    %hf = arith.extf %hs : tensor<16x64xf16, #s> to tensor<16x64xf32, #s>
    %sum = arith.addf %s, %hf : tensor<16x64xf32, #s>
    %p = arith.truncf %sum : tensor<16x64xf32, #s> to tensor<16x64xf16, #s>
    %w = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
    tile_gpu.buffer_store %p, %w : tensor<16x64xf16, #s> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
    %z = tile.load %at : tensor<64x256x!tile.ptr<f16>, #v>
    %e = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
    tile_gpu.buffer_store %z, %e : tensor<64x256xf16, #v> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
    %d = tile.dot %w, %e, %a by mma_sync : !tile_gpu.buffer<16x64xf16, swizzle = 128>, !tile_gpu.buffer<64x256xf16, swizzle = 128> -> tensor<16x256xf32, #acc>
    %next = tile.addptr %at, %far : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
    scf.yield %d, %next : tensor<16x256xf32, #acc>, tensor<64x256x!tile.ptr<f16>, #v>
  }
  tile.return
}

// CHECK-LABEL: tile.func @one
// CHECK: scf.for
// CHECK: tile_gpu.async_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-2: tile.dot
// CHECK: gpu.barrier
// CHECK: tile_gpu.async_copy
// CHECK: tile_gpu.async_copy
// CHECK-NEXT: tile_gpu.async_commit
// CHECK-NEXT: scf.yield
tile.func @one(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32, %q: tensor<16x256xf16, #acc>,
               %c: tensor<16x256xf32, #acc>) attributes {tile.num_warps = 4 : i32} {
  %x = tile_gpu.alloc_shared : !tile_gpu.buffer<16x256xf16, swizzle = 128>
  tile_gpu.buffer_store %q, %x : tensor<16x256xf16, #acc> -> !tile_gpu.buffer<16x256xf16, swizzle = 128>
  %i = tile.arange : tensor<16384xi32, #line>
  %o = tile.reshape %i : tensor<16384xi32, #line> -> tensor<64x256xi32, #v>
  %ks = tile.splat %k : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %pk = tile.addptr %ks, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %vs = tile.splat %v : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %pv = tile.addptr %vs, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #s>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<16x256xf32, #acc>) : i32 {
    %y = tile.load %pk : tensor<64x256x!tile.ptr<f16>, #v>
    %z = tile.load %pv : tensor<64x256x!tile.ptr<f16>, #v>
    %u = tile.trans %y order [1, 0] : tensor<64x256xf16, #v> -> tensor<256x64xf16, #t>
    %b = tile_gpu.alloc_shared : !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    tile_gpu.buffer_store %u, %b : tensor<256x64xf16, #t> -> !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    %g = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
    tile_gpu.buffer_store %y, %g : tensor<64x256xf16, #v> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
    %h = tile.trans %z order [1, 0] : tensor<64x256xf16, #v> -> tensor<256x64xf16, #t>
    %l = tile_gpu.alloc_shared : !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    tile_gpu.buffer_store %h, %l : tensor<256x64xf16, #t> -> !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    %m = tile.dot %x, %b, %zero by mma_sync : !tile_gpu.buffer<16x256xf16, swizzle = 128>, !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]> -> tensor<16x64xf32, #s>
    %s = tile.dot %x, %l, %m by mma_sync : !tile_gpu.buffer<16x256xf16, swizzle = 128>, !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]> -> tensor<16x64xf32, #s>
    %p = arith.truncf %s : tensor<16x64xf32, #s> to tensor<16x64xf16, #s>
    %w = tile_gpu.alloc_shared : !tile_gpu.buffer<16x64xf16, swizzle = 128>
    tile_gpu.buffer_store %p, %w : tensor<16x64xf16, #s> -> !tile_gpu.buffer<16x64xf16, swizzle = 128>
    %d = tile.dot %w, %g, %a by mma_sync : !tile_gpu.buffer<16x64xf16, swizzle = 128>, !tile_gpu.buffer<64x256xf16, swizzle = 128> -> tensor<16x256xf32, #acc>
    scf.yield %d : tensor<16x256xf32, #acc>
  }
  tile.return
}

#h = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0], [128, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#e = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>

// CHECK-LABEL: tile.func @by_wgmma
// CHECK: %[[W:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK-NEXT: %[[K:.*]] = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
// CHECK: scf.for
// CHECK: tile_gpu.async_wait 0
// CHECK: %[[KEYS:.*]] = tile_gpu.buffer_stage %[[K]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[KEYS]]
// CHECK: tile.dot {{.*}} by wgmma : {{.*}} -> tensor<64x64xf32
// CHECK-NOT: async
// CHECK: tile_gpu.async_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.*]] = tile_gpu.buffer_stage %[[W]]
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} into %[[NEXT]]
// CHECK-NEXT: tile_gpu.async_commit
// CHECK-NEXT: tile.dot {{.*}} by wgmma : {{.*}} -> tensor<256x64xf32
tile.func @by_wgmma(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32,
                    %c: tensor<256x64xf32, #h>) attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<16384xi32, #line>
  %o = tile.reshape %i : tensor<16384xi32, #line> -> tensor<64x256xi32, #v>
  %ks = tile.splat %k : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %pk = tile.addptr %ks, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %ws = tile.splat %w : !tile.ptr<f16> -> tensor<64x256x!tile.ptr<f16>, #v>
  %pw = tile.addptr %ws, %o : tensor<64x256x!tile.ptr<f16>, #v>, tensor<64x256xi32, #v>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #e>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c) -> (tensor<256x64xf32, #h>) : i32 {
    %x = arith.truncf %a : tensor<256x64xf32, #h> to tensor<256x64xf16, #h>
    %y = tile.load %pw : tensor<64x256x!tile.ptr<f16>, #v>
    %bw = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, swizzle = 128>
    tile_gpu.buffer_store %y, %bw : tensor<64x256xf16, #v> -> !tile_gpu.buffer<64x256xf16, swizzle = 128>
    %bh = tile_gpu.alloc_shared : !tile_gpu.buffer<256x64xf16, swizzle = 128>
    tile_gpu.buffer_store %x, %bh : tensor<256x64xf16, #h> -> !tile_gpu.buffer<256x64xf16, swizzle = 128>
    %d = tile.dot %bw, %bh, %zero by wgmma : !tile_gpu.buffer<64x256xf16, swizzle = 128>, !tile_gpu.buffer<256x64xf16, swizzle = 128> -> tensor<64x64xf32, #e>
    %f = arith.truncf %d : tensor<64x64xf32, #e> to tensor<64x64xf16, #e>
    %bf = tile_gpu.alloc_shared : !tile_gpu.buffer<64x64xf16, swizzle = 128>
    tile_gpu.buffer_store %f, %bf : tensor<64x64xf16, #e> -> !tile_gpu.buffer<64x64xf16, swizzle = 128>
    %g = tile.load %pk : tensor<64x256x!tile.ptr<f16>, #v>
    %gt = tile.trans %g order [1, 0] : tensor<64x256xf16, #v> -> tensor<256x64xf16, #t>
    %bk = tile_gpu.alloc_shared : !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    tile_gpu.buffer_store %gt, %bk : tensor<256x64xf16, #t> -> !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>
    %q = tile.dot %bk, %bf, %a by wgmma : !tile_gpu.buffer<256x64xf16, swizzle = 128, order = [0, 1]>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<256x64xf32, #h>
    scf.yield %q : tensor<256x64xf32, #h>
  }
  tile.return
}
