// GELU as tile-expand-gelu makes it, beside the host's erfc in f64: x from -8 to 8, of which the last results are 1e-15. The CPU, which does
// not run the pass by itself, takes what it made; it runs on a GPU as it is.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-expand-gelu))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=MADE --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// MADE-LABEL: tile.func @gelu
// MADE: math.exp2
// MADE-LABEL: func.func @main
// CHECK: in 1 comparison

tile.func @gelu(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  tile.grid = 16
  %at = tile.expr program_id(x) * 1024 + arange(1024)
  %from = tile.expr %x + %at
  %to = tile.expr %out + %at
  %v = tile.load %from
  %t = tile.expr %v * 0.707106769
  %e = math.erf %t fastmath<afn> : tensor<1024xf32>
  %y = tile.expr %v * 0.5 * (%e + 1.0)
  tile.store %to, %y
  tile.return
}

func.func @main() {
  %x = tile_host.random() seed 7 : () -> memref<16384xf32>
  %eight = arith.constant 8.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : memref<16384xf32>) {
  ^bb0(%v: f32):
    %w = arith.mulf %v, %eight : f32
    linalg.yield %w : f32
  }
  %out = tile_host.alloc() : () -> memref<16384xf32>
  %want = tile_host.alloc() : () -> memref<16384xf64>
  tile_host.launch @gelu(%x, %out) : memref<16384xf32>, memref<16384xf32>
  %half = arith.constant -0.5 : f64
  %c = arith.constant -0.70710678118654752 : f64
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<16384xf32>) outs(%want : memref<16384xf64>) {
  ^bb0(%v: f32, %old: f64):
    %w = arith.extf %v : f32 to f64
    %t = arith.mulf %w, %c : f64
    %e = math.erfc %t : f64
    %minus = arith.mulf %w, %half : f64
    %p = arith.mulf %minus, %e : f64
    %y = arith.negf %p : f64
    linalg.yield %y : f64
  }
  tile_host.expect_close %out, %want {atol = 5.0e-10, rtol = 8.0e-06} : memref<16384xf32>, memref<16384xf64>
  return
}
