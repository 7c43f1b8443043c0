// y = A * x: a matrix times a vector.
//
//   tile-run matvec.mlir                    1000 x 513
//   tile-run matvec.mlir --args 4096,4096   other rows and columns
//
// Each element of A is used once, so there is nothing to keep and nothing for matrix instructions to do: it
// is a sum of rows with a factor for each column. A program takes BM rows and goes along them BN columns at a
// time, multiplying each row of the block by the same piece of x.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1009 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009,3 -D BM=16 -D BN=32 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1024,2048 | FileCheck %s
// RUN: tile-run %s --check --args 37,300
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[6-9]|[1-9][0-9])|0)}}, in 1 comparison
// CHECK: : matvec({{.*}}GB/s

//===- helpers, for any extents M and N -----------------------------------===//

!m = tensor<?xi32, #tile.dims<[M]>>
!n = tensor<?xi32, #tile.dims<[N]>>
!mxn_f32 = tensor<?x?xf32, #tile.dims<[M, N]>>

// base[rows, columns] of a matrix of `stride` elements a row: 0 where there is none.
tile.func private @load_block(%base: !tile.ptr<f32>, %rows: !m, %columns: !n, %stride: i32,
                              %row_end: i32, %column_end: i32) -> !mxn_f32 {
  %col = tile.expr col(%rows)
  %row = tile.expr row(%columns)
  %mask = tile.expr %col < %row_end and %row < %column_end
  %ptrs = tile.expr %base + (%col * %stride + %row)
  %block = tile.load %ptrs, %mask
  tile.return %block
}

// base[indices] = values, as far as there are elements.
tile.func private @store_vector(%base: !tile.ptr<f32>, %indices: !m, %end: i32,
                                %values: tensor<?xf32, #tile.dims<[M]>>) {
  %mask = tile.expr %indices < %end
  %ptrs = tile.expr %base + %indices
  tile.store %ptrs, %values, %mask
  tile.return
}

// base[indices], 0 where there is none.
tile.func private @load_vector(%base: !tile.ptr<f32>, %indices: !m, %end: i32) -> tensor<?xf32, #tile.dims<[M]>> {
  %mask = tile.expr %indices < %end
  %ptrs = tile.expr %base + %indices
  %values = tile.load %ptrs, %mask
  tile.return %values
}

//===- the kernel ---------------------------------------------------------===//

!block = tensor<?x?xf32, #tile.dims<[BM, BN]>>
!x_piece = tensor<?xf32, #tile.dims<[BN]>>

tile.func @matvec(%a: !tile.ptr<f32>, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32)
    meta {BM = 8, BN = 256} {
  tile.grid = %m ceildiv BM
  // 2 operations an element of A, which is read once, 4 bytes; x and y count for nothing.
  tile.cost = %m * %n * 2, %m * %n * 4
  %bn = tile.meta BN : i32
  %c0 = arith.constant 0 : i32
  %zeros = tile.expr 0.0 : !block

  %rows = tile.expr program_id(x) * BM + arange(BM)
  %total = scf.for %j = %c0 to %n step %bn iter_args(%before = %zeros) -> (!block) : i32 {
    %columns = tile.expr %j + arange(BN)
    %a_block = tile.call @load_block(%a, %rows, %columns, %n, %m, %n) -> !block
    %x_piece = tile.call @load_vector(%x, %columns, %n) -> !x_piece
    %after = tile.expr %before + %a_block * row(%x_piece)
    scf.yield %after : !block
  }
  %y_piece = tile.reduce add %total axis 1
  tile.call @store_vector(%y, %rows, %m, %y_piece)
  tile.return
}

//===- the host program ---------------------------------------------------===//

func.func @main(%m: i32 {tile_host.default = 1000 : i32}, %n: i32 {tile_host.default = 513 : i32}) {
  %a = tile_host.random(%m, %n) seed 1 -> memref<?x?xf32>
  %x = tile_host.random(%n) seed 2 -> memref<?xf32>
  %y = tile_host.alloc(%m) -> memref<?xf32>
  tile_host.launch @matvec(%a, %x, %y, %m, %n)

  %want = tile_host.alloc(%m) -> memref<?xf64>
  linalg.matvec ins(%a, %x : memref<?x?xf32>, memref<?xf32>) outs(%want : memref<?xf64>)
  tile_host.expect_close %y, %want {atol = 1.0e-4, rtol = 1.0e-6}
  return
}
