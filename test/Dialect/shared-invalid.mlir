// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @convert_shape(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{expected one shape and element type, found 'tensor<8x8xf32>' to 'tensor<64xf32>'}}
  %y = tile.convert_layout %x : tensor<8x8xf32> -> tensor<64xf32>
  tile.return
}

// -----

tile.func @convert_names(%x: tensor<?xf32, #tile.dims<[A]>>) {
  // expected-error @+1 {{expected one shape and element type, found}}
  %y = tile.convert_layout %x : tensor<?xf32, #tile.dims<[A]>> -> tensor<?xf32, #tile.dims<[B]>>
  tile.return
}

// -----

tile.func @ring(%x: tensor<8xf32>, %b: !tile.buffer<8xf32, stages = 2>) {
  // expected-error @+1 {{expected one block of a ring, found 2 stages}}
  tile.buffer_store %x, %b : tensor<8xf32> -> !tile.buffer<8xf32, stages = 2>
  tile.return
}

// -----

tile.func @store_type(%x: tensor<8xf32>, %b: !tile.buffer<8xf16>) {
  // expected-error @+1 {{expected a buffer of the tile's shape and type, found 'tensor<8xf32>' and '!tile.buffer<8xf16>'}}
  tile.buffer_store %x, %b : tensor<8xf32> -> !tile.buffer<8xf16>
  tile.return
}

// -----

tile.func @load_shape(%b: !tile.buffer<8xf32>) {
  // expected-error @+1 {{expected a buffer of the tile's shape and type, found 'tensor<4xf32>' and '!tile.buffer<8xf32>'}}
  %x = tile.buffer_load %b : !tile.buffer<8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func @part_position(%b: !tile.buffer<8x8xf32>) {
  // expected-error @+1 {{expected a part of a buffer whose extents divide the buffer's, at a multiple of them, found 'tensor<4x8xf32>' of '!tile.buffer<8x8xf32>'}}
  %x = tile.buffer_load %b at [2, 0] : !tile.buffer<8x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @part_outside(%b: !tile.buffer<8x8xf32>) {
  // expected-error @+1 {{expected a part of a buffer}}
  %x = tile.buffer_load %b at [8, 0] : !tile.buffer<8x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @part_rank(%b: !tile.buffer<8x8xf32>) {
  // expected-error @+1 {{expected a part of a buffer}}
  %x = tile.buffer_load %b at [4] : !tile.buffer<8x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @stage(%b: !tile.buffer<8xf32, stages = 2>, %i: i32) {
  // expected-error @+1 {{expected a result of '!tile.buffer<8xf32>', found '!tile.buffer<4xf32>'}}
  %x = tile.buffer_stage %b[%i] : !tile.buffer<8xf32, stages = 2> -> !tile.buffer<4xf32>
  tile.return
}

// -----

tile.func @copy_scalar(%p: !tile.ptr<f32>, %b: !tile.buffer<1xf32>) {
  // expected-error @+1 {{expected a tile of pointers, found '!tile.ptr<f32>'}}
  tile.async_copy %p into %b : !tile.ptr<f32> -> !tile.buffer<1xf32>
  tile.return
}

// -----

tile.func @copy_type(%p: tensor<8x!tile.ptr<f32>>, %b: !tile.buffer<8xf16>) {
  // expected-error @+1 {{expected a buffer of the tile's shape and type}}
  tile.async_copy %p into %b : tensor<8x!tile.ptr<f32>> -> !tile.buffer<8xf16>
  tile.return
}

// -----

tile.func @wait() {
  // expected-error @+1 {{attribute 'pending' failed to satisfy constraint}}
  tile.async_wait -1
  tile.return
}

// -----

tile.func @no_buffer() {
  // expected-error @+1 {{'tile.alloc_shared' op result #0 must be A block of shared memory (made by the compiler, never by users)., but got 'f32'}}
  %b = "tile.alloc_shared"() : () -> f32
  tile.return
}

// -----

tile.func @commit_of_something(%x: f32) {
  // expected-error @+1 {{'tile.async_commit' op requires zero operands}}
  "tile.async_commit"(%x) : (f32) -> ()
  tile.return
}
