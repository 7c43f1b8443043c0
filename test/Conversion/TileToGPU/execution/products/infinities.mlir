// f32 as three products of tf32: an infinity times a number is that infinity also where tf32 has the number whole, or the small
// part of the infinity would have been 0; times 0 it is no number, as in f32.
//
// As three and as six of bf16, an infinity times a number is what it is times that number's bf16.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 64 | FileCheck %s
// RUN: sed 's/precision tf32x3/precision bf16x6/' %s > %t.six.mlir
// RUN: sed 's/precision tf32x3/precision bf16x3/; s/atol = 1.0e-5/atol = 2.0e-4/' %s > %t.three.mlir
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 64 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 16 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 64 --arch sm_80 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %t.six.mlir --target=gpu --repeat 1 --args 64 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %t.six.mlir --target=gpu --repeat 1 --args 16 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %t.three.mlir --target=gpu --repeat 1 --args 64 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %t.three.mlir --target=gpu --repeat 1 --args 64 --arch sm_80 | FileCheck %s %}
// What the pass makes computes the same on the CPU.
// RUN: tile-opt %t.six.mlir --pass-pipeline='builtin.module(inline{default-pipeline=},symbol-dce,tile-specialize,tile.func(tile-expand-ops,tile-split-precision{bf16=true}))' > %t.split.mlir
// RUN: tile-run %t.split.mlir --target=cpu --repeat 1 --args 64 | FileCheck %s
// RUN: tile-opt %t.three.mlir --pass-pipeline='builtin.module(inline{default-pipeline=},symbol-dce,tile-specialize,tile.func(tile-expand-ops,tile-split-precision{bf16=true}))' > %t.split.mlir
// RUN: tile-run %t.split.mlir --target=cpu --repeat 1 --args 64 | FileCheck %s
// CHECK: in 1 comparison

tile.func @product(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>) meta {M = 64, N = 64, K = 64, num_warps = 4} {
  tile.grid = 1
  %pa = tile.expr %a + (col(arange(M)) * K + row(arange(K)))
  %pb = tile.expr %b + (col(arange(N)) * K + row(arange(K)))
  %x = tile.load %pa
  %y = tile.load %pb
  %t = tile.trans %y order [1, 0]
  %zero = tile.expr 0 : tensor<?x?xf32, #tile.dims<[M, N]>>
  %d = tile.dot %x, %t, %zero precision tf32x3
  %pc = tile.expr %c + (col(arange(M)) * N + row(arange(N)))
  tile.store %pc, %d
  tile.return
}

// Infinities are 1e4 and -1e4, and what is no number 5e3.
func.func private @class(%x: f64) -> f64 {
  %infinite = arith.constant 0x7FF0000000000000 : f64
  %minus = arith.constant 0xFFF0000000000000 : f64
  %high = arith.constant 1.0e4 : f64
  %low = arith.constant -1.0e4 : f64
  %none = arith.constant 5.0e3 : f64
  %isHigh = arith.cmpf oeq, %x, %infinite : f64
  %isLow = arith.cmpf oeq, %x, %minus : f64
  %isNone = arith.cmpf uno, %x, %x : f64
  %p = arith.select %isHigh, %high, %x : f64
  %q = arith.select %isLow, %low, %p : f64
  %r = arith.select %isNone, %none, %q : f64
  return %r : f64
}

func.func @main(%rows: i32) {
  %c64 = arith.constant 64 : i32
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %infinite = arith.constant 0x7F800000 : f32
  %minus = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %a = tile_host.random(%rows, %c64) seed 1 -> memref<?x?xf32>
  %b = tile_host.random(%c64, %c64) seed 2 -> memref<?x?xf32>
  // Row 5 and columns 4 and 9 of the result. What columns multiply in rows 6 and 7 is 1 and 0, and row 5 multiplies 1 in column 6.
  memref.store %infinite, %a[%c5, %c7] : memref<?x?xf32>
  memref.store %one, %b[%c6, %c7] : memref<?x?xf32>
  memref.store %infinite, %b[%c4, %c3] : memref<?x?xf32>
  memref.store %minus, %b[%c9, %c3] : memref<?x?xf32>
  memref.store %one, %a[%c6, %c3] : memref<?x?xf32>
  memref.store %zero, %a[%c7, %c3] : memref<?x?xf32>
  %c = tile_host.alloc(%rows, %c64) -> memref<?x?xf32>
  tile_host.launch @product(%a, %b, %c) meta {M = %rows}
  %want = tile_host.alloc(%rows, %c64) -> memref<?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (j, k)>, affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%want : memref<?x?xf64>) {
  ^bb0(%x: f32, %y: f32, %sum: f64):
    %x64 = arith.extf %x : f32 to f64
    %y64 = arith.extf %y : f32 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  %classes = tile_host.alloc(%rows, %c64) -> memref<?x?xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<?x?xf32>) outs(%want, %classes : memref<?x?xf64>, memref<?x?xf64>) {
  ^bb0(%x: f32, %w: f64, %old: f64):
    %x64 = arith.extf %x : f32 to f64
    %got = func.call @class(%x64) : (f64) -> f64
    %wanted = func.call @class(%w) : (f64) -> f64
    linalg.yield %wanted, %got : f64, f64
  }
  tile_host.expect_close %classes, %want {atol = 1.0e-5, rtol = 1.0e-5}
  return
}
