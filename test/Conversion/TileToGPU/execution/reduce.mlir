// Reductions along each axis, by named and general regions, against loops on the host in f64.
//
// RUN: tile-run %s --target=cpu
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 %}

!row = tensor<128xi32>
!tile_i = tensor<32x128xi32>
!tile_f = tensor<32x128xf32>

tile.func @reduce(%x: !tile.ptr<f32>, %soft: !tile.ptr<f32>, %columns: !tile.ptr<f32>,
                  %best: !tile.ptr<i32>, %all: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<32xi32>
  %j = tile.arange : !row
  %i1 = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %j1 = tile.expand_dims %j axis 0 : !row -> tensor<1x128xi32>
  %ib = tile.broadcast %i1 : tensor<32x1xi32> -> !tile_i
  %jb = tile.broadcast %j1 : tensor<1x128xi32> -> !tile_i
  %pitch = arith.constant dense<128> : !tile_i
  %start = arith.muli %ib, %pitch : !tile_i
  %at = arith.addi %start, %jb : !tile_i
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<32x128x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %at : tensor<32x128x!tile.ptr<f32>>, !tile_i
  %v = tile.load %xp : tensor<32x128x!tile.ptr<f32>>

  // Softmax of each row.
  %top = tile.reduce max %v axis 1 : !tile_f -> tensor<32xf32>
  %top1 = tile.expand_dims %top axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %topb = tile.broadcast %top1 : tensor<32x1xf32> -> !tile_f
  %below = arith.subf %v, %topb : !tile_f
  %e = math.exp %below : !tile_f
  %sum = tile.reduce add %e axis 1 : !tile_f -> tensor<32xf32>
  %sum1 = tile.expand_dims %sum axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %sumb = tile.broadcast %sum1 : tensor<32x1xf32> -> !tile_f
  %p = arith.divf %e, %sumb : !tile_f
  %ss = tile.splat %soft : !tile.ptr<f32> -> tensor<32x128x!tile.ptr<f32>>
  %sp = tile.addptr %ss, %at : tensor<32x128x!tile.ptr<f32>>, !tile_i
  tile.store %sp, %p : tensor<32x128x!tile.ptr<f32>>

  // Sum of each column, and of everything.
  %c = tile.reduce add %v axis 0 : !tile_f -> tensor<128xf32>
  %cs = tile.splat %columns : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %cp = tile.addptr %cs, %j : tensor<128x!tile.ptr<f32>>, !row
  tile.store %cp, %c : tensor<128x!tile.ptr<f32>>
  %total = tile.reduce add %c axis 0 : tensor<128xf32> -> f32
  tile.store %all, %total : !tile.ptr<f32>

  // Where each row is greatest; the first place of several.
  %bv, %b = tile.reduce %v, %jb axis 1 : !tile_f, !tile_i -> tensor<32xf32>, tensor<32xi32> {
  ^bb0(%v0: f32, %i0: i32, %v1: f32, %i1_: i32):
    %greater = arith.cmpf ogt, %v0, %v1 : f32
    %equal = arith.cmpf oeq, %v0, %v1 : f32
    %before = arith.cmpi slt, %i0, %i1_ : i32
    %tie = arith.andi %equal, %before : i1
    %first = arith.ori %greater, %tie : i1
    %value = arith.select %first, %v0, %v1 : f32
    %index = arith.select %first, %i0, %i1_ : i32
    tile.yield %value, %index : f32, i32
  }
  %bs = tile.splat %best : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %i : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %bp, %b : tensor<32x!tile.ptr<i32>>
  tile.return
}

// Rows of integers, 32 bits and 8: a GPU's lanes meet in one instruction each.
tile.func @integers(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %bytes: !tile.ptr<i8>) {
  tile.grid() {
    %four = arith.constant 4 : i32
    tile.yield %four : i32
  }
  %row = tile.program_id x
  %pitch = arith.constant 256 : i32
  %first = arith.muli %row, %pitch : i32
  %xp = tile.addptr %x, %first : !tile.ptr<i32>, i32
  %j = tile.arange : tensor<256xi32>
  %xs = tile.splat %xp : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %ps = tile.addptr %xs, %j : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %small = tile.load %ps : tensor<256x!tile.ptr<i32>>
  %far = arith.constant dense<0x31415926> : tensor<256xi32>
  %v = arith.muli %small, %far : tensor<256xi32>
  %b = arith.trunci %v : tensor<256xi32> to tensor<256xi8>
  %eight = arith.constant 8 : i32
  %at = arith.muli %row, %eight : i32
  %op = tile.addptr %out, %at : !tile.ptr<i32>, i32
  %bp = tile.addptr %bytes, %at : !tile.ptr<i8>, i32
  %n0 = arith.constant 0 : i32
  %w0 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.addi %l, %r : i32
    tile.yield %c : i32
  }
  %wp0 = tile.addptr %op, %n0 : !tile.ptr<i32>, i32
  tile.store %wp0, %w0 : !tile.ptr<i32>
  %b0 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.addi %l, %r : i8
    tile.yield %c : i8
  }
  %bp0 = tile.addptr %bp, %n0 : !tile.ptr<i8>, i32
  tile.store %bp0, %b0 : !tile.ptr<i8>
  %n1 = arith.constant 1 : i32
  %w1 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.maxsi %l, %r : i32
    tile.yield %c : i32
  }
  %wp1 = tile.addptr %op, %n1 : !tile.ptr<i32>, i32
  tile.store %wp1, %w1 : !tile.ptr<i32>
  %b1 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.maxsi %l, %r : i8
    tile.yield %c : i8
  }
  %bp1 = tile.addptr %bp, %n1 : !tile.ptr<i8>, i32
  tile.store %bp1, %b1 : !tile.ptr<i8>
  %n2 = arith.constant 2 : i32
  %w2 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.minsi %l, %r : i32
    tile.yield %c : i32
  }
  %wp2 = tile.addptr %op, %n2 : !tile.ptr<i32>, i32
  tile.store %wp2, %w2 : !tile.ptr<i32>
  %b2 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.minsi %l, %r : i8
    tile.yield %c : i8
  }
  %bp2 = tile.addptr %bp, %n2 : !tile.ptr<i8>, i32
  tile.store %bp2, %b2 : !tile.ptr<i8>
  %n3 = arith.constant 3 : i32
  %w3 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.maxui %l, %r : i32
    tile.yield %c : i32
  }
  %wp3 = tile.addptr %op, %n3 : !tile.ptr<i32>, i32
  tile.store %wp3, %w3 : !tile.ptr<i32>
  %b3 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.maxui %l, %r : i8
    tile.yield %c : i8
  }
  %bp3 = tile.addptr %bp, %n3 : !tile.ptr<i8>, i32
  tile.store %bp3, %b3 : !tile.ptr<i8>
  %n4 = arith.constant 4 : i32
  %w4 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.minui %l, %r : i32
    tile.yield %c : i32
  }
  %wp4 = tile.addptr %op, %n4 : !tile.ptr<i32>, i32
  tile.store %wp4, %w4 : !tile.ptr<i32>
  %b4 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.minui %l, %r : i8
    tile.yield %c : i8
  }
  %bp4 = tile.addptr %bp, %n4 : !tile.ptr<i8>, i32
  tile.store %bp4, %b4 : !tile.ptr<i8>
  %n5 = arith.constant 5 : i32
  %w5 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.andi %l, %r : i32
    tile.yield %c : i32
  }
  %wp5 = tile.addptr %op, %n5 : !tile.ptr<i32>, i32
  tile.store %wp5, %w5 : !tile.ptr<i32>
  %b5 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.andi %l, %r : i8
    tile.yield %c : i8
  }
  %bp5 = tile.addptr %bp, %n5 : !tile.ptr<i8>, i32
  tile.store %bp5, %b5 : !tile.ptr<i8>
  %n6 = arith.constant 6 : i32
  %w6 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.ori %l, %r : i32
    tile.yield %c : i32
  }
  %wp6 = tile.addptr %op, %n6 : !tile.ptr<i32>, i32
  tile.store %wp6, %w6 : !tile.ptr<i32>
  %b6 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.ori %l, %r : i8
    tile.yield %c : i8
  }
  %bp6 = tile.addptr %bp, %n6 : !tile.ptr<i8>, i32
  tile.store %bp6, %b6 : !tile.ptr<i8>
  %n7 = arith.constant 7 : i32
  %w7 = tile.reduce %v axis 0 : tensor<256xi32> -> i32 {
  ^bb0(%l: i32, %r: i32):
    %c = arith.xori %l, %r : i32
    tile.yield %c : i32
  }
  %wp7 = tile.addptr %op, %n7 : !tile.ptr<i32>, i32
  tile.store %wp7, %w7 : !tile.ptr<i32>
  %b7 = tile.reduce %b axis 0 : tensor<256xi8> -> i8 {
  ^bb0(%l: i8, %r: i8):
    %c = arith.xori %l, %r : i8
    tile.yield %c : i8
  }
  %bp7 = tile.addptr %bp, %n7 : !tile.ptr<i8>, i32
  tile.store %bp7, %b7 : !tile.ptr<i8>
  tile.return
}

func.func private @check_integers() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %cols = arith.constant 256 : index
  %far = arith.constant 0x31415926 : i32
  %x = tile_host.random(%c4, %cols) seed 2 : (index, index) -> memref<?x?xi32>
  %out = tile_host.alloc(%c4, %c8) : (index, index) -> memref<?x?xi32>
  %bytes = tile_host.alloc(%c4, %c8) : (index, index) -> memref<?x?xi8>
  tile_host.launch @integers(%x, %out, %bytes) : memref<?x?xi32>, memref<?x?xi32>, memref<?x?xi8>
  %want = tile_host.alloc(%c4, %c8) : (index, index) -> memref<?x?xi32>
  %want_bytes = tile_host.alloc(%c4, %c8) : (index, index) -> memref<?x?xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %small = memref.load %x[%i, %c0] : memref<?x?xi32>
    %v = arith.muli %small, %far : i32
    %b = arith.trunci %v : i32 to i8
    %w:8, %y:8 = scf.for %j = %c1 to %cols step %c1 iter_args(%p0 = %v, %p1 = %v, %p2 = %v, %p3 = %v, %p4 = %v, %p5 = %v, %p6 = %v, %p7 = %v, %q0 = %b, %q1 = %b, %q2 = %b, %q3 = %b, %q4 = %b, %q5 = %b, %q6 = %b, %q7 = %b)
        -> (i32, i32, i32, i32, i32, i32, i32, i32, i8, i8, i8, i8, i8, i8, i8, i8) {
      %next = memref.load %x[%i, %j] : memref<?x?xi32>
      %n = arith.muli %next, %far : i32
      %m = arith.trunci %n : i32 to i8
      %s0 = arith.addi %p0, %n : i32
      %t0 = arith.addi %q0, %m : i8
      %s1 = arith.maxsi %p1, %n : i32
      %t1 = arith.maxsi %q1, %m : i8
      %s2 = arith.minsi %p2, %n : i32
      %t2 = arith.minsi %q2, %m : i8
      %s3 = arith.maxui %p3, %n : i32
      %t3 = arith.maxui %q3, %m : i8
      %s4 = arith.minui %p4, %n : i32
      %t4 = arith.minui %q4, %m : i8
      %s5 = arith.andi %p5, %n : i32
      %t5 = arith.andi %q5, %m : i8
      %s6 = arith.ori %p6, %n : i32
      %t6 = arith.ori %q6, %m : i8
      %s7 = arith.xori %p7, %n : i32
      %t7 = arith.xori %q7, %m : i8
      scf.yield %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7, %t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7 : i32, i32, i32, i32, i32, i32, i32, i32, i8, i8, i8, i8, i8, i8, i8, i8
    }
    %k0 = arith.constant 0 : index
    memref.store %w#0, %want[%i, %k0] : memref<?x?xi32>
    memref.store %y#0, %want_bytes[%i, %k0] : memref<?x?xi8>
    %k1 = arith.constant 1 : index
    memref.store %w#1, %want[%i, %k1] : memref<?x?xi32>
    memref.store %y#1, %want_bytes[%i, %k1] : memref<?x?xi8>
    %k2 = arith.constant 2 : index
    memref.store %w#2, %want[%i, %k2] : memref<?x?xi32>
    memref.store %y#2, %want_bytes[%i, %k2] : memref<?x?xi8>
    %k3 = arith.constant 3 : index
    memref.store %w#3, %want[%i, %k3] : memref<?x?xi32>
    memref.store %y#3, %want_bytes[%i, %k3] : memref<?x?xi8>
    %k4 = arith.constant 4 : index
    memref.store %w#4, %want[%i, %k4] : memref<?x?xi32>
    memref.store %y#4, %want_bytes[%i, %k4] : memref<?x?xi8>
    %k5 = arith.constant 5 : index
    memref.store %w#5, %want[%i, %k5] : memref<?x?xi32>
    memref.store %y#5, %want_bytes[%i, %k5] : memref<?x?xi8>
    %k6 = arith.constant 6 : index
    memref.store %w#6, %want[%i, %k6] : memref<?x?xi32>
    memref.store %y#6, %want_bytes[%i, %k6] : memref<?x?xi8>
    %k7 = arith.constant 7 : index
    memref.store %w#7, %want[%i, %k7] : memref<?x?xi32>
    memref.store %y#7, %want_bytes[%i, %k7] : memref<?x?xi8>
  }
  tile_host.expect_close %out, %want : memref<?x?xi32>, memref<?x?xi32>
  tile_host.expect_close %bytes, %want_bytes : memref<?x?xi8>, memref<?x?xi8>
  return
}

func.func @main() {
  func.call @check_integers() : () -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 32 : index
  %cols = arith.constant 128 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = tile_host.random(%rows, %cols) seed 1 : (index, index) -> memref<?x?xf32>
  %soft = tile_host.alloc(%rows, %cols) : (index, index) -> memref<?x?xf32>
  %columns = tile_host.alloc(%cols) : (index) -> memref<?xf32>
  %best = tile_host.alloc(%rows) : (index) -> memref<?xi32>
  %all = tile_host.alloc(%one) : (index) -> memref<?xf32>
  tile_host.launch @reduce(%x, %soft, %columns, %best, %all)
      : memref<?x?xf32>, memref<?x?xf32>, memref<?xf32>, memref<?xi32>, memref<?xf32>

  %want_soft = tile_host.alloc(%rows, %cols) : (index, index) -> memref<?x?xf64>
  %want_columns = tile_host.alloc(%cols) : (index) -> memref<?xf64>
  %want_best = tile_host.alloc(%rows) : (index) -> memref<?xi32>
  %want_all = tile_host.alloc(%one) : (index) -> memref<?xf64>
  scf.for %i = %c0 to %rows step %c1 {
    %sum = scf.for %j = %c0 to %cols step %c1 iter_args(%s = %zero) -> f64 {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %w = arith.extf %v : f32 to f64
      %e = math.exp %w : f64
      %t = arith.addf %s, %e : f64
      %o = memref.load %want_columns[%j] : memref<?xf64>
      %p = arith.addf %o, %w : f64
      memref.store %p, %want_columns[%j] : memref<?xf64>
      %q = memref.load %want_all[%c0] : memref<?xf64>
      %u = arith.addf %q, %w : f64
      memref.store %u, %want_all[%c0] : memref<?xf64>
      scf.yield %t : f64
    }
    %lowest = arith.constant -2.0 : f32
    %top, %where = scf.for %j = %c0 to %cols step %c1
        iter_args(%m = %lowest, %k = %c0) -> (f32, index) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %w = arith.extf %v : f32 to f64
      %e = math.exp %w : f64
      %p = arith.divf %e, %sum : f64
      memref.store %p, %want_soft[%i, %j] : memref<?x?xf64>
      %g = arith.cmpf ogt, %v, %m : f32
      %m2 = arith.select %g, %v, %m : f32
      %k2 = arith.select %g, %j, %k : index
      scf.yield %m2, %k2 : f32, index
    }
    %where32 = arith.index_cast %where : index to i32
    memref.store %where32, %want_best[%i] : memref<?xi32>
  }
  tile_host.expect_close %soft, %want_soft {rtol = 2.0e-6} : memref<?x?xf32>, memref<?x?xf64>
  tile_host.expect_close %columns, %want_columns {atol = 1.0e-5} : memref<?xf32>, memref<?xf64>
  tile_host.expect_close %all, %want_all {atol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  tile_host.expect_close %best, %want_best : memref<?xi32>, memref<?xi32>
  return
}
