// A schedule that a kernel cannot follow is an error, never a wait without an end.
//
// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(tile-defer-stores))'

// expected-error @+1 {{kernel cannot follow its schedule: expected roles and a loop over programs, found none}}
tile.func @no_roles() attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = deferred>} {
  tile.return
}

// -----

// expected-error @+1 {{kernel cannot follow its schedule: expected a loop of dots in flight to store between, found none}}
tile.func @no_dots(%n: i32) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop, stages = 4, stores = deferred>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.warp_specialize producer {
  } consumer {
    scf.for %p = %c0 to %n step %c1 : i32 {
    } {tile_gpu.programs}
  }
  tile.return
}
