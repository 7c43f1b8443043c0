// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-hoist-loads))'

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#wide = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>

tile.func @large(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>, %q: tensor<64x256x!tile.ptr<f32>, #wide>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum, %last = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero, %n = %c0) -> (tensor<64x64xf32, #acc>, i32) : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d, %i : tensor<64x64xf32, #acc>, i32
  }
  // expected-remark @+1 {{load does not start in front of the loop: expected at most 111 words a thread, found more}}
  %v = tile.load %q : tensor<64x256x!tile.ptr<f32>, #wide>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>

tile.func @from_the_loop(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>, %q: tensor<64x64x!tile.ptr<f32>, #acc>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum, %last = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero, %n = %c0) -> (tensor<64x64xf32, #acc>, i32) : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d, %i : tensor<64x64xf32, #acc>, i32
  }
  %offsets = tile.splat %last : i32 -> tensor<64xi32, #row>
  %r = tile.addptr %p, %offsets : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  // expected-remark @+1 {{load does not start in front of the loop: expected addresses that are known in front of the loop, found others}}
  %v = tile.load %r : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>

tile.func @written(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>, %q: tensor<64x64x!tile.ptr<f32>, #acc>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum, %last = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero, %n = %c0) -> (tensor<64x64xf32, #acc>, i32) : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d, %i : tensor<64x64xf32, #acc>, i32
  }
  tile.store %q, %sum : tensor<64x64x!tile.ptr<f32>, #acc>
  // expected-remark @+1 {{load does not start in front of the loop: expected nothing that writes to memory in between, found some}}
  %v = tile.load %p : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>

// A volatile load is made where it stands, and so is what it gives the place of.
tile.func @volatile(%a: !tile_gpu.buffer<64x16xf16, swizzle = 32>, %b: !tile_gpu.buffer<16x64xf16, swizzle = 128>, %zero: tensor<64x64xf32, #acc>,
                %k: i32, %p: tensor<64x!tile.ptr<f32>, #row>, %tickets: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum, %last = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero, %n = %c0) -> (tensor<64x64xf32, #acc>, i32) : i32 {
    %d = tile.dot %a, %b, %s by wgmma : !tile_gpu.buffer<64x16xf16, swizzle = 32>, !tile_gpu.buffer<16x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
    scf.yield %d, %i : tensor<64x64xf32, #acc>, i32
  }
  // expected-remark @+1 {{load does not start in front of the loop: expected a load that is not volatile, found one}}
  %ticket = tile.load %tickets cache cv : !tile.ptr<i32>
  %offsets = tile.splat %ticket : i32 -> tensor<64xi32, #row>
  %r = tile.addptr %p, %offsets : tensor<64x!tile.ptr<f32>, #row>, tensor<64xi32, #row>
  // expected-remark @+1 {{load does not start in front of the loop: expected addresses that are known in front of the loop, found others}}
  %v = tile.load %r : tensor<64x!tile.ptr<f32>, #row>
  tile.return
}
