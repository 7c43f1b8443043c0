// Products of two programs whose operands and results are masked by how many rows there are less eight: of fewer rows than eight
// nothing is there, and what stands in the array of results stays. Boxes of such arrays end in front of their beginning.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 100 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 3 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 100 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 8 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 3 --args 3 | FileCheck %s %}
// CHECK: in 2 comparisons
// RUN: tile-run %s --kernel product --arch sm_90a --emit=ptx | FileCheck %s --check-prefix=BOXES
// BOXES: cp.async.bulk.tensor

tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %all: !tile.ptr<f32>, %rows: i32)
    meta {M = 64, N = 64, K = 64, num_warps = 4} {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two : i32
  }
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %step = tile.meta K : i32
  %i = tile.expr program_id(x) * M + arange(M)
  %j = tile.expr arange(N)
  %in = tile.expr col(%i) < %rows - 8
  %zeros = tile.expr 0 : tensor<?x?xf32, #tile.dims<[M, N]>>
  %sum = scf.for %k0 = %c0 to %c256 step %step iter_args(%before = %zeros) -> (tensor<?x?xf32, #tile.dims<[M, N]>>) : i32 {
    %k = tile.expr %k0 + arange(K)
    %pa = tile.expr %a + (col(%i) * 256 + row(%k))
    %pb = tile.expr %b + (col(%k) * N + row(%j))
    %x = tile.load %pa, %in
    %y = tile.load %pb
    %after = tile.dot %x, %y, %before
    scf.yield %after : tensor<?x?xf32, #tile.dims<[M, N]>>
  }
  %pall = tile.expr %all + (col(%i) * N + row(%j))
  tile.store %pall, %sum
  %pc = tile.expr %c + (col(%i) * N + row(%j))
  tile.store %pc, %sum, %in
  tile.return
}

func.func @main(%rows: i32) {
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %a = tile_host.random(%c128, %c256) seed 1 -> memref<?x?xf16>
  %b = tile_host.random(%c256, %c64) seed 2 -> memref<?x?xf16>
  %c = tile_host.random(%c128, %c64) seed 3 -> memref<?x?xf32>
  %was = tile_host.random(%c128, %c64) seed 3 -> memref<?x?xf32>
  %all = tile_host.alloc(%c128, %c64) -> memref<?x?xf32>
  tile_host.launch @product(%a, %b, %c, %all, %rows)
  %product = tile_host.alloc(%c128, %c64) -> memref<?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%product : memref<?x?xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %term = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %term : f64
    linalg.yield %next : f64
  }
  %wantAll = tile_host.alloc(%c128, %c64) -> memref<?x?xf64>
  %want = tile_host.alloc(%c128, %c64) -> memref<?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%product, %was : memref<?x?xf64>, memref<?x?xf32>) outs(%wantAll, %want : memref<?x?xf64>, memref<?x?xf64>) {
  ^bb0(%x: f64, %old: f32, %o1: f64, %o2: f64):
    %at = linalg.index 0 : index
    %n = arith.index_cast %at : index to i32
    %c8 = arith.constant 8 : i32
    %end = arith.subi %rows, %c8 : i32
    %is = arith.cmpi slt, %n, %end : i32
    %zero = arith.constant 0.0 : f64
    %before = arith.extf %old : f32 to f64
    %one = arith.select %is, %x, %zero : f64
    %two = arith.select %is, %x, %before : f64
    linalg.yield %one, %two : f64, f64
  }
  tile_host.expect_close %all, %wantAll {atol = 1.0e-3, rtol = 1.0e-3}
  tile_host.expect_close %c, %want {atol = 1.0e-3, rtol = 1.0e-3}
  return
}
