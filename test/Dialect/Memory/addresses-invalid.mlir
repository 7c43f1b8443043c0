// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @numbers(%n: i64) {
  // expected-error @+1 {{'tile.ptr_cast' op expected pointers on one side, found 'i64' and 'i64'}}
  %m = tile.ptr_cast %n : i64 -> i64
  tile.return
}

// -----

tile.func @shapes(%p: tensor<8x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.ptr_cast' op expected one shape on both sides, found 'tensor<8x!tile.ptr<f32>>' and 'tensor<4xi64>'}}
  %m = tile.ptr_cast %p : tensor<8x!tile.ptr<f32>> -> tensor<4xi64>
  tile.return
}

// -----

tile.func @narrow(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{result #0 must be pointer, i64 or tile of these, but got 'i32'}}
  %m = tile.ptr_cast %p : !tile.ptr<f32> -> i32
  tile.return
}

// -----

tile.func @region(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tile.reduce' op expected a region without side effects, found tile.barrier}}
  %s = tile.reduce %x axis 0 : tensor<8xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.barrier
    tile.yield %a : f32
  }
  tile.return
}
