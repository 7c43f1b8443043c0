// Reductions and scans along every axis of a 3 x 21 x 6 tile, of one and two operands.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents))' | tile-run - --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 6 comparisons

!x3 = tensor<3x21x6xi32>

tile.func @reduce(%x: !tile.ptr<i32>, %o0: !tile.ptr<i32>, %o1: !tile.ptr<i32>, %o2: !tile.ptr<i32>,
                  %best: !tile.ptr<i32>, %up: !tile.ptr<i32>, %down: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<378xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<378x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %l : tensor<378x!tile.ptr<i32>>, tensor<378xi32>
  %v = tile.load %xp : tensor<378x!tile.ptr<i32>>
  %t = tile.reshape %v : tensor<378xi32> -> !x3

  %s0 = tile.reduce add %t axis 0 : !x3 -> tensor<21x6xi32>
  %f0 = tile.reshape %s0 : tensor<21x6xi32> -> tensor<126xi32>
  %l0 = tile.arange : tensor<126xi32>
  %p0s = tile.splat %o0 : !tile.ptr<i32> -> tensor<126x!tile.ptr<i32>>
  %p0 = tile.addptr %p0s, %l0 : tensor<126x!tile.ptr<i32>>, tensor<126xi32>
  tile.store %p0, %f0 : tensor<126x!tile.ptr<i32>>

  %s1 = tile.reduce max %t axis 1 : !x3 -> tensor<3x6xi32>
  %f1 = tile.reshape %s1 : tensor<3x6xi32> -> tensor<18xi32>
  %l1 = tile.arange : tensor<18xi32>
  %p1s = tile.splat %o1 : !tile.ptr<i32> -> tensor<18x!tile.ptr<i32>>
  %p1 = tile.addptr %p1s, %l1 : tensor<18x!tile.ptr<i32>>, tensor<18xi32>
  tile.store %p1, %f1 : tensor<18x!tile.ptr<i32>>

  // Two dimensions after one another: the sum of all of the last two.
  %m2 = tile.reshape %t : !x3 -> tensor<3x126xi32>
  %s2 = tile.reduce add %m2 axis 1 : tensor<3x126xi32> -> tensor<3xi32>
  %l2 = tile.arange : tensor<3xi32>
  %p2s = tile.splat %o2 : !tile.ptr<i32> -> tensor<3x!tile.ptr<i32>>
  %p2 = tile.addptr %p2s, %l2 : tensor<3x!tile.ptr<i32>>, tensor<3xi32>
  tile.store %p2, %s2 : tensor<3x!tile.ptr<i32>>

  // The largest element and where it is first.
  %big, %at = tile.reduce %v, %l axis 0 : tensor<378xi32>, tensor<378xi32> -> i32, i32 {
  ^bb0(%v0: i32, %i0: i32, %v1: i32, %i1: i32):
    %gt = arith.cmpi sgt, %v0, %v1 : i32
    %eq = arith.cmpi eq, %v0, %v1 : i32
    %lt = arith.cmpi slt, %i0, %i1 : i32
    %tie = arith.andi %eq, %lt : i1
    %left = arith.ori %gt, %tie : i1
    %vb = arith.select %left, %v0, %v1 : i32
    %ib = arith.select %left, %i0, %i1 : i32
    tile.yield %vb, %ib : i32, i32
  }
  %c1 = arith.constant 1 : i32
  %best1 = tile.addptr %best, %c1 : !tile.ptr<i32>, i32
  tile.store %best, %big : !tile.ptr<i32>
  tile.store %best1, %at : !tile.ptr<i32>

  %us = tile.splat %up : !tile.ptr<i32> -> tensor<378x!tile.ptr<i32>>
  %upp = tile.addptr %us, %l : tensor<378x!tile.ptr<i32>>, tensor<378xi32>
  %sum = tile.scan add %v axis 0 : tensor<378xi32> -> tensor<378xi32>
  tile.store %upp, %sum : tensor<378x!tile.ptr<i32>>
  %ds = tile.splat %down : !tile.ptr<i32> -> tensor<378x!tile.ptr<i32>>
  %dp = tile.addptr %ds, %l : tensor<378x!tile.ptr<i32>>, tensor<378xi32>
  %back = tile.scan add %t axis 1 {reverse} : !x3 -> !x3
  %bf = tile.reshape %back : !x3 -> tensor<378xi32>
  tile.store %dp, %bf : tensor<378x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c126 = arith.constant 126 : index
  %i0 = arith.constant 0 : i32
  %low = arith.constant -1000 : i32
  %x = tile_host.random(%c3, %c21, %c6) seed 1 : (index, index, index) -> memref<?x?x?xi32>
  %o0 = tile_host.alloc(%c21, %c6) : (index, index) -> memref<?x?xi32>
  %o1 = tile_host.alloc(%c3, %c6) : (index, index) -> memref<?x?xi32>
  %o2 = tile_host.alloc(%c3) : (index) -> memref<?xi32>
  %best = tile_host.alloc(%c2) : (index) -> memref<?xi32>
  %up = tile_host.alloc(%c3, %c21, %c6) : (index, index, index) -> memref<?x?x?xi32>
  %down = tile_host.alloc(%c3, %c21, %c6) : (index, index, index) -> memref<?x?x?xi32>
  tile_host.launch @reduce(%x, %o0, %o1, %o2, %best, %up, %down)
      : memref<?x?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?xi32>, memref<?xi32>, memref<?x?x?xi32>, memref<?x?x?xi32>

  %w0 = tile_host.alloc(%c21, %c6) : (index, index) -> memref<?x?xi32>
  %w1 = tile_host.alloc(%c3, %c6) : (index, index) -> memref<?x?xi32>
  %w2 = tile_host.alloc(%c3) : (index) -> memref<?xi32>
  %wb = tile_host.alloc(%c2) : (index) -> memref<?xi32>
  %wu = tile_host.alloc(%c3, %c21, %c6) : (index, index, index) -> memref<?x?x?xi32>
  %wd = tile_host.alloc(%c3, %c21, %c6) : (index, index, index) -> memref<?x?x?xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %k = %c0 to %c6 step %c1 {
      memref.store %low, %w1[%i, %k] : memref<?x?xi32>
    }
  }
  %big, %at, %run = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %low, %a = %i0, %s = %i0) -> (i32, i32, i32) {
    %bj, %aj, %sj = scf.for %j = %c0 to %c21 step %c1 iter_args(%b1 = %b, %a1 = %a, %s1 = %s) -> (i32, i32, i32) {
      %bk, %ak, %sk = scf.for %k = %c0 to %c6 step %c1 iter_args(%b2 = %b1, %a2 = %a1, %s2 = %s1) -> (i32, i32, i32) {
        %v = memref.load %x[%i, %j, %k] : memref<?x?x?xi32>
        %y0 = memref.load %w0[%j, %k] : memref<?x?xi32>
        %z0 = arith.addi %y0, %v : i32
        memref.store %z0, %w0[%j, %k] : memref<?x?xi32>
        %y1 = memref.load %w1[%i, %k] : memref<?x?xi32>
        %z1 = arith.maxsi %y1, %v : i32
        memref.store %z1, %w1[%i, %k] : memref<?x?xi32>
        %y2 = memref.load %w2[%i] : memref<?xi32>
        %z2 = arith.addi %y2, %v : i32
        memref.store %z2, %w2[%i] : memref<?xi32>
        %s3 = arith.addi %s2, %v : i32
        memref.store %s3, %wu[%i, %j, %k] : memref<?x?x?xi32>
        %tail = scf.for %q = %j to %c21 step %c1 iter_args(%t = %i0) -> i32 {
          %u = memref.load %x[%i, %q, %k] : memref<?x?x?xi32>
          %tu = arith.addi %t, %u : i32
          scf.yield %tu : i32
        }
        memref.store %tail, %wd[%i, %j, %k] : memref<?x?x?xi32>
        %i126 = arith.muli %i, %c126 : index
        %j6 = arith.muli %j, %c6 : index
        %ij = arith.addi %i126, %j6 : index
        %ijk = arith.addi %ij, %k : index
        %here = arith.index_cast %ijk : index to i32
        %gt = arith.cmpi sgt, %v, %b2 : i32
        %b3 = arith.select %gt, %v, %b2 : i32
        %a3 = arith.select %gt, %here, %a2 : i32
        scf.yield %b3, %a3, %s3 : i32, i32, i32
      }
      scf.yield %bk, %ak, %sk : i32, i32, i32
    }
    scf.yield %bj, %aj, %sj : i32, i32, i32
  }
  memref.store %big, %wb[%c0] : memref<?xi32>
  memref.store %at, %wb[%c1] : memref<?xi32>
  tile_host.expect_close %o0, %w0 : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %o1, %w1 : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %o2, %w2 : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %best, %wb : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %up, %wu : memref<?x?x?xi32>, memref<?x?x?xi32>
  tile_host.expect_close %down, %wd : memref<?x?x?xi32>, memref<?x?x?xi32>
  return
}
