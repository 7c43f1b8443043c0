// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @base(%p: !tile.ptr<f32>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected a base that points at 'f16', found '!tile.ptr<f32>'}}
  %d = tile.make_desc %p, [%m, %m], [%s] : !tile.ptr<f32> -> !tile.desc<8x8xf16>
  tile.return
}

// -----

tile.func @extents(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected 2 extents, found 1}}
  %d = tile.make_desc %p, [%m], [%s] : !tile.ptr<f16> -> !tile.desc<8x8xf16>
  tile.return
}

// -----

tile.func @strides(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected 1 strides (the last dimension is contiguous), found 2}}
  %d = tile.make_desc %p, [%m, %m], [%s, %s] : !tile.ptr<f16> -> !tile.desc<8x8xf16>
  tile.return
}

// -----

tile.func @padding(%p: !tile.ptr<i32>, %m: i32) {
  // expected-error @+1 {{expected floating point elements for NaN padding, found 'i32'}}
  %d = tile.make_desc %p, [%m], [] padding nan : !tile.ptr<i32> -> !tile.desc<8xi32>
  tile.return
}

// -----

tile.func @load_indices(%d: !tile.desc<8x8xf16>, %i: i32) {
  // expected-error @+1 {{expected 2 indices, found 1}}
  %v = tile.desc_load %d[%i] : !tile.desc<8x8xf16>
  tile.return
}

// -----

tile.func @store_indices(%d: !tile.desc<8xf16>, %i: i32, %v: tensor<8xf16>) {
  // expected-error @+1 {{expected 1 indices, found 2}}
  tile.desc_store %d[%i, %i], %v : !tile.desc<8xf16>
  tile.return
}

// -----

tile.func @result(%d: !tile.desc<8xf16>, %i: i32) {
  // expected-error @+1 {{type of 'result' is the descriptor's box}}
  %v = "tile.desc_load"(%d, %i) : (!tile.desc<8xf16>, i32) -> tensor<4xf16>
  tile.return
}

// -----

// expected-error @+1 {{expected a box of rank 1 to 5, found rank 0}}
tile.func @rank_zero(%d: !tile.desc<f16>) {
  tile.return
}

// -----

// expected-error @+1 {{expected a box of rank 1 to 5, found rank 6}}
tile.func @rank_six(%d: !tile.desc<1x1x1x1x1x1xf16>) {
  tile.return
}

// -----

// expected-error @+1 {{expected a box of numbers, found '!tile.ptr<f16>'}}
tile.func @pointers(%d: !tile.desc<8x!tile.ptr<f16>>) {
  tile.return
}

// -----

// expected-error @+1 {{expected names of extents, found 3 : i64}}
tile.func @encoding(%d: !tile.desc<8xf16, 3>) {
  tile.return
}

// -----

// expected-error @+1 {{expected extents that are positive or named, and at most 2^24 elements, found 'tensor<0xf16>'}}
tile.func @zero(%d: !tile.desc<0xf16>) {
  tile.return
}

// -----

// expected-error @+1 {{expected extents that are positive or named, and at most 2^24 elements, found 'tensor<?xf16>'}}
tile.func @nameless(%d: !tile.desc<?xf16>) {
  tile.return
}

// -----

// expected-error @+1 {{expected one name for each '?' extent, found 1 for 2}}
tile.func @names(%d: !tile.desc<?x?xf16, #tile.dims<[A]>>) {
  tile.return
}

// -----

tile.func @stored(%d: !tile.desc<16x8xf16>, %i: i32, %v: tensor<16x8xf16>) {
  // expected-error @+1 {{expected extents from 1 to those of the box, found others than 'tensor<16x8xf16>'}}
  tile.desc_store %d[%i, %i], %v {extents = array<i64: 16>} : !tile.desc<16x8xf16>
  tile.return
}

// -----

tile.func @added(%d: !tile.desc<16x8xf16>, %i: i32, %v: tensor<16x8xf16>) {
  // expected-error @+1 {{expected a box of f32 to add, found one of 'f16'}}
  tile.desc_store %d[%i, %i], %v {add} : !tile.desc<16x8xf16>
  tile.return
}
