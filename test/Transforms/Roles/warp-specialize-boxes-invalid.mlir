// What a warp of its own cannot copy ahead: boxes of which another use is made, or whose place or descriptor it does not know; and results that
// cannot be stored under the next program's dots.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-warp-specialize))'

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// expected-error @+1 {{kernel cannot follow its schedule: expected boxes that are only read, found another use}}
tile.func @written(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    tile_gpu.desc_write %da[%row, %i] from %sa : !tile.desc<128x64xf16>, !tile_gpu.buffer<128x64xf16, swizzle = 128>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// expected-error @+1 {{kernel cannot follow its schedule: expected boxes in buffers made beside them, found another buffer}}
tile.func @far_buffer(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// expected-error @+1 {{kernel cannot follow its schedule: expected boxes that are read, found an unused one}}
tile.func @unread(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    %su = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %su : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// expected-error @+1 {{kernel cannot follow its schedule: expected boxes in loops (scf.for), found them in another region}}
tile.func @in_branch(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %in = arith.cmpi slt, %m, %n : i32
  %sum = scf.if %in -> (tensor<128x128xf32, #acc>) {
    %all = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
      %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
      tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
      %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
      tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
      %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    scf.yield %all : tensor<128x128xf32, #acc>
  } else {
    scf.yield %zero : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// expected-error @+1 {{kernel cannot follow its schedule: expected descriptors made of the kernel's arguments, found another}}
tile.func @own_desc(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %di = tile.make_desc %a, [%i, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
    tile_gpu.desc_copy %di[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// expected-error @+1 {{kernel cannot follow its schedule: expected a loop that counts up by a constant, found another}}
tile.func @any_step(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %m: i32, %n: i32, %k: i32) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = deferred>} {
  tile.grid(%m : i32, %n : i32) {
    tile.yield %m, %n : i32, i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
  %k64 = arith.extsi %k : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %da = tile.make_desc %a, [%m, %k], [%k64] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
  %db = tile.make_desc %b, [%k, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<64x128xf16>
  %dc = tile.make_desc %c, [%m, %n], [%n64] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  %x = tile.program_id x
  %y = tile.program_id y
  %row = arith.muli %x, %c128 : i32
  %column = arith.muli %y, %c128 : i32
  %sum = scf.for %i = %c0 to %k step %n iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) : i32 {
    %sa = tile_gpu.alloc_shared : !tile_gpu.buffer<128x64xf16, swizzle = 128>
    tile_gpu.desc_copy %da[%row, %i] into %sa : !tile.desc<128x64xf16> -> !tile_gpu.buffer<128x64xf16, swizzle = 128>
    %sb = tile_gpu.alloc_shared : !tile_gpu.buffer<64x128xf16, swizzle = 128>
    tile_gpu.desc_copy %db[%i, %column] into %sb : !tile.desc<64x128xf16> -> !tile_gpu.buffer<64x128xf16, swizzle = 128>
    %d = tile.dot %sa, %sb, %s by wgmma : !tile_gpu.buffer<128x64xf16, swizzle = 128>, !tile_gpu.buffer<64x128xf16, swizzle = 128> -> tensor<128x128xf32, #acc>
    scf.yield %d : tensor<128x128xf32, #acc>
  }
  %h = arith.truncf %sum : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
  %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.buffer_store %h, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile_gpu.desc_write %dc[%row, %column] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  tile.return
}
