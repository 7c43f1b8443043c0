// Boxes of sequences that lie behind one another read and write what pointers do: of lengths of 200, 1 and 130 and of none, on
// the CPU, where addresses are taken modulo 2^64 as well. Each row of the result is the sum of the sequence's rows, each
// multiplied by its product with the row of the result; rows of no sequence stay what they are.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16},tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=BOXES --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// BOXES: tile.func @sequences
// BOXES-NOT: scf.if
// BOXES-COUNT-2: tile.desc_load %{{.*}}[%c67108864_i32
// BOXES: tile.desc_store
// BOXES-NOT: tile.store
// BOXES: tile.return
// CHECK: largest error {{.*}}, relative {{(.*e-0[4-9]|.*e-1[0-9]|0\.000[0-9]*|0)}}, in 1 comparison
tile.func @sequences(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %starts: !tile.ptr<i32>) {
  tile.grid = 2, 4
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %begin_ptr = tile.expr %starts + program_id(y)
  %end_ptr = tile.expr %begin_ptr + 1
  %begin = tile.load %begin_ptr : !tile.ptr<i32>
  %end = tile.load %end_ptr : !tile.ptr<i32>
  %length = tile.expr %end - %begin
  %first = tile.expr program_id(x) * 128
  %runs = tile.expr %first < %length
  scf.if %runs {
    %zero = arith.constant dense<0.0> : tensor<128x32xf32>
    %none = arith.constant dense<0.0> : tensor<128x256xf32>
    %row = tile.expr col(%first + arange(128))
    %there = tile.expr %row < %length
    %pq = tile.expr %x + ((%begin + %row) * 32 + row(arange(32)))
    %q = tile.load %pq, %there
    %sum = scf.for %j = %c0 to %length step %c256 iter_args(%acc = %zero) -> tensor<128x32xf32> : i32 {
      %key = tile.expr col(%j + arange(256))
      %exists = tile.expr %key < %length
      %pk = tile.expr %x + ((%begin + %key) * 32 + row(arange(32)))
      %k = tile.load %pk, %exists
      %kt = tile.trans %k order [1, 0]
      %p = tile.dot %q, %kt, %none
      %h = tile.expr f16(%p * 0.03125)
      %d = tile.dot %h, %k, %acc
      scf.yield %d : tensor<128x32xf32>
    }
    %result = tile.expr f16(%sum)
    %po = tile.expr %y + ((%begin + %row) * 32 + row(arange(32)))
    tile.store %po, %result, %there
  }
  tile.return
}

func.func @main() {
  %count = arith.constant 11200 : i32 // 350 rows of 32, of which 19 are no sequence's
  %five = arith.constant 5 : i32
  %x = tile_host.random(%count) seed 1 -> memref<?xf16>
  %y = tile_host.alloc(%count) -> memref<?xf16>
  %want = tile_host.alloc(%count) -> memref<?xf64>
  %starts = tile_host.alloc(%five) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f64
  %scale = arith.constant 0.03125 : f64
  %s0 = arith.constant 10 : i32
  %s1 = arith.constant 210 : i32
  %s2 = arith.constant 211 : i32
  %s3 = arith.constant 341 : i32
  memref.store %s0, %starts[%c0] : memref<?xi32>
  memref.store %s1, %starts[%c1] : memref<?xi32>
  memref.store %s2, %starts[%c2] : memref<?xi32>
  memref.store %s3, %starts[%c3] : memref<?xi32>
  memref.store %s3, %starts[%c4] : memref<?xi32>
  tile_host.launch @sequences(%x, %y, %starts)
  scf.for %b = %c0 to %c4 step %c1 {
    %next = arith.addi %b, %c1 : index
    %from = memref.load %starts[%b] : memref<?xi32>
    %to = memref.load %starts[%next] : memref<?xi32>
    %begin = arith.index_cast %from : i32 to index
    %end = arith.index_cast %to : i32 to index
    scf.for %i = %begin to %end step %c1 {
      %at_i = arith.muli %i, %c32 : index
      scf.for %j = %begin to %end step %c1 {
        %at_j = arith.muli %j, %c32 : index
        %dot = scf.for %e = %c0 to %c32 step %c1 iter_args(%t = %zero) -> f64 {
          %ai = arith.addi %at_i, %e : index
          %aj = arith.addi %at_j, %e : index
          %xi = memref.load %x[%ai] : memref<?xf16>
          %xj = memref.load %x[%aj] : memref<?xf16>
          %wi = arith.extf %xi : f16 to f64
          %wj = arith.extf %xj : f16 to f64
          %both = arith.mulf %wi, %wj : f64
          %u = arith.addf %t, %both : f64
          scf.yield %u : f64
        }
        %weight = arith.mulf %dot, %scale : f64
        scf.for %e = %c0 to %c32 step %c1 {
          %ai = arith.addi %at_i, %e : index
          %aj = arith.addi %at_j, %e : index
          %xj = memref.load %x[%aj] : memref<?xf16>
          %wj = arith.extf %xj : f16 to f64
          %part = arith.mulf %weight, %wj : f64
          %before = memref.load %want[%ai] : memref<?xf64>
          %after = arith.addf %before, %part : f64
          memref.store %after, %want[%ai] : memref<?xf64>
        }
      }
    }
  }
  tile_host.expect_close %y, %want {atol = 2.0e-3, rtol = 4.0e-3} : memref<?xf16>, memref<?xf64>
  return
}
