// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops,canonicalize,cse,tile-count-offsets,canonicalize,cse))' | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops,canonicalize,cse,tile-count-offsets,canonicalize,cse))' -o %t.mlir
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %t.mlir --target=cpu --repeat 1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: largest error 0, relative 0, in 3 comparisons

// From 3 on by 2, 6 in each step: 3 times as far as the counter has come.
// CHECK-LABEL: tile.func @carried
// CHECK-SAME: %{{[^,]*}}, %{{[^,]*}}, %[[LOWER:[^ :]*]]: i32
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: %[[FIRST:.*]] = tile.arange : tensor<64xi32>
// CHECK: scf.for %[[I:.*]] = %[[LOWER]] to %{{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (tensor<64xf32>)
// CHECK: %[[STEPS:.*]] = arith.subi %[[I]], %[[LOWER]] : i32
// CHECK: %[[FAR:.*]] = arith.muli %[[STEPS]], %[[THREE]] : i32
// CHECK: %[[FARS:.*]] = tile.splat %[[FAR]] : i32 -> tensor<64xi32>
// CHECK: %[[K:.*]] = arith.addi %[[FIRST]], %[[FARS]] : tensor<64xi32>
// CHECK: arith.cmpi slt, %[[K]]
tile.func @carried(%a: !tile.ptr<f32>, %out: !tile.ptr<f32>, %lower: i32, %upper: i32, %n: i32) {
  tile.grid = 1
  %c2 = arith.constant 2 : i32
  %six = arith.constant dense<6> : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %first = tile.arange : tensor<64xi32>
  %sum, %last = scf.for %i = %lower to %upper step %c2 iter_args(%s = %zero, %k = %first) -> (tensor<64xf32>, tensor<64xi32>) : i32 {
    %in = tile.expr %k < %n
    %p = tile.expr %a + %k
    %x = tile.load %p, %in, %zero
    %t = arith.addf %s, %x : tensor<64xf32>
    %next = arith.addi %k, %six : tensor<64xi32>
    scf.yield %t, %next : tensor<64xf32>, tensor<64xi32>
  }
  %to = tile.expr %out + arange(64)
  tile.store %to, %sum
  tile.return
}

// A number that only the launch knows, of i64, in a loop of ones from 0 on.
// CHECK-LABEL: tile.func private @scalar
// CHECK-SAME: %[[BY:[^ :]*]]: i64
// CHECK: scf.for %[[I:.*]] = %{{[^ ]*}} to %{{[^ ]*}} step %{{[^ ]*}} : i32
// CHECK: %[[STEPS:.*]] = arith.extui %[[I]] : i32 to i64
// CHECK: %[[FAR:.*]] = arith.muli %[[STEPS]], %[[BY]] : i64
// CHECK: %[[FARS:.*]] = tile.splat %[[FAR]] : i64 -> tensor<16xi64>
// CHECK: arith.addi %{{.*}}, %[[FARS]]
tile.func private @scalar(%out: tensor<16x!tile.ptr<i64>>, %first: tensor<16xi64>, %n: i32, %by: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%k = %first) -> (tensor<16xi64>) : i32 {
    tile.store %out, %k : tensor<16x!tile.ptr<i64>>
    %bys = tile.splat %by : i64 -> tensor<16xi64>
    %next = arith.addi %bys, %k : tensor<16xi64>
    scf.yield %next : tensor<16xi64>
  }
  tile.return
}

// What is added is no multiple of the step: the loop carries how far they are, a scalar.
// CHECK-LABEL: tile.func private @broken
// CHECK-SAME: %[[FIRST:[^ :]*]]: tensor<16xi32>
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i32
// CHECK: scf.for %{{.*}} iter_args(%[[FAR:.*]] = %[[NONE]]) -> (i32)
// CHECK: %[[FARS:.*]] = tile.splat %[[FAR]] : i32 -> tensor<16xi32>
// CHECK: %[[K:.*]] = arith.addi %[[FIRST]], %[[FARS]]
// CHECK: tile.store %{{.*}}, %[[K]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[FAR]], %[[SIX]] : i32
// CHECK: scf.yield %[[NEXT]] : i32
tile.func private @broken(%out: tensor<16x!tile.ptr<i32>>, %first: tensor<16xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %by = arith.constant dense<6> : tensor<16xi32>
  %last = scf.for %i = %c0 to %n step %c4 iter_args(%k = %first) -> (tensor<16xi32>) : i32 {
    tile.store %out, %k : tensor<16x!tile.ptr<i32>>
    %next = arith.addi %k, %by : tensor<16xi32>
    scf.yield %next : tensor<16xi32>
  }
  tile.return
}

// As far as a list says, which is read in each step; and what it carries besides stays.
// CHECK-LABEL: tile.func @list
// CHECK: %[[FIRST:.*]] = tile.arange : tensor<64xi32>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM:[^,]*]] = %{{[^,]*}}, %[[FAR:.*]] = %{{.*}}) -> (tensor<64xf32>, i32)
// CHECK: %[[FARS:.*]] = tile.splat %[[FAR]] : i32 -> tensor<64xi32>
// CHECK: arith.addi %[[FIRST]], %[[FARS]] : tensor<64xi32>
// CHECK: %[[BY:.*]] = tile.load %{{[^,]*}} : !tile.ptr<i32>
// CHECK: %[[NEXT:.*]] = arith.addi %[[FAR]], %[[BY]] : i32
// CHECK: scf.yield %{{.*}}, %[[NEXT]] : tensor<64xf32>, i32
tile.func @list(%a: !tile.ptr<f32>, %out: !tile.ptr<f32>, %jumps: !tile.ptr<i32>, %steps: i32, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %first = tile.arange : tensor<64xi32>
  %sum, %last = scf.for %i = %c0 to %steps step %c1 iter_args(%s = %zero, %k = %first) -> (tensor<64xf32>, tensor<64xi32>) : i32 {
    %in = tile.expr %k < %n
    %p = tile.expr %a + %k
    %x = tile.load %p, %in, %zero
    %t = arith.addf %s, %x : tensor<64xf32>
    %jp = tile.expr %jumps + %i
    %by = tile.load %jp
    %bys = tile.splat %by : i32 -> tensor<64xi32>
    %next = arith.addi %k, %bys : tensor<64xi32>
    scf.yield %t, %next : tensor<64xf32>, tensor<64xi32>
  }
  %to = tile.expr %out + arange(64)
  tile.store %to, %sum
  tile.return
}

// Pointers that a step reads and writes by: so far, in 64 bits. Those that one access has stay.
// CHECK-LABEL: tile.func @updated
// CHECK: %[[P0:.*]] = tile.addptr
// CHECK: %[[Q0:.*]] = tile.addptr
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[Q:.*]] = %[[Q0]]) -> (tensor<64x!tile.ptr<f32>>)
// CHECK: %[[STEPS:.*]] = arith.extui %[[I]] : i32 to i64
// CHECK: %[[FAR:.*]] = arith.muli %[[STEPS]], %c64_i64 : i64
// CHECK: %[[FARS:.*]] = tile.splat %[[FAR]] : i64 -> tensor<64xi64>
// CHECK: %[[P:.*]] = tile.addptr %[[P0]], %[[FARS]] : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
// CHECK: tile.load %[[P]]
// CHECK: tile.load %[[Q]]
// CHECK: tile.store %[[P]]
// CHECK: tile.addptr %[[Q]]
tile.func @updated(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<64> : tensor<64xi32>
  %at = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p0 = tile.addptr %xs, %at : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q0 = tile.addptr %ys, %at : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0, %q = %q0) -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>) : i32 {
    %old = tile.load %p : tensor<64x!tile.ptr<f32>>
    %more = tile.load %q : tensor<64x!tile.ptr<f32>>
    %new = arith.addf %old, %more : tensor<64xf32>
    tile.store %p, %new : tensor<64x!tile.ptr<f32>>
    %p1 = tile.addptr %p, %step : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %q1 = tile.addptr %q, %step : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    scf.yield %p1, %q1 : tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>
  }
  tile.return
}

// By a number that only the launch knows, backwards say, and of 32 bits; in steps of two, in which it is no multiple.
// CHECK-LABEL: tile.func private @strided
// CHECK-SAME: %[[FIRST:[^ :]*]]: tensor<64x!tile.ptr<f32>>, %{{[^ :]*}}: i32, %[[BY:[^ :]*]]: i32
// CHECK: scf.for %{{.*}} iter_args(%[[SO_FAR:.*]] = %c0_i64) -> (i64)
// CHECK: %[[SO_FARS:.*]] = tile.splat %[[SO_FAR]] : i64 -> tensor<64xi64>
// CHECK: tile.addptr %[[FIRST]], %[[SO_FARS]]
// CHECK: %[[WIDE:.*]] = arith.extsi %[[BY]] : i32 to i64
// CHECK: arith.addi %[[SO_FAR]], %[[WIDE]] : i64
tile.func private @strided(%first: tensor<64x!tile.ptr<f32>>, %n: i32, %by: i32) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %bys = tile.splat %by : i32 -> tensor<64xi32>
  %last = scf.for %i = %c0 to %n step %c2 iter_args(%p = %first) -> (tensor<64x!tile.ptr<f32>>) : i32 {
    %old = tile.load %p : tensor<64x!tile.ptr<f32>>
    %new = arith.addf %old, %old : tensor<64xf32>
    tile.store %p, %new : tensor<64x!tile.ptr<f32>>
    %next = tile.addptr %p, %bys : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    scf.yield %next : tensor<64x!tile.ptr<f32>>
  }
  tile.return
}

func.func @main() {
  %lower = arith.constant 3 : i32
  %upper = arith.constant 40 : i32
  %n = arith.constant 150 : i32
  %rows = arith.constant 64 : i32
  %a = tile_host.random(%n) seed 1 -> memref<?xf32>
  %out = tile_host.alloc(%rows) -> memref<?xf32>
  %want = tile_host.alloc(%rows) -> memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c19 = arith.constant 19 : index
  %c64 = arith.constant 64 : index
  %c149 = arith.constant 149 : index
  %zero = arith.constant 0.0 : f32
  scf.for %row = %c0 to %c64 step %c1 {
    %sum = scf.for %step = %c0 to %c19 step %c1 iter_args(%s = %zero) -> (f32) {
      %far = arith.muli %step, %c6 : index
      %at = arith.addi %far, %row : index
      %is_in = arith.cmpi sle, %at, %c149 : index
      %place = arith.minsi %at, %c149 : index
      %x = memref.load %a[%place] : memref<?xf32>
      %y = arith.select %is_in, %x, %zero : f32
      %t = arith.addf %s, %y : f32
      scf.yield %t : f32
    }
    memref.store %sum, %want[%row] : memref<?xf32>
  }
  tile_host.launch @carried(%a, %out, %lower, %upper, %n)
  tile_host.expect_close %out, %want {atol = 0.0, rtol = 0.0}

  // The i-th jump is by i + 1 elements: from i (i + 1) / 2 on.
  %steps = arith.constant 19 : i32
  %jumps = tile_host.alloc(%steps) -> memref<?xi32>
  scf.for %step = %c0 to %c19 step %c1 {
    %more = arith.addi %step, %c1 : index
    %by = arith.index_cast %more : index to i32
    memref.store %by, %jumps[%step] : memref<?xi32>
  }
  %c2 = arith.constant 2 : index
  scf.for %row = %c0 to %c64 step %c1 {
    %sum = scf.for %step = %c0 to %c19 step %c1 iter_args(%s = %zero) -> (f32) {
      %more = arith.addi %step, %c1 : index
      %twice = arith.muli %step, %more : index
      %far = arith.divui %twice, %c2 : index
      %at = arith.addi %far, %row : index
      %is_in = arith.cmpi sle, %at, %c149 : index
      %place = arith.minsi %at, %c149 : index
      %x = memref.load %a[%place] : memref<?xf32>
      %y = arith.select %is_in, %x, %zero : f32
      %t = arith.addf %s, %y : f32
      scf.yield %t : f32
    }
    memref.store %sum, %want[%row] : memref<?xf32>
  }
  tile_host.launch @list(%a, %out, %jumps, %steps, %n)
  tile_host.expect_close %out, %want {atol = 0.0, rtol = 0.0}

  // Both steps' numbers are doubled.
  %rounds = arith.constant 2 : i32
  %all = arith.constant 128 : i32
  %c128 = arith.constant 128 : index
  %half = tile_host.alloc(%all) -> memref<?xf32>
  %sums = tile_host.alloc(%all) -> memref<?xf32>
  %twice_sums = tile_host.alloc(%all) -> memref<?xf32>
  scf.for %at = %c0 to %c128 step %c1 {
    %at_32 = arith.index_cast %at : index to i32
    %x = arith.sitofp %at_32 : i32 to f32
    %xx = arith.addf %x, %x : f32
    memref.store %x, %half[%at] : memref<?xf32>
    memref.store %x, %sums[%at] : memref<?xf32>
    memref.store %xx, %twice_sums[%at] : memref<?xf32>
  }
  tile_host.launch @updated(%sums, %half, %rounds)
  tile_host.expect_close %sums, %twice_sums {atol = 0.0, rtol = 0.0}
  return
}
