// The tile of C that a program of a one-dimensional grid computes: programs next to each other share rows, `group` of
// them, and so what is in the cache.
tile.func private @grouped_order(%tiles_m: i32, %tiles_n: i32, %group: i32) -> (i32, i32) {
  %i = tile.expr program_id(x) div %tiles_n
  %j = tile.expr program_id(x) rem %tiles_n
  %tile_i, %tile_j = tile.swizzle2d %i, %j, %tiles_m, %tiles_n, %group
  tile.return %tile_i, %tile_j : i32, i32
}
