// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @mask(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<1x4xi1>) {
  // expected-error @+1 {{expected a mask that fits 'tensor<4xi1>', found 'tensor<1x4xi1>'}}
  %v = tile.load %p, %m
  tile.return
}

// -----

// Of pointers that a scalar mask is for, the mask is one.
tile.func @mask_of_a_number(%p: !tile.ptr<f32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{expected a mask that fits 'i1', found 'tensor<4xi1>'}}
  %v = tile.load %p, %m
  tile.return
}

// -----

tile.func @other(%p: tensor<4x!tile.ptr<f32>>, %m: i1, %o: i32) {
  // expected-error @+1 {{expected a value that fits 'tensor<4xf32>', found 'i32'}}
  %v = tile.load %p, %m, %o
  tile.return
}

// -----

tile.func @no_pointers(%p: tensor<4xi32>) {
  // expected-error @+1 {{expected pointers, found 'tensor<4xi32>'}}
  %v = tile.load %p
  tile.return
}

// -----

tile.func @stored(%p: tensor<4x!tile.ptr<f32>>, %v: f64) {
  // expected-error @+1 {{expected a value that fits 'tensor<4xf32>', found 'f64'}}
  tile.store %p, %v
  tile.return
}

// -----

// Pointers are not repeated: who stores decides which lane does.
tile.func @stored_tile(%p: !tile.ptr<f32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected a value that fits 'f32', found 'tensor<4xf32>'}}
  tile.store %p, %v
  tile.return
}

// -----

tile.func @offsets(%p: tensor<4x!tile.ptr<f32>>, %o: tensor<8xi32>) {
  // expected-error @+1 {{expected offsets of the pointers' shape, found 'tensor<4x!tile.ptr<f32>>' and 'tensor<8xi32>'}}
  %q = tile.addptr %p, %o
  tile.return
}

// -----

tile.func @no_address(%p: f32, %o: i32) {
  // expected-error @+1 {{expected pointers and offsets, found 'f32' and 'i32'}}
  %q = tile.addptr %p, %o
  tile.return
}

// -----

tile.func @accumulator(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: f16) {
  // expected-error @+1 {{expected an accumulator that fits 'tensor<16x16xf32>', found 'f16'}}
  %d = tile.dot %a, %b, %c
  tile.return
}

// -----

tile.func @no_product(%a: tensor<16xf16>, %b: tensor<16xf16>, %c: f32) {
  // expected-error @+1 {{expected tiles that a dot multiplies, or its types, found 'tensor<16xf16>' and 'tensor<16xf16>'}}
  %d = tile.dot %a, %b, %c
  tile.return
}

// -----

tile.func @position(%i: tensor<4xi32>, %j: tensor<8xi32>) {
  // expected-error @+1 {{expected a position that fits 'tensor<4xi32>', found 'tensor<8xi32>'}}
  %k, %l = tile.swizzle2d %i, %j, %i, %i, %i
  tile.return
}

// -----

tile.func @axis(%x: tensor<4xi32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found 2}}
  %y = tile.expand_dims %x axis 2
  tile.return
}

// -----

tile.func @order(%x: tensor<4x4xi32>) {
  // expected-error @+1 {{expected order to list each of the 2 dimensions once, found [0]}}
  %y = tile.trans %x order [0]
  tile.return
}

// -----

tile.func @reduced(%x: f32) {
  // expected-error @+1 {{expected a tile, found 'f32'}}
  %y = tile.reduce add %x axis 0
  tile.return
}

// -----

tile.func @reduced_arrow(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected no types, or those of the operands as well (': types -> types'), found '->'}}
  %y = tile.reduce %x axis 0 -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a
  }
  tile.return
}

// -----

tile.func @reduced_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found 1}}
  %y = tile.reduce add %x axis 1
  tile.return
}

// -----

tile.func private @helper(%x: i32) { tile.return }
tile.func @call(%x: i64) {
  // expected-error @+1 {{expected the helper's type '(i32) -> ()', found ('i64') -> ()}}
  tile.call @helper(%x)
  tile.return
}
