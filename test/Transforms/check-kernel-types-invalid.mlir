// Types that no op of tile makes, but arith does.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-check-kernel))' -split-input-file -verify-diagnostics

tile.func @unranked() {
  // expected-error @+1 {{expected tiles whose extents are bound, found 'ub.poison'}}
  %x = ub.poison : tensor<*xf32>
  tile.return
}

// -----

tile.func @unbound() {
  // expected-error @+1 {{expected tiles whose extents are bound, found 'ub.poison'}}
  %x = ub.poison : tensor<?xf32>
  tile.return
}

// -----

tile.func @empty() {
  // expected-error @+1 {{expected tiles that are not empty, found 'arith.constant'}}
  %x = arith.constant dense<> : tensor<0xf32>
  tile.return
}

// -----

tile.func @encoded() {
  // expected-error @+1 {{expected tiles without an encoding, found 'ub.poison'}}
  %x = ub.poison : tensor<4xf32, "row">
  tile.return
}
