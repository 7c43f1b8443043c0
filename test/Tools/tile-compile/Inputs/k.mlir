tile.func @k(%x: !tile.ptr<f32>) {
  tile.grid() {
    %c1 = arith.constant 1 : i32
    tile.yield %c1 : i32
  }
  %v = arith.constant 1.0 : f32
  tile.store %x, %v : !tile.ptr<f32>
  tile.return
}
