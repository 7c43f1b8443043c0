// Four taps of a filter that their author wrote out, a loop of dots each: a step that is not there is copied by nobody.
// RUN: tile-run %s --emit=layouts --arch=sm_90a | FileCheck %s --check-prefix=MADE
// RUN: tile-run %s --emit=layouts --arch=sm_80 | FileCheck %s --check-prefix=MADE
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 8 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 72 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 200 | FileCheck %s %}
// CHECK: largest error

// The first step's copies are there whatever the loop has, the second one's in a branch.
// MADE-LABEL: tile.func @taps
// MADE: tile_gpu.async_copy
// MADE: tile_gpu.async_commit
// MADE: scf.if
// MADE-NOT: tile_gpu.async_commit
// MADE: tile_gpu.async_copy
// MADE: }
// MADE: tile_gpu.async_commit
tile.func @taps(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  // Rows lie across: channel by channel, 67 numbers each.
  %xp0 = tile.expr %x + col(arange(64))
  %s0 = scf.for %c = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<64x32xf32>) : i32 {
    %xp = tile.expr %xp0 + row(%c + arange(32)) * 67
    %xin = tile.expr row(%c + arange(32)) < %n + col(arange(64)) * 0
    %a = tile.load %xp, %xin
    %wp = tile.expr %w + (col(%c + arange(32)) * 4 + row(arange(32)) * (%n * 4))
    %win = tile.expr col(%c + arange(32)) < %n + row(arange(32)) * 0
    %b = tile.load %wp, %win
    %d = tile.dot %a, %b, %s precision tf32
    scf.yield %d : tensor<64x32xf32>
  }
  %s1 = scf.for %c = %c0 to %n step %c32 iter_args(%s = %s0) -> (tensor<64x32xf32>) : i32 {
    %xp = tile.expr %xp0 + (row(%c + arange(32)) * 67 + 1)
    %xin = tile.expr row(%c + arange(32)) < %n + col(arange(64)) * 0
    %a = tile.load %xp, %xin
    %wp = tile.expr %w + (col(%c + arange(32)) * 4 + row(arange(32)) * (%n * 4) + 1)
    %win = tile.expr col(%c + arange(32)) < %n + row(arange(32)) * 0
    %b = tile.load %wp, %win
    %d = tile.dot %a, %b, %s precision tf32
    scf.yield %d : tensor<64x32xf32>
  }
  %s2 = scf.for %c = %c0 to %n step %c32 iter_args(%s = %s1) -> (tensor<64x32xf32>) : i32 {
    %xp = tile.expr %xp0 + (row(%c + arange(32)) * 67 + 2)
    %xin = tile.expr row(%c + arange(32)) < %n + col(arange(64)) * 0
    %a = tile.load %xp, %xin
    %wp = tile.expr %w + (col(%c + arange(32)) * 4 + row(arange(32)) * (%n * 4) + 2)
    %win = tile.expr col(%c + arange(32)) < %n + row(arange(32)) * 0
    %b = tile.load %wp, %win
    %d = tile.dot %a, %b, %s precision tf32
    scf.yield %d : tensor<64x32xf32>
  }
  %s3 = scf.for %c = %c0 to %n step %c32 iter_args(%s = %s2) -> (tensor<64x32xf32>) : i32 {
    %xp = tile.expr %xp0 + (row(%c + arange(32)) * 67 + 3)
    %xin = tile.expr row(%c + arange(32)) < %n + col(arange(64)) * 0
    %a = tile.load %xp, %xin
    %wp = tile.expr %w + (col(%c + arange(32)) * 4 + row(arange(32)) * (%n * 4) + 3)
    %win = tile.expr col(%c + arange(32)) < %n + row(arange(32)) * 0
    %b = tile.load %wp, %win
    %d = tile.dot %a, %b, %s precision tf32
    scf.yield %d : tensor<64x32xf32>
  }
  %outp = tile.expr %out + (col(arange(64)) * 32 + row(arange(32)))
  tile.store %outp, %s3
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 72 : i32}) {
  %line = arith.constant 67 : i32
  %filter = arith.constant 128 : i32
  %results = arith.constant 2048 : i32
  %xs = arith.muli %line, %n : i32
  %ws = arith.muli %filter, %n : i32
  %x = tile_host.random(%xs) seed 1 -> memref<?xf32>
  %w = tile_host.random(%ws) seed 2 -> memref<?xf32>
  %out = tile_host.alloc(%results) -> memref<?xf32>
  %want = tile_host.alloc(%results) -> memref<?xf64>
  tile_host.launch @taps(%x, %w, %out, %n)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c67 = arith.constant 67 : index
  %end = arith.index_cast %n : i32 to index
  %all = arith.muli %end, %c4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %first = arith.muli %j, %all : index
      %sum = scf.for %k = %c0 to %all step %c1 iter_args(%s = %zero) -> f64 {
        %channel = arith.divui %k, %c4 : index
        %tap = arith.remui %k, %c4 : index
        %row = arith.muli %channel, %c67 : index
        %place = arith.addi %row, %tap : index
        %at_x = arith.addi %place, %i : index
        %at_w = arith.addi %first, %k : index
        %a = memref.load %x[%at_x] : memref<?xf32>
        %b = memref.load %w[%at_w] : memref<?xf32>
        %af = arith.extf %a : f32 to f64
        %bf = arith.extf %b : f32 to f64
        %ab = arith.mulf %af, %bf : f64
        %t = arith.addf %s, %ab : f64
        scf.yield %t : f64
      }
      %out_row = arith.muli %i, %c32 : index
      %at = arith.addi %out_row, %j : index
      memref.store %sum, %want[%at] : memref<?xf64>
    }
  }
  tile_host.expect_close %out, %want {atol = 2.0e-2, rtol = 2.0e-3} : memref<?xf32>, memref<?xf64>
  return
}
