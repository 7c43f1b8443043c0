// Elements picked at places of their tile with some bits turned, taken away or moved, against loops on the host.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, {{.*}}in 5 comparisons

!tile = tensor<16x64xi32>
!ptrs = tensor<16x64x!tile.ptr<i32>>

tile.func @pick(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %row: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %half: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %part: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %column: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %neighbour: !tile.ptr<i32> {tile.divisibility = 16 : i32}) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %n = tile.arange : tensor<1024xi32>
  %at = tile.reshape %n : tensor<1024xi32> -> !tile
  %xs = tile.splat %x : !tile.ptr<i32> -> !ptrs
  %xp = tile.addptr %xs, %at : !ptrs, !tile
  %v = tile.load %xp : !ptrs
  %j0 = tile.arange : tensor<64xi32>
  %j1 = tile.expand_dims %j0 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %j = tile.broadcast %j1 : tensor<1x64xi32> -> !tile
  %i0 = tile.arange : tensor<16xi32>
  %i1 = tile.expand_dims %i0 axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %i = tile.broadcast %i1 : tensor<16x1xi32> -> !tile
  %unit = arith.constant dense<1> : !tile
  %c_row = arith.constant dense<37> : !tile
  %k_row = arith.xori %j, %c_row : !tile
  %g_row = tile.gather %v, %k_row axis 1 : !tile, !tile -> !tile
  %s_row = tile.splat %row : !tile.ptr<i32> -> !ptrs
  %p_row = tile.addptr %s_row, %at : !ptrs, !tile
  tile.store %p_row, %g_row : !ptrs
  %c_half = arith.constant dense<5> : !tile
  %k_half = arith.xori %j, %c_half : !tile
  %m_half = arith.shrui %k_half, %unit : !tile
  %g_half = tile.gather %v, %m_half axis 1 : !tile, !tile -> !tile
  %s_half = tile.splat %half : !tile.ptr<i32> -> !ptrs
  %p_half = tile.addptr %s_half, %at : !ptrs, !tile
  tile.store %p_half, %g_half : !ptrs
  %c_part = arith.constant dense<24> : !tile
  %k_part = arith.andi %j, %c_part : !tile
  %g_part = tile.gather %v, %k_part axis 1 : !tile, !tile -> !tile
  %s_part = tile.splat %part : !tile.ptr<i32> -> !ptrs
  %p_part = tile.addptr %s_part, %at : !ptrs, !tile
  tile.store %p_part, %g_part : !ptrs
  %c_column = arith.constant dense<3> : !tile
  %k_column = arith.xori %i, %c_column : !tile
  %g_column = tile.gather %v, %k_column axis 0 : !tile, !tile -> !tile
  %s_column = tile.splat %column : !tile.ptr<i32> -> !ptrs
  %p_column = tile.addptr %s_column, %at : !ptrs, !tile
  tile.store %p_column, %g_column : !ptrs
  %c_neighbour = arith.constant dense<1> : !tile
  %k_neighbour = arith.xori %j, %c_neighbour : !tile
  %g_neighbour = tile.gather %v, %k_neighbour axis 1 : !tile, !tile -> !tile
  %s_neighbour = tile.splat %neighbour : !tile.ptr<i32> -> !ptrs
  %p_neighbour = tile.addptr %s_neighbour, %at : !ptrs, !tile
  tile.store %p_neighbour, %g_neighbour : !ptrs
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %x = tile_host.random(%c16, %c64) seed 7 : (index, index) -> memref<?x?xi32>
  %row = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %want_row = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %half = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %want_half = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %part = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %want_part = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %column = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %want_column = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %neighbour = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %want_neighbour = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  tile_host.launch @pick(%x, %row, %half, %part, %column, %neighbour) : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %c_row = arith.constant 37 : index
      %k_row = arith.xori %j, %c_row : index
      %v_row = memref.load %x[%i, %k_row] : memref<?x?xi32>
      memref.store %v_row, %want_row[%i, %j] : memref<?x?xi32>
      %c_half = arith.constant 5 : index
      %k_half = arith.xori %j, %c_half : index
      %m_half = arith.shrui %k_half, %c1 : index
      %v_half = memref.load %x[%i, %m_half] : memref<?x?xi32>
      memref.store %v_half, %want_half[%i, %j] : memref<?x?xi32>
      %c_part = arith.constant 24 : index
      %k_part = arith.andi %j, %c_part : index
      %v_part = memref.load %x[%i, %k_part] : memref<?x?xi32>
      memref.store %v_part, %want_part[%i, %j] : memref<?x?xi32>
      %c_column = arith.constant 3 : index
      %k_column = arith.xori %i, %c_column : index
      %v_column = memref.load %x[%k_column, %j] : memref<?x?xi32>
      memref.store %v_column, %want_column[%i, %j] : memref<?x?xi32>
      %c_neighbour = arith.constant 1 : index
      %k_neighbour = arith.xori %j, %c_neighbour : index
      %v_neighbour = memref.load %x[%i, %k_neighbour] : memref<?x?xi32>
      memref.store %v_neighbour, %want_neighbour[%i, %j] : memref<?x?xi32>
    }
  }
  tile_host.expect_close %row, %want_row : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %half, %want_half : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %part, %want_part : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %column, %want_column : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %neighbour, %want_neighbour : memref<?x?xi32>, memref<?x?xi32>
  return
}
