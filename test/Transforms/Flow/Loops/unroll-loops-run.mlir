// Sums of rows, a column a step: four columns a step, in accesses of 8 bytes, add up to the same.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize,tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-unroll-loops,canonicalize,cse,tile-join-accesses,canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=JOINED --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}

// JOINED-LABEL: tile.func @sums
// JOINED-COUNT-2: tile.load %{{.*}} : tensor<64x!tile.ptr<i64>>
// JOINED-NOT: tile.load
// JOINED: scf.yield
// CHECK: largest error
tile.func @sums(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %n: i32 {tile.divisibility = 16 : i32}) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %rows = tile.expr %x + arange(64) * %n
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<64xf32>) : i32 {
    %p = tile.expr %rows + %k
    %v = tile.load %p
    %twice = arith.addf %s, %s : tensor<64xf32>
    %half = arith.subf %twice, %s : tensor<64xf32>
    %t = arith.addf %half, %v : tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  }
  %to = tile.expr %out + arange(64)
  tile.store %to, %sum
  tile.return
}

func.func @main() {
  %n = arith.constant 48 : i32
  %all = arith.constant 3072 : i32
  %rows = arith.constant 64 : i32
  %x = tile_host.random(%all) seed 1 -> memref<?xf32>
  %out = tile_host.alloc(%rows) -> memref<?xf32>
  %want = tile_host.alloc(%rows) -> memref<?xf64>
  tile_host.launch @sums(%x, %out, %n)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    %first = arith.muli %i, %c48 : index
    %sum = scf.for %k = %c0 to %c48 step %c1 iter_args(%s = %zero) -> f64 {
      %at = arith.addi %first, %k : index
      %v = memref.load %x[%at] : memref<?xf32>
      %w = arith.extf %v : f32 to f64
      %t = arith.addf %s, %w : f64
      scf.yield %t : f64
    }
    memref.store %sum, %want[%i] : memref<?xf64>
  }
  tile_host.expect_close %out, %want {atol = 1.0e-5, rtol = 1.0e-5} : memref<?xf32>, memref<?xf64>
  return
}
