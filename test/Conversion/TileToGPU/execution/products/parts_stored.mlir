// Products of f32 of all bits, whose operands and their small parts threads store: the second part is stored while
// tensor cores may read the first, so both have places of their own.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 3,64,64 | FileCheck %s
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 3 --args 500,64,64 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 3 --args 500,32,128 | FileCheck %s %}
// CHECK: in 1 comparison
// RUN: tile-run %s --kernel product --arch sm_90a --emit=layouts | FileCheck %s --check-prefix=PLACES
// PLACES: tile_gpu.alloc_shared {offset = [[#FIRST:]] : i32}
// PLACES: tile.dot {{.*}} by wgmma async
// PLACES: tile_gpu.alloc_shared {offset = [[#SECOND:]] : i32}
// PLACES: tile.dot {{.*}} by wgmma async
// PLACES: tile_gpu.alloc_shared {offset = [[#SECOND+16384]] : i32}
// PLACES: tile.dot {{.*}} by wgmma :

tile.func @product(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %n: i32)
    meta {M = 64, N = 64, K = 64, num_warps = 4} {
  tile.grid = %n
  %g = tile.expr program_id(x)
  %pa = tile.expr %a + (%g * (M * K) + col(arange(M)) * K + row(arange(K)))
  %pb = tile.expr %b + (%g * (N * K) + col(arange(N)) * K + row(arange(K)))
  %x = tile.load %pa
  %y = tile.load %pb
  %twice = tile.expr %x * 2.0
  %half = tile.expr %y * 0.5
  %t = tile.trans %half order [1, 0]
  %zero = tile.expr 0 : tensor<?x?xf32, #tile.dims<[M, N]>>
  %d = tile.dot %twice, %t, %zero precision tf32x3
  %pc = tile.expr %c + (%g * (M * N) + col(arange(M)) * N + row(arange(N)))
  tile.store %pc, %d
  tile.return
}

func.func @main(%n: i32, %columns: i32, %depth: i32) {
  %c64 = arith.constant 64 : i32
  %a = tile_host.random(%n, %c64, %depth) seed 1 -> memref<?x?x?xf32>
  %b = tile_host.random(%n, %columns, %depth) seed 2 -> memref<?x?x?xf32>
  %c = tile_host.alloc(%n, %c64, %columns) -> memref<?x?x?xf32>
  tile_host.launch @product(%a, %b, %c, %n) meta {N = %columns, K = %depth}
  %want = tile_host.alloc(%n, %c64, %columns) -> memref<?x?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(g, i, k, j) -> (g, i, k)>, affine_map<(g, i, k, j) -> (g, j, k)>,
                                   affine_map<(g, i, k, j) -> (g, i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%want : memref<?x?x?xf64>) {
  ^bb0(%x: f32, %y: f32, %sum: f64):
    %x64 = arith.extf %x : f32 to f64
    %y64 = arith.extf %y : f32 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  tile_host.expect_close %c, %want {atol = 1.0e-5, rtol = 1.0e-5}
  return
}
