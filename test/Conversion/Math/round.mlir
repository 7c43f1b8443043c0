// Halves go away from 0, and what lies just below one does not; from 2^23 on nothing changes. Numbers that are read, bit by bit
// against those written here, as floats and as integers.
//
// RUN: tile-run %s --target=cpu --repeat 1
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 %}

!f = tensor<16xf32>
!d = tensor<16xf64>
!i = tensor<16xi32>

tile.func @fill(%x: !tile.ptr<f32>, %wanted: !tile.ptr<i32>, %wanted_i: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !i
  %values = arith.constant dense<[0.5, -0.5, 0x3EFFFFFF, 0xBEFFFFFF, 1.5, 2.5, -2.5, 8388607.5, 8388609.0, -8388609.0, 4194304.5, -4194303.5, -0.25, 0x7F800000, -0.0, 7.75]> : !f
  %rounded = arith.constant dense<[1.0, -1.0, 0.0, -0.0, 2.0, 3.0, -3.0, 8388608.0, 8388609.0, -8388609.0, 4194305.0, -4194304.0, -0.0, 0x7F800000, -0.0, 8.0]> : !f
  %integers = arith.constant dense<[1, -1, 0, 0, 2, 3, -3, 8388608, 8388609, -8388609, 4194305, -4194304, 0, 2147483647, 0, 8]> : !i
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<16x!tile.ptr<f32>>, !i
  tile.store %xp, %values : tensor<16x!tile.ptr<f32>>
  %ws = tile.splat %wanted : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %wp = tile.addptr %ws, %lane : tensor<16x!tile.ptr<i32>>, !i
  %bits = arith.bitcast %rounded : !f to !i
  tile.store %wp, %bits : tensor<16x!tile.ptr<i32>>
  %is = tile.splat %wanted_i : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %ip = tile.addptr %is, %lane : tensor<16x!tile.ptr<i32>>, !i
  tile.store %ip, %integers : tensor<16x!tile.ptr<i32>>
  tile.return
}

tile.func @round(%x: !tile.ptr<f32>, %narrow: !tile.ptr<i32>, %wide: !tile.ptr<i32>, %integers: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !i
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<16x!tile.ptr<f32>>, !i
  %v = tile.load %xp : tensor<16x!tile.ptr<f32>>
  %r = math.round %v : !f
  %bits = arith.bitcast %r : !f to !i
  %ns = tile.splat %narrow : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %np = tile.addptr %ns, %lane : tensor<16x!tile.ptr<i32>>, !i
  tile.store %np, %bits : tensor<16x!tile.ptr<i32>>
  %d = arith.extf %v : !f to !d
  %dr = math.round %d : !d
  %df = arith.truncf %dr : !d to !f
  %dbits = arith.bitcast %df : !f to !i
  %ds = tile.splat %wide : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %dp = tile.addptr %ds, %lane : tensor<16x!tile.ptr<i32>>, !i
  tile.store %dp, %dbits : tensor<16x!tile.ptr<i32>>
  %i = arith.fptosi %r : !f to !i
  %is = tile.splat %integers : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>>
  %ip = tile.addptr %is, %lane : tensor<16x!tile.ptr<i32>>, !i
  tile.store %ip, %i : tensor<16x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %x = tile_host.alloc() : () -> memref<16xf32>
  %wanted = tile_host.alloc() : () -> memref<16xi32>
  %wanted_i = tile_host.alloc() : () -> memref<16xi32>
  %narrow = tile_host.alloc() : () -> memref<16xi32>
  %wide = tile_host.alloc() : () -> memref<16xi32>
  %integers = tile_host.alloc() : () -> memref<16xi32>
  tile_host.launch @fill(%x, %wanted, %wanted_i) : memref<16xf32>, memref<16xi32>, memref<16xi32>
  tile_host.launch @round(%x, %narrow, %wide, %integers) : memref<16xf32>, memref<16xi32>, memref<16xi32>, memref<16xi32>
  tile_host.expect_close %narrow, %wanted {atol = 0.0, rtol = 0.0} : memref<16xi32>, memref<16xi32>
  tile_host.expect_close %wide, %wanted {atol = 0.0, rtol = 0.0} : memref<16xi32>, memref<16xi32>
  tile_host.expect_close %integers, %wanted_i {atol = 0.0, rtol = 0.0} : memref<16xi32>, memref<16xi32>
  return
}
