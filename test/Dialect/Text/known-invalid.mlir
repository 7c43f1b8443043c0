// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @not_known(%x: tensor<8xf32>) {
  // expected-error @+1 {{use of undeclared SSA value name}}
  %y = tile.reshape %z -> tensor<4x2xf32>
  tile.return
}

// -----

tile.func @no_result(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected '->'}}
  %y = tile.reshape %x
  tile.return
}

// -----

tile.func @joined_scalars(%x: f32) {
  // expected-error @+1 {{expected a tile, found 'f32'}}
  %y = tile.join %x, %x
  tile.return
}

// -----

tile.func @joined_types(%x: tensor<4xf32>, %z: tensor<8xf32>) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{expects different type than prior uses}}
  %y = tile.join %x, %z
  tile.return
}

// -----

tile.func @split_rank(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a tile of rank 2 or more, found 'tensor<2xf32>'}}
  %y, %z = tile.split %x
  tile.return
}

// -----

tile.func @split_extent(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{expected}}
  %y, %z = tile.split %x
  tile.return
}

// -----

tile.func @cat_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected tiles of one rank, and an axis of it, found 'tensor<4xf32>' and 'tensor<4xf32>' along axis 1}}
  %y = tile.cat %x, %x axis 1
  tile.return
}

// -----

// No sum, and no tile either.
tile.func @cat_large(%x: tensor<9223372036854775807xf32>) {
  // expected-error @+1 {{operand #0 must be tile}}
  %y = tile.cat %x, %x axis 0
  tile.return
}

// -----

tile.func @gather_rank(%x: tensor<4xf32>, %i: tensor<4x4xi32>) {
  // expected-error @+1 {{expected indices of the result's shape}}
  %y = tile.gather %x, %i axis 0
  tile.return
}

// -----

func.func @two_arrays(%n: i32) {
  // expected-error @+1 {{expected one array behind '->', found 2}}
  %y = tile_host.alloc(%n) : (i32) -> (memref<?xf32>, memref<?xf32>)
  return
}

// -----

func.func @array(%n: i32) {
  // expected-error @+1 {{expected '->'}}
  %y = tile_host.alloc(%n)
  return
}
