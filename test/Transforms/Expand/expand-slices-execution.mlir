// Parts of tiles against loops on the host: halves, quarters, parts that begin and end anywhere, of rows that no
// vector divides, of loads behind masks and of what is computed, in one dimension and in three.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --check | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(inline{default-pipeline=},symbol-dce,tile-specialize,tile.func(tile-expand-slices))' | tile-run - --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(inline{default-pipeline=},symbol-dce,tile-specialize,tile.func(tile-expand-slices,tile-pad-extents))' | tile-run - --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 -D D=48 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 -D D=26 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D D=48 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D D=26 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 4 comparisons

!row = tensor<16x?xi32, #tile.dims<[D]>>
!half = tensor<16x?xi32, #tile.dims<[D floordiv 2]>>

// Rows of 70 elements: element (i, j) is 70 i + j. Of D columns each half is stored, swapped; then rows 5 to 8,
// columns 7 to 17, and the same of a sum.
tile.func @parts(%x: !tile.ptr<i32>, %swapped: !tile.ptr<i32>, %inner: !tile.ptr<i32>) meta {D = 64} {
  tile.grid = 1
  %at = tile.expr col(arange(16)) * 70 + row(arange(D))
  %p = tile.expr %x + %at
  %some = tile.expr row(arange(D)) < D - 1
  %off = arith.constant -1 : i32
  %v = tile.load %p, %some, %off
  %left = tile.slice %v[0, 0] -> !half
  %right = tile.slice %v[0, D floordiv 2] -> !half
  %at_left = tile.expr col(arange(16)) * 70 + row(arange(D floordiv 2))
  %lp = tile.expr %swapped + %at_left
  tile.store %lp, %right
  %rp = tile.expr %swapped + (%at_left + D div 2)
  tile.store %rp, %left

  %a = tile.slice %v[5, 7] -> tensor<3x11xi32>
  %twice = tile.expr %v * 2
  %b = tile.slice %twice[5, 7] -> tensor<3x11xi32>
  %sum = tile.expr %a + %b
  %q = tile.expr %inner + (col(arange(3)) * 11 + row(arange(11)))
  tile.store %q, %sum
  tile.return
}

// A cube's corner, and a mask and pointers that are parts.
tile.func @corner(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
  tile.grid = 1
  %c = tile.expr arange(24)
  %cube = tile.reshape %c : tensor<24xi32> -> tensor<2x3x4xi32>
  %part = tile.slice %cube[1, 1, 0] -> tensor<1x2x3xi32>
  %flat = tile.reshape %part : tensor<1x2x3xi32> -> tensor<6xi32>
  %all = tile.expr %x + %c
  %ptrs = tile.slice %all[9] -> tensor<6x!tile.ptr<i32>>
  %even = tile.expr %c rem 2 == 0
  %mask = tile.slice %even[9] -> tensor<6xi1>
  %v = tile.load %ptrs, %mask
  %y = tile.expr %v * 100 + %flat
  %to = tile.expr %out + arange(6)
  tile.store %to, %y
  tile.return
}

// Of pairs one, of a row what crosses rows of what it was, of a turned tile what crosses its rows:
// 103 + i of the first, 105 + i of the second, 113 + 8 (i % 3) + i / 3 of the third.
tile.func @across(%out: !tile.ptr<i32>) {
  tile.grid = 1
  %c = tile.expr arange(32)
  %d = tile.expr %c + 100
  %pair = tile.join %c, %d : tensor<32xi32> -> tensor<32x2xi32>
  %one = tile.slice %pair[3, 1] -> tensor<9x1xi32>
  %f = tile.reshape %one : tensor<9x1xi32> -> tensor<9xi32>
  %square = tile.reshape %d : tensor<32xi32> -> tensor<4x8xi32>
  %line = tile.reshape %square : tensor<4x8xi32> -> tensor<32xi32>
  %e = tile.expr math.absi(%line)
  %s = tile.slice %e[5] -> tensor<9xi32>
  %turned = tile.trans %square order [1, 0]
  %corner = tile.slice %turned[5, 1] -> tensor<3x3xi32>
  %g = tile.reshape %corner : tensor<3x3xi32> -> tensor<9xi32>
  %x = tile.expr %f * 1000000 + %s * 1000 + %g
  %p = tile.expr %out + arange(9)
  tile.store %p, %x
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %c16 = arith.constant 16 : index
  %c70 = arith.constant 70 : index
  %three = arith.constant 3 : i32
  %minus = arith.constant -1 : i32
  %x = tile_host.alloc() : () -> memref<16x70xi32>
  %swapped = tile_host.alloc() : () -> memref<16x70xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c70 step %c1 {
      %r = arith.muli %i, %c70 : index
      %n = arith.addi %r, %j : index
      %v = arith.index_cast %n : index to i32
      memref.store %v, %x[%i, %j] : memref<16x70xi32>
      memref.store %minus, %swapped[%i, %j] : memref<16x70xi32>
    }
  }
  %inner = tile_host.alloc() : () -> memref<3x11xi32>
  tile_host.launch @parts(%x, %swapped, %inner) : memref<16x70xi32>, memref<16x70xi32>, memref<3x11xi32>

  %want_inner = tile_host.alloc() : () -> memref<3x11xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c11 step %c1 {
      %r = arith.addi %i, %c5 : index
      %c = arith.addi %j, %c7 : index
      %v = memref.load %x[%r, %c] : memref<16x70xi32>
      %w = arith.muli %v, %three : i32
      memref.store %w, %want_inner[%i, %j] : memref<3x11xi32>
    }
  }
  tile_host.expect_close %inner, %want_inner : memref<3x11xi32>, memref<3x11xi32>

  // Where the first -1 stands tells how wide D is: it is the last column of the left half.
  %width = scf.for %j = %c0 to %c70 step %c1 iter_args(%found = %c0) -> (index) {
    %v = memref.load %swapped[%c0, %j] : memref<16x70xi32>
    %is = arith.cmpi eq, %v, %minus : i32
    %next = arith.addi %j, %c1 : index
    %none = arith.cmpi eq, %found, %c0 : index
    %first = arith.andi %is, %none : i1
    %found_next = arith.select %first, %next, %found : index
    scf.yield %found_next : index
  }
  %want_swapped = tile_host.alloc() : () -> memref<16x70xi32>
  %both = arith.muli %width, %c2 : index
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %both to %c70 step %c1 {
      memref.store %minus, %want_swapped[%i, %j] : memref<16x70xi32>
    }
    scf.for %j = %c0 to %both step %c1 {
      %is_left = arith.cmpi slt, %j, %width : index
      %up = arith.addi %j, %width : index
      %down = arith.subi %j, %width : index
      %from = arith.select %is_left, %up, %down : index
      %v = memref.load %x[%i, %from] : memref<16x70xi32>
      %past = arith.addi %from, %c1 : index
      %last = arith.cmpi eq, %past, %both : index
      %w = arith.select %last, %minus, %v : i32
      memref.store %w, %want_swapped[%i, %j] : memref<16x70xi32>
    }
  }
  tile_host.expect_close %swapped, %want_swapped : memref<16x70xi32>, memref<16x70xi32>

  %out = tile_host.alloc() : () -> memref<6xi32>
  %line = tile_host.alloc() : () -> memref<24xi32>
  %c24 = arith.constant 24 : index
  scf.for %i = %c0 to %c24 step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %line[%i] : memref<24xi32>
  }
  tile_host.launch @corner(%line, %out) : memref<24xi32>, memref<6xi32>
  // Numbers 16 17 18 20 21 22 of the cube, and what is even of 9 to 14, a hundred times.
  %want = tile_host.alloc() : () -> memref<6xi32>
  %hundred = arith.constant 100 : i32
  %nine = arith.constant 9 : i32
  %sixteen = arith.constant 16 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %n = arith.index_cast %i : index to i32
    %lower = arith.cmpi sge, %n, %three : i32
    %gap = arith.extui %lower : i1 to i32
    %first = arith.addi %n, %sixteen : i32
    %number = arith.addi %first, %gap : i32
    %read = arith.addi %n, %nine : i32
    %odd = arith.andi %read, %one : i32
    %is_odd = arith.cmpi eq, %odd, %one : i32
    %even = arith.select %is_odd, %zero, %read : i32
    %big = arith.muli %even, %hundred : i32
    %v = arith.addi %big, %number : i32
    memref.store %v, %want[%i] : memref<6xi32>
  }
  tile_host.expect_close %out, %want : memref<6xi32>, memref<6xi32>

  %across = tile_host.alloc() : () -> memref<9xi32>
  tile_host.launch @across(%across) : memref<9xi32>
  %want_across = tile_host.alloc() : () -> memref<9xi32>
  %c9 = arith.constant 9 : index
  %eight = arith.constant 8 : i32
  %start = arith.constant 103105113 : i32
  %both_next = arith.constant 1001000 : i32
  scf.for %i = %c0 to %c9 step %c1 {
    %n = arith.index_cast %i : index to i32
    %row = arith.remsi %n, %three : i32
    %column = arith.divsi %n, %three : i32
    %down = arith.muli %row, %eight : i32
    %lines = arith.muli %n, %both_next : i32
    %a = arith.addi %start, %lines : i32
    %b = arith.addi %a, %down : i32
    %v = arith.addi %b, %column : i32
    memref.store %v, %want_across[%i] : memref<9xi32>
  }
  tile_host.expect_close %across, %want_across : memref<9xi32>, memref<9xi32>
  return
}
