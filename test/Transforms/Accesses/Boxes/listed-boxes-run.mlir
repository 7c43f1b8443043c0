// Boxes whose positions a loop reads from a list in each step, by itself (@walked) or as distances that it carries (@carried,
// whose list ends in a distance that nobody goes), read what pointers do: on the CPU, where addresses are taken modulo 2^64 as
// well. Each row of the result is the sum of the rows of its program's three blocks, each multiplied by its product with the
// row's own.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-instantiate,inline,symbol-dce,tile-specialize{facts=0/16,1/16},tile.func(tile-expand-ops,canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=BOXES --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// CHECK: largest error {{.*}}, relative {{(.*e-0[4-9]|.*e-1[0-9]|0\.000[0-9]*|0)}}, in 2 comparisons

// BOXES: tile.func @walked
// BOXES: scf.for
// BOXES: tile.load %{{.*}} : !tile.ptr<i32>
// BOXES: tile.desc_load %{{.*}}[%c67108864_i32
// BOXES-NOT: tile.load
// BOXES: tile.return
tile.func @walked(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %list: !tile.ptr<i32>) {
  tile.grid = 2
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(program_id(x) * 128 + arange(128))
  %pq = tile.expr %x + (%row * 128 + row(arange(128)))
  %q = tile.load %pq
  %mine = tile.expr %list + program_id(x) * 4
  %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> tensor<128x128xf32> : i32 {
    %at = tile.expr %mine + %j
    %block = tile.load %at : !tile.ptr<i32>
    %pk = tile.expr %x + (col(%block * 64 + arange(64)) * 128 + row(arange(128)))
    %k = tile.load %pk
    %kt = tile.trans %k order [1, 0]
    %p = tile.dot %q, %kt, %none
    %h = tile.expr f16(%p * 0.03125)
    %d = tile.dot %h, %k, %acc
    scf.yield %d : tensor<128x128xf32>
  }
  %result = tile.expr f16(%sum)
  %po = tile.expr %y + (%row * 128 + row(arange(128)))
  tile.store %po, %result
  tile.return
}

// BOXES: tile.func @carried
// BOXES: scf.for
// BOXES: tile.desc_load %{{.*}}[%c67108864_i32
// BOXES: tile.load %{{.*}} : !tile.ptr<i32>
// BOXES: tile.return
tile.func @carried(%x: !tile.ptr<f16>, %y: !tile.ptr<f16>, %list: !tile.ptr<i32>) {
  tile.grid = 2
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %row = tile.expr col(program_id(x) * 128 + arange(128))
  %pq = tile.expr %x + (%row * 128 + row(arange(128)))
  %q = tile.load %pq
  %mine = tile.expr %list + program_id(x) * 4
  %block = tile.load %mine : !tile.ptr<i32>
  %begin = tile.expr %block * 64
  %sum:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%acc = %zero, %first = %begin) -> (tensor<128x128xf32>, i32) : i32 {
    %pk = tile.expr %x + (col(%first + arange(64)) * 128 + row(arange(128)))
    %k = tile.load %pk
    %kt = tile.trans %k order [1, 0]
    %p = tile.dot %q, %kt, %none
    %h = tile.expr f16(%p * 0.03125)
    %d = tile.dot %h, %k, %acc
    %at = tile.expr %mine + %j
    %behind = tile.expr %at + 1
    %here = tile.load %at : !tile.ptr<i32>
    %there = tile.load %behind : !tile.ptr<i32>
    %next = tile.expr %first + (%there - %here) * 64
    scf.yield %d, %next : tensor<128x128xf32>, i32
  }
  %result = tile.expr f16(%sum#0)
  %po = tile.expr %y + (%row * 128 + row(arange(128)))
  tile.store %po, %result
  tile.return
}

func.func @main() {
  %count = arith.constant 49152 : i32 // 384 rows of 128: six blocks
  %most = arith.constant 32768 : i32  // 256 of them
  %eight = arith.constant 8 : i32
  %x = tile_host.random(%count) seed 1 -> memref<?xf16>
  %y = tile_host.alloc(%most) -> memref<?xf16>
  %z = tile_host.alloc(%most) -> memref<?xf16>
  %want = tile_host.alloc(%most) -> memref<?xf64>
  %list = tile_host.alloc(%eight) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %width = arith.constant 128 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f64
  %scale = arith.constant 0.03125 : f64
  %b0 = arith.constant 0 : i32
  %b1 = arith.constant 1 : i32
  %b2 = arith.constant 2 : i32
  %b4 = arith.constant 4 : i32
  %b5 = arith.constant 5 : i32
  %nowhere = arith.constant -7000 : i32
  memref.store %b5, %list[%c0] : memref<?xi32>
  memref.store %b0, %list[%c1] : memref<?xi32>
  memref.store %b2, %list[%c2] : memref<?xi32>
  memref.store %nowhere, %list[%c3] : memref<?xi32>
  memref.store %b1, %list[%c4] : memref<?xi32>
  memref.store %b4, %list[%c5] : memref<?xi32>
  memref.store %b4, %list[%c6] : memref<?xi32>
  memref.store %nowhere, %list[%c7] : memref<?xi32>
  tile_host.launch @walked(%x, %y, %list)
  tile_host.launch @carried(%x, %z, %list)
  scf.for %i = %c0 to %c256 step %c1 {
    %at_i = arith.muli %i, %width : index
    %program = arith.divui %i, %c128 : index
    %mine = arith.muli %program, %c4 : index
    scf.for %l = %c0 to %c3 step %c1 {
      %at_l = arith.addi %mine, %l : index
      %block = memref.load %list[%at_l] : memref<?xi32>
      %number = arith.index_cast %block : i32 to index
      %begin = arith.muli %number, %c64 : index
      %end = arith.addi %begin, %c64 : index
      scf.for %j = %begin to %end step %c1 {
        %at_j = arith.muli %j, %width : index
        %dot = scf.for %e = %c0 to %width step %c1 iter_args(%t = %zero) -> f64 {
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
        scf.for %e = %c0 to %width step %c1 {
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
  tile_host.expect_close %z, %want {atol = 2.0e-3, rtol = 4.0e-3} : memref<?xf16>, memref<?xf64>
  return
}
