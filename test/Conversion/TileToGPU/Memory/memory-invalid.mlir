// RUN: tile-opt %s --convert-tile-to-gpu -split-input-file -verify-diagnostics

tile.func @load(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a tile with a layout (see tile-assign-layouts), found one without}}
  %p = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %v = tile.load %p : tensor<512x!tile.ptr<f32>>
  tile.return
}

// -----

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 1}}
tile.func @argument(%x: !tile.ptr<f32>, %t: tensor<4xf32>) {
  tile.return
}
