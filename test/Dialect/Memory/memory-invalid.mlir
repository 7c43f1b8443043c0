// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @load_of_number(%x: i32) {
  // expected-error @+1 {{expected pointers, found 'i32'}}
  %a = tile.load %x : i32
  tile.return
}

// -----

tile.func @load_type(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{type of 'result' is what 'ptr' points at}}
  %a = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f16
  tile.return
}

// -----

tile.func @mask_shape(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error @+1 {{expected a mask that fits 'tensor<8xi1>', found 'tensor<4xi1>'}}
  %a = tile.load %p, %m : tensor<8x!tile.ptr<f32>>
  tile.return
}

// -----

tile.func @mask_type(%p: !tile.ptr<f32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{type of 'mask' is i1 of the shape of 'ptr'}}
  %a = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, tensor<4xi1>) -> f32
  tile.return
}

// -----

tile.func @other_type(%p: !tile.ptr<f32>, %m: i1, %o: f16) {
  // expected-error @+1 {{type of 'other' is what 'ptr' points at}}
  %a = "tile.load"(%p, %m, %o) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f32>, i1, f16) -> f32
  tile.return
}

// -----

tile.func @other_without_mask(%p: !tile.ptr<f32>, %o: f32) {
  // expected-error @+1 {{expected a mask for 'other' to stand in for, found none}}
  %a = "tile.load"(%p, %o) {operandSegmentSizes = array<i32: 1, 0, 1>} : (!tile.ptr<f32>, f32) -> f32
  tile.return
}

// -----

tile.func @store_type(%p: !tile.ptr<f32>, %x: i32) {
  // expected-error @+1 {{type of 'value' is what 'ptr' points at}}
  "tile.store"(%p, %x) : (!tile.ptr<f32>, i32) -> ()
  tile.return
}

// -----

tile.func @offset_shape(%p: tensor<8x!tile.ptr<f32>>, %o: tensor<4xi32>) {
  // expected-error @+1 {{expected offsets of the pointers' shape, found 'tensor<8x!tile.ptr<f32>>' and 'tensor<4xi32>'}}
  %a = tile.addptr %p, %o : tensor<8x!tile.ptr<f32>>, tensor<4xi32>
  tile.return
}

// -----

tile.func @offset_type(%p: !tile.ptr<f32>, %o: i16) {
  // expected-error @+1 {{operand #1 must be i32 or i64 offsets, but got 'i16'}}
  %a = tile.addptr %p, %o : !tile.ptr<f32>, i16
  tile.return
}

// -----

tile.func @cache_of_load(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected ca, cg, cs or cv, which caches of a load can be, found wt}}
  %a = tile.load %p cache wt : !tile.ptr<f32>
  tile.return
}

// -----

tile.func @cache_of_store(%p: !tile.ptr<f32>, %x: f32) {
  // expected-error @+1 {{expected wb, cg, cs or wt, which caches of a store can be, found cv}}
  tile.store %p, %x cache cv : !tile.ptr<f32>
  tile.return
}
