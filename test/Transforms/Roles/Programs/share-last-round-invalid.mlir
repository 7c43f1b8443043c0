// A schedule that a kernel cannot follow is an error, never a result that is stored twice.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-share-last-round))'

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Each of two blocks computes the rows of one warp group.
// expected-error @+1 {{kernel cannot follow its schedule: expected two warp groups, found another number}}
tile.func @one_group(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 16 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// A block has one program: there are no rounds.
// expected-error @+1 {{kernel cannot follow its schedule: expected a loop over programs, found none}}
tile.func @no_loop(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  %row = arith.muli %block, %c128 : i32
  %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Which turn is this block's?
// expected-error @+1 {{kernel cannot follow its schedule: expected programs that follow from a block's number in its cluster, found others}}
tile.func @no_rank(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, cluster = 2, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Both blocks would store it.
// expected-error @+1 {{kernel cannot follow its schedule: expected results that leave as boxes, found a store through pointers}}
tile.func @pointers(%p: !tile.ptr<i32>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    tile.store %p, %t : !tile.ptr<i32>
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Whoever reads all products finds half of them.
// expected-error @+1 {{kernel cannot follow its schedule: expected products that reach boxes through element-wise ops, found another reader}}
tile.func @others(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %sums = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf32>
    tile_gpu.buffer_store %sum, %sums : tensor<128x128xf32, #acc> -> !tile_gpu.buffer<128x128xf32>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

// Warps have roles already.
// expected-error @+1 {{kernel cannot follow its schedule: expected a kernel whose warps have no roles yet, found roles}}
tile.func @roles() attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#held = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Threads of the idle group would hold A.
// expected-error @+1 {{kernel cannot follow its schedule: expected operands that lie in shared memory, found one in registers}}
tile.func @a_in_registers(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = arith.constant dense<1.0> : tensor<128x64xf16, #held>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by wgmma : tensor<128x64xf16, #held>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Threads of mma.sync hold other rows.
// expected-error @+1 {{kernel cannot follow its schedule: expected products by wgmma, found another instruction}}
tile.func @other_instruction(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %sum = tile.dot %a, %b, %zero by mma_sync : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Who has no product leaves none to another block.
// expected-error @+1 {{kernel cannot follow its schedule: expected a dot, found none}}
tile.func @no_dot(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile_gpu.persistent, tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = shared>} {
  %c128 = arith.constant 128 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %a = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %total = tile_gpu.grid_extent x
  %block = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %t = %block to %total step %blocks : i32 {
    %row = arith.muli %t, %c128 : i32
    %h = arith.truncf %zero : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%row, %c0] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  } {tile_gpu.programs}
  tile.return
}
