// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @splat_type(%x: f32) {
  // expected-error @+1 {{type of 'value' is the result's element type}}
  %a = "tile.splat"(%x) : (f32) -> tensor<4xf16>
  tile.return
}

// -----

tile.func @empty_extent(%x: f32) {
  // expected-error @+1 {{must be tile (rank 1 to 16, positive or named extents, at most 2^24 elements)}}
  %a = tile.splat %x : f32 -> tensor<4x0xf32>
  tile.return
}

// -----

tile.func @nameless_extent(%x: f32) {
  // expected-error @+1 {{must be tile (rank 1 to 16, positive or named extents, at most 2^24 elements)}}
  %a = tile.splat %x : f32 -> tensor<?xf32>
  tile.return
}

// -----

tile.func @huge(%x: f32) {
  // expected-error @+1 {{must be tile (rank 1 to 16, positive or named extents, at most 2^24 elements)}}
  %a = tile.splat %x : f32 -> tensor<9223372036854775807x9223372036854775807xf32>
  tile.return
}

// -----

tile.func @rank_zero(%x: f32) {
  // expected-error @+1 {{must be tile (rank 1 to 16, positive or named extents, at most 2^24 elements)}}
  %a = tile.splat %x : f32 -> tensor<f32>
  tile.return
}

// -----

tile.func @expand_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found 2}}
  %a = tile.expand_dims %x axis 2 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @negative_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found -1}}
  %a = tile.expand_dims %x axis -1 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @expand_element(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of 'f32', found 'f16'}}
  %a = tile.expand_dims %x axis 1 : tensor<4xf32> -> tensor<4x1xf16>
  tile.return
}

// -----

tile.func @expand_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected the source's extents with 1 inserted at axis 0, found 'tensor<4xf32>' to 'tensor<4x1xf32>'}}
  %a = tile.expand_dims %x axis 0 : tensor<4xf32> -> tensor<4x1xf32>
  tile.return
}

// -----

tile.func @expand_names(%x: tensor<?xf32, #tile.dims<[A]>>) {
  // expected-error @+1 {{expected the source's extents with 1 inserted at axis 0}}
  %a = tile.expand_dims %x axis 0 : tensor<?xf32, #tile.dims<[A]>> -> tensor<1x?xf32, #tile.dims<[B]>>
  tile.return
}

// -----

tile.func @broadcast_shape(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{expected extents that are equal or 1 in the source, found 'tensor<4x2xf32>' to 'tensor<4x8xf32>'}}
  %a = tile.broadcast %x : tensor<4x2xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @broadcast_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected extents that are equal or 1 in the source, found 'tensor<4xf32>' to 'tensor<4x4xf32>'}}
  %a = tile.broadcast %x : tensor<4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.func @reshape_count(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a result of 32 elements, found 16}}
  %a = tile.reshape %x : tensor<4x8xf32> -> tensor<16xf32>
  tile.return
}

// -----

tile.func @trans_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected order to list each of the 2 dimensions once, found [0, 0]}}
  %a = tile.trans %x order [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.func @trans_shape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected the source's extents in order [1, 0], found 'tensor<4x8xf32>' to 'tensor<4x8xf32>'}}
  %a = tile.trans %x order [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.func @join_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'tensor<4xf32>' with a last extent of 2 appended, found 'tensor<2x4xf32>'}}
  %a = tile.join %x, %x : tensor<4xf32> -> tensor<2x4xf32>
  tile.return
}

// -----

tile.func @split_shape(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{expected 'tensor<4xf32>' with a last extent of 2 appended, found 'tensor<4x4xf32>'}}
  %a, %b = tile.split %x : tensor<4x4xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.func @cat_shape(%x: tensor<4x4xf32>, %y: tensor<4x8xf32>) {
  // expected-error @+1 {{expected extents that add up along axis 0 and agree elsewhere, found}}
  %a = tile.cat %x, %y axis 0 : tensor<4x4xf32>, tensor<4x8xf32> -> tensor<8x4xf32>
  tile.return
}

// -----

tile.func @cat_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 0, found -2147483648}}
  %a = tile.cat %x, %x axis -2147483648 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.func @gather_shape(%x: tensor<4x8xf32>, %i: tensor<2x4xi32>) {
  // expected-error @+1 {{expected indices of the result's shape, and of the source's but for axis 0, found}}
  %a = tile.gather %x, %i axis 0 : tensor<4x8xf32>, tensor<2x4xi32> -> tensor<2x4xf32>
  tile.return
}

// -----

tile.func @gather_axis(%x: tensor<4x8xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, found 5}}
  %a = tile.gather %x, %i axis 5 : tensor<4x8xf32>, tensor<2x8xi32> -> tensor<2x8xf32>
  tile.return
}
