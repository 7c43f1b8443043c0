// RUN: tile-opt %s --tile-specialize -split-input-file -verify-diagnostics

tile.func @before() meta {D = 32 : i32} {
  %r = tile.arange : tensor<?xi32, #tile.dims<[D]>>
  // expected-error @+1 {{expected an offset of 0 or more for 'D + -64', found -32}}
  %s = tile.slice %r[D - 64] -> tensor<4xi32>
  tile.return
}

// -----

tile.func @behind() meta {D = 32 : i32} {
  %r = tile.arange : tensor<?xi32, #tile.dims<[D]>>
  // expected-error @+1 {{expected a part of 32 elements along dimension 0, found 16 from 24 on}}
  %s = tile.slice %r[24] -> tensor<16xi32>
  tile.return
}

// -----

tile.func @unknown_offset() {
  %r = tile.arange : tensor<32xi32>
  // expected-error @+1 {{expected a value for meta-parameter 'B', found none in meta {} or facts}}
  %s = tile.slice %r[B] -> tensor<16xi32>
  tile.return
}

// -----

tile.func @no_number() meta {D = 32 : i32, Z = 1 : i32} {
  %r = tile.arange : tensor<?xi32, #tile.dims<[D]>>
  // expected-error @+1 {{expected an offset that arithmetic in 64 bits finds, found 'D floordiv (Z + -1)'}}
  %s = tile.slice %r[D floordiv (Z - 1)] -> tensor<4xi32>
  tile.return
}
