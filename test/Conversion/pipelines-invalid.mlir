// What the whole road refuses, in front of everything a user sees.
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_86 -split-input-file -verify-diagnostics
// RUN: not tile-opt %s --tile-to-nvvm=arch=sm_75 -split-input-file 2>&1 | FileCheck %s
// CHECK: error: expected arch to be one of sm_80, {{.*}}sm_120a, found 'sm_75'

tile.func @nothing() {
  tile.return
}

// -----

tile.func @registers(%p: !tile.ptr<f32>) {
  %r = tile.arange : tensor<65536xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
  %q = tile.addptr %ps, %r : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  // expected-error @+1 {{expected a tile that fits the registers of 4 warps (130560 bytes), found 262144 bytes or more}}
  %v = tile.load %q : tensor<65536x!tile.ptr<f32>>
  // expected-remark @+1 {{tile is not divided: expected a store, an atomic or a reduction of what is computed lane by lane of loads that nothing overwrites, found 'tile.scan'}}
  %s = tile.scan add %v axis 0 : tensor<65536xf32> -> tensor<65536xf32>
  tile.store %q, %s : tensor<65536x!tile.ptr<f32>>
  tile.return
}
