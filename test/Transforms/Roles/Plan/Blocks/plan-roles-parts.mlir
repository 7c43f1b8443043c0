// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-plan-roles))' -verify-diagnostics | FileCheck %s

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// As many as are wished for, and at most 8. A cluster is a program's, whatever else a launch shows.
// CHECK-LABEL: tile.func @three
// CHECK-SAME: #tile_gpu.schedule<programs = grid, {{.*}}cluster = 1, stages = {{[2-9]}}, {{.*}}stores = at_once, {{.*}}warm_steps = 4, parts = 3>
tile.func @three(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_parts = 3 : i32, tile_gpu.single_wave = 2 : i32} {
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
// CHECK-SAME: parts = 8>
tile.func @many(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_parts = 100 : i32} {
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

// What cannot be divided is not, and has the schedule that it would have.
// CHECK-LABEL: tile.func @begins
// CHECK-SAME: #tile_gpu.schedule<programs = loop
// CHECK-NOT: parts
// expected-remark @+1 {{blocks do not divide the loop: expected sums that begin with 0, found another beginning}}
tile.func @begins(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %first: !acc) attributes {
    tile.num_warps = 8 : i32, tile.num_parts = 2 : i32} {
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
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %first) -> (!acc) : i32 {
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

// So many clusters of so many blocks.
// CHECK-LABEL: tile.func @apart
// CHECK-SAME: #tile_gpu.schedule<programs = grid, {{.*}}cluster = 1, {{.*}}stores = at_once, {{.*}}parts = 4, splits = 16>
tile.func @apart(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile.num_parts = 4 : i32, tile.num_splits = 16 : i32, tile_gpu.single_wave = 2 : i32} {
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
