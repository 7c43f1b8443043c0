// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-sums))' --verify-each | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-sums,tile-split-sums))' --verify-each | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// Of a block's four teams each has a fourth of the steps: no cluster, a block of as many teams.
// CHECK-LABEL: tile.func @divided
// CHECK-NOT: tile_gpu.cluster
// CHECK-SAME: tile_gpu.teams = 4 : i32
// CHECK: %[[TEAM:.*]] = tile_gpu.part
// CHECK: arith.muli %[[TEAM]], %{{.*}} : i32
// CHECK: %[[PART:.*]] = scf.for
// CHECK: %[[SUM:.*]] = tile_gpu.add_parts %[[PART]] {tile_gpu.teams}
// CHECK-NEXT: arith.truncf %[[SUM]]
tile.func @divided(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.in_block = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 3, parts = 1>} {
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

// So have those of a kernel whose threads load what its dots read.
// CHECK-LABEL: tile.func @by_threads
// CHECK-SAME: tile_gpu.teams = 2 : i32
// CHECK: %[[TEAM:.*]] = tile_gpu.part
// CHECK: %[[OWN:.*]]:3 = scf.for
// CHECK: tile_gpu.add_parts %[[OWN]]#0 {tile_gpu.teams} :
// CHECK-NOT: tile_gpu.collect_parts
tile.func @by_threads(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_teams = 2 : i32} {
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

// Nobody asks: where a launch has a multiprocessor for each program there are four, and else none.
// CHECK-LABEL: tile.func @alone
// CHECK-SAME: tile_gpu.teams = 4 : i32
tile.func @alone(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32} {
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

// As many as have room for what a program keeps in shared memory, 80 KiB of 227 here.
// CHECK-LABEL: tile.func @spacious
// CHECK-SAME: tile_gpu.teams = 2 : i32
tile.func @spacious(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sb = tile_gpu.alloc_shared : !narrow_b
  %kept = tile_gpu.alloc_shared : !tile_gpu.buffer<320x128xf16, swizzle = 128>
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

// CHECK-LABEL: tile.func @many
// CHECK-NOT: tile_gpu.teams
// CHECK: tile.return
tile.func @many(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32} {
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

#wide = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0], [0, 0]]>
!wide_ptrs = tensor<16x256x!tile.ptr<f16>, #wide>
!wide_a = !tile_gpu.buffer<16x256xf16, swizzle = 128>
!wide_b = !tile_gpu.buffer<256x32xf16, swizzle = 64>

// What a step loads element by element, and where each stands, takes the registers of more teams.
// CHECK-LABEL: tile.func @by_elements
// CHECK-NOT: tile_gpu.teams
// CHECK: tile.return
tile.func @by_elements(%start: !wide_ptrs, %far: tensor<16x256xi32, #wide>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sb = tile_gpu.alloc_shared : !wide_b
  %sum, %end, %last = scf.for %i = %c0 to %k step %c256 iter_args(%s = %zero, %p = %start, %o = %c256) -> (!narrow, !wide_ptrs, i32) : i32 {
    %os = tile.splat %o : i32 -> tensor<16x256xi32, #wide>
    %at = tile.addptr %p, %os : !wide_ptrs, tensor<16x256xi32, #wide>
    %a = tile.load %at : !wide_ptrs
    %sa = tile_gpu.alloc_shared : !wide_a
    tile_gpu.buffer_store %a, %sa : tensor<16x256xf16, #wide> -> !wide_a
    %d = tile.dot %sa, %sb, %s by mma_sync : !wide_a, !wide_b -> !narrow
    %next = tile.addptr %p, %far : !wide_ptrs, tensor<16x256xi32, #wide>
    %o_next = arith.addi %o, %more : i32
    scf.yield %d, %next, %o_next : !narrow, !wide_ptrs, i32
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// Of two blocks of a multiprocessor, which have fewer than two programs for each, there are two: sixteen warps in all.
// CHECK-LABEL: tile.func @few
// CHECK-SAME: tile_gpu.teams = 2 : i32
tile.func @few(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.programs = 1 : i32} {
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

// Four blocks of four warps are as many alone.
// CHECK-LABEL: tile.func @more
// CHECK-NOT: tile_gpu.teams
// CHECK: tile.return
tile.func @more(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.programs = 2 : i32} {
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

// So it is where threads multiply.
// CHECK-LABEL: tile.func @by_fma
// CHECK-NOT: tile_gpu.teams
// CHECK: tile.return
tile.func @by_fma(%start: !ptrs, %far: tensor<16x16xi32, #rows>, %more: i32, %b: !tile.ptr<f16>, %c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile_gpu.single_wave = 1 : i32} {
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
    %d = tile.dot %sa, %sb, %s by fma : !narrow_a, !narrow_b -> !narrow
    %next = tile.addptr %p, %far : !ptrs, tensor<16x16xi32, #rows>
    %o_next = arith.addi %o, %more : i32
    scf.yield %d, %next, %o_next : !narrow, !ptrs, i32
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}
