// A schedule that a kernel cannot follow is an error, never a copy that some blocks wait for without an end.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-share-copies))'

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Which block of the cluster is this?
// expected-error @+1 {{kernel cannot follow its schedule: expected a loop over a cluster's programs, found none}}
tile.func @no_rank(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 4, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = arith.constant 0 : i32
  %first = arith.addi %block, %c0 : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Some blocks would go on to copies that others do not want.
// expected-error @+1 {{kernel cannot follow its schedule: expected loops that take as many steps in every program, found another}}
tile.func @steps(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 4, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %block2 = tile.program_id x
    %steps = arith.muli %block2, %c64 : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %steps step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Each block's boxes lie where only its own loads say.
// expected-error @+1 {{kernel cannot follow its schedule: expected boxes at positions that follow from the program, found others}}
tile.func @indirect(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 4, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %id = tile.program_id x
    %at = tile.addptr %a, %id : !tile.ptr<f16>, i32
    %v = tile.load %at : !tile.ptr<f16>
    %there = arith.fptosi %v : f16 to i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%there, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %there] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Nothing is copied again and again.
// expected-error @+1 {{kernel cannot follow its schedule: expected boxes of descriptors that a loop reads, found none}}
tile.func @no_boxes(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 4, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// A program that runs twice would store twice.
// expected-error @+1 {{kernel cannot follow its schedule: expected results that leave as boxes, found a store through pointers}}
tile.func @pointers(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 4, stages = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %da = tile.make_desc %a, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%s] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile_gpu.grid_extent x
  %y = tile_gpu.grid_extent y
  %total = arith.muli %x, %y : i32
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %rank = tile_gpu.cluster_rank
  %first = arith.subi %block, %rank : i32
  scf.for %t = %first to %total step %blocks : i32 {
    %turn = arith.addi %t, %rank : i32
    %zero16 = arith.constant 0.0 : f16
    tile.store %a, %zero16 : !tile.ptr<f16>
    %p = arith.remui %turn, %x : i32
    %q = arith.divui %turn, %x : i32
    %row = arith.muli %p, %c128 : i32
    %column = arith.muli %q, %c128 : i32
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s0 = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s0 by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

// Warps have roles already.
// expected-error @+1 {{kernel cannot follow its schedule: expected a kernel whose warps have no roles yet, found roles}}
tile.func @roles() attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}
