// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @convert_shape(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{expected one shape and element type, found 'tensor<8x8xf32>' to 'tensor<64xf32>'}}
  %y = tile_gpu.convert_layout %x : tensor<8x8xf32> -> tensor<64xf32>
  tile.return
}

// -----

tile.func @convert_names(%x: tensor<?xf32, #tile.dims<[A]>>) {
  // expected-error @+1 {{expected one shape and element type, found}}
  %y = tile_gpu.convert_layout %x : tensor<?xf32, #tile.dims<[A]>> -> tensor<?xf32, #tile.dims<[B]>>
  tile.return
}

// -----

tile.func @ring(%x: tensor<8xf32>, %b: !tile_gpu.buffer<8xf32, stages = 2>) {
  // expected-error @+1 {{expected one block of a ring, found 2 stages}}
  tile_gpu.buffer_store %x, %b : tensor<8xf32> -> !tile_gpu.buffer<8xf32, stages = 2>
  tile.return
}

// -----

tile.func @store_type(%x: tensor<8xf32>, %b: !tile_gpu.buffer<8xf16>) {
  // expected-error @+1 {{expected a buffer of the tile's shape and type, found 'tensor<8xf32>' and '!tile_gpu.buffer<8xf16>'}}
  tile_gpu.buffer_store %x, %b : tensor<8xf32> -> !tile_gpu.buffer<8xf16>
  tile.return
}

// -----

tile.func @load_shape(%b: !tile_gpu.buffer<8xf32>) {
  // expected-error @+1 {{expected a buffer of the tile's shape and type, found 'tensor<4xf32>' and '!tile_gpu.buffer<8xf32>'}}
  %x = tile_gpu.buffer_load %b : !tile_gpu.buffer<8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func @part_position(%b: !tile_gpu.buffer<8x8xf32>) {
  // expected-error @+1 {{expected a part of a buffer whose extents divide the buffer's, at a multiple of them, found 'tensor<4x8xf32>' of '!tile_gpu.buffer<8x8xf32>'}}
  %x = tile_gpu.buffer_load %b at [2, 0] : !tile_gpu.buffer<8x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @part_outside(%b: !tile_gpu.buffer<8x8xf32>) {
  // expected-error @+1 {{expected a part of a buffer}}
  %x = tile_gpu.buffer_load %b at [8, 0] : !tile_gpu.buffer<8x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @part_rank(%b: !tile_gpu.buffer<8x8xf32>) {
  // expected-error @+1 {{expected a part of a buffer}}
  %x = tile_gpu.buffer_load %b at [4] : !tile_gpu.buffer<8x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @stage(%b: !tile_gpu.buffer<8xf32, stages = 2>, %i: i32) {
  // expected-error @+1 {{expected a result of '!tile_gpu.buffer<8xf32>', found '!tile_gpu.buffer<4xf32>'}}
  %x = tile_gpu.buffer_stage %b[%i] : !tile_gpu.buffer<8xf32, stages = 2> -> !tile_gpu.buffer<4xf32>
  tile.return
}

// -----

tile.func @turned(%b: !tile_gpu.buffer<8x16xf32>) {
  // expected-error @+1 {{expected a result of '!tile_gpu.buffer<16x8xf32, order = [0, 1]>', found '!tile_gpu.buffer<16x8xf32>'}}
  %x = tile_gpu.buffer_trans %b order [1, 0] : !tile_gpu.buffer<8x16xf32> -> !tile_gpu.buffer<16x8xf32>
  tile.return
}

// -----

tile.func @turned_twice(%b: !tile_gpu.buffer<8x16xf32>) {
  // expected-error @+1 {{expected an order of the buffer's 2 dimensions, found another}}
  %x = tile_gpu.buffer_trans %b order [1, 1] : !tile_gpu.buffer<8x16xf32> -> !tile_gpu.buffer<16x16xf32>
  tile.return
}

// -----

tile.func @copy_scalar(%p: !tile.ptr<f32>, %b: !tile_gpu.buffer<1xf32>) {
  // expected-error @+1 {{expected a tile of pointers, found '!tile.ptr<f32>'}}
  tile_gpu.async_copy %p into %b : !tile.ptr<f32> -> !tile_gpu.buffer<1xf32>
  tile.return
}

// -----

tile.func @copy_type(%p: tensor<8x!tile.ptr<f32>>, %b: !tile_gpu.buffer<8xf16>) {
  // expected-error @+1 {{expected a buffer of the tile's shape and type}}
  tile_gpu.async_copy %p into %b : tensor<8x!tile.ptr<f32>> -> !tile_gpu.buffer<8xf16>
  tile.return
}

// -----

tile.func @wait() {
  // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
  tile_gpu.async_wait -1
  tile.return
}

// -----

tile.func @no_buffer() {
  // expected-error @+1 {{'tile_gpu.alloc_shared' op result #0 must be A block of shared memory, or a ring of them., but got 'f32'}}
  %b = "tile_gpu.alloc_shared"() : () -> f32
  tile.return
}

// -----

tile.func @commit_of_something(%x: f32) {
  // expected-error @+1 {{'tile_gpu.async_commit' op requires zero operands}}
  "tile_gpu.async_commit"(%x) : (f32) -> ()
  tile.return
}

// -----

tile.func @gather_swizzled(%b: !tile_gpu.buffer<8x32xf32, swizzle = 128>, %i: tensor<1x32xi32>) {
  // expected-error @+1 {{expected a buffer without a swizzle, of the result's extents but for axis 0, and indices of the result's}}
  %x = tile_gpu.buffer_gather %b, %i axis 0 : !tile_gpu.buffer<8x32xf32, swizzle = 128>, tensor<1x32xi32> -> tensor<1x32xf32>
  tile.return
}

// -----

tile.func @gather_extents(%b: !tile_gpu.buffer<8x32xf32>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{expected a buffer without a swizzle, of the result's extents but for axis 0}}
  %x = tile_gpu.buffer_gather %b, %i axis 0 : !tile_gpu.buffer<8x32xf32>, tensor<8x1xi32> -> tensor<8x1xf32>
  tile.return
}
