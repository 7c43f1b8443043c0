// C = A * B in f32, square, for n that the tile divides.
!ptr_t = tensor<?x?x!tile.ptr<f32>, #tile.dims<[B, B]>>
!i32_t = tensor<?x?xi32, #tile.dims<[B, B]>>
!f32_t = tensor<?x?xf32, #tile.dims<[B, B]>>
!line = tensor<?xi32, #tile.dims<[B]>>
!rows = tensor<?x1xi32, #tile.dims<[B]>>
!cols = tensor<1x?xi32, #tile.dims<[B]>>

tile.func @product(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %n: i32)
    meta {B = 16} {
  tile.grid(%n : i32) {
    %size = tile.meta B : i32
    %tiles = arith.ceildivsi %n, %size : i32
    tile.yield %tiles, %tiles : i32, i32
  }
  tile.cost(%n : i32) {
    %two = arith.constant 2 : i64
    %twelve = arith.constant 12 : i64
    %n64 = arith.extsi %n : i32 to i64
    %nn = arith.muli %n64, %n64 : i64
    %nnn = arith.muli %nn, %n64 : i64
    %operations = arith.muli %nnn, %two : i64
    %bytes = arith.muli %nn, %twelve : i64
    tile.yield %operations, %bytes : i64, i64
  }
  %size = tile.meta B : i32
  %j = tile.program_id x
  %i = tile.program_id y
  %line = tile.arange : !line
  %row = tile.expand_dims %line axis 1 : !line -> !rows
  %col = tile.expand_dims %line axis 0 : !line -> !cols
  %pitch = tile.splat %n : i32 -> !rows
  %row_offs = arith.muli %row, %pitch : !rows
  %rows = tile.broadcast %row_offs : !rows -> !i32_t
  %cols = tile.broadcast %col : !cols -> !i32_t
  %offs = arith.addi %rows, %cols : !i32_t
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %acc0 = tile.splat %zero : f32 -> !f32_t
  %first_row = arith.muli %i, %size : i32
  %first_col = arith.muli %j, %size : i32
  %row_start = arith.muli %first_row, %n : i32
  %acc = scf.for %k = %c0 to %n step %size iter_args(%sum = %acc0) -> (!f32_t) : i32 {
    %a_start = arith.addi %row_start, %k : i32
    %k_start = arith.muli %k, %n : i32
    %b_start = arith.addi %k_start, %first_col : i32
    %a_base = tile.addptr %a, %a_start : !tile.ptr<f32>, i32
    %b_base = tile.addptr %b, %b_start : !tile.ptr<f32>, i32
    %a_bases = tile.splat %a_base : !tile.ptr<f32> -> !ptr_t
    %b_bases = tile.splat %b_base : !tile.ptr<f32> -> !ptr_t
    %a_ptrs = tile.addptr %a_bases, %offs : !ptr_t, !i32_t
    %b_ptrs = tile.addptr %b_bases, %offs : !ptr_t, !i32_t
    %a_tile = tile.load %a_ptrs : !ptr_t
    %b_tile = tile.load %b_ptrs : !ptr_t
    %next = tile.dot %a_tile, %b_tile, %sum : !f32_t, !f32_t -> !f32_t
    scf.yield %next : !f32_t
  }
  %c_start = arith.addi %row_start, %first_col : i32
  %c_base = tile.addptr %c, %c_start : !tile.ptr<f32>, i32
  %c_bases = tile.splat %c_base : !tile.ptr<f32> -> !ptr_t
  %c_ptrs = tile.addptr %c_bases, %offs : !ptr_t, !i32_t
  tile.store %c_ptrs, %acc : !ptr_t
  tile.return
}

func.func @main(%n: i32, %seed: i32) {
  %a = tile_host.random(%n, %n) seed 1 : (i32, i32) -> memref<?x?xf32>
  %b = tile_host.random(%n, %n) seed 2 : (i32, i32) -> memref<?x?xf32>
  %c = tile_host.alloc(%n, %n) : (i32, i32) -> memref<?x?xf32>
  tile_host.launch @product(%a, %b, %c, %n) : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, i32
  return
}
