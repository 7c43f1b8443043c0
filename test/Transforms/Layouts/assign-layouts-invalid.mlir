// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' -split-input-file -verify-diagnostics
// RUN: not tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts{num-warps=3}))' -split-input-file 2>&1 | FileCheck %s
// CHECK: error: expected 1, 2, 4, 8, 16 or 32 warps, found 3

tile.func @too_large(%p: !tile.ptr<f32>) {
  %r = tile.arange : tensor<65536xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
  %pp = tile.addptr %ps, %r : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  // expected-error @+1 {{expected a tile that fits the registers of 4 warps (130560 bytes), found 262144 bytes or more}}
  %v = tile.load %pp : tensor<65536x!tile.ptr<f32>>
  tile.return
}

// -----

tile.func @not_a_power(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected extents that are powers of two on this target, found 100}}
  %r = tile.arange : tensor<100xi32>
  tile.return
}

// -----

tile.func @unbound(%p: !tile.ptr<f32>) meta {BLOCK = 64} {
  // expected-error @+1 {{expected extents that are powers of two on this target, found -1 (bind meta-parameters first: tile-specialize)}}
  %r = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  tile.return
}

// -----

// expected-error @+1 {{expected 1, 2, 4, 8, 16 or 32 warps, found 12}}
tile.func @warps(%p: !tile.ptr<f32>) attributes {tile.num_warps = 12 : i32} {
  tile.return
}

// -----

// expected-error @+1 {{expected 1, 2, 4, 8, 16 or 32 warps, found 64}}
tile.func @many_warps(%p: !tile.ptr<f32>) attributes {tile.num_warps = 64 : i32} {
  tile.return
}
