// Products that steps add to memory, tile after tile: of f32, and of f16, which lies as memory has it.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 3 | FileCheck %s
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 --args 300 | FileCheck %s %}
// CHECK: in 2 comparisons
// RUN: tile-run %s --kernel add --arch sm_90a --emit=layouts | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: tile.func @add
// ONCE: scf.for
// ONCE: tile.dot {{.*}}by wgmma
// ONCE: tile_gpu.convert_layout
// ONCE: tile.load
// ONCE-NOT: convert_layout
// ONCE: tile.store

tile.func @add(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %sums: !tile.ptr<f32>, %halves: !tile.ptr<f16>, %n: i32)
    meta {STEPS = 3, num_warps = 4} {
  tile.grid = %n
  %g = tile.expr program_id(x)
  %pa = tile.expr %a + (%g * 4096 + col(arange(64)) * 64 + row(arange(64)))
  %x = tile.load %pa
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %steps = tile.meta STEPS : i32
  %step = arith.constant dense<4096> : tensor<64x64xi32>
  %zero = tile.expr 0 : tensor<64x64xf32>
  %at = tile.expr %g * (4096 * STEPS) + col(arange(64)) * 64 + row(arange(64))
  %sums0 = tile.expr %sums + %at
  %halves0 = tile.expr %halves + %at
  %last:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%ps = %sums0, %ph = %halves0)
      -> (tensor<64x64x!tile.ptr<f32>>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %pb = tile.expr %b + (%i * 4096 + col(arange(64)) * 64 + row(arange(64)))
    %y = tile.load %pb
    %old = tile.load %ps
    %new = tile.dot %x, %y, %old
    tile.store %ps, %new
    %d = tile.dot %x, %y, %zero
    %h = tile.expr f16(%d)
    %old_half = tile.load %ph
    %new_half = tile.expr %h + %old_half
    tile.store %ph, %new_half
    %ps1 = tile.addptr %ps, %step : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
    %ph1 = tile.addptr %ph, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %ps1, %ph1 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.return
}

func.func @main(%n: i32) {
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %a = tile_host.random(%n, %c64, %c64) seed 1 -> memref<?x?x?xf16>
  %b = tile_host.random(%c3, %c64, %c64) seed 2 -> memref<?x?x?xf16>
  %sums = tile_host.random(%n, %c3, %c64, %c64) seed 3 -> memref<?x?x?x?xf32>
  %halves = tile_host.random(%n, %c3, %c64, %c64) seed 4 -> memref<?x?x?x?xf16>
  %want = tile_host.alloc(%n, %c3, %c64, %c64) -> memref<?x?x?x?xf64>
  %want_halves = tile_host.alloc(%n, %c3, %c64, %c64) -> memref<?x?x?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(g, s, i, j) -> (g, s, i, j)>, affine_map<(g, s, i, j) -> (g, s, i, j)>,
                                   affine_map<(g, s, i, j) -> (g, s, i, j)>, affine_map<(g, s, i, j) -> (g, s, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %halves : memref<?x?x?x?xf32>, memref<?x?x?x?xf16>)
      outs(%want, %want_halves : memref<?x?x?x?xf64>, memref<?x?x?x?xf64>) {
  ^bb0(%x: f32, %y: f16, %z: f64, %w: f64):
    %x64 = arith.extf %x : f32 to f64
    %y64 = arith.extf %y : f16 to f64
    linalg.yield %x64, %y64 : f64, f64
  }
  linalg.generic {indexing_maps = [affine_map<(g, s, i, k, j) -> (g, i, k)>, affine_map<(g, s, i, k, j) -> (s, k, j)>,
                                   affine_map<(g, s, i, k, j) -> (g, s, i, j)>, affine_map<(g, s, i, k, j) -> (g, s, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%want, %want_halves : memref<?x?x?x?xf64>, memref<?x?x?x?xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64, %half: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    %next_half = arith.addf %half, %product : f64
    linalg.yield %next, %next_half : f64, f64
  }
  tile_host.launch @add(%a, %b, %sums, %halves, %n)
  tile_host.expect_close %sums, %want {atol = 1.0e-4, rtol = 1.0e-4}
  tile_host.expect_close %halves, %want_halves {atol = 2.0e-2, rtol = 2.0e-3}
  return
}
