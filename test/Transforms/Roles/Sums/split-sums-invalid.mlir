// A schedule that a kernel cannot follow is an error; one that nobody insists on (num_parts) is not made: plan-roles-parts.mlir.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-split-sums))'

// expected-error @+1 {{kernel cannot follow its schedule: expected boxes of descriptors that a loop reads, found none}}
tile.func @no_loop() attributes {tile_gpu.schedule = #tile_gpu.schedule<stages = 3, parts = 4>} {
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected sums that begin with 0, found another beginning}}
tile.func @begins(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %first: !acc) attributes {
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

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected sums that the loop does nothing with but add to them, found other uses}}
tile.func @scales(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
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
    %e = arith.mulf %d, %d : !acc
    scf.yield %e : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected nothing that is written before the sum is there, found a write}}
tile.func @writes(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32, %flag: !tile.ptr<i32>) attributes {
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
  tile.store %flag, %k : !tile.ptr<i32>
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

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// expected-remark @+1 {{blocks do not divide the loop: expected no print, which names the program of a block, found one}}
tile.func @prints(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  tile.print "k" %k : i32
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (!narrow) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    scf.yield %d : !narrow
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// A block's part could wait for a program that has not begun.
// expected-remark @+1 {{blocks do not divide the loop: expected no loop that may wait for another program, found scf.while around an access}}
tile.func @waits(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  scf.while : () -> () {
    %state = tile.load %p cache cv : !tile.ptr<i32>
    %busy = arith.cmpi eq, %state, %c0 : i32
    scf.condition(%busy)
  } do {
    scf.yield
  }
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (!narrow) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    scf.yield %d : !narrow
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// expected-remark @+1 {{blocks do not divide the loop: expected one loop of dots, in no other, found others}}
tile.func @twice(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  %other = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (!narrow) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    scf.yield %d : !narrow
  }
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (!narrow) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    scf.yield %d : !narrow
  }
  tile.store %c, %other : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// expected-remark @+1 {{blocks do not divide the loop: expected nothing that is written before the sum is there, found a write}}
tile.func @writes(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  tile.store %p, %k : !tile.ptr<i32>
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (!narrow) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    scf.yield %d : !narrow
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// Where a block's part ends its pointers are others than the loop's: who reads them behind it wants those.
// expected-remark @+1 {{blocks do not divide the loop: expected sums of f32, f64 or i32 alone to be carried by the loop, found other values}}
tile.func @read_behind(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  %sum:2 = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero, %at = %p) -> (!narrow, !tile.ptr<i32>) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    %next = tile.addptr %at, %c16 : !tile.ptr<i32>, i32
    scf.yield %d, %next : !narrow, !tile.ptr<i32>
  }
  tile.store %c, %sum#0 : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.store %sum#1, %k : !tile.ptr<i32>
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// A step that moves by what it loads does not say where another one begins; nor does one that goes on from elsewhere.
// expected-remark @+1 {{blocks do not divide the loop: expected sums of f32, f64 or i32 alone to be carried by the loop, found other values}}
tile.func @moved_by_loads(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  %sum:2 = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero, %at = %p) -> (!narrow, !tile.ptr<i32>) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    %by = tile.load %at : !tile.ptr<i32>
    %next = tile.addptr %at, %by : !tile.ptr<i32>, i32
    scf.yield %d, %next : !narrow, !tile.ptr<i32>
  }
  tile.store %c, %sum#0 : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// expected-remark @+1 {{blocks do not divide the loop: expected sums of f32, f64 or i32 alone to be carried by the loop, found other values}}
tile.func @goes_on_from_elsewhere(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %p: !tile.ptr<i32>, %k: i32) attributes {
    tile.num_warps = 4 : i32, tile.num_splits = 3 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  %sum:2 = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero, %at = %p) -> (!narrow, !tile.ptr<i32>) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    %next = tile.addptr %p, %c16 : !tile.ptr<i32>, i32
    scf.yield %d, %next : !narrow, !tile.ptr<i32>
  }
  tile.store %c, %sum#0 : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected one loop that reads boxes, found others}}
tile.func @two_loops(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
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
  %more = scf.for %j = %c0 to %k step %c64 iter_args(%t = %zero) -> (!acc) : i32 {
    %ta = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %j] into %ta : !tile.desc<128x64xf16> -> !a
    %tb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%j, %y] into %tb : !tile.desc<64x128xf16> -> !b
    %e = tile.dot %ta, %tb, %t by wgmma : !a, !b -> !acc
    scf.yield %e : !acc
  }
  %both = arith.addf %sum, %more : !acc
  %h = arith.truncf %both : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected a loop that is in no other one, found it inside}}
tile.func @inside(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
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
  %sum = scf.for %o = %c0 to %n step %c64 iter_args(%t = %zero) -> (!acc) : i32 {
    %part = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
      %sa = tile_gpu.alloc_shared : !a
      tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
      %sb = tile_gpu.alloc_shared : !b
      tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
      %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
      scf.yield %d : !acc
    }
    %u = arith.addf %t, %part : !acc
    scf.yield %u : !acc
  }
  %h = arith.truncf %sum : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected one loop that reads boxes, found others}}
tile.func @in_front(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
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
  %sx = tile_gpu.alloc_shared : !a
  tile_gpu.desc_copy %da[%x, %c0] into %sx : !tile.desc<128x64xf16> -> !a
  %sy = tile_gpu.alloc_shared : !b
  tile_gpu.desc_copy %db[%c0, %y] into %sy : !tile.desc<64x128xf16> -> !b
  %once = tile.dot %sx, %sy, %zero by wgmma : !a, !b -> !acc
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (!acc) : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d = tile.dot %sa, %sb, %s by wgmma : !a, !b -> !acc
    scf.yield %d : !acc
  }
  %both = arith.addf %sum, %once : !acc
  %h = arith.truncf %both : !acc to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x128xf32, #acc>
!a = !tile_gpu.buffer<128x64xf16, swizzle = 128>
!b = !tile_gpu.buffer<64x128xf16, swizzle = 128>

// expected-error @+1 {{kernel cannot follow its schedule: expected a loop that carries a sum, found one that carries none}}
tile.func @no_sum(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
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
  scf.for %i = %c0 to %k step %c64 : i32 {
    %sa = tile_gpu.alloc_shared : !a
    tile_gpu.desc_copy %da[%x, %i] into %sa : !tile.desc<128x64xf16> -> !a
    %sb = tile_gpu.alloc_shared : !b
    tile_gpu.desc_copy %db[%i, %y] into %sb : !tile.desc<64x128xf16> -> !b
    %d = tile.dot %sa, %sb, %zero by wgmma : !a, !b -> !acc
    %h = arith.truncf %d : !acc to tensor<128x128xf16, #acc>
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%x, %y] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

// -----

#narrow = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16], [0, 0], [0, 0]]>
!narrow = tensor<16x32xf32, #narrow>
!narrow_a = !tile_gpu.buffer<16x16xf16, swizzle = 32>
!narrow_b = !tile_gpu.buffer<16x32xf16, swizzle = 64>

// expected-remark @+1 {{teams do not divide the loop: expected no more threads in all teams than a block may have, found more}}
tile.func @crowds(%c: tensor<16x32x!tile.ptr<f32>, #narrow>, %k: i32) attributes {
    tile.num_warps = 16 : i32, tile.num_teams = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !narrow
  %sa = tile_gpu.alloc_shared : !narrow_a
  %sb = tile_gpu.alloc_shared : !narrow_b
  %sum = scf.for %i = %c0 to %k step %c16 iter_args(%s = %zero) -> (!narrow) : i32 {
    %d = tile.dot %sa, %sb, %s by mma_sync : !narrow_a, !narrow_b -> !narrow
    scf.yield %d : !narrow
  }
  tile.store %c, %sum : tensor<16x32x!tile.ptr<f32>, #narrow>
  tile.return
}
