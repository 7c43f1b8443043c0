// Running counts of truths, both ways, of rows that begin anywhere, so that a thread has single elements, and pairs of 16 bits: against loops
// on the host.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s %}
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// CHECK: largest error 0, {{.*}}in 4 comparisons

tile.func @words(%x: !tile.ptr<i32>, %first: i32, %up: !tile.ptr<i32>, %down: !tile.ptr<i64>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<1024xi32>
  %x1 = tile.addptr %x, %first : !tile.ptr<i32>, i32
  %xs = tile.splat %x1 : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<i32>>
  %zero = arith.constant dense<0> : tensor<1024xi32>
  %t = arith.cmpi sgt, %v, %zero : tensor<1024xi32>
  %w = arith.extui %t : tensor<1024xi1> to tensor<1024xi32>
  %s = tile.scan add %w axis 0 : tensor<1024xi32> -> tensor<1024xi32>
  %up1 = tile.addptr %up, %first : !tile.ptr<i32>, i32
  %ups = tile.splat %up1 : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %upp = tile.addptr %ups, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %upp, %s : tensor<1024x!tile.ptr<i32>>
  %l = arith.extui %t : tensor<1024xi1> to tensor<1024xi64>
  %b = tile.scan add %l axis 0 {reverse} : tensor<1024xi64> -> tensor<1024xi64>
  %down1 = tile.addptr %down, %first : !tile.ptr<i64>, i32
  %downs = tile.splat %down1 : !tile.ptr<i64> -> tensor<1024x!tile.ptr<i64>>
  %downp = tile.addptr %downs, %i : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  tile.store %downp, %b : tensor<1024x!tile.ptr<i64>>
  tile.return
}

tile.func @halves(%x: !tile.ptr<i16>, %first: i32, %up: !tile.ptr<i32>, %down: !tile.ptr<i64>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %i = tile.arange : tensor<1024xi32>
  %x1 = tile.addptr %x, %first : !tile.ptr<i16>, i32
  %xs = tile.splat %x1 : !tile.ptr<i16> -> tensor<1024x!tile.ptr<i16>>
  %xp = tile.addptr %xs, %i : tensor<1024x!tile.ptr<i16>>, tensor<1024xi32>
  %v = tile.load %xp : tensor<1024x!tile.ptr<i16>>
  %zero = arith.constant dense<0> : tensor<1024xi16>
  %t = arith.cmpi sgt, %v, %zero : tensor<1024xi16>
  %w = arith.extui %t : tensor<1024xi1> to tensor<1024xi32>
  %s = tile.scan add %w axis 0 : tensor<1024xi32> -> tensor<1024xi32>
  %up1 = tile.addptr %up, %first : !tile.ptr<i32>, i32
  %ups = tile.splat %up1 : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %upp = tile.addptr %ups, %i : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %upp, %s : tensor<1024x!tile.ptr<i32>>
  %l = arith.extui %t : tensor<1024xi1> to tensor<1024xi64>
  %b = tile.scan add %l axis 0 {reverse} : tensor<1024xi64> -> tensor<1024xi64>
  %down1 = tile.addptr %down, %first : !tile.ptr<i64>, i32
  %downs = tile.splat %down1 : !tile.ptr<i64> -> tensor<1024x!tile.ptr<i64>>
  %downp = tile.addptr %downs, %i : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  tile.store %downp, %b : tensor<1024x!tile.ptr<i64>>
  tile.return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %first = arith.constant 3 : i32
  %n = arith.constant 1027 : index
  %words = tile_host.random(%n) seed 5 : (index) -> memref<?xi32>
  %up_words = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %down_words = tile_host.alloc(%n) : (index) -> memref<?xi64>
  %want_up_words = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %want_down_words = tile_host.alloc(%n) : (index) -> memref<?xi64>
  tile_host.launch @words(%words, %first, %up_words, %down_words) : memref<?xi32>, i32, memref<?xi32>, memref<?xi64>
  %none_words = arith.constant 0 : i32
  %zero_words = arith.constant 0 : i32
  %zeros_words = arith.constant 0 : i64
  scf.for %i = %c3 to %n step %c1 iter_args(%sum = %zero_words) -> i32 {
    %v = memref.load %words[%i] : memref<?xi32>
    %t = arith.cmpi sgt, %v, %none_words : i32
    %w = arith.extui %t : i1 to i32
    %next = arith.addi %sum, %w : i32
    memref.store %next, %want_up_words[%i] : memref<?xi32>
    scf.yield %next : i32
  }
  scf.for %k = %c3 to %n step %c1 iter_args(%sum = %zeros_words) -> i64 {
    %end = arith.addi %n, %c2 : index
    %i = arith.subi %end, %k : index
    %v = memref.load %words[%i] : memref<?xi32>
    %t = arith.cmpi sgt, %v, %none_words : i32
    %w = arith.extui %t : i1 to i64
    %next = arith.addi %sum, %w : i64
    memref.store %next, %want_down_words[%i] : memref<?xi64>
    scf.yield %next : i64
  }
  tile_host.expect_close %up_words, %want_up_words : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %down_words, %want_down_words : memref<?xi64>, memref<?xi64>
  %halves = tile_host.random(%n) seed 5 : (index) -> memref<?xi16>
  %up_halves = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %down_halves = tile_host.alloc(%n) : (index) -> memref<?xi64>
  %want_up_halves = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %want_down_halves = tile_host.alloc(%n) : (index) -> memref<?xi64>
  tile_host.launch @halves(%halves, %first, %up_halves, %down_halves) : memref<?xi16>, i32, memref<?xi32>, memref<?xi64>
  %none_halves = arith.constant 0 : i16
  %zero_halves = arith.constant 0 : i32
  %zeros_halves = arith.constant 0 : i64
  scf.for %i = %c3 to %n step %c1 iter_args(%sum = %zero_halves) -> i32 {
    %v = memref.load %halves[%i] : memref<?xi16>
    %t = arith.cmpi sgt, %v, %none_halves : i16
    %w = arith.extui %t : i1 to i32
    %next = arith.addi %sum, %w : i32
    memref.store %next, %want_up_halves[%i] : memref<?xi32>
    scf.yield %next : i32
  }
  scf.for %k = %c3 to %n step %c1 iter_args(%sum = %zeros_halves) -> i64 {
    %end = arith.addi %n, %c2 : index
    %i = arith.subi %end, %k : index
    %v = memref.load %halves[%i] : memref<?xi16>
    %t = arith.cmpi sgt, %v, %none_halves : i16
    %w = arith.extui %t : i1 to i64
    %next = arith.addi %sum, %w : i64
    memref.store %next, %want_down_halves[%i] : memref<?xi64>
    scf.yield %next : i64
  }
  tile_host.expect_close %up_halves, %want_up_halves : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %down_halves, %want_down_halves : memref<?xi64>, memref<?xi64>
  return
}
