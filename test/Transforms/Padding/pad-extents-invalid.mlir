// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents))' -split-input-file -verify-diagnostics

tile.func @too_large(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a tile of at most 2^24 elements with its extents rounded up to powers of two, found 33554432}}
  %x = tile.splat %p : !tile.ptr<f32> -> tensor<3000x2100x2x!tile.ptr<f32>>
  tile.return
}

// -----

tile.func @unbound(%x: f32) meta {BLOCK = 64} {
  // expected-error @+1 {{expected extents that are bound (see tile-specialize), found a name}}
  %v = tile.splat %x : f32 -> tensor<?xf32, #tile.dims<[BLOCK]>>
  tile.return
}

// -----

tile.func @descriptor(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @+1 {{expected descriptors of boxes whose extents are powers of two, found others (see tile-expand-descriptors)}}
  %d = tile.make_desc %p, [%n], [] : !tile.ptr<f32> -> !tile.desc<48xf32>
  %v = tile.desc_load %d[%n] : !tile.desc<48xf32>
  tile.return
}
