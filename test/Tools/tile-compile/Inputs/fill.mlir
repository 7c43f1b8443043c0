tile.func @k(%x: !tile.ptr<f32>) {
  tile.grid() {
    %c1 = arith.constant 1 : i32
    tile.yield %c1 : i32
  }
  %at = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = arith.constant dense<1.0> : tensor<1024xf32>
  tile.store %xp, %v : tensor<1024x!tile.ptr<f32>>
  tile.return
}
