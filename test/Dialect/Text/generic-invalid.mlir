// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func private @both(%x: !tile.any<T>, %y: !tile.any<T>) { tile.return }
tile.func @kernel(%x: f16, %y: f32) {
  // expected-error @+1 {{'tile.call' op expected one type for T of 'both', found 'f16' and 'f32'}}
  tile.call @both(%x, %y)
  tile.return
}

// -----

tile.func private @one(%x: !tile.any<T>) { tile.return }
tile.func @kernel(%x: !tile.ptr<f16>) {
  // expected-error @+1 {{'tile.call' op expected a type of numbers for T of 'one', found '!tile.ptr<f16>'}}
  tile.call @one(%x)
  tile.return
}

// -----

tile.func private @one(%x: !tile.any<T>) { tile.return }
tile.func @kernel(%x: f16) {
  // expected-error @+1 {{'tile.call' op expected the helper's type (!tile.any<T>) -> (), found ('f16', 'f16') -> ()}}
  tile.call @one(%x, %x)
  tile.return
}

// -----

// expected-error @+1 {{'tile.func' op expected a private helper to have !tile.any in its signature, found a kernel}}
tile.func @kernel(%x: !tile.any<T>) {
  tile.return
}

// -----

tile.func private @quotient(%x: !tile.any<T>) -> !tile.any<T> {
  // expected-error @+1 {{'tile.expr' op expected floats (integers have div, rem, floordiv and ceildiv) for '/', found 'i32'}}
  %y = tile.expr %x / 2
  tile.return %y : !tile.any<T>
}
tile.func @kernel(%x: i32) {
  %y = tile.call @quotient(%x) -> i32
  tile.return
}

// -----

tile.func private @shape(%x: tensor<4x!tile.any<T>>) { tile.return }
tile.func @kernel(%x: tensor<8xf16>) {
  // expected-error @+1 {{'tile.call' op expected the helper's type}}
  tile.call @shape(%x)
  tile.return
}
