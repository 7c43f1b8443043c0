// RUN: tile-opt %s --tile-instantiate --tile-specialize -split-input-file -verify-diagnostics

// expected-error @+1 {{expected an extent of names, numbers, +, -, *, floordiv, ceildiv, mod and brackets, with a name that counts, found '8'}}
tile.func @number(%x: tensor<?xi32, #tile.dims<[8]>>) { tile.return }

// -----

// expected-error @+1 {{with a name that counts, found 'B - B'}}
tile.func @nothing(%x: tensor<?xi32, #tile.dims<[B - B]>>) { tile.return }

// -----

// expected-error @+1 {{with a name that counts, found 'B floordiv 0'}}
tile.func @by_zero(%x: tensor<?xi32, #tile.dims<[B floordiv 0]>>) { tile.return }

// -----

// expected-error @+1 {{expected ']'}}
tile.func @operator(%x: tensor<?xi32, #tile.dims<[B div 2]>>) { tile.return }

// -----

tile.func @small() meta {B = 4} {
  // expected-error @+1 {{expected a positive extent for 'B floordiv 8', found 0}}
  %i = tile.arange : tensor<?xi32, #tile.dims<[B floordiv 8]>>
  tile.return
}

// -----

tile.func @unknown() meta {B = 4} {
  // expected-error @+1 {{expected a value for meta-parameter 'C', found none in meta {B} or facts}}
  %i = tile.arange : tensor<?xi32, #tile.dims<[B * C]>>
  tile.return
}

// -----

tile.func @too_large() meta {B = 2000000000} {
  // expected-error @+1 {{expected an extent that arithmetic in 64 bits finds, found '(B * B) * B'}}
  %i = tile.arange : tensor<?xi32, #tile.dims<[B * B * B]>>
  tile.return
}

// -----

tile.func private @halves(%x: tensor<?xi32, #tile.dims<[N]>>) -> tensor<?xi32, #tile.dims<[N floordiv 2]>> {
  %half = tile.expr arange(N floordiv 2)
  tile.return %half : tensor<?xi32, #tile.dims<[N floordiv 2]>>
}
tile.func @thirds(%x: tensor<6xi32>) {
  // expected-error @+1 {{expected the helper's type}}
  %y = tile.call @halves(%x) -> tensor<2xi32>
  tile.return
}
