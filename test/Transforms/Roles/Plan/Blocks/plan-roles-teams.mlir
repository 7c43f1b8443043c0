// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-plan-roles))' -verify-diagnostics | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// Two teams of two warp groups have half of the shared memory each, and a program has a block.
// CHECK-LABEL: tile.func @two
// CHECK-SAME: tile_gpu.in_block = 2
// CHECK-SAME: #tile_gpu.schedule<programs = grid, {{.*}}cluster = 1, stages = 3, {{.*}}stores = at_once, {{.*}}warm_steps = 0>
tile.func @two(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_teams = 2 : i32, tile_gpu.single_wave = 1 : i32} {
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

// There are two or four.
// CHECK-LABEL: tile.func @three
// CHECK-NOT: tile_gpu.in_block = 2
// CHECK: tile.return
tile.func @three(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_teams = 3 : i32} {
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

// CHECK-LABEL: tile.func @many
// CHECK-NOT: tile_gpu.in_block = 2
// CHECK: tile.return
// expected-remark @+1 {{teams do not divide the loop: expected at most four warp groups in all teams, found more}}
tile.func @many(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_teams = 4 : i32} {
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

// CHECK-LABEL: tile.func @prints
// CHECK-NOT: tile_gpu.in_block = 2
// CHECK: tile.return
// expected-remark @+1 {{teams do not divide the loop: expected no print, which names the program of a block, found one}}
tile.func @prints(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_teams = 2 : i32} {
  %c0 = arith.constant 0 : i32
  tile.print "m: " %m : i32
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
