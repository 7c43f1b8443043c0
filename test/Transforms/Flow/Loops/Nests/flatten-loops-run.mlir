// Sums over three taps and n channels, in steps of 32 of which the last is masked: in one loop they are what they were.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize,tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-flatten-loops,canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=ONE --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 --args 40 | FileCheck %s
// RUN: tile-run %t.mlir --target=cpu --repeat 1 --args 64 | FileCheck %s
// RUN: tile-run %t.mlir --target=cpu --repeat 1 --args 8 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 40 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 40 | FileCheck %s %}

// ONE-LABEL: tile.func @taps
// ONE-COUNT-1: scf.for
// ONE-NOT: scf.for
// ONE: tile.return
// CHECK: largest error
tile.func @taps(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %out: !tile.ptr<f32>, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %acc = scf.for %t = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %each = scf.for %c = %c0 to %n step %c32 iter_args(%s = %sum) -> (tensor<64x64xf32>) : i32 {
      %xp = tile.expr %x + (col(arange(64) + %t) * %n + row(%c + arange(32)))
      %xin = tile.expr row(%c + arange(32)) < %n + col(arange(64)) * 0
      %a = tile.load %xp, %xin
      %wp = tile.expr %w + (col(%t * %n + %c + arange(32)) * 64 + row(arange(64)))
      %win = tile.expr col(%c + arange(32)) < %n + row(arange(64)) * 0
      %b = tile.load %wp, %win
      %next = tile.dot %a, %b, %s
      scf.yield %next : tensor<64x64xf32>
    }
    scf.yield %each : tensor<64x64xf32>
  }
  %outp = tile.expr %out + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %outp, %acc
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 40 : i32}) {
  %rows = arith.constant 66 : i32
  %columns = arith.constant 192 : i32 // 64 of three taps
  %results = arith.constant 4096 : i32
  %xs = arith.muli %rows, %n : i32
  %ws = arith.muli %columns, %n : i32
  %x = tile_host.random(%xs) seed 1 -> memref<?xf16>
  %w = tile_host.random(%ws) seed 2 -> memref<?xf16>
  %out = tile_host.alloc(%results) -> memref<?xf32>
  %want = tile_host.alloc(%results) -> memref<?xf64>
  tile_host.launch @taps(%x, %w, %out, %n)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  %all = arith.muli %end, %c3 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      // Rows of x follow each other: three of them are one of 3 n numbers.
      %row = arith.muli %i, %end : index
      %sum = scf.for %k = %c0 to %all step %c1 iter_args(%s = %zero) -> f64 {
        %at_x = arith.addi %row, %k : index
        %line = arith.muli %k, %c64 : index
        %at_w = arith.addi %line, %j : index
        %a = memref.load %x[%at_x] : memref<?xf16>
        %b = memref.load %w[%at_w] : memref<?xf16>
        %af = arith.extf %a : f16 to f64
        %bf = arith.extf %b : f16 to f64
        %ab = arith.mulf %af, %bf : f64
        %t = arith.addf %s, %ab : f64
        scf.yield %t : f64
      }
      %first = arith.muli %i, %c64 : index
      %at = arith.addi %first, %j : index
      memref.store %sum, %want[%at] : memref<?xf64>
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  return
}
