// A schedule that a kernel cannot follow is an error, never a sum of some parts.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-split-last-round))'

// A block has one program: there are no rounds.
// expected-error @+1 {{kernel cannot follow its schedule: expected a loop over programs, found none}}
tile.func @no_loop() attributes {
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = split, splits = 2>} {
  tile.return
}

// -----

// Warps have roles already.
// expected-error @+1 {{kernel cannot follow its schedule: expected a kernel whose warps have no roles yet, found roles}}
tile.func @roles() attributes {
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = split, splits = 2>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// Each part would begin with what the sum begins with.
// expected-error @+1 {{kernel cannot follow its schedule: expected sums that begin with 0, found another beginning}}
tile.func @begins(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32,
    tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = split, splits = 3>} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant dense<1.0> : !acc
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %one) -> (!acc) : i32 {
      %sa = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !a
      %sb = tile_gpu.alloc_shared : !b
      tile_gpu.desc_copy %db[%i, %c0] into %sb : !tile.desc<64x128xf16> -> !b
      %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
      scf.yield %d : !acc
    }
    %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}
