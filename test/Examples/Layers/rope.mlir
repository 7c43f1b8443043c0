// Rotary position embedding (Su et al. 2021) in f16: of each row of D elements, the halves turn by angles of the row's
// position, y = (a cos - b sin, b cos + a sin). A row is a head of a token; heads of a token share a position.
//
//   tile-run rope.mlir                      1000 tokens, 8 heads, rows of 128
//   tile-run rope.mlir --args 77,3,80       any other numbers: tokens, heads, an even D
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 77,3,80 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1,1,2 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 10,5,96 -D R=7 | FileCheck %s
// RUN: tile-run %s --check --args 21,3,20
// CHECK: largest error {{.*}}, relative {{([0-9.]*e-(0[4-9]|[1-9][0-9])|0\.000[0-9]*|0)}}, in 1 comparison
// CHECK: cpu{{.*}}: rope({{.*}}GB/s

!half = tensor<?x?xf16, #tile.dims<[R, D floordiv 2]>>

tile.func @rope(%x: !tile.ptr<f16>, %cos: !tile.ptr<f32>, %sin: !tile.ptr<f32>, %y: !tile.ptr<f16>,
                %rows: i32, %heads: i32)
    meta {R = 16, D = 128} {
  tile.grid = %rows ceildiv R
  // Three operations an element, which is read and written once, 2 bytes each way.
  tile.cost = 3 * (%rows * D), 4 * (%rows * D)
  %row = tile.expr col(program_id(x) * R + arange(R))
  %in = tile.expr %row < %rows
  %at = tile.expr i64(%row) * D + i64(row(arange(D)))
  %xp = tile.expr %x + %at
  %whole = tile.load %xp, %in
  %a = tile.slice %whole[0, 0] -> !half
  %b = tile.slice %whole[0, D floordiv 2] -> !half

  // Angles are those of the token.
  %angle = tile.expr %row div %heads * (D div 2) + row(arange(D floordiv 2))
  %cp = tile.expr %cos + %angle
  %sp = tile.expr %sin + %angle
  %c = tile.load %cp, %in
  %s = tile.load %sp, %in
  %left = tile.expr f16(f32(%a) * %c - f32(%b) * %s)
  %right = tile.expr f16(f32(%b) * %c + f32(%a) * %s)

  %lp = tile.expr %y + (i64(%row) * D + i64(row(arange(D floordiv 2))))
  %rp = tile.expr %lp + D div 2
  tile.store %lp, %left, %in
  tile.store %rp, %right, %in
  tile.return
}

func.func @main(%tokens: i32 {tile_host.default = 1000 : i32}, %heads: i32 {tile_host.default = 8 : i32},
                %d: i32 {tile_host.default = 128 : i32}) {
  %two = arith.constant 2 : i32
  %half = arith.divsi %d, %two : i32
  %rows = arith.muli %tokens, %heads : i32
  %x = tile_host.random(%rows, %d) seed 1 -> memref<?x?xf16>
  %cos = tile_host.random(%tokens, %half) seed 2 -> memref<?x?xf32>
  %sin = tile_host.random(%tokens, %half) seed 3 -> memref<?x?xf32>
  %y = tile_host.alloc(%rows, %d) -> memref<?x?xf16>
  tile_host.launch @rope(%x, %cos, %sin, %y, %rows, %heads) meta {D = %d}

  %want = tile_host.alloc(%rows, %d) -> memref<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row_count = arith.index_cast %rows : i32 to index
  %half_count = arith.index_cast %half : i32 to index
  %head_count = arith.index_cast %heads : i32 to index
  scf.for %i = %c0 to %row_count step %c1 {
    %token = arith.divsi %i, %head_count : index
    scf.for %j = %c0 to %half_count step %c1 {
      %k = arith.addi %j, %half_count : index
      %a16 = memref.load %x[%i, %j] : memref<?x?xf16>
      %b16 = memref.load %x[%i, %k] : memref<?x?xf16>
      %c32 = memref.load %cos[%token, %j] : memref<?x?xf32>
      %s32 = memref.load %sin[%token, %j] : memref<?x?xf32>
      %a = arith.extf %a16 : f16 to f64
      %b = arith.extf %b16 : f16 to f64
      %c = arith.extf %c32 : f32 to f64
      %s = arith.extf %s32 : f32 to f64
      %ac = arith.mulf %a, %c : f64
      %bs = arith.mulf %b, %s : f64
      %bc = arith.mulf %b, %c : f64
      %as = arith.mulf %a, %s : f64
      %left = arith.subf %ac, %bs : f64
      %right = arith.addf %bc, %as : f64
      memref.store %left, %want[%i, %j] : memref<?x?xf64>
      memref.store %right, %want[%i, %k] : memref<?x?xf64>
    }
  }
  tile_host.expect_close %y, %want {atol = 1.0e-3, rtol = 1.0e-3}
  return
}
