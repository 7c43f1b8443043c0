// Products whose author loads a step's tiles in front of the dot of the step before: with the last step behind the loop, and with masks that the counter decides.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-expand-ops,canonicalize,cse,tile-load-in-step,tile-count-offsets,canonicalize,cse))' -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: tile-run %t.mlir --target=cpu --repeat 1 --args 96 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %t.mlir --target=cpu --repeat 1 --args 32 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %t.mlir --target=cpu --repeat 1 --args 20 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --target=cpu --repeat 1 --args 100 | FileCheck %s --check-prefix=RIGHT
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 100 | FileCheck %s --check-prefix=RIGHT %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 20 | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: largest error {{.*}}, in 3 comparisons

// The loop takes the last step, too.
// CHECK-LABEL: tile.func @ends
// CHECK-SAME: %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[K:[^ :]*]]: i32
// CHECK-NOT: tile.load
// CHECK: %[[STEPS:.*]] = arith.maxsi %{{.*}}, %c1_i32 : i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[STEPS]] step %c1_i32 iter_args({{.*}}%[[LEFT:[^ ]*]] = %[[K]]
// CHECK-NOT: tensor<32x64xf16>,
// CHECK-COUNT-2: tile.load
// CHECK: tile.dot
// CHECK: scf.yield
// CHECK-NOT: tile.dot
// CHECK: tile.return
tile.func @ends(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %out: !tile.ptr<f32>, %k: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %down = arith.constant dense<2048> : tensor<32x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %xp0 = tile.expr %x + (col(arange(64)) * %k + row(arange(32)))
  %wp0 = tile.expr %w + (col(arange(32)) * 64 + row(arange(64)))
  %xin0 = tile.expr row(arange(32)) < %k + col(arange(64)) * 0
  %win0 = tile.expr col(arange(32)) < %k + row(arange(64)) * 0
  %a0 = tile.load %xp0, %xin0
  %b0 = tile.load %wp0, %win0
  %xp1 = tile.addptr %xp0, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %wp1 = tile.addptr %wp0, %down : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
  %left1 = arith.subi %k, %c32 : i32
  %up = arith.addi %k, %c31 : i32
  %steps = arith.divsi %up, %c32 : i32
  %most = arith.subi %steps, %c1 : i32
  %r:6 = scf.for %i = %c0 to %most step %c1 iter_args(%xp = %xp1, %wp = %wp1, %s = %zero, %left = %left1, %a = %a0, %b = %b0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<64x64xf32>, i32, tensor<64x32xf16>, tensor<32x64xf16>) : i32 {
    %xin = tile.expr row(arange(32)) < %left + col(arange(64)) * 0
    %win = tile.expr col(arange(32)) < %left + row(arange(64)) * 0
    %an = tile.load %xp, %xin
    %bn = tile.load %wp, %win
    %d = tile.dot %a, %b, %s
    %xp2 = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %wp2 = tile.addptr %wp, %down : tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>
    %left2 = arith.subi %left, %c32 : i32
    scf.yield %xp2, %wp2, %d, %left2, %an, %bn : tensor<64x32x!tile.ptr<f16>>, tensor<32x64x!tile.ptr<f16>>, tensor<64x64xf32>, i32, tensor<64x32xf16>, tensor<32x64xf16>
  }
  %sum = tile.dot %r#4, %r#5, %r#2
  %outp = tile.expr %out + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %outp, %sum
  tile.return
}

// All steps are in the loop, and the last of what it loads is nobody's: the mask is that of the next step.
// CHECK-LABEL: tile.func @counts
// CHECK-NOT: tile.load
// CHECK: scf.for %[[I:.*]] = %c0_i32 to
// CHECK: %[[GONE:.*]] = arith.muli %[[I]], %c32_i32 : i32
// CHECK: arith.subi %{{.*}}, %[[GONE]] : i32
// CHECK: tile.load
// CHECK: tile.dot
// CHECK: scf.yield
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @counts(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %out: !tile.ptr<f32>, %k: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %xp0 = tile.expr %x + (col(arange(64)) * %k + row(arange(32)))
  %xin0 = tile.expr row(arange(32)) < %k + col(arange(64)) * 0
  %a0 = tile.load %xp0, %xin0
  %xp1 = tile.addptr %xp0, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %up = arith.addi %k, %c31 : i32
  %steps = arith.divsi %up, %c32 : i32
  %r:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%xp = %xp1, %s = %zero, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %behind = arith.addi %i, %c1 : i32
    %gone = arith.muli %behind, %c32 : i32
    %left = arith.subi %k, %gone : i32
    %xin = tile.expr row(arange(32)) < %left + col(arange(64)) * 0
    %an = tile.load %xp, %xin
    %wp = tile.expr %w + (col(%i * 32 + arange(32)) * 64 + row(arange(64)))
    %win = tile.expr col(%i * 32 + arange(32)) < %k + row(arange(64)) * 0
    %b = tile.load %wp, %win
    %d = tile.dot %a, %b, %s
    %xp2 = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    scf.yield %xp2, %d, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>
  }
  %outp = tile.expr %out + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %outp, %r#1
  tile.return
}

// What is behind the loop is no step of it: the sums of the last tile are scaled.
// CHECK-LABEL: tile.func @differs
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.dot
// CHECK: scf.yield
// CHECK: %[[LAST:.*]] = tile.load
// CHECK: arith.addf %[[LAST]], %[[LAST]]
// CHECK: tile.dot
tile.func @differs(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %out: !tile.ptr<f32>, %k: i32) {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %xp0 = tile.expr %x + (col(arange(64)) * %k + row(arange(32)))
  %wp0 = tile.expr %w + (col(arange(32)) * 64 + row(arange(64)))
  %xin0 = tile.expr row(arange(32)) < %k + col(arange(64)) * 0
  %win0 = tile.expr col(arange(32)) < %k + row(arange(64)) * 0
  %b = tile.load %wp0, %win0
  %a0 = tile.load %xp0, %xin0
  %xp1 = tile.addptr %xp0, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %left1 = arith.subi %k, %c32 : i32
  %up = arith.addi %k, %c31 : i32
  %steps = arith.divsi %up, %c32 : i32
  %most = arith.subi %steps, %c1 : i32
  %r:4 = scf.for %i = %c0 to %most step %c1 iter_args(%xp = %xp1, %s = %zero, %left = %left1, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, i32, tensor<64x32xf16>) : i32 {
    %xin = tile.expr row(arange(32)) < %left + col(arange(64)) * 0
    %an = tile.load %xp, %xin
    %d = tile.dot %a, %b, %s
    %xp2 = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %left2 = arith.subi %left, %c32 : i32
    scf.yield %xp2, %d, %left2, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, i32, tensor<64x32xf16>
  }
  %twice = arith.addf %r#3, %r#3 : tensor<64x32xf16>
  %sum = tile.dot %twice, %b, %r#1
  %outp = tile.expr %out + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %outp, %sum
  tile.return
}

// Pointers that are moved on in front of the load are read as the step begins.
// CHECK-LABEL: tile.func private @moved
// CHECK-NOT: tile.load
// CHECK: scf.for %{{.*}} iter_args(%[[AT:[^ ]*]] = %{{[^,]*}}, %{{.*}}) -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>)
// CHECK: %[[A:.*]] = tile.load %[[AT]]
// CHECK: tile.dot %[[A]]
// CHECK: tile.return
tile.func private @moved(%xp0: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a0 = tile.load %xp0 : tensor<64x32x!tile.ptr<f16>>
  %r:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%xp = %xp0, %s = %zero, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %next = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %an = tile.load %next : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next, %d, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>
  }
  tile.store %to, %r#1 : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

func.func @main(%k: i32 {tile_host.default = 96 : i32}) {
  %rows = arith.constant 64 : i32
  %results = arith.constant 4096 : i32
  %xs = arith.muli %rows, %k : i32
  %few = arith.constant 32 : i32
  %most = arith.maxsi %k, %few : i32
  %ws = arith.muli %rows, %most : i32
  %x = tile_host.random(%xs) seed 1 -> memref<?xf16>
  %w = tile_host.random(%ws) seed 2 -> memref<?xf16>
  %out = tile_host.alloc(%results) -> memref<?xf32>
  %again = tile_host.alloc(%results) -> memref<?xf32>
  %scaled = tile_host.alloc(%results) -> memref<?xf32>
  %want = tile_host.alloc(%results) -> memref<?xf64>
  %want_scaled = tile_host.alloc(%results) -> memref<?xf64>
  tile_host.launch @ends(%x, %w, %out, %k)
  tile_host.launch @counts(%x, %w, %again, %k)
  tile_host.launch @differs(%x, %w, %scaled, %k)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %end = arith.index_cast %k : i32 to index
  %before = arith.subi %end, %c1 : index
  %steps = arith.divui %before, %c32 : index
  %last = arith.muli %steps, %c32 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %row = arith.muli %i, %end : index
      %sum, %other = scf.for %n = %c0 to %end step %c1 iter_args(%s = %zero, %t = %zero) -> (f64, f64) {
        %at_x = arith.addi %row, %n : index
        %line = arith.muli %n, %c64 : index
        %at_w = arith.addi %line, %j : index
        %within = arith.remui %n, %c32 : index
        %first_line = arith.muli %within, %c64 : index
        %at_first = arith.addi %first_line, %j : index
        %a = memref.load %x[%at_x] : memref<?xf16>
        %b = memref.load %w[%at_w] : memref<?xf16>
        %f = memref.load %w[%at_first] : memref<?xf16>
        %af = arith.extf %a : f16 to f64
        %bf = arith.extf %b : f16 to f64
        %ff = arith.extf %f : f16 to f64
        %ab = arith.mulf %af, %bf : f64
        %next = arith.addf %s, %ab : f64
        %is_last = arith.cmpi sge, %n, %last : index
        %scale = arith.select %is_last, %two, %one : f64
        %af2 = arith.mulf %af, %ff : f64
        %scaled_by = arith.mulf %af2, %scale : f64
        %more = arith.addf %t, %scaled_by : f64
        scf.yield %next, %more : f64, f64
      }
      %first = arith.muli %i, %c64 : index
      %at = arith.addi %first, %j : index
      memref.store %sum, %want[%at] : memref<?xf64>
      memref.store %other, %want_scaled[%at] : memref<?xf64>
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  tile_host.expect_close %again, %want {atol = 1.0e-3, rtol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  tile_host.expect_close %scaled, %want_scaled {atol = 1.0e-3, rtol = 1.0e-3} : memref<?xf32>, memref<?xf64>
  return
}
