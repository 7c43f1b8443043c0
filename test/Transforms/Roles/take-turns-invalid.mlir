// A schedule that a kernel cannot follow is an error, never a wait without an end.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-take-turns))'

// expected-error @+1 {{kernel cannot follow its schedule: expected a loop of dots in flight to take turns in, found none}}
tile.func @no_dots() attributes {tile.num_warps = 8 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, turns = 2>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// -----

// expected-error @+1 {{kernel cannot follow its schedule: expected roles that take turns, found none}}
tile.func @no_roles() attributes {tile_gpu.schedule = #tile_gpu.schedule<stages = 4, turns = 2>} {
  tile.return
}

// -----

// expected-error @+1 {{kernel cannot follow its schedule: expected several warp groups that take turns, found one}}
tile.func @one_group() attributes {tile.num_warps = 4 : i32, tile_gpu.schedule = #tile_gpu.schedule<stages = 4, turns = 2>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}
