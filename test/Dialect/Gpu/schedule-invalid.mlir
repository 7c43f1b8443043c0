// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected programs, group_rows, cluster, stages, producers, stores, turns, last_round, warm_steps, parts, blocks, ahead, splits, waited or columns, found 'slots'}}
tile.func @key() attributes {s = #tile_gpu.schedule<slots = 4>} { tile.return }

// -----

// expected-error @+1 {{expected each key once, found 'stages' again}}
tile.func @twice() attributes {s = #tile_gpu.schedule<stages = 4, stages = 5>} { tile.return }

// -----

// expected-error @+1 {{expected grid, loop, serpentine or one, found 'many'}}
tile.func @word() attributes {s = #tile_gpu.schedule<programs = many, stages = 4>} { tile.return }

// -----

// expected-error @+1 {{expected whole, boxes, at_once or deferred, found 'never'}}
tile.func @stores() attributes {s = #tile_gpu.schedule<stages = 4, stores = never>} { tile.return }

// -----

// expected-error @+1 {{expected whole, shared or split, found 'half'}}
tile.func @round() attributes {s = #tile_gpu.schedule<stages = 4, last_round = half>} { tile.return }

// -----

// expected-error @+1 {{expected 2 to 1024 stages, found 0}}
tile.func @no_stages() attributes {s = #tile_gpu.schedule<programs = loop>} { tile.return }

// -----

// expected-error @+1 {{expected 2 to 1024 stages, found 1}}
tile.func @one_stage() attributes {s = #tile_gpu.schedule<stages = 1>} { tile.return }

// -----

// expected-error @+1 {{expected groups of rows, or 0 for none, found -1}}
tile.func @rows() attributes {s = #tile_gpu.schedule<stages = 4, group_rows = -1>} { tile.return }

// -----

// expected-error @+1 {{expected clusters of 1, 2, 4 or 8 blocks, found 3}}
tile.func @three() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, cluster = 3>} { tile.return }

// -----

// expected-error @+1 {{expected one or two producers, found 0}}
tile.func @nobody() attributes {s = #tile_gpu.schedule<stages = 4, producers = 0>} { tile.return }

// -----

// Whoever waits for a turn holds slots; one has to be left.
// expected-error @+1 {{expected fewer turns than stages, 4, found 4}}
tile.func @turns() attributes {s = #tile_gpu.schedule<stages = 4, turns = 4>} { tile.return }

// -----

// expected-error @+1 {{expected at most 1024 steps to warm the cache with, found -1}}
tile.func @warm() attributes {s = #tile_gpu.schedule<stages = 4, warm_steps = -1>} { tile.return }

// -----

// expected-error @+1 {{expected clusters that number their programs (loop or one), found grid}}
tile.func @grid_of_clusters() attributes {s = #tile_gpu.schedule<stages = 4, cluster = 2>} { tile.return }

// -----

// expected-error @+1 {{expected clusters with programs = one, found blocks on their own}}
tile.func @one() attributes {s = #tile_gpu.schedule<programs = one, stages = 4>} { tile.return }

// -----

// expected-error @+1 {{expected two producers to take turns with the programs of clusters, found other programs}}
tile.func @pair() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, producers = 2>} { tile.return }

// -----

// expected-error @+1 {{expected a next program (programs = loop or serpentine) to defer stores to, found none}}
tile.func @deferred() attributes {s = #tile_gpu.schedule<stages = 4, stores = deferred>} { tile.return }

// -----

// expected-error @+1 {{expected rounds of programs (programs = loop) to share the last of, found none}}
tile.func @no_rounds() attributes {s = #tile_gpu.schedule<stages = 4, stores = boxes, last_round = shared>} { tile.return }

// -----

// expected-error @+1 {{expected results in boxes where two blocks have a program, found them whole}}
tile.func @whole() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, last_round = shared>} { tile.return }

// -----

// expected-error @+1 {{expected 1 to 8 parts of a loop, found 9}}
tile.func @nine_parts() attributes {s = #tile_gpu.schedule<stages = 4, parts = 9>} { tile.return }

// -----

// expected-error @+1 {{expected a loop split among 1 to 32 clusters, found 33}}
tile.func @many_splits() attributes {s = #tile_gpu.schedule<stages = 4, splits = 33>} { tile.return }

// -----

// expected-error @+1 {{expected blocks with a program each (programs = grid), that share no copies, where they add up parts of its loop in memory, found others}}
tile.func @split_and_shared() attributes {s = #tile_gpu.schedule<stages = 4, cluster = 2, splits = 2>} { tile.return }

// -----

// expected-error @+1 {{expected two splits or more, and one producer, with rounds of programs (programs = loop) to split the last of, found others}}
tile.func @split_alone() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, stores = boxes, last_round = split>} { tile.return }

// -----

// expected-error @+1 {{expected two splits or more, and one producer, with rounds of programs (programs = loop) to split the last of, found others}}
tile.func @split_producers() attributes {s = #tile_gpu.schedule<programs = loop, cluster = 2, producers = 2, stages = 4, stores = boxes, last_round = split, splits = 2>} { tile.return }

// -----

// expected-error @+1 {{expected results that leave whole or in boxes where turns have a part each of a program, found others}}
tile.func @split_deferred() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, stores = deferred, last_round = split, splits = 2>} { tile.return }

// -----

// expected-error @+1 {{expected a cluster for each program (programs = grid) where blocks have parts of its loop, found other programs}}
tile.func @parts_of_many() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, parts = 2>} { tile.return }

// -----

// expected-error @+1 {{expected no steps to warm the cache with where turns have parts of a loop, found 4}}
tile.func @warm_turns() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, last_round = split, warm_steps = 4, splits = 2>} { tile.return }

// -----

// expected-error @+1 {{expected programs = loop for clusters and shared last rounds, found serpentine}}
tile.func @back_in_clusters() attributes {s = #tile_gpu.schedule<programs = serpentine, stages = 4, cluster = 2>} { tile.return }

// -----

// expected-error @+1 {{expected programs = loop for clusters and shared last rounds, found serpentine}}
tile.func @back_and_shared() attributes {s = #tile_gpu.schedule<programs = serpentine, stages = 4, stores = boxes, last_round = shared>} { tile.return }

// -----

// expected-error @+1 {{expected 1 to 32 blocks of a multiprocessor, found 0}}
tile.func @no_blocks() attributes {s = #tile_gpu.schedule<stages = 4, blocks = 0>} { tile.return }

// -----

// expected-error @+1 {{expected blocks of clusters to have a multiprocessor each, found 2 on one}}
tile.func @blocks_of_clusters() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, cluster = 2, blocks = 2>} { tile.return }

// -----

// expected-error @+1 {{expected one or two slots ahead, found 3}}
tile.func @far_ahead() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, ahead = 3>} { tile.return }

// -----

// expected-error @+1 {{expected at most as many slots where dots are waited for as elsewhere, 4, found 5}}
tile.func @many_waited() attributes {s = #tile_gpu.schedule<stages = 4, waited = 5>} { tile.return }

// -----

// expected-error @+1 {{expected a next program (programs = loop or serpentine) to copy ahead for, found none}}
tile.func @nothing_ahead() attributes {s = #tile_gpu.schedule<stages = 4, ahead = 2>} { tile.return }

// -----

// expected-error @+1 {{expected clusters that have one or two columns, found 3}}
tile.func @many_columns() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, cluster = 4, columns = 3>} { tile.return }

// -----

// expected-error @+1 {{expected clusters of 4 or 8 blocks, and groups of rows, where each has two columns, found others}}
tile.func @columns_of_pairs() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, cluster = 2, columns = 2>} { tile.return }

// -----

// expected-error @+1 {{expected clusters of 4 or 8 blocks, and groups of rows, where each has two columns, found others}}
tile.func @columns_in_order() attributes {s = #tile_gpu.schedule<programs = loop, stages = 4, cluster = 4, group_rows = 0, columns = 2>} { tile.return }
