// RUN: tile-opt %s -split-input-file -verify-diagnostics --convert-tile-to-cpu

tile.func @unknown() {
  // expected-error @below {{expected an op that the CPU lowering takes, found 'tile_gpu.group_barrier'}}
  tile_gpu.group_barrier
  tile.return
}

// -----

tile.func @unbound(%out: !tile.ptr<i32>) meta {N = 8} {
  // expected-error @below {{expected tiles whose extents are bound, found 'tile.arange'}}
  %x = tile.arange : tensor<?xi32, #tile.dims<[N]>>
  tile.return
}

// -----

tile.func @table(%out: !tile.ptr<i32>) {
  // expected-error @below {{expected a constant tile of dense elements, found 'arith.constant'}}
  %x = arith.constant dense_resource<numbers> : tensor<2xi32>
  %l = tile.arange : tensor<2xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %op = tile.addptr %os, %l : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  tile.store %op, %x : tensor<2x!tile.ptr<i32>>
  tile.return
}

// -----

// expected-error @below {{expected tiles that need at most 50331648 bytes of a program's stack, found 67108864}}
tile.func @large(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %l = tile.arange : tensor<16777216xi32>
  %one = arith.constant dense<1> : tensor<16777216xi32>
  %next = arith.addi %l, %one : tensor<16777216xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16777216x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %l : tensor<16777216x!tile.ptr<f32>>, tensor<16777216xi32>
  %v = tile.load %xp : tensor<16777216x!tile.ptr<f32>>
  %op = tile.addptr %xs, %next : tensor<16777216x!tile.ptr<f32>>, tensor<16777216xi32>
  tile.store %op, %v : tensor<16777216x!tile.ptr<f32>>
  tile.return
}
