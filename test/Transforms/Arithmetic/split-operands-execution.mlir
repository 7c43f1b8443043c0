// Products of tf32 beside bf16 against float64: rows of f32 between 2^-117 and 2^117 and less than a bf16 apart,
// infinities and NaNs on either side, such as lie in the lower bits alone, and rows and columns of zeros.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(inline{default-pipeline=},symbol-dce,tile-specialize,tile.func(tile-expand-ops,tile-split-operands))' > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=SPLIT
// RUN: sed 's/rtol = 4.8.*e-04/rtol = 3.1e-5/' %t.mlir | tile-run - --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 -D num_warps=8 | FileCheck %s %}
// CHECK: in 2 comparisons
// SPLIT-COUNT-4: tile.dot {{.*}}xbf16>, tensor<{{.*}}xbf16>

!wide = tensor<64x64xf32>

// A computed, and B; the other one is read as bf16.
tile.func @products(%a: !tile.ptr<f32>, %b: !tile.ptr<bf16>, %c: !tile.ptr<f32>, %d: !tile.ptr<f32>, %one: f32)
    meta {num_warps = 4} {
  tile.grid = 1
  %at = tile.expr col(arange(64)) * 64 + row(arange(64))
  %pa = tile.expr %a + %at
  %pb = tile.expr %b + %at
  %x = tile.load %pa
  %y = tile.load %pb
  %computed = tile.expr %x * %one
  %extended = arith.extf %y : tensor<64x64xbf16> to !wide
  %zero = tile.expr 0 : !wide
  %first = tile.dot %computed, %extended, %zero precision tf32
  %pc = tile.expr %c + %at
  %first_number = tile.expr select(%first == %first, %first, 3.0)
  tile.store %pc, %first_number
  %xt = tile.trans %computed order [1, 0]
  %yt = tile.trans %extended order [1, 0]
  %second = tile.dot %yt, %xt, %zero precision tf32
  %pd = tile.expr %d + %at
  %second_number = tile.expr select(%second == %second, %second, 3.0)
  tile.store %pd, %second_number
  tile.return
}

// What is at (%i, %k) of A: rows of one size each, from 2^-117 up, and six others.
func.func private @element(%i: index, %k: index, %random: f32) -> f32 {
  %row = arith.index_cast %i : index to i32
  %column = arith.index_cast %k : index to i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c23 = arith.constant 23 : i32
  %zero = arith.constant 0.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %infinite = arith.constant 0x7F800000 : f32
  %minus_infinite = arith.constant 0xFF800000 : f32
  %none = arith.constant 0x7F800001 : f32
  %quarter = arith.constant 0.25 : f32
  %half = arith.constant 0.5 : f32
  %abs = math.absf %random : f32
  %scaled = arith.mulf %abs, %half : f32
  %size = arith.addf %scaled, %quarter : f32
  // 2^(4 i - 132), times 2^(1 .. 8) for i = 5 and less.
  %four = arith.muli %row, %c4 : i32
  %c5 = arith.constant -5 : i32
  %exponent = arith.addi %four, %c5 : i32
  %least = arith.maxsi %exponent, %c8 : i32
  %bits = arith.shli %least, %c23 : i32
  %power = arith.bitcast %bits : i32 to f32
  %number = arith.mulf %size, %power : f32
  %is3 = arith.cmpi eq, %column, %c3 : i32
  %row0 = arith.cmpi eq, %row, %c0 : i32
  %row1 = arith.cmpi eq, %row, %c1 : i32
  %row2 = arith.cmpi eq, %row, %c2 : i32
  %row3 = arith.cmpi eq, %row, %c3 : i32
  %row4 = arith.cmpi eq, %row, %c4 : i32
  %special0 = arith.andi %row0, %is3 : i1
  %special1 = arith.andi %row1, %is3 : i1
  %special2 = arith.andi %row2, %is3 : i1
  %v0 = arith.select %special0, %infinite, %number : f32
  %v1 = arith.select %special1, %minus_infinite, %v0 : f32
  %v2 = arith.select %special2, %none, %v1 : f32
  %v3 = arith.select %row3, %zero, %v2 : f32
  %v4 = arith.select %row4, %minus_one, %v3 : f32
  return %v4 : f32
}

// And of B: its size, so that no sums cancel; three columns have what is no finite number, and one zeros.
func.func private @other(%k: index, %j: index, %random: bf16) -> bf16 {
  %row = arith.index_cast %k : index to i32
  %column = arith.index_cast %j : index to i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %zero = arith.constant 0.0 : bf16
  %infinite = arith.constant 0x7F80 : bf16
  %minus_infinite = arith.constant 0xFF80 : bf16
  %none = arith.constant 0x7FC0 : bf16
  %size = math.absf %random : bf16
  %is9 = arith.cmpi eq, %row, %c9 : i32
  %column5 = arith.cmpi eq, %column, %c5 : i32
  %column6 = arith.cmpi eq, %column, %c6 : i32
  %column7 = arith.cmpi eq, %column, %c7 : i32
  %column9 = arith.cmpi eq, %column, %c9 : i32
  %special5 = arith.andi %column5, %is9 : i1
  %special6 = arith.andi %column6, %is9 : i1
  %special7 = arith.andi %column7, %is9 : i1
  %v5 = arith.select %special5, %infinite, %size : bf16
  %v6 = arith.select %special6, %minus_infinite, %v5 : bf16
  %v7 = arith.select %special7, %none, %v6 : bf16
  %v9 = arith.select %column9, %zero, %v7 : bf16
  return %v9 : bf16
}

func.func @main() {
  %c64 = arith.constant 64 : i32
  %one = arith.constant 1.0 : f32
  %x = tile_host.random(%c64, %c64) seed 1 -> memref<?x?xf32>
  %y = tile_host.random(%c64, %c64) seed 2 -> memref<?x?xbf16>
  %a = tile_host.alloc(%c64, %c64) -> memref<?x?xf32>
  %b = tile_host.alloc(%c64, %c64) -> memref<?x?xbf16>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<?x?xf32>, memref<?x?xbf16>) outs(%a, %b : memref<?x?xf32>, memref<?x?xbf16>) {
  ^bb0(%r: f32, %s: bf16, %old: f32, %old_b: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = func.call @element(%i, %j, %r) : (index, index, f32) -> f32
    %w = func.call @other(%i, %j, %s) : (index, index, bf16) -> bf16
    linalg.yield %v, %w : f32, bf16
  }
  %c = tile_host.alloc(%c64, %c64) -> memref<?x?xf32>
  %d = tile_host.alloc(%c64, %c64) -> memref<?x?xf32>
  tile_host.launch @products(%a, %b, %c, %d, %one)
  %want = tile_host.alloc(%c64, %c64) -> memref<?x?xf64>
  %turned = tile_host.alloc(%c64, %c64) -> memref<?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>,
                                   affine_map<(i, k, j) -> (j, i)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xbf16>) outs(%want, %turned : memref<?x?xf64>, memref<?x?xf64>) {
  ^bb0(%p: f32, %q: bf16, %sum: f64, %same: f64):
    %p64 = arith.extf %p : f32 to f64
    %q64 = arith.extf %q : bf16 to f64
    %product = arith.mulf %p64, %q64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next, %next : f64, f64
  }
  // No NaN is close to another: kernel and host have 3 for one.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%want, %turned : memref<?x?xf64>, memref<?x?xf64>) {
  ^bb0(%p: f64, %q: f64):
    %three = arith.constant 3.0 : f64
    %p_is = arith.cmpf oeq, %p, %p : f64
    %q_is = arith.cmpf oeq, %q, %q : f64
    %p3 = arith.select %p_is, %p, %three : f64
    %q3 = arith.select %q_is, %q, %three : f64
    linalg.yield %p3, %q3 : f64, f64
  }
  tile_host.expect_close %c, %want {rtol = 4.88e-4}
  tile_host.expect_close %d, %turned {rtol = 4.88e-4}
  return
}
