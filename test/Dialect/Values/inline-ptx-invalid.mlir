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

// -----

tile.func @several(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tile.inline_ptx' op expected a pure text for several outputs, found another}}
  %y = tile.inline_ptx "mov.b32 $0, $2; mov.b32 $1, $2;" constraints "=f,=f,f" of [f32, f32] output 0 (%x) : (tensor<8xf32>) -> tensor<8xf32>
  tile.return
}

// -----

tile.func @third(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tile.inline_ptx' op expected one of 2 outputs, found output 2}}
  %y = tile.inline_ptx "mov.b32 $0, $2; mov.b32 $1, $2;" constraints "=f,=f,f" pure of [f32, f32] output 2 (%x) : (tensor<8xf32>) -> tensor<8xf32>
  tile.return
}

// -----

tile.func @type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tile.inline_ptx' op expected elements of the output's type 'i32', found 'f32'}}
  %y = tile.inline_ptx "mov.b32 $0, $2; mov.b32 $1, $2;" constraints "=r,=f,f" pure of [i32, f32] output 0 (%x) : (tensor<8xf32>) -> tensor<8xf32>
  tile.return
}
