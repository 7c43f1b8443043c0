// Reductions along each axis, by named and general regions, against loops on the host in f64.
//
// RUN: tile-run %s --target=cpu
// RUN: %if gpu %{ tile-run %s --target=gpu %}
// RUN: %if gpu %{ tile-run %s --target=gpu -D num_warps=1 %}
// RUN: %if gpu %{ tile-run %s --target=gpu -D num_warps=8 %}

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

func.func @main() {
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
