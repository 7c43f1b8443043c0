// Kernels on slow roads: see slow.test.
tile.func @f32(%p: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %a = arith.constant dense<1.0> : tensor<64x32xf32>
  %b = arith.constant dense<1.0> : tensor<32x64xf32>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %o = tile.broadcast %r : tensor<1x64xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

tile.func @f8(%p: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %a = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  %i = tile.arange : tensor<64xi32>
  %r = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %o = tile.broadcast %r : tensor<1x64xi32> -> tensor<64x64xi32>
  %s = tile.splat %p : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %q = tile.addptr %s, %o : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %q, %d : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
