// Writes 1 everywhere; expects 2 of n = 3, and its cost divides by n - 2.
tile.func @fill(%x: !tile.ptr<f32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.cost(%n : i32) {
    %two = arith.constant 2 : i32
    %hundred = arith.constant 100 : i32
    %left = arith.subi %n, %two : i32
    %cost = arith.divsi %hundred, %left : i32
    %wide = arith.extsi %cost : i32 to i64
    tile.yield %wide, %wide : i64, i64
  }
  %lane = tile.arange : tensor<16xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ptrs = tile.addptr %base, %lane : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  tile.store %ptrs, %one : tensor<16x!tile.ptr<f32>>
  tile.return
}

func.func @main(%n: i32) {
  %three = arith.constant 3 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = tile_host.alloc() : () -> memref<16xf32>
  %want = tile_host.alloc() : () -> memref<16xf32>
  tile_host.launch @fill(%x, %n) : memref<16xf32>, i32
  %wrong = arith.cmpi eq, %n, %three : i32
  %value = arith.select %wrong, %two, %one : f32
  linalg.fill ins(%value : f32) outs(%want : memref<16xf32>)
  tile_host.expect_close %x, %want {atol = 0.0, rtol = 0.0} : memref<16xf32>, memref<16xf32>
  return
}
