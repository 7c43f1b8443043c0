// The first elements of sorts, against counting loops on the host: an element is among the first K of
// its row where fewer than K keys come before it, earlier ones first among equals. Keys with their
// positions in one word of 64 bits and of 32, in words of their own, and keys alone; along rows and
// columns.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=16 | FileCheck %s %}
// CHECK: largest error 0, {{.*}}in 6 comparisons

!tile = tensor<4x256xi32>
!ptrs = tensor<4x256x!tile.ptr<i32>>
!few = tensor<4x16xi32>
!fewPtrs = tensor<4x16x!tile.ptr<i32>>
!turned = tensor<256x4xi32>
!fewTurned = tensor<16x4xi32>

tile.func @first(%x: !tile.ptr<i32>, %up: !tile.ptr<i32>, %upAt: !tile.ptr<i32>, %half: !tile.ptr<i32>,
                 %wideAt: !tile.ptr<i32>, %alone: !tile.ptr<i32>, %down: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %n = tile.arange : tensor<1024xi32>
  %at = tile.reshape %n : tensor<1024xi32> -> !tile
  %m = tile.arange : tensor<64xi32>
  %to = tile.reshape %m : tensor<64xi32> -> !few
  %xs = tile.splat %x : !tile.ptr<i32> -> !ptrs
  %xp = tile.addptr %xs, %at : !ptrs, !tile
  %v = tile.load %xp : !ptrs

  %u, %ua = tile.partial_sort %v, %at axis 1 : (!tile, !tile) -> (!few, !few)
  %us = tile.splat %up : !tile.ptr<i32> -> !fewPtrs
  %upp = tile.addptr %us, %to : !fewPtrs, !few
  tile.store %upp, %u : !fewPtrs
  %uas = tile.splat %upAt : !tile.ptr<i32> -> !fewPtrs
  %uap = tile.addptr %uas, %to : !fewPtrs, !few
  tile.store %uap, %ua : !fewPtrs

  %h = arith.sitofp %v : !tile to tensor<4x256xf16>
  %hs, %ha = tile.partial_sort %h, %at axis 1 : (tensor<4x256xf16>, !tile) -> (tensor<4x16xf16>, !few)
  %hi = arith.fptosi %hs : tensor<4x16xf16> to !few
  %both = arith.muli %hi, %ha : !few
  %hl = tile.splat %half : !tile.ptr<i32> -> !fewPtrs
  %hp = tile.addptr %hl, %to : !fewPtrs, !few
  tile.store %hp, %both : !fewPtrs

  %w = arith.sitofp %v : !tile to tensor<4x256xf64>
  %ws, %wa = tile.partial_sort %w, %at axis 1 : (tensor<4x256xf64>, !tile) -> (tensor<4x16xf64>, !few)
  %wl = tile.splat %wideAt : !tile.ptr<i32> -> !fewPtrs
  %wp = tile.addptr %wl, %to : !fewPtrs, !few
  tile.store %wp, %wa : !fewPtrs

  %f = arith.sitofp %v : !tile to tensor<4x256xf32>
  %fs = tile.partial_sort %f axis 1 : (tensor<4x256xf32>) -> tensor<4x16xf32>
  %fi = arith.fptosi %fs : tensor<4x16xf32> to !few
  %fl = tile.splat %alone : !tile.ptr<i32> -> !fewPtrs
  %fp = tile.addptr %fl, %to : !fewPtrs, !few
  tile.store %fp, %fi : !fewPtrs

  // The greatest of columns, downwards.
  %t = tile.trans %v order [1, 0] : !tile -> !turned
  %ts = tile.partial_sort %t axis 0 {descending} : (!turned) -> !fewTurned
  %tt = tile.trans %ts order [1, 0] : !fewTurned -> !few
  %dl = tile.splat %down : !tile.ptr<i32> -> !fewPtrs
  %dp = tile.addptr %dl, %to : !fewPtrs, !few
  tile.store %dp, %tt : !fewPtrs
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %x = tile_host.alloc(%c4, %c256) : (index, index) -> memref<?x?xi32>
  %up = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %upAt = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %half = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %wideAt = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %alone = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %down = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  // Some values are equal; from -100 to 99.
  %prime = arith.constant 0x9e3779b1 : i32
  %values = arith.constant 200 : i32
  %less = arith.constant 100 : i32
  %shift = arith.constant 16 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      %rows = arith.muli %i, %c256 : index
      %k = arith.addi %rows, %j : index
      %k32 = arith.index_cast %k : index to i32
      %y = arith.muli %k32, %prime : i32
      %y2 = arith.shrui %y, %shift : i32
      %z = arith.remui %y2, %values : i32
      %a = arith.subi %z, %less : i32
      memref.store %a, %x[%i, %j] : memref<?x?xi32>
    }
  }
  tile_host.launch @first(%x, %up, %upAt, %half, %wideAt, %alone, %down)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>,
        memref<?x?xi32>, memref<?x?xi32>

  %upWant = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %upAtWant = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %halfWant = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  %downWant = tile_host.alloc(%c4, %c16) : (index, index) -> memref<?x?xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %rows = arith.muli %i, %c256 : index
      %k = arith.addi %rows, %j : index
      %k32 = arith.index_cast %k : index to i32
      %place, %fromAbove = scf.for %m = %c0 to %c256 step %c1 iter_args(%p = %c0, %q = %c0) -> (index, index) {
        %w = memref.load %x[%i, %m] : memref<?x?xi32>
        %smaller = arith.cmpi slt, %w, %v : i32
        %greater = arith.cmpi sgt, %w, %v : i32
        %same = arith.cmpi eq, %w, %v : i32
        %before = arith.cmpi ult, %m, %j : index
        %tie = arith.andi %same, %before : i1
        %first = arith.ori %smaller, %tie : i1
        %last = arith.ori %greater, %tie : i1
        %p1 = arith.addi %p, %c1 : index
        %q1 = arith.addi %q, %c1 : index
        %p2 = arith.select %first, %p1, %p : index
        %q2 = arith.select %last, %q1, %q : index
        scf.yield %p2, %q2 : index, index
      }
      %kept = arith.cmpi ult, %place, %c16 : index
      scf.if %kept {
        %product = arith.muli %v, %k32 : i32
        memref.store %v, %upWant[%i, %place] : memref<?x?xi32>
        memref.store %k32, %upAtWant[%i, %place] : memref<?x?xi32>
        memref.store %product, %halfWant[%i, %place] : memref<?x?xi32>
      }
      %keptAbove = arith.cmpi ult, %fromAbove, %c16 : index
      scf.if %keptAbove {
        memref.store %v, %downWant[%i, %fromAbove] : memref<?x?xi32>
      }
    }
  }
  tile_host.expect_close %up, %upWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %upAt, %upAtWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %half, %halfWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %wideAt, %upAtWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %alone, %upWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %down, %downWant : memref<?x?xi32>, memref<?x?xi32>
  return
}
