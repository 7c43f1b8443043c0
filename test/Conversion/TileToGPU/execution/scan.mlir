// Scans along each axis, both ways, by named and general regions, against loops on the host.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, {{.*}}in 11 comparisons

!row = tensor<64xi32>
!tile = tensor<16x64xi32>
!ptrs = tensor<16x64x!tile.ptr<i32>>

// Results one behind the other: sums along axis 0; sums from the end along axis 1; the maximum so
// far, and where it was first; x -> a x + b after one another (which does not commute), a and b in
// the halves of a word, along axis 1 and from the end along both.
tile.func @scans(%x: !tile.ptr<i32>, %sums: !tile.ptr<i32>, %back: !tile.ptr<i32>,
                 %top: !tile.ptr<i32>, %where: !tile.ptr<i32>, %affine: !tile.ptr<i32>,
                 %affineBack: !tile.ptr<i32>, %rowBack: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %n = tile.arange : tensor<1024xi32>
  %at = tile.reshape %n : tensor<1024xi32> -> !tile
  %xs = tile.splat %x : !tile.ptr<i32> -> !ptrs
  %xp = tile.addptr %xs, %at : !ptrs, !tile
  %v = tile.load %xp : !ptrs

  %s = tile.scan add %v axis 0 : !tile -> !tile
  %sp = tile.splat %sums : !tile.ptr<i32> -> !ptrs
  %sq = tile.addptr %sp, %at : !ptrs, !tile
  tile.store %sq, %s : !ptrs

  %b = tile.scan add %v axis 1 {reverse} : !tile -> !tile
  %bp = tile.splat %back : !tile.ptr<i32> -> !ptrs
  %bq = tile.addptr %bp, %at : !ptrs, !tile
  tile.store %bq, %b : !ptrs

  %j = tile.arange : !row
  %j1 = tile.expand_dims %j axis 0 : !row -> tensor<1x64xi32>
  %jb = tile.broadcast %j1 : tensor<1x64xi32> -> !tile
  %m, %w = tile.scan %v, %jb axis 1 : !tile, !tile -> !tile, !tile {
  ^bb0(%v0: i32, %i0: i32, %v1: i32, %i1: i32):
    %greater = arith.cmpi sgt, %v1, %v0 : i32
    %value = arith.select %greater, %v1, %v0 : i32
    %index = arith.select %greater, %i1, %i0 : i32
    tile.yield %value, %index : i32, i32
  }
  %mp = tile.splat %top : !tile.ptr<i32> -> !ptrs
  %mq = tile.addptr %mp, %at : !ptrs, !tile
  tile.store %mq, %m : !ptrs
  %wp = tile.splat %where : !tile.ptr<i32> -> !ptrs
  %wq = tile.addptr %wp, %at : !ptrs, !tile
  tile.store %wq, %w : !ptrs

  %a = tile.scan %v axis 1 : !tile -> !tile {
  ^bb0(%f: i32, %g: i32):
    %sixteen = arith.constant 16 : i32
    %low = arith.constant 65535 : i32
    %fa = arith.shrui %f, %sixteen : i32
    %fb = arith.andi %f, %low : i32
    %ga = arith.shrui %g, %sixteen : i32
    %gb = arith.andi %g, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %h = arith.ori %hh, %hl : i32
    tile.yield %h : i32
  }
  %ap = tile.splat %affine : !tile.ptr<i32> -> !ptrs
  %aq = tile.addptr %ap, %at : !ptrs, !tile
  tile.store %aq, %a : !ptrs
  %r = tile.scan %v axis 0 attributes {reverse} : !tile -> !tile {
  ^bb0(%f: i32, %g: i32):
    %sixteen = arith.constant 16 : i32
    %low = arith.constant 65535 : i32
    %fa = arith.shrui %f, %sixteen : i32
    %fb = arith.andi %f, %low : i32
    %ga = arith.shrui %g, %sixteen : i32
    %gb = arith.andi %g, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %h = arith.ori %hh, %hl : i32
    tile.yield %h : i32
  }
  %rp = tile.splat %affineBack : !tile.ptr<i32> -> !ptrs
  %rq = tile.addptr %rp, %at : !ptrs, !tile
  tile.store %rq, %r : !ptrs
  %t = tile.scan %v axis 1 attributes {reverse} : !tile -> !tile {
  ^bb0(%f: i32, %g: i32):
    %sixteen = arith.constant 16 : i32
    %low = arith.constant 65535 : i32
    %fa = arith.shrui %f, %sixteen : i32
    %fb = arith.andi %f, %low : i32
    %ga = arith.shrui %g, %sixteen : i32
    %gb = arith.andi %g, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %h = arith.ori %hh, %hl : i32
    tile.yield %h : i32
  }
  %tp = tile.splat %rowBack : !tile.ptr<i32> -> !ptrs
  %tq = tile.addptr %tp, %at : !ptrs, !tile
  tile.store %tq, %t : !ptrs
  tile.return
}

func.func @after(%f: i32, %g: i32) -> i32 {
  %sixteen = arith.constant 16 : i32
  %low = arith.constant 65535 : i32
  %fa = arith.shrui %f, %sixteen : i32
  %fb = arith.andi %f, %low : i32
  %ga = arith.shrui %g, %sixteen : i32
  %gb = arith.andi %g, %low : i32
  %ha = arith.muli %fa, %ga : i32
  %hs = arith.muli %fb, %ga : i32
  %hb = arith.addi %hs, %gb : i32
  %hh = arith.shli %ha, %sixteen : i32
  %hl = arith.andi %hb, %low : i32
  %h = arith.ori %hh, %hl : i32
  return %h : i32
}

// Rows of 1024 and 4096 numbers that begin anywhere, so that neighbouring lanes have neighbouring elements: a lane then
// takes one of the totals of all blocks, and four.
tile.func @long(%x: !tile.ptr<i32>, %first: i32, %sums: !tile.ptr<i32>, %back: !tile.ptr<i32>, %affine: !tile.ptr<i32>,
                %affineBack: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %x1 = tile.addptr %x, %first : !tile.ptr<i32>, i32
  %at1024 = tile.arange : tensor<1024xi32>
  %x1024s = tile.splat %x1 : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %x1024 = tile.addptr %x1024s, %at1024 : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %v1024 = tile.load %x1024 : tensor<1024x!tile.ptr<i32>>
  %at4096 = tile.arange : tensor<4096xi32>
  %x4096s = tile.splat %x1 : !tile.ptr<i32> -> tensor<4096x!tile.ptr<i32>>
  %x4096 = tile.addptr %x4096s, %at4096 : tensor<4096x!tile.ptr<i32>>, tensor<4096xi32>
  %v4096 = tile.load %x4096 : tensor<4096x!tile.ptr<i32>>
  %o_sums = tile.scan add %v1024 axis 0 : tensor<1024xi32> -> tensor<1024xi32>
  %p1_sums = tile.addptr %sums, %first : !tile.ptr<i32>, i32
  %p_sumss = tile.splat %p1_sums : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %p_sums = tile.addptr %p_sumss, %at1024 : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %p_sums, %o_sums : tensor<1024x!tile.ptr<i32>>
  %o_back = tile.scan add %v4096 axis 0 {reverse} : tensor<4096xi32> -> tensor<4096xi32>
  %p1_back = tile.addptr %back, %first : !tile.ptr<i32>, i32
  %p_backs = tile.splat %p1_back : !tile.ptr<i32> -> tensor<4096x!tile.ptr<i32>>
  %p_back = tile.addptr %p_backs, %at4096 : tensor<4096x!tile.ptr<i32>>, tensor<4096xi32>
  tile.store %p_back, %o_back : tensor<4096x!tile.ptr<i32>>
  %o_affine = tile.scan %v4096 axis 0 : tensor<4096xi32> -> tensor<4096xi32> {
  ^bb0(%f: i32, %g: i32):
    %sixteen = arith.constant 16 : i32
    %low = arith.constant 65535 : i32
    %fa = arith.shrui %f, %sixteen : i32
    %fb = arith.andi %f, %low : i32
    %ga = arith.shrui %g, %sixteen : i32
    %gb = arith.andi %g, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %h = arith.ori %hh, %hl : i32
    tile.yield %h : i32
  }
  %p1_affine = tile.addptr %affine, %first : !tile.ptr<i32>, i32
  %p_affines = tile.splat %p1_affine : !tile.ptr<i32> -> tensor<4096x!tile.ptr<i32>>
  %p_affine = tile.addptr %p_affines, %at4096 : tensor<4096x!tile.ptr<i32>>, tensor<4096xi32>
  tile.store %p_affine, %o_affine : tensor<4096x!tile.ptr<i32>>
  %o_affineBack = tile.scan %v1024 axis 0 attributes {reverse} : tensor<1024xi32> -> tensor<1024xi32> {
  ^bb0(%f: i32, %g: i32):
    %sixteen = arith.constant 16 : i32
    %low = arith.constant 65535 : i32
    %fa = arith.shrui %f, %sixteen : i32
    %fb = arith.andi %f, %low : i32
    %ga = arith.shrui %g, %sixteen : i32
    %gb = arith.andi %g, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %h = arith.ori %hh, %hl : i32
    tile.yield %h : i32
  }
  %p1_affineBack = tile.addptr %affineBack, %first : !tile.ptr<i32>, i32
  %p_affineBacks = tile.splat %p1_affineBack : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %p_affineBack = tile.addptr %p_affineBacks, %at1024 : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %p_affineBack, %o_affineBack : tensor<1024x!tile.ptr<i32>>
  tile.return
}

func.func private @check_long() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %first = arith.constant 3 : i32
  %sixteen = arith.constant 16 : i32
  %low = arith.constant 65535 : i32
  %small = arith.constant 1027 : index
  %large = arith.constant 4099 : index
  %x = tile_host.random(%large) seed 5 : (index) -> memref<?xi32>
  %sums = tile_host.alloc(%small) : (index) -> memref<?xi32>
  %want_sums = tile_host.alloc(%small) : (index) -> memref<?xi32>
  %back = tile_host.alloc(%large) : (index) -> memref<?xi32>
  %want_back = tile_host.alloc(%large) : (index) -> memref<?xi32>
  %affine = tile_host.alloc(%large) : (index) -> memref<?xi32>
  %want_affine = tile_host.alloc(%large) : (index) -> memref<?xi32>
  %affineBack = tile_host.alloc(%small) : (index) -> memref<?xi32>
  %want_affineBack = tile_host.alloc(%small) : (index) -> memref<?xi32>
  tile_host.launch @long(%x, %first, %sums, %back, %affine, %affineBack)
      : memref<?xi32>, i32, memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>
  %zero = arith.constant 0 : i32
  scf.for %i = %c3 to %small step %c1 iter_args(%sum = %zero) -> i32 {
    %v = memref.load %x[%i] : memref<?xi32>
    %next = arith.addi %sum, %v : i32
    memref.store %next, %want_sums[%i] : memref<?xi32>
    scf.yield %next : i32
  }
  scf.for %k = %c3 to %large step %c1 iter_args(%sum = %zero) -> i32 {
    %end = arith.addi %large, %c2 : index
    %i = arith.subi %end, %k : index
    %v = memref.load %x[%i] : memref<?xi32>
    %next = arith.addi %sum, %v : i32
    memref.store %next, %want_back[%i] : memref<?xi32>
    scf.yield %next : i32
  }
  %identity = arith.constant 65536 : i32
  scf.for %i = %c3 to %large step %c1 iter_args(%all = %identity) -> i32 {
    %v = memref.load %x[%i] : memref<?xi32>
    %fa = arith.shrui %all, %sixteen : i32
    %fb = arith.andi %all, %low : i32
    %ga = arith.shrui %v, %sixteen : i32
    %gb = arith.andi %v, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %next = arith.ori %hh, %hl : i32
    memref.store %next, %want_affine[%i] : memref<?xi32>
    scf.yield %next : i32
  }
  scf.for %k = %c3 to %small step %c1 iter_args(%all = %identity) -> i32 {
    %end = arith.addi %small, %c2 : index
    %i = arith.subi %end, %k : index
    %v = memref.load %x[%i] : memref<?xi32>
    %fa = arith.shrui %all, %sixteen : i32
    %fb = arith.andi %all, %low : i32
    %ga = arith.shrui %v, %sixteen : i32
    %gb = arith.andi %v, %low : i32
    %ha = arith.muli %fa, %ga : i32
    %hs = arith.muli %fb, %ga : i32
    %hb = arith.addi %hs, %gb : i32
    %hh = arith.shli %ha, %sixteen : i32
    %hl = arith.andi %hb, %low : i32
    %next = arith.ori %hh, %hl : i32
    memref.store %next, %want_affineBack[%i] : memref<?xi32>
    scf.yield %next : i32
  }
  tile_host.expect_close %sums, %want_sums : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %back, %want_back : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %affine, %want_affine : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %affineBack, %want_affineBack : memref<?xi32>, memref<?xi32>
  return
}

func.func @main() {
  func.call @check_long() : () -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %x = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %sums = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %back = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %top = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %where = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %affine = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %affineBack = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %rowBack = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  // Numbers whose halves have nothing to do with each other, of both signs.
  %prime = arith.constant 0x9e3779b1 : i32
  %some = arith.constant 12345 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %rows = arith.muli %i, %c64 : index
      %k = arith.addi %rows, %j : index
      %k32 = arith.index_cast %k : index to i32
      %y = arith.muli %k32, %prime : i32
      %z = arith.addi %y, %some : i32
      memref.store %z, %x[%i, %j] : memref<?x?xi32>
    }
  }
  tile_host.launch @scans(%x, %sums, %back, %top, %where, %affine, %affineBack, %rowBack)
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi32>,
        memref<?x?xi32>, memref<?x?xi32>

  %sumsWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %backWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %topWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %whereWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %affineWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %affineBackWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %rowBackWant = tile_host.alloc(%c16, %c64) : (index, index) -> memref<?x?xi32>
  %zero = arith.constant 0 : i32
  %unit = arith.constant 65536 : i32
  scf.for %j = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 iter_args(%sum = %zero) -> i32 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %s = arith.addi %sum, %v : i32
      memref.store %s, %sumsWant[%i, %j] : memref<?x?xi32>
      scf.yield %s : i32
    }
    scf.for %k = %c0 to %c16 step %c1 iter_args(%f = %unit) -> i32 {
      %i = arith.subi %c15, %k : index
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %h = func.call @after(%f, %v) : (i32, i32) -> i32
      memref.store %h, %affineBackWant[%i, %j] : memref<?x?xi32>
      scf.yield %h : i32
    }
  }
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 iter_args(%sum = %zero) -> i32 {
      %j = arith.subi %c63, %k : index
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %s = arith.addi %sum, %v : i32
      memref.store %s, %backWant[%i, %j] : memref<?x?xi32>
      scf.yield %s : i32
    }
    %first = memref.load %x[%i, %c0] : memref<?x?xi32>
    scf.for %j = %c0 to %c64 step %c1 iter_args(%best = %first, %at = %zero) -> (i32, i32) {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %j32 = arith.index_cast %j : index to i32
      %greater = arith.cmpi sgt, %v, %best : i32
      %b = arith.select %greater, %v, %best : i32
      %a = arith.select %greater, %j32, %at : i32
      memref.store %b, %topWant[%i, %j] : memref<?x?xi32>
      memref.store %a, %whereWant[%i, %j] : memref<?x?xi32>
      scf.yield %b, %a : i32, i32
    }
    scf.for %j = %c0 to %c64 step %c1 iter_args(%f = %unit) -> i32 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %h = func.call @after(%f, %v) : (i32, i32) -> i32
      memref.store %h, %affineWant[%i, %j] : memref<?x?xi32>
      scf.yield %h : i32
    }
    scf.for %k = %c0 to %c64 step %c1 iter_args(%f = %unit) -> i32 {
      %j = arith.subi %c63, %k : index
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %h = func.call @after(%f, %v) : (i32, i32) -> i32
      memref.store %h, %rowBackWant[%i, %j] : memref<?x?xi32>
      scf.yield %h : i32
    }
  }
  tile_host.expect_close %sums, %sumsWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %back, %backWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %top, %topWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %where, %whereWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %affine, %affineWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %rowBack, %rowBackWant : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %affineBack, %affineBackWant : memref<?x?xi32>, memref<?x?xi32>
  return
}
