// Loops and branches that carry tiles; references are loops over numbers.
// RUN: tile-run %s --target=cpu --args 7 --repeat=1 | FileCheck %s
// RUN: tile-run %s --target=cpu --args 0 --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --args 7 --repeat=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --args 0 --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 5 comparisons

!t = tensor<20xi32>
!p = tensor<20x!tile.ptr<i32>>

// Two buffers that swap: Fibonacci numbers, each lane from its own start.
tile.func @fibonacci(%out: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = tile.arange : !t
  %ones = arith.constant dense<1> : !t
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %lane, %y = %ones) -> (!t, !t) : i32 {
    %z = arith.addi %x, %y : !t
    scf.yield %y, %z : !t, !t
  }
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %lane : !p, !t
  tile.store %op, %a : !p
  tile.return
}

// A tile that a branch chooses, next to a scalar; the other branch leaves it.
tile.func @choose(%out: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two : i32
  }
  %pid = tile.program_id x
  %c1 = arith.constant 1 : i32
  %c20 = arith.constant 20 : i32
  %lane = tile.arange : !t
  %is = arith.cmpi eq, %pid, %c1 : i32
  %v, %s = scf.if %is -> (!t, i32) {
    %twice = arith.addi %lane, %lane : !t
    scf.yield %twice, %n : !t, i32
  } else {
    scf.yield %lane, %c1 : !t, i32
  }
  %st = tile.splat %s : i32 -> !t
  %w = arith.addi %v, %st : !t
  %first = arith.muli %pid, %c20 : i32
  %ft = tile.splat %first : i32 -> !t
  %offs = arith.addi %lane, %ft : !t
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %offs : !p, !t
  tile.store %op, %w : !p
  tile.return
}

// Doubles all lanes while their sum is below 1000 + n.
tile.func @double(%out: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c1000 = arith.constant 1000 : i32
  %limit = arith.addi %c1000, %n : i32
  %lane = tile.arange : !t
  %r = scf.while (%x = %lane) : (!t) -> !t {
    %sum = tile.reduce add %x axis 0 : !t -> i32
    %more = arith.cmpi slt, %sum, %limit : i32
    scf.condition(%more) %x : !t
  } do {
  ^bb0(%x: !t):
    %y = arith.addi %x, %x : !t
    scf.yield %y : !t
  }
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %lane : !p, !t
  tile.store %op, %r : !p
  tile.return
}

// Pointers that walk, in a loop in a loop: sums rows of n x 3 tiles of 20 elements.
tile.func @walk(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %lane = tile.arange : !t
  %zero = arith.constant dense<0> : !t
  %step = arith.constant dense<20> : !t
  %xs = tile.splat %x : !tile.ptr<i32> -> !p
  %first = tile.addptr %xs, %lane : !p, !t
  %sum, %end = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %ptr = %first) -> (!t, !p) : i32 {
    %s2, %ptr2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%sj = %s, %pj = %ptr) -> (!t, !p) : i32 {
      %v = tile.load %pj : !p
      %sv = arith.addi %sj, %v : !t
      %next = tile.addptr %pj, %step : !p, !t
      scf.yield %sv, %next : !t, !p
    }
    scf.yield %s2, %ptr2 : !t, !p
  }
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %lane : !p, !t
  tile.store %op, %sum : !p
  tile.return
}

// Both branches reshape one tile: what one of them makes of it is not there for the other.
tile.func @paths(%out: !tile.ptr<i32>) {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two : i32
  }
  %pid = tile.program_id x
  %c1 = arith.constant 1 : i32
  %c20 = arith.constant 20 : i32
  %lane = tile.arange : !t
  %is = arith.cmpi eq, %pid, %c1 : i32
  %v = scf.if %is -> (!t) {
    %a = tile.reshape %lane : !t -> tensor<4x5xi32>
    %b = tile.trans %a order [1, 0] : tensor<4x5xi32> -> tensor<5x4xi32>
    %c = tile.reshape %b : tensor<5x4xi32> -> !t
    scf.yield %c : !t
  } else {
    %a = tile.reshape %lane : !t -> tensor<4x5xi32>
    %c = tile.reshape %a : tensor<4x5xi32> -> !t
    scf.yield %c : !t
  }
  %first = arith.muli %pid, %c20 : i32
  %ft = tile.splat %first : i32 -> !t
  %offs = arith.addi %lane, %ft : !t
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %offs : !p, !t
  tile.store %op, %v : !p
  tile.return
}

func.func @main(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %ni = arith.index_cast %n : i32 to index

  %fib = tile_host.alloc(%c20) : (index) -> memref<?xi32>
  %fib_want = tile_host.alloc(%c20) : (index) -> memref<?xi32>
  tile_host.launch @fibonacci(%fib, %n) : memref<?xi32>, i32
  scf.for %l = %c0 to %c20 step %c1 {
    %li = arith.index_cast %l : index to i32
    %a, %b = scf.for %i = %c0 to %ni step %c1 iter_args(%x = %li, %y = %i1) -> (i32, i32) {
      %z = arith.addi %x, %y : i32
      scf.yield %y, %z : i32, i32
    }
    memref.store %a, %fib_want[%l] : memref<?xi32>
  }
  tile_host.expect_close %fib, %fib_want : memref<?xi32>, memref<?xi32>

  %two = tile_host.alloc(%c2, %c20) : (index, index) -> memref<?x?xi32>
  %two_want = tile_host.alloc(%c2, %c20) : (index, index) -> memref<?x?xi32>
  tile_host.launch @choose(%two, %n) : memref<?x?xi32>, i32
  scf.for %l = %c0 to %c20 step %c1 {
    %li = arith.index_cast %l : index to i32
    %a = arith.addi %li, %i1 : i32
    %b0 = arith.addi %li, %li : i32
    %b = arith.addi %b0, %n : i32
    memref.store %a, %two_want[%c0, %l] : memref<?x?xi32>
    memref.store %b, %two_want[%c1, %l] : memref<?x?xi32>
  }
  tile_host.expect_close %two, %two_want : memref<?x?xi32>, memref<?x?xi32>

  // 190 * 2^k reaches 1000 at k = 3.
  %dbl = tile_host.alloc(%c20) : (index) -> memref<?xi32>
  %dbl_want = tile_host.alloc(%c20) : (index) -> memref<?xi32>
  tile_host.launch @double(%dbl, %n) : memref<?xi32>, i32
  %eight = arith.constant 8 : i32
  scf.for %l = %c0 to %c20 step %c1 {
    %li = arith.index_cast %l : index to i32
    %a = arith.muli %li, %eight : i32
    memref.store %a, %dbl_want[%l] : memref<?xi32>
  }
  tile_host.expect_close %dbl, %dbl_want : memref<?xi32>, memref<?xi32>

  %n3 = arith.muli %ni, %c3 : index
  %x = tile_host.random(%n3, %c20) seed 1 : (index, index) -> memref<?x?xi32>
  %sum = tile_host.alloc(%c20) : (index) -> memref<?xi32>
  %sum_want = tile_host.alloc(%c20) : (index) -> memref<?xi32>
  tile_host.launch @walk(%x, %sum, %n) : memref<?x?xi32>, memref<?xi32>, i32
  scf.for %l = %c0 to %c20 step %c1 {
    %s = scf.for %i = %c0 to %n3 step %c1 iter_args(%t = %i0) -> i32 {
      %v = memref.load %x[%i, %l] : memref<?x?xi32>
      %tv = arith.addi %t, %v : i32
      scf.yield %tv : i32
    }
    memref.store %s, %sum_want[%l] : memref<?xi32>
  }
  tile_host.expect_close %sum, %sum_want : memref<?xi32>, memref<?xi32>
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %paths = tile_host.alloc(%c2, %c20) : (index, index) -> memref<?x?xi32>
  %paths_want = tile_host.alloc(%c2, %c20) : (index, index) -> memref<?x?xi32>
  tile_host.launch @paths(%paths) : memref<?x?xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %i5 = arith.muli %i, %c5 : index
      %at = arith.addi %i5, %j : index
      %j4 = arith.muli %j, %c4 : index
      %turned = arith.addi %j4, %i : index
      %value = arith.index_cast %at : index to i32
      memref.store %value, %paths_want[%c0, %at] : memref<?x?xi32>
      memref.store %value, %paths_want[%c1, %turned] : memref<?x?xi32>
    }
  }
  tile_host.expect_close %paths, %paths_want : memref<?x?xi32>, memref<?x?xi32>
  return
}
