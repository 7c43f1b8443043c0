// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @axis() {
  // expected-error @+1 {{expected ::tile::Axis to be one of: x, y, z}}
  %w = tile.program_id w
  // expected-error @+1 {{failed to parse Tile_AxisAttr}}
  tile.return
}

// -----

tile.func @axis_value() {
  // expected-error @+1 {{attribute 'axis' failed to satisfy constraint: a dimension of the launch grid}}
  %w = "tile.num_programs"() {axis = 7 : i32} : () -> i32
  tile.return
}

// -----

tile.func @rank() {
  // expected-error @+1 {{expected a tile of rank 1, found rank 2}}
  %a = tile.arange : tensor<4x4xi32>
  tile.return
}

// -----

tile.func @element() {
  // expected-error @+1 {{must be tile (rank 1 to 16, positive or named extents, at most 2^24 elements) of 32-bit signless integer values, but got 'tensor<4xf32>'}}
  %a = tile.arange : tensor<4xf32>
  tile.return
}

// -----

tile.func @mixed(%i: i32, %j: i64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %a, %b = "tile.swizzle2d"(%i, %i, %i, %i, %i) : (i32, i32, i32, i32, i32) -> (i32, tensor<4xi32>)
  tile.return
}

// -----

tile.func @no_such_extent() {
  // expected-error @+2 {{expected ::tile::Axis to be one of: x, y, z}}
  // expected-error @+2 {{failed to parse Tile_AxisAttr parameter}}
  %x = tile_gpu.grid_extent w
  tile.return
}
