// A schedule that a kernel cannot follow is an error, never a wait without an end.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-stage-stores))'

// expected-error @+1 {{kernel cannot follow its schedule: expected results that can go box by box, found none}}
tile.func @no_results() attributes {tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  tile_gpu.warp_specialize producer {
  } consumer {
  }
  tile.return
}

// -----

// expected-error @+1 {{kernel cannot follow its schedule: expected roles whose results are stored, found none}}
tile.func @no_roles() attributes {tile_gpu.schedule = #tile_gpu.schedule<stages = 4, stores = boxes>} {
  tile.return
}
