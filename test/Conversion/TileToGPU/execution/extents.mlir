// Tiles of 37 and of 3 x 10 and of one element: accesses, atomics, division by what is 0 beyond the
// tile, regions that are not associative with 0, gathers out of range, against loops on the host.
// The second run executes on the CPU what the GPU gets: tiles padded to powers of two.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents))' | tile-run - --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 5 comparisons

!i = tensor<37xi32>
!p = tensor<37x!tile.ptr<i32>>

// out[i] = 1000 / x[i]; total[0] += sum x, total[1] = max of a*b+a+b over all, total[2] one element
tile.func @line(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %total: !tile.ptr<i32>, %far: !tile.ptr<i32>, %swapped: !tile.ptr<i32>) {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two : i32
  }
  %pid = tile.program_id x
  %size = arith.constant 37 : i32
  %first = arith.muli %pid, %size : i32
  %lane = tile.arange : !i
  %base = tile.splat %first : i32 -> !i
  %offs = arith.addi %base, %lane : !i
  %xs = tile.splat %x : !tile.ptr<i32> -> !p
  %xp = tile.addptr %xs, %offs : !p, !i
  %v = tile.load %xp : !p
  %thousand = arith.constant dense<1000> : !i
  %q = arith.divsi %thousand, %v : !i
  %os = tile.splat %out : !tile.ptr<i32> -> !p
  %op = tile.addptr %os, %offs : !p, !i
  tile.store %op, %q : !p

  // Every element adds itself to one place, and to the program's own sum.
  %ts = tile.splat %total : !tile.ptr<i32> -> !p
  %old = tile.atomic_rmw add relaxed gpu %ts, %v : !p
  %c1 = arith.constant 1 : i32
  %slot = arith.addi %pid, %c1 : i32
  %mp = tile.addptr %total, %slot : !tile.ptr<i32>, i32
  // a + b + a b, which is associative and has 0 as its identity, but not what a mask would give.
  %m = tile.reduce %v axis 0 : !i -> i32 {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    %ab = arith.muli %a, %b : i32
    %r = arith.addi %s, %ab : i32
    tile.yield %r : i32
  }
  tile.store %mp, %m : !tile.ptr<i32>

  // Out of range: the last element.
  %two = arith.constant dense<2> : !i
  %index = arith.muli %lane, %two : !i
  %g = tile.gather %v, %index axis 0 : !i, !i -> !i
  %fs = tile.splat %far : !tile.ptr<i32> -> !p
  %fp = tile.addptr %fs, %offs : !p, !i
  tile.store %fp, %g : !p

  // Even elements are replaced by their negative, once.
  %ss = tile.splat %swapped : !tile.ptr<i32> -> !p
  %sp = tile.addptr %ss, %offs : !p, !i
  %one = arith.constant dense<1> : !i
  %zero = arith.constant dense<0> : !i
  %odd = arith.andi %v, %one : !i
  %expected = arith.subi %v, %odd : !i
  %negative = arith.subi %zero, %v : !i
  %was = tile.atomic_cas relaxed gpu %sp, %expected, %negative : !p
  tile.return
}

// A tile of one element, rows of 10 as one line of 30, and back by halves.
tile.func @box(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %one = tile.arange : tensor<1xi32>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<1x!tile.ptr<i32>>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<30x!tile.ptr<i32>>
  %lane = tile.arange : tensor<30xi32>
  %xp = tile.addptr %xs, %lane : tensor<30x!tile.ptr<i32>>, tensor<30xi32>
  %v = tile.load %xp : tensor<30x!tile.ptr<i32>>
  %rows = tile.reshape %v : tensor<30xi32> -> tensor<3x10xi32>
  %sums = tile.reduce add %rows axis 1 : tensor<3x10xi32> -> tensor<3xi32>
  %weights = tile.arange : tensor<3xi32>
  %weighted = arith.muli %sums, %weights : tensor<3xi32>
  %all = tile.reduce add %weighted axis 0 : tensor<3xi32> -> i32
  %single = tile.splat %all : i32 -> tensor<1xi32>
  %again = tile.reduce add %single axis 0 : tensor<1xi32> -> i32
  %back = tile.splat %again : i32 -> tensor<1xi32>
  %op = tile.addptr %os, %one : tensor<1x!tile.ptr<i32>>, tensor<1xi32>
  tile.store %op, %back : tensor<1x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %x = tile_host.alloc() : () -> memref<74xi32>
  %out = tile_host.alloc() : () -> memref<74xi32>
  %total = tile_host.alloc() : () -> memref<4xi32>
  %far = tile_host.alloc() : () -> memref<74xi32>
  %swapped = tile_host.alloc() : () -> memref<74xi32>
  %want_out = tile_host.alloc() : () -> memref<74xi32>
  %want_total = tile_host.alloc() : () -> memref<4xi32>
  %want_far = tile_host.alloc() : () -> memref<74xi32>
  %want_swapped = tile_host.alloc() : () -> memref<74xi32>
  %single = tile_host.alloc() : () -> memref<1xi32>
  %want_single = tile_host.alloc() : () -> memref<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %c30 = arith.constant 30 : index
  %c36 = arith.constant 36 : index
  %c37 = arith.constant 37 : index
  %c74 = arith.constant 74 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i7 = arith.constant 7 : i32
  %thousand = arith.constant 1000 : i32
  // x[i] = (7 i) % 74 + 1 without 0
  %i74 = arith.constant 74 : i32
  scf.for %i = %c0 to %c74 step %c1 {
    %n = arith.index_cast %i : index to i32
    %n7 = arith.muli %n, %i7 : i32
    %rest = arith.remsi %n7, %i74 : i32
    %v = arith.addi %rest, %i1 : i32
    memref.store %v, %x[%i] : memref<74xi32>
    memref.store %v, %swapped[%i] : memref<74xi32>
  }
  tile_host.launch @line(%x, %out, %total, %far, %swapped) : memref<74xi32>, memref<74xi32>, memref<4xi32>, memref<74xi32>, memref<74xi32>
  tile_host.launch @box(%x, %single) : memref<74xi32>, memref<1xi32>
  scf.for %pid = %c0 to %c2 step %c1 {
    %first = arith.muli %pid, %c37 : index
    %m, %all = scf.for %i = %c0 to %c37 step %c1 iter_args(%a = %i0, %t = %i0) -> (i32, i32) {
      %at = arith.addi %first, %i : index
      %v = memref.load %x[%at] : memref<74xi32>
      %q = arith.divsi %thousand, %v : i32
      memref.store %q, %want_out[%at] : memref<74xi32>
      %i2x = arith.muli %i, %c2 : index
      %near = arith.minui %i2x, %c36 : index
      %from = arith.addi %first, %near : index
      %g = memref.load %x[%from] : memref<74xi32>
      memref.store %g, %want_far[%at] : memref<74xi32>
      %odd = arith.remsi %v, %i2 : i32
      %is_even = arith.cmpi eq, %odd, %i0 : i32
      %negative = arith.subi %i0, %v : i32
      %s = arith.select %is_even, %negative, %v : i32
      memref.store %s, %want_swapped[%at] : memref<74xi32>
      %sum = arith.addi %a, %v : i32
      %product = arith.muli %a, %v : i32
      %b = arith.addi %sum, %product : i32
      %u = arith.addi %t, %v : i32
      scf.yield %b, %u : i32, i32
    }
    %slot = arith.addi %pid, %c1 : index
    memref.store %m, %want_total[%slot] : memref<4xi32>
    %was = memref.load %want_total[%c0] : memref<4xi32>
    %now = arith.addi %was, %all : i32
    memref.store %now, %want_total[%c0] : memref<4xi32>
  }
  %w = scf.for %i = %c0 to %c30 step %c1 iter_args(%t = %i0) -> i32 {
    %v = memref.load %x[%i] : memref<74xi32>
    %row = arith.divui %i, %c10 : index
    %factor = arith.index_cast %row : index to i32
    %product = arith.muli %v, %factor : i32
    %u = arith.addi %t, %product : i32
    scf.yield %u : i32
  }
  memref.store %w, %want_single[%c0] : memref<1xi32>
  tile_host.expect_close %out, %want_out : memref<74xi32>, memref<74xi32>
  tile_host.expect_close %total, %want_total : memref<4xi32>, memref<4xi32>
  tile_host.expect_close %far, %want_far : memref<74xi32>, memref<74xi32>
  tile_host.expect_close %swapped, %want_swapped : memref<74xi32>, memref<74xi32>
  tile_host.expect_close %single, %want_single : memref<1xi32>, memref<1xi32>
  return
}
