// Dropout with a seed: each element becomes 0 with probability p, and is divided by 1 - p otherwise.
//
//   tile-run dropout.mlir                 98,432 elements
//   tile-run dropout.mlir --args 1000003  any other number
//
// No mask is stored. Whether an element stays follows from a seed and the element's number alone, by tile.rand:
// whoever knows the seed (the way back does) can find out again, and neither the size of a tile nor the order
// of programs matters. The generator is Philox 4x32-10, whose counter is the number of the element.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1009 -D N=128 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000003 -D N=512 | FileCheck %s
// RUN: tile-run %s --check --args 1009
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: : dropout({{.*}}GB/s

!lanes = tensor<?xi32, #tile.dims<[N]>>

tile.func @dropout(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %p: f32, %seed: i64)
    meta {N = 1024} {
  tile.grid = %n ceildiv N
  // A product an element, which is read and written once, 4 bytes each way.
  tile.cost = %n, %n * 8
  %numbers = tile.expr program_id(x) * N + arange(N)
  %in = tile.expr %numbers < %n

  %random = tile.rand %seed, %numbers : i64, !lanes
  %keep = tile.expr %random > %p
  %x_ptrs = tile.expr %x + %numbers
  %values = tile.load %x_ptrs, %in
  %result = tile.expr select(%keep, %values / (1.0 - %p), 0.0)
  %y_ptrs = tile.expr %y + %numbers
  tile.store %y_ptrs, %result, %in
  tile.return
}

// Philox 4x32-10 written as its authors give it: the first word of counter (number, 0, 0, 0) under a key of the seed's
// two halves. (J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3. SC 2011)
func.func private @philox(%number: i32, %seed: i64) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  %bits = arith.constant 32 : i64
  %factor_a = arith.constant 0xD2511F53 : i64
  %factor_b = arith.constant 0xCD9E8D57 : i64
  %raise_0 = arith.constant 0x9E3779B9 : i32
  %raise_1 = arith.constant 0xBB67AE85 : i32
  %key_0 = arith.trunci %seed : i64 to i32
  %seed_high = arith.shrui %seed, %bits : i64
  %key_1 = arith.trunci %seed_high : i64 to i32
  %word:6 = scf.for %round = %c0 to %rounds step %c1
      iter_args(%w0 = %number, %w1 = %zero, %w2 = %zero, %w3 = %zero, %k0 = %key_0, %k1 = %key_1)
      -> (i32, i32, i32, i32, i32, i32) {
    %wide_0 = arith.extui %w0 : i32 to i64
    %wide_2 = arith.extui %w2 : i32 to i64
    %product_a = arith.muli %wide_0, %factor_a : i64
    %product_b = arith.muli %wide_2, %factor_b : i64
    %low_a = arith.trunci %product_a : i64 to i32
    %low_b = arith.trunci %product_b : i64 to i32
    %shifted_a = arith.shrui %product_a, %bits : i64
    %shifted_b = arith.shrui %product_b, %bits : i64
    %high_a = arith.trunci %shifted_a : i64 to i32
    %high_b = arith.trunci %shifted_b : i64 to i32
    %mixed_0 = arith.xori %high_b, %w1 : i32
    %next_0 = arith.xori %mixed_0, %k0 : i32
    %mixed_2 = arith.xori %high_a, %w3 : i32
    %next_2 = arith.xori %mixed_2, %k1 : i32
    %next_k0 = arith.addi %k0, %raise_0 : i32
    %next_k1 = arith.addi %k1, %raise_1 : i32
    scf.yield %next_0, %low_b, %next_2, %low_a, %next_k0, %next_k1 : i32, i32, i32, i32, i32, i32
  }
  return %word#0 : i32
}

func.func @main(%n: i32 {tile_host.default = 98432 : i32}) {
  %p = arith.constant 0.25 : f32
  %seed = arith.constant 123456789012345 : i64
  %x = tile_host.random(%n) seed 1 -> memref<?xf32>
  %y = tile_host.alloc(%n) -> memref<?xf32>
  tile_host.launch @dropout(%x, %y, %n, %p, %seed)

  %want = tile_host.alloc(%n) -> memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  %eight = arith.constant 8 : i32
  %quarter = arith.constant 4194304 : i32
  %zero = arith.constant 0.0 : f32
  %left = arith.constant 0.75 : f32
  scf.for %i = %c0 to %end step %c1 {
    // A random number's 24 upper bits, so a quarter is 2^22.
    %number = arith.index_cast %i : index to i32
    %word = func.call @philox(%number, %seed) : (i32, i64) -> i32
    %upper = arith.shrui %word, %eight : i32
    %keep = arith.cmpi ugt, %upper, %quarter : i32
    %value = memref.load %x[%i] : memref<?xf32>
    %scaled = arith.divf %value, %left : f32
    %result = arith.select %keep, %scaled, %zero : f32
    memref.store %result, %want[%i] : memref<?xf32>
  }
  // Exactly: the same elements stay, and a quotient is rounded once.
  tile_host.expect_close %y, %want
  return
}
