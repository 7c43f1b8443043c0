// A schedule that a kernel cannot follow is an error, never a wait without an end.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-stage-stores))'

// expected-error @+1 {{kernel cannot follow its schedule: expected results that can go box by box, found none}}
tile.func @no_results() attributes {tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// -----

// expected-error @+1 {{kernel cannot follow its schedule: expected roles whose results are stored, found none}}
tile.func @no_roles() attributes {tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// Somebody else reads what is stored.
// expected-error @+1 {{kernel cannot follow its schedule: expected results that can go box by box, found none}}
tile.func @read_again(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
    %again = tile_gpu.buffer_load %sc : !tile_gpu.buffer<128x128xf16, swizzle = 128> -> tensor<128x128xf16, #acc>
  }
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
// And somebody else writes it.
// expected-error @+1 {{kernel cannot follow its schedule: expected results that can go box by box, found none}}
tile.func @written_again(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]],
                   lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [64, 0], [32, 0]]>
// A warp group's rows are no rows behind each other.
// expected-error @+1 {{kernel cannot follow its schedule: expected results that can go box by box, found none}}
tile.func @rows_in_turn(%c: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) attributes {
    tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  %zero = arith.constant dense<0.0> : tensor<128x128xf16, #acc>
  %dc = tile.make_desc %c, [%m, %n], [%s] : !tile.ptr<f16> -> !tile.desc<128x128xf16>
  gpu.barrier
  tile_gpu.warp_specialize producer {
  } consumer {
    %sc = tile_gpu.alloc_shared : !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.buffer_store %zero, %sc : tensor<128x128xf16, #acc> -> !tile_gpu.buffer<128x128xf16, swizzle = 128>
    tile_gpu.desc_write %dc[%m, %n] from %sc : !tile.desc<128x128xf16>, !tile_gpu.buffer<128x128xf16, swizzle = 128>
  }
  tile.return
}
