// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.func @all
// CHECK-SAME: tile_gpu.schedule = #tile_gpu.schedule<programs = loop, group_rows = 8, cluster = 4, stages = 5, producers = 2, stores = deferred, turns = 3, last_round = shared, warm_steps = 2>
tile.func @all() attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop, group_rows = 8, cluster = 4,
    stages = 5, producers = 2, stores = deferred, turns = 3, last_round = shared, warm_steps = 2>} {
  tile.return
}

// Keys come in any order; those that are not there say the least.
// CHECK-LABEL: tile.func @some
// CHECK-SAME: <programs = grid, group_rows = 16, cluster = 1, stages = 3, producers = 1, stores = at_once, turns = 0, last_round = whole, warm_steps = 0>
tile.func @some() attributes {tile_gpu.schedule = #tile_gpu.schedule<stores = at_once, stages = 3>} {
  tile.return
}

// CHECK-LABEL: tile.func @clusters
// CHECK-SAME: <programs = one, group_rows = 16, cluster = 2, stages = 8, producers = 1, stores = boxes, turns = 0, last_round = whole, warm_steps = 4>
tile.func @clusters() attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = one, cluster = 2, stages = 8,
    stores = boxes, warm_steps = 4>} {
  tile.return
}

// Where blocks have parts of a loop, the schedule says so.
// CHECK-LABEL: tile.func @parts
// CHECK-SAME: <programs = grid, group_rows = 16, cluster = 1, stages = 8, producers = 1, stores = at_once, turns = 0, last_round = whole, warm_steps = 0, parts = 4>
tile.func @parts() attributes {tile_gpu.schedule = #tile_gpu.schedule<parts = 4, stages = 8, stores = at_once>} {
  tile.return
}

// CHECK-LABEL: tile.func @blocks
// CHECK-SAME: <programs = loop, group_rows = 16, cluster = 1, stages = 4, producers = 1, stores = boxes, turns = 0, last_round = whole, warm_steps = 0, blocks = 3>
tile.func @blocks() attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop, blocks = 3, stages = 4, stores = boxes>} {
  tile.return
}

// CHECK-LABEL: tile.func @ahead
// CHECK-SAME: <programs = serpentine, group_rows = 16, cluster = 1, stages = 4, producers = 1, stores = boxes, turns = 0, last_round = whole, warm_steps = 0, ahead = 2>
tile.func @ahead() attributes {tile_gpu.schedule = #tile_gpu.schedule<ahead = 2, programs = serpentine, stages = 4, stores = boxes>} {
  tile.return
}

// CHECK-LABEL: tile.func @waited
// CHECK-SAME: <programs = grid, group_rows = 16, cluster = 1, stages = 3, producers = 1, stores = boxes, turns = 0, last_round = whole, warm_steps = 0, waited = 1>
tile.func @waited() attributes {tile_gpu.schedule = #tile_gpu.schedule<waited = 1, stages = 3, stores = boxes>} {
  tile.return
}

// CHECK-LABEL: tile.func @columns
// CHECK-SAME: <programs = loop, group_rows = 16, cluster = 8, stages = 4, producers = 2, stores = boxes, turns = 0, last_round = whole, warm_steps = 0, columns = 2>
tile.func @columns() attributes {tile_gpu.schedule = #tile_gpu.schedule<columns = 2, programs = loop, cluster = 8, stages = 4, producers = 2, stores = boxes>} {
  tile.return
}
