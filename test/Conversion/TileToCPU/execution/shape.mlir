// Shape ops on tiles whose rows no vector divides; every element says where it comes from.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pad-extents))' | tile-run - --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 6 comparisons

!a = tensor<3x10xi32>
!p30 = tensor<30x!tile.ptr<i32>>

tile.func @shapes(%x: !tile.ptr<i32>, %trans: !tile.ptr<i32>,
                  %flat: !tile.ptr<i32>, %joined: !tile.ptr<i32>, %halves: !tile.ptr<i32>,
                  %both: !tile.ptr<i32>, %picked: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c30 = arith.constant 30 : i32
  %l30 = tile.arange : tensor<30xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> !p30
  %xp = tile.addptr %xs, %l30 : !p30, tensor<30xi32>
  %v = tile.load %xp : !p30
  %a = tile.reshape %v : tensor<30xi32> -> !a

  // trans
  %t = tile.trans %a order [1, 0] : !a -> tensor<10x3xi32>
  %tf = tile.reshape %t : tensor<10x3xi32> -> tensor<30xi32>
  %ts = tile.splat %trans : !tile.ptr<i32> -> !p30
  %tp = tile.addptr %ts, %l30 : !p30, tensor<30xi32>
  tile.store %tp, %tf : !p30

  // reshape to three dimensions and back
  %r3 = tile.reshape %a : !a -> tensor<5x2x3xi32>
  %rf = tile.reshape %r3 : tensor<5x2x3xi32> -> tensor<30xi32>
  %fs = tile.splat %flat : !tile.ptr<i32> -> !p30
  %fp = tile.addptr %fs, %l30 : !p30, tensor<30xi32>
  tile.store %fp, %rf : !p30

  // join with its double, and split again
  %twice = arith.addi %a, %a : !a
  %j = tile.join %a, %twice : !a -> tensor<3x10x2xi32>
  %jf = tile.reshape %j : tensor<3x10x2xi32> -> tensor<60xi32>
  %l60 = tile.arange : tensor<60xi32>
  %js = tile.splat %joined : !tile.ptr<i32> -> tensor<60x!tile.ptr<i32>>
  %jp = tile.addptr %js, %l60 : tensor<60x!tile.ptr<i32>>, tensor<60xi32>
  tile.store %jp, %jf : tensor<60x!tile.ptr<i32>>
  %h0, %h1 = tile.split %j : tensor<3x10x2xi32> -> !a
  %hd = arith.subi %h1, %h0 : !a
  %hf = tile.reshape %hd : !a -> tensor<30xi32>
  %hs = tile.splat %halves : !tile.ptr<i32> -> !p30
  %hp = tile.addptr %hs, %l30 : !p30, tensor<30xi32>
  tile.store %hp, %hf : !p30

  // cat with what counts up
  %l15 = tile.arange : tensor<15xi32>
  %t2 = tile.reshape %l15 : tensor<15xi32> -> tensor<3x5xi32>
  %cat = tile.cat %a, %t2 axis 1 : !a, tensor<3x5xi32> -> tensor<3x15xi32>
  %cf = tile.reshape %cat : tensor<3x15xi32> -> tensor<45xi32>
  %l45 = tile.arange : tensor<45xi32>
  %cs = tile.splat %both : !tile.ptr<i32> -> tensor<45x!tile.ptr<i32>>
  %cp = tile.addptr %cs, %l45 : tensor<45x!tile.ptr<i32>>, tensor<45xi32>
  tile.store %cp, %cf : tensor<45x!tile.ptr<i32>>

  // gather: row (i + j) % 3 of column j
  %three = arith.constant dense<3> : !a
  %i3 = tile.arange : tensor<3xi32>
  %j10 = tile.arange : tensor<10xi32>
  %i31 = tile.expand_dims %i3 axis 1 : tensor<3xi32> -> tensor<3x1xi32>
  %j1 = tile.expand_dims %j10 axis 0 : tensor<10xi32> -> tensor<1x10xi32>
  %ib = tile.broadcast %i31 : tensor<3x1xi32> -> !a
  %jb = tile.broadcast %j1 : tensor<1x10xi32> -> !a
  %ij = arith.addi %ib, %jb : !a
  %row = arith.remsi %ij, %three : !a
  %g = tile.gather %a, %row axis 0 : !a, !a -> !a
  %gf = tile.reshape %g : !a -> tensor<30xi32>
  %gs = tile.splat %picked : !tile.ptr<i32> -> !p30
  %gp = tile.addptr %gs, %l30 : !p30, tensor<30xi32>
  tile.store %gp, %gf : !p30
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %c15 = arith.constant 15 : index
  %c30 = arith.constant 30 : index
  %x = tile_host.random(%c3, %c10) seed 1 : (index, index) -> memref<?x?xi32>
  %trans = tile_host.alloc(%c10, %c3) : (index, index) -> memref<?x?xi32>
  %flat = tile_host.alloc(%c3, %c10) : (index, index) -> memref<?x?xi32>
  %joined = tile_host.alloc(%c30, %c2) : (index, index) -> memref<?x?xi32>
  %halves = tile_host.alloc(%c3, %c10) : (index, index) -> memref<?x?xi32>
  %both = tile_host.alloc(%c3, %c15) : (index, index) -> memref<?x?xi32>
  %picked = tile_host.alloc(%c3, %c10) : (index, index) -> memref<?x?xi32>
  tile_host.launch @shapes(%x, %trans, %flat, %joined, %halves, %both, %picked)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>

  %trans_want = tile_host.alloc(%c10, %c3) : (index, index) -> memref<?x?xi32>
  %joined_want = tile_host.alloc(%c30, %c2) : (index, index) -> memref<?x?xi32>
  %both_want = tile_host.alloc(%c3, %c15) : (index, index) -> memref<?x?xi32>
  %picked_want = tile_host.alloc(%c3, %c10) : (index, index) -> memref<?x?xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      memref.store %v, %trans_want[%j, %i] : memref<?x?xi32>
      memref.store %v, %both_want[%i, %j] : memref<?x?xi32>
      %first = arith.muli %i, %c10 : index
      %at = arith.addi %first, %j : index
      %w = arith.addi %v, %v : i32
      memref.store %v, %joined_want[%at, %c0] : memref<?x?xi32>
      memref.store %w, %joined_want[%at, %c1] : memref<?x?xi32>
      %ij = arith.addi %i, %j : index
      %row = arith.remsi %ij, %c3 : index
      %p = memref.load %x[%row, %j] : memref<?x?xi32>
      memref.store %p, %picked_want[%i, %j] : memref<?x?xi32>
    }
    scf.for %j = %c0 to %c5 step %c1 {
      %first = arith.muli %i, %c5 : index
      %at = arith.addi %first, %j : index
      %count = arith.index_cast %at : index to i32
      %to = arith.addi %j, %c10 : index
      memref.store %count, %both_want[%i, %to] : memref<?x?xi32>
    }
  }
  tile_host.expect_close %trans, %trans_want : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %flat, %x : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %joined, %joined_want : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %halves, %x : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %both, %both_want : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %picked, %picked_want : memref<?x?xi32>, memref<?x?xi32>
  return
}
