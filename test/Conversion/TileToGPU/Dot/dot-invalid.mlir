// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

#l = #tile_gpu.layout<register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = []>
#s = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

tile.func @tiles(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = arith.constant dense<0.0> : tensor<16x8xf32, #l>
  %b = arith.constant dense<0.0> : tensor<8x8xf32, #s>
  %c = arith.constant dense<0.0> : tensor<16x8xf32, #l>
  // expected-error @+1 {{expected operands in shared buffers (see tile-assign-layouts), found tiles}}
  %d = tile.dot %a, %b, %c by fma : tensor<16x8xf32, #l>, tensor<8x8xf32, #s> -> tensor<16x8xf32, #l>
  tile.return
}

// -----

tile.func @no_layout(%x: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xf32>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xf32>
  // expected-error @+1 {{expected a tile with a layout (see tile-assign-layouts), found one without}}
  %c = tile.splat %x : f32 -> tensor<16x8xf32>
  %d = tile.dot %a, %b, %c by fma : !tile_gpu.buffer<16x8xf32>, !tile_gpu.buffer<8x8xf32> -> tensor<16x8xf32>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 0]]>

tile.func @elsewhere() attributes {tile.num_warps = 4 : i32} {
  %a = arith.constant dense<0.0> : tensor<64x64xf16, #rows>
  %b = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %c = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  // expected-error @+1 {{expected A of wgmma in a shared buffer, or in the registers that it takes it from, found another layout}}
  %d = tile.dot %a, %b, %c by wgmma : tensor<64x64xf16, #rows>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #acc>
  tile.return
}

// -----

#halves = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 64]]>
tile.func @narrow() attributes {tile.num_warps = 8 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared {offset = 8192 : i32} : !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]>
  %c = arith.constant dense<0.0> : tensor<64x128xf32, #halves>
  // expected-error @+1 {{expected warp groups along M alone where B has fewer columns, found some along N}}
  %d = tile.dot %a, %b, %c by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x72xf16, swizzle = 128, order = [0, 1]> -> tensor<64x128xf32, #halves>
  tile.return
}

// -----

#whole = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @part_of_a_box() attributes {tile.num_warps = 4 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared {offset = 8192 : i32} : !tile_gpu.buffer<64x72xf16, swizzle = 128>
  %c = arith.constant dense<0.0> : tensor<64x128xf32, #whole>
  // expected-error @+1 {{expected swizzled shared buffers of whole boxes for wgmma, found another operand}}
  %d = tile.dot %a, %b, %c by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x72xf16, swizzle = 128> -> tensor<64x128xf32, #whole>
  tile.return
}

// -----

#acc16 = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
tile.func @mma_shape() attributes {tile.num_warps = 1 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x16xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<16x8xf16>
  %c = arith.constant dense<0.0> : tensor<16x8xf32, #acc16>
  // expected-error @+1 {{expected a shared buffer of the operand's shape for mma.sync, found another}}
  %d = tile.dot %a, %b, %c by mma_sync : !tile_gpu.buffer<16x16xf16, swizzle = 128>, !tile_gpu.buffer<16x8xf16> -> tensor<16x8xf32, #acc16>
  tile.return
}

// -----

#fma = #tile_gpu.layout<register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = []>
tile.func @fma_shape() attributes {tile.num_warps = 1 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xf32, swizzle = 128>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xf32>
  %c = arith.constant dense<0.0> : tensor<16x8xf32, #fma>
  // expected-error @+1 {{expected shared buffers of the operands' shapes for fma, found others}}
  %d = tile.dot %a, %b, %c by fma : !tile_gpu.buffer<16x8xf32, swizzle = 128>, !tile_gpu.buffer<8x8xf32> -> tensor<16x8xf32, #fma>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func @bytes_across() attributes {tile.num_warps = 4 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x128xi8, swizzle = 128>
  %b = tile_gpu.alloc_shared {offset = 8192 : i32} : !tile_gpu.buffer<128x64xi8, swizzle = 64>
  %c = arith.constant dense<0> : tensor<64x64xi32, #acc>
  // expected-error @+1 {{expected operands of other than 16 bits with K fastest for wgmma, found another order}}
  %d = tile.dot %a, %b, %c by wgmma : !tile_gpu.buffer<64x128xi8, swizzle = 128>, !tile_gpu.buffer<128x64xi8, swizzle = 64> -> tensor<64x64xi32, #acc>
  tile.return
}

// -----

#inter = #tile_gpu.layout<register = [[0, 1], [1, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
tile.func @interleaved() attributes {tile.num_warps = 4 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %b = tile_gpu.alloc_shared {offset = 8192 : i32} : !tile_gpu.buffer<64x64xf16, swizzle = 128>
  %c = arith.constant dense<0.0> : tensor<64x64xf32, #inter>
  // expected-error @+1 {{expected A of wgmma in registers beside sums whose rows are interleaved, found a shared buffer}}
  %d = tile.dot %a, %b, %c by wgmma : !tile_gpu.buffer<64x64xf16, swizzle = 128>, !tile_gpu.buffer<64x64xf16, swizzle = 128> -> tensor<64x64xf32, #inter>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

tile.func @all_bits() attributes {tile.num_warps = 1 : i32} {
  %a = tile_gpu.alloc_shared {offset = 0 : i32} : !tile_gpu.buffer<16x8xf32>
  %b = tile_gpu.alloc_shared {offset = 512 : i32} : !tile_gpu.buffer<8x8xf32>
  %c = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  // expected-error @+1 {{expected operands that tensor cores multiply, found f32 of all its bits}}
  %d = tile.dot %a, %b, %c by mma_sync : !tile_gpu.buffer<16x8xf32>, !tile_gpu.buffer<8x8xf32> -> tensor<16x8xf32, #acc>
  tile.return
}
