// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-sums))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-sums,tile-split-sums))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// Of all steps each of four blocks has a fourth, and the first ones what is left over, one each. They are consecutive.
// CHECK-LABEL: tile.func @divided
// CHECK-SAME: tile_gpu.cluster = 4 : i32
// CHECK: %[[RANK:.*]] = tile_gpu.cluster_rank
// CHECK: %[[WAY:.*]] = arith.subi %arg5, %[[ZERO:.*]] : i32
// CHECK: %[[STEPS:.*]] = arith.ceildivsi %[[WAY]], %[[STEP:.*]] : i32
// CHECK: %[[ALL:.*]] = arith.maxsi %[[STEPS]], %{{.*}} : i32
// CHECK: %[[EACH:.*]] = arith.divui %[[ALL]], %c4{{.*}} : i32
// CHECK: %[[REST:.*]] = arith.remui %[[ALL]], %c4{{.*}} : i32
// CHECK: %[[OTHERS:.*]] = arith.muli %[[RANK]], %[[EACH]] : i32
// CHECK: %[[MORE:.*]] = arith.minui %[[RANK]], %[[REST]] : i32
// CHECK: %[[BEFORE:.*]] = arith.addi %[[OTHERS]], %[[MORE]] : i32
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %[[RANK]], %[[REST]] : i32
// CHECK: %[[ONE:.*]] = arith.select %[[HAS]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[MINE:.*]] = arith.addi %[[EACH]], %[[ONE]] : i32
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[BEFORE]], %[[STEP]] : i32
// CHECK: %[[FROM:.*]] = arith.addi %[[ZERO]], %[[SKIPPED]] : i32
// CHECK: %[[LENGTH:.*]] = arith.muli %[[MINE]], %[[STEP]] : i32
// CHECK: %[[END:.*]] = arith.addi %[[FROM]], %[[LENGTH]] : i32
// CHECK: %[[TILL:.*]] = arith.minsi %[[END]], %arg5 : i32
// CHECK: %[[PART:.*]] = scf.for %{{.*}} = %[[FROM]] to %[[TILL]] step %[[STEP]]
// CHECK: %[[SUM:.*]] = tile_gpu.add_parts %[[PART]]
// CHECK-NEXT: arith.truncf %[[SUM]]
// CHECK-NOT: tile_gpu.add_parts
tile.func @divided(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3, parts = 4>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
    scf.yield %d : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// What is added to a sum need not be a dot of it.
// CHECK-LABEL: tile.func @scaled
// CHECK: %[[PART:.*]] = scf.for
// CHECK: %[[SUM:.*]] = tile_gpu.add_parts %[[PART]]
// CHECK-NEXT: arith.truncf %[[SUM]]
tile.func @scaled(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %f: !acc) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3, parts = 4>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d2 = tile.dot %sa, %sb, %zero by wgmma : !a, !b -> !acc
    %scaled = arith.mulf %d2, %f : !acc
    %e = arith.addf %s, %scaled : !acc
    scf.yield %e : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// One op may scale what is added, and add it.
// CHECK-LABEL: tile.func @scaled_at_once
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: math.fma
// CHECK: tile_gpu.add_parts %[[SUM]]
tile.func @scaled_at_once(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %f: !acc) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3, parts = 4>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d2 = tile.dot %sa, %sb, %zero by wgmma : !a, !b -> !acc
    %e = math.fma %d2, %f, %s : !acc
    scf.yield %e : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// One block has all steps.
// CHECK-LABEL: tile.func @whole
// CHECK-NOT: tile_gpu.cluster
// CHECK-NOT: tile_gpu.add_parts
// CHECK: tile.return
tile.func @whole(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
    scf.yield %d : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// The same for blocks of no cluster, which add up in memory.
// CHECK-LABEL: tile.func @in_memory
// CHECK-SAME: tile_gpu.splits = 4 : i32
// CHECK-NOT: tile_gpu.cluster
// CHECK: %[[PART:.*]] = tile_gpu.part
// CHECK: arith.muli %[[PART]],
// CHECK: %[[OWN:.*]] = scf.for
// CHECK: %[[SUM:.*]], %{{.*}} = tile_gpu.collect_parts %[[OWN]] :
// CHECK-NEXT: arith.truncf %[[SUM]]
tile.func @in_memory(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3, splits = 4>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
    scf.yield %d : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// And for clusters of two: they add up what they have before.
// CHECK-LABEL: tile.func @clusters_in_memory
// CHECK-SAME: tile_gpu.cluster = 2 : i32
// CHECK-SAME: tile_gpu.splits = 4 : i32
// CHECK: %[[PART:.*]] = tile_gpu.part
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK: arith.divui %{{.*}}, %[[EIGHT]] : i32
// CHECK: arith.muli %[[PART]],
// CHECK: %[[OWN:.*]] = scf.for
// CHECK: %[[CLUSTERS:.*]] = tile_gpu.add_parts %[[OWN]] :
// CHECK-NEXT: %[[SUM:.*]], %{{.*}} = tile_gpu.collect_parts %[[CLUSTERS]] :
// CHECK-NEXT: arith.truncf %[[SUM]]
tile.func @clusters_in_memory(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3, parts = 2, splits = 4>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
    scf.yield %d : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0], [0, 0]]>
!narrow = tensor<16x32xf32, #narrow>
!ptrs = tensor<16x16x!tile.ptr<f16>, #rows>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// Threads load what the dots read: no schedule says anything, the kernel does. Pointers and offsets begin where the block's steps do.
// CHECK-LABEL: tile.func @by_threads
// CHECK-SAME: tile_gpu.splits = 3 : i32
// CHECK: %[[PART:.*]] = tile_gpu.part
// CHECK: %[[OTHERS:.*]] = arith.muli %[[PART]], %{{.*}} : i32
// CHECK: %[[BEFORE:.*]] = arith.addi %[[OTHERS]], %{{.*}} : i32
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[BEFORE]], %{{.*}} : i32
// CHECK: %[[FROM:.*]] = arith.addi %{{.*}}, %[[SKIPPED]] : i32
// CHECK: %[[BY:.*]] = arith.extsi %arg1 : tensor<16x16xi32, #{{.*}}> to tensor<16x16xi64, #{{.*}}>
// CHECK: %[[STEPS:.*]] = arith.extsi %[[BEFORE]] : i32 to i64
// CHECK: %[[ALL:.*]] = tile.splat %[[STEPS]] : i64 -> tensor<16x16xi64
// CHECK: %[[WAY:.*]] = arith.muli %[[BY]], %[[ALL]]
// CHECK: %[[MINE:.*]] = tile.addptr %arg0, %[[WAY]]
// CHECK: %[[STEPS2:.*]] = arith.extsi %[[BEFORE]] : i32 to i64
// CHECK: %[[COUNT:.*]] = arith.trunci %[[STEPS2]] : i64 to i32
// CHECK: %[[FAR:.*]] = arith.muli %arg2, %[[COUNT]] : i32
// CHECK: %[[OFFSET:.*]] = arith.addi %{{.*}}, %[[FAR]] : i32
// CHECK: %[[OWN:.*]]:3 = scf.for %{{.*}} = %[[FROM]] to %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[MINE]], %{{.*}} = %[[OFFSET]])
// CHECK: tile_gpu.collect_parts %[[OWN]]#0 :
tile.func @by_threads(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sb = tile_gpu.alloc_shared : !narrow_b
  %sum, %end, %last = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero, %p = %start, %o = %c16) -> (!narrow, !ptrs, i32) : i32 {
    %os = tile.splat %o : i32 -> tensor<16x16xi32, #rows>
    %at = tile.addptr %p, %os : !ptrs, tensor<16x16xi32, #rows>
    %a = tile.load %at : !ptrs
    %sa = tile_gpu.alloc_shared : !narrow_a
    tile_gpu.buffer_store %a, %sa : tensor<16x16xf16, #rows> -> !narrow_a
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    %next = tile.addptr %p, %far : !ptrs, tensor<16x16xi32, #rows>
    %o_next = arith.addi %o, %more : i32
    scf.yield %d, %next, %o_next : !narrow, !ptrs, i32
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}
