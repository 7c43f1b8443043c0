// Loads that run ahead of a loop's writes (tile-pipeline) see what they would have seen in their places:
// where two arrays lie apart, where they are one, and where a step reads what the one before has
// written, which is asked as the kernel runs.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=8 | FileCheck %s %}
// RUN: tile-run %s --kernel add_one --emit=layouts --arch=sm_90a | FileCheck %s --check-prefix=AHEAD
// CHECK: largest error 0, relative 0, in 3 comparisons
// AHEAD: %[[APART:.*]] = arith.ori
// AHEAD: %[[NOT:.*]] = arith.xori %[[APART]], %true
// AHEAD: scf.for
// AHEAD: tile_gpu.async_copy
// AHEAD: scf.if %[[NOT]]
// AHEAD: tile_gpu.buffer_load

!index = tensor<1024xi32>
!ptrs = tensor<1024x!tile.ptr<f32>>
!tile = tensor<1024xf32>

// y[shift + i] = x[i] + 1, of 1024 elements a step.
tile.func @add_one(%x: !tile.ptr<f32>, %start: !tile.ptr<f32>, %shift: i32, %n: i32) {
  tile.grid() {
    %c1 = arith.constant 1 : i32
    tile.yield %c1 : i32
  }
  %y = tile.addptr %start, %shift : !tile.ptr<f32>, i32
  %i = tile.arange : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs
  %one = arith.constant dense<1.0> : !tile
  %ends = tile.splat %n : i32 -> !index
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  scf.for %k = %c0 to %n step %c1024 : i32 {
    %ks = tile.splat %k : i32 -> !index
    %o = arith.addi %ks, %i : !index
    %m = arith.cmpi slt, %o, %ends : !index
    %p = tile.addptr %xs, %o : !ptrs, !index
    %q = tile.addptr %ys, %o : !ptrs, !index
    %t = tile.load %p, %m : !ptrs
    %s = arith.addf %t, %one : !tile
    tile.store %q, %s, %m : !ptrs
  }
  tile.return
}

func.func private @fill(%x: memref<9000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 9000 : index
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %x[%i] : memref<9000xf32>
  }
  return
}

// Element by element, in their order.
func.func private @reference(%x: memref<9000xf32>, %y: memref<9000xf32>, %shift: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<9000xf32>
    %w = arith.addf %v, %one : f32
    %to = arith.addi %i, %shift : index
    memref.store %w, %y[%to] : memref<9000xf32>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %count = arith.constant 7777 : index
  %none = arith.constant 0 : i32
  %step = arith.constant 1024 : i32
  %n = arith.constant 7777 : i32
  %x = tile_host.alloc() : () -> memref<9000xf32>
  %y = tile_host.alloc() : () -> memref<9000xf32>
  %want = tile_host.alloc() : () -> memref<9000xf32>

  // Two arrays.
  func.call @fill(%x) : (memref<9000xf32>) -> ()
  func.call @fill(%y) : (memref<9000xf32>) -> ()
  func.call @fill(%want) : (memref<9000xf32>) -> ()
  func.call @reference(%x, %want, %c0, %count) : (memref<9000xf32>, memref<9000xf32>, index, index) -> ()
  tile_host.launch @add_one(%x, %y, %none, %n) : memref<9000xf32>, memref<9000xf32>, i32, i32
  tile_host.expect_close %y, %want : memref<9000xf32>, memref<9000xf32>

  // One, in place.
  func.call @fill(%x) : (memref<9000xf32>) -> ()
  tile_host.launch @add_one(%x, %x, %none, %n) : memref<9000xf32>, memref<9000xf32>, i32, i32
  tile_host.expect_close %x, %want : memref<9000xf32>, memref<9000xf32>

  // One, which each step writes a step further on.
  func.call @fill(%x) : (memref<9000xf32>) -> ()
  func.call @fill(%want) : (memref<9000xf32>) -> ()
  func.call @reference(%want, %want, %c1024, %count) : (memref<9000xf32>, memref<9000xf32>, index, index) -> ()
  tile_host.launch @add_one(%x, %x, %step, %n) : memref<9000xf32>, memref<9000xf32>, i32, i32
  tile_host.expect_close %x, %want : memref<9000xf32>, memref<9000xf32>
  return
}
