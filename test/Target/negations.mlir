// Negated integers beside maxima and minima are complements and one more: of max(max(a, -b), c) ptxas loses the sign of b.
//
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=words -o - | FileCheck %s --check-prefix=WORDS --implicit-check-not=neg.s
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=halves -o - | FileCheck %s --check-prefix=HALVES --implicit-check-not=neg.s
// RUN: tile-run %s --emit=ptx --arch=sm_80 --kernel=words -o - | FileCheck %s --check-prefix=WORDS --implicit-check-not=neg.s
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=alone -o - | FileCheck %s --check-prefix=ALONE
// RUN: tile-run %s --emit=ptx --arch=sm_90a --kernel=given -o - | FileCheck %s --check-prefix=GIVEN
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefix=RUNS
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s --check-prefix=RUNS %}
// RUNS: [-1 -2 -3 -4 -5 -6 -7 -8]
// RUNS: [ -3  -4  -5  -6  -7  -8  -9 -10]

// WORDS-LABEL: .entry words
// WORDS: not.b32 [[N:%r[0-9]+]], %r{{[0-9]+}};
// WORDS-NEXT: add.s32 [[N]], [[N]], 1;
// WORDS: max.s32
tile.func @words(%x: !tile.ptr<i32>, %negative: !tile.ptr<i32>, %most: !tile.ptr<i32>) attributes {tile.num_warps = 1 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.expr col(arange(8)) * 32 + row(arange(32))
  %p = tile.expr %x + %i
  %v = tile.load %p
  %n = tile.expr -%v
  %q = tile.expr %negative + %i
  tile.store %q, %n
  %m = tile.reduce max %n axis 1
  %o = tile.expr %most + arange(8)
  tile.store %o, %m
  tile.return
}

// HALVES-LABEL: .entry halves
// HALVES: not.b16 [[N:%rs[0-9]+]], %rs{{[0-9]+}};
// HALVES-NEXT: add.s16 [[N]], [[N]], 1;
// HALVES: min.s16
tile.func @halves(%x: !tile.ptr<i16>, %negative: !tile.ptr<i16>, %least: !tile.ptr<i16>) attributes {tile.num_warps = 1 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.expr col(arange(8)) * 32 + row(arange(32))
  %p = tile.expr %x + %i
  %v = tile.load %p
  %n = tile.expr -%v
  %q = tile.expr %negative + %i
  tile.store %q, %n
  %m = tile.reduce min %n axis 1
  %o = tile.expr %least + arange(8)
  tile.store %o, %m
  tile.return
}

// Where there are none a negation is one.
// ALONE-LABEL: .entry alone
// ALONE: neg.s32
tile.func @alone(%x: !tile.ptr<i32>) {
  %p = tile.expr %x + arange(128)
  %v = tile.load %p
  %n = tile.expr -%v
  tile.store %p, %n
  tile.return
}

// Under a predicate two instructions would want it twice.
// GIVEN-LABEL: .entry given
// GIVEN: @p neg.s32 %r
// GIVEN: max.s32
tile.func @given(%x: !tile.ptr<i32>) {
  %p = tile.expr %x + arange(128)
  %v = tile.load %p
  %n = tile.inline_ptx "{ .reg .pred p; setp.gt.s32 p, $1, 0; mov.b32 $0, $1; @p neg.s32 $0, $1; }" constraints "=&r,r" pack 1 pure(%v) : (tensor<128xi32>) -> tensor<128xi32>
  %m = arith.maxsi %n, %v : tensor<128xi32>
  tile.store %p, %m
  tile.return
}

// Rows r of r + 1, r + 2, r + 3, r + 1 ..
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %eight = arith.constant 8 : i32
  %all = arith.constant 256 : i32
  %x = tile_host.alloc(%all) : (i32) -> memref<?xi32>
  %h = tile_host.alloc(%all) : (i32) -> memref<?xi16>
  scf.for %i = %c0 to %c256 step %c1 {
    %row = arith.divui %i, %c32 : index
    %column = arith.remui %i, %c32 : index
    %third = arith.remui %column, %c3 : index
    %sum = arith.addi %row, %third : index
    %next = arith.addi %sum, %c1 : index
    %value = arith.index_cast %next : index to i32
    %half = arith.index_cast %next : index to i16
    memref.store %value, %x[%i] : memref<?xi32>
    memref.store %half, %h[%i] : memref<?xi16>
  }
  %negative = tile_host.alloc(%all) : (i32) -> memref<?xi32>
  %most = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  tile_host.launch @words(%x, %negative, %most) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  tile_host.dump %most : memref<?xi32>
  %negative_halves = tile_host.alloc(%all) : (i32) -> memref<?xi16>
  %least = tile_host.alloc(%eight) : (i32) -> memref<?xi16>
  tile_host.launch @halves(%h, %negative_halves, %least) : memref<?xi16>, memref<?xi16>, memref<?xi16>
  tile_host.dump %least : memref<?xi16>
  return
}
