// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

tile.func @offset(%x: f16) attributes {tile_gpu.shared_bytes = 2048 : i32} {
  // expected-error @+1 {{expected a buffer with an offset (see tile-allocate-shared), found none}}
  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<32x32xf16>
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>

tile.func @narrow(%x: !tile.ptr<f16>) attributes {tile_gpu.shared_bytes = 2048 : i32} {
  %p = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #v>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16>
  // expected-error @+1 {{expected runs of 4, 8 or 16 bytes for an asynchronous copy, found 2}}
  tile_gpu.async_copy %p into %b : tensor<32x32x!tile.ptr<f16>, #v> -> !tile_gpu.buffer<32x32xf16>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @parts_of_no_cluster(%f: f32) attributes {tile_gpu.shared_bytes = 8192 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected clusters of 2 to 8 blocks around a sum of their parts, found 1}}
  %s = tile_gpu.add_parts %x {offset = 0 : i32} : tensor<64x32xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @parts_apart(%f: f32) attributes {tile_gpu.splits = 2 : i32, tile_gpu.shared_bytes = 8192 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  %s, %last = tile_gpu.collect_parts %x {offset = 0 : i32} : tensor<64x32xf32, #acc> -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected one tile_gpu.collect_parts of a kernel, of all its sums, found another}}
  %t, %last2 = tile_gpu.collect_parts %x {offset = 0 : i32} : tensor<64x32xf32, #acc> -> tensor<64x32xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @parts_of_whole_programs(%f: f32) attributes {tile_gpu.shared_bytes = 8192 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected a kernel whose programs are split (tile_gpu.splits) around a sum of their parts, found one of whole programs}}
  %s, %last = tile_gpu.collect_parts %x {offset = 0 : i32} : tensor<64x32xf32, #acc> -> tensor<64x32xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @shares_of_clusters(%f: f32) attributes {tile_gpu.splits = 2 : i32, tile_gpu.cluster = 2 : i32, tile_gpu.shared_bytes = 8192 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected a kernel whose programs are split among 2 to 8 blocks of no cluster (tile_gpu.splits) around a share of up to 8 sums, found another}}
  %s, %goes, %all = tile_gpu.share_parts %x {shares = array<i64: 0, 8, 16>, period = 16, offset = 0 : i32} : tensor<64x32xf32, #acc> -> tensor<64x32xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @shares_of_nine_turns(%f: f32, %part: i32, %when: i1) attributes {tile_gpu.shared_bytes = 8192 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected a share of up to 8 sums for each of 8 turns at most, found more}}
  %s, %goes, %all = tile_gpu.share_turns %x part %part of %part when %when together %when {shares = array<i64: 0, 4, 8, 12, 12, 12, 12, 12, 12, 16>, period = 16, offset = 0 : i32} : tensor<64x32xf32, #acc> -> tensor<64x32xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @shares_of_half_a_chunk(%f: f32) attributes {tile_gpu.shared_bytes = 8192 : i32, tile_gpu.cluster = 2 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected a share for each of 2 blocks, in multiples of 4 of 16 registers, found others}}
  %s = tile_gpu.add_parts %x {offset = 0 : i32, period = 16 : i64, shares = array<i64: 0, 6, 16>} : tensor<64x32xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @shares_of_other_blocks(%f: f32) attributes {tile_gpu.shared_bytes = 8192 : i32, tile_gpu.cluster = 4 : i32} {
  %x = tile.splat %f : f32 -> tensor<64x32xf32, #acc>
  // expected-error @+1 {{expected a share for each of 4 blocks, in multiples of 4 of 16 registers, found others}}
  %s = tile_gpu.add_parts %x {offset = 0 : i32, period = 16 : i64, shares = array<i64: 0, 8, 16>} : tensor<64x32xf32, #acc>
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
tile.func @ragged_store(%f: f16) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  %x = tile.splat %f : f16 -> tensor<32x32xf16, #v>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, ragged>
  // expected-error @+1 {{expected asynchronous copies into a ragged buffer, found a store}}
  tile_gpu.buffer_store %x, %b : tensor<32x32xf16, #v> -> !tile_gpu.buffer<32x32xf16, ragged>
  tile.return
}

// -----

#across = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16]], warp = [[8, 0], [16, 0]]>
tile.func @ragged_across(%x: !tile.ptr<f16>) attributes {tile_gpu.shared_bytes = 4096 : i32} {
  %p = tile.splat %x : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>, #across>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<32x32xf16, ragged>
  // expected-error @+1 {{expected lanes that have neighbouring 16 bytes of a ragged buffer's rows, found others}}
  tile_gpu.async_copy %p into %b : tensor<32x32x!tile.ptr<f16>, #across> -> !tile_gpu.buffer<32x32xf16, ragged>
  tile.return
}

// -----

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]], warp = []>
tile.func @short_rows(%x: f16) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f16 -> tensor<16x16xf16, #v>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x16xf16, swizzle = 128>
  // expected-error @+1 {{expected a buffer whose rows are as long as its swizzle, found shorter ones}}
  tile_gpu.buffer_store %a, %b : tensor<16x16xf16, #v> -> !tile_gpu.buffer<16x16xf16, swizzle = 128>
  tile.return
}

// -----

#w = #tile_gpu.layout<register = [[0, 1], [0, 3], [1, 0]], lane = [[0, 2], [0, 8], [2, 0], [4, 0], [8, 0]], warp = []>
tile.func @divided(%x: f16) attributes {tile.num_warps = 1 : i32} {
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x16xf16, ragged>
  // expected-error @+1 {{expected rows and columns of a ragged buffer that registers and threads divide, found others}}
  %a = tile_gpu.buffer_load %b : !tile_gpu.buffer<16x16xf16, ragged> -> tensor<16x16xf16, #w>
  tile.return
}
