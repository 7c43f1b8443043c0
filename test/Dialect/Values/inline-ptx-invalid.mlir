// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @shapes(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tile.inline_ptx' op expected operands of the result's shape, found 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %y = tile.inline_ptx "mov.b32 $0, $1;" constraints "=f,f" (%x) : (tensor<8xf32>) -> tensor<4xf32>
  tile.return
}

// -----

tile.func @packed(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tile.inline_ptx' op expected 1 to 16 packed elements, found 17}}
  %y = tile.inline_ptx "mov.b32 $0, $1;" constraints "=f,f" pack 17 (%x) : (tensor<8xf32>) -> tensor<8xf32>
  tile.return
}
