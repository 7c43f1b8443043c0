tile.func @first(%x: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.return
}
tile.func @second(%x: !tile.ptr<f32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.return
}
func.func @main() {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %x = tile_host.alloc() : () -> memref<16xf32>
  tile_host.launch @first(%x) : memref<16xf32>
  tile_host.launch @second(%x, %two) : memref<16xf32>, i32
  tile_host.launch @second(%x, %three) : memref<16xf32>, i32
  return
}
