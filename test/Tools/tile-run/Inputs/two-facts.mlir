// One kernel, launched three times for two sets of facts: 3 says nothing, 16 is a multiple of 16, and 5 nothing.
tile.func @fill(%out: !tile.ptr<i32>, %value: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.store %out, %value : !tile.ptr<i32>
  tile.return
}

func.func @main() {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c16 = arith.constant 16 : i32
  %out = tile_host.alloc(%c16) : (i32) -> memref<?xi32>
  tile_host.launch @fill(%out, %c3) : memref<?xi32>, i32
  tile_host.launch @fill(%out, %c16) : memref<?xi32>, i32
  tile_host.launch @fill(%out, %c5) : memref<?xi32>, i32
  return
}
