// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256 check" | FileCheck %s --check-prefix=CHECKED
// CHECKED: func.func @border(
// CHECKED-NOT: arith.minsi

// Rows below m and columns below n are seen, as the store's mask says: copies of A and B and the loops
// over rows and panels end there.
// CHECK-LABEL: func.func @border(
// CHECK: %[[M:.*]] = llvm.load %{{.*}} -> i32
// CHECK: %[[N:.*]] = llvm.load %{{.*}} -> i32
// CHECK: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[M64]], %{{.*}} : i64
// CHECK: %[[AT_LEAST:.*]] = arith.maxsi %[[LEFT]], %c0_i64
// CHECK: %[[AT_MOST:.*]] = arith.minsi %[[AT_LEAST]], %c64_i64
// CHECK: %[[ROWS:.*]] = arith.select %{{.*}}, %c64_i64, %[[AT_MOST]]
// CHECK: %[[N64:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[COLUMNS:.*]] = arith.select %{{.*}}, %c32_i64, %{{.*}}
// The rows of A, and what a pass of the micro-kernel may read behind them.
// CHECK: %[[A_END:.*]] = arith.addi %[[ROWS]], %c16_i64
// CHECK: %[[A_ROWS:.*]] = arith.minsi %c64_i64, %[[A_END]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[A_ROWS]]
// Four rows at most, or one, are multiplied with B as it lies: by two vectors of columns, or four.
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[ROWS]], %c4_i64
// CHECK: scf.if %[[FEW]]
// CHECK: %[[ONE:.*]] = arith.cmpi sle, %[[ROWS]], %c1_i64
// CHECK: scf.if %[[ONE]]
// CHECK-COUNT-4: vector.fma
// CHECK-NOT: vector.fma
// CHECK: } else {
// CHECK-COUNT-8: vector.fma
// CHECK-NOT: vector.fma
// CHECK: } else {
// CHECK: %[[VECTORS:.*]] = arith.ceildivsi %[[COLUMNS]], %c8_i64
// CHECK: %[[PANELS:.*]] = arith.divsi %[[VECTORS]], %c2_i64
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[PANELS]]
// A last pass of few rows is one of half as many.
// CHECK: %[[BUT_HALF:.*]] = arith.subi %[[ROWS]], %c3_i64
// CHECK: %[[ROW_END:.*]] = arith.minsi %c54_i64, %[[BUT_HALF]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[ROW_END]] step %c6_i64
// CHECK-COUNT-12: vector.fma
// CHECK: scf.for %{{.*}} = %c54_i64 to %{{.*}} step %c5_i64
// CHECK-COUNT-10: vector.fma
// CHECK: scf.if
// CHECK-COUNT-6: vector.fma
// One vector that is left is a pass of its own.
// CHECK: %[[WHOLE:.*]] = arith.muli %[[PANELS]], %c2_i64
// CHECK: %[[REST:.*]] = arith.cmpi slt, %[[WHOLE]], %[[VECTORS]]
// CHECK: scf.if %[[REST]]
// CHECK-COUNT-6: vector.fma
// Nor is what nobody sees stored.
// CHECK: arith.cmpi slt, %c63_i64, %{{.*}}
// CHECK: %[[STORED:.*]] = arith.minsi %c64_i64, %{{.*}}
// CHECK-NEXT: scf.for %{{.*}} = %c0_i64 to %[[STORED]]
tile.func @border(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %m: i32, %n: i32) {
  %rows = tile.arange : tensor<64xi32>
  %columns = tile.arange : tensor<32xi32>
  %row = tile.expand_dims %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %column = tile.expand_dims %columns axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %ms = tile.splat %m : i32 -> tensor<64x1xi32>
  %ns = tile.splat %n : i32 -> tensor<1x32xi32>
  %row_in = arith.cmpi slt, %row, %ms : tensor<64x1xi32>
  %column_in = arith.cmpi slt, %column, %ns : tensor<1x32xi32>
  %row_ins = tile.broadcast %row_in : tensor<64x1xi1> -> tensor<64x32xi1>
  %column_ins = tile.broadcast %column_in : tensor<1x32xi1> -> tensor<64x32xi1>
  %in = arith.andi %row_ins, %column_ins : tensor<64x32xi1>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<64x8x!tile.ptr<f32>>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<8x32x!tile.ptr<f32>>
  %av = tile.load %as : tensor<64x8x!tile.ptr<f32>>
  %bv = tile.load %bs : tensor<8x32x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %v = tile.dot %av, %bv, %zero : tensor<64x8xf32>, tensor<8x32xf32> -> tensor<64x32xf32>
  %w = arith.addf %v, %v : tensor<64x32xf32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  tile.store %cs, %w, %in : tensor<64x32x!tile.ptr<f32>>
  tile.return
}

// Somebody sums all rows: all are computed.
// CHECK-LABEL: func.func @summed(
// CHECK-NOT: arith.minsi
// CHECK: vector.fma
tile.func @summed(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %m: i32) {
  %rows = tile.arange : tensor<32xi32>
  %row = tile.expand_dims %rows axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<32x1xi32>
  %row_in = arith.cmpi slt, %row, %ms : tensor<32x1xi32>
  %in = tile.broadcast %row_in : tensor<32x1xi1> -> tensor<32x32xi1>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %av = tile.load %as : tensor<32x32x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %v = tile.dot %av, %av, %zero : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %sum = tile.reduce add %v axis 0 : tensor<32x32xf32> -> tensor<32xf32>
  %back = tile.expand_dims %sum axis 0 : tensor<32xf32> -> tensor<1x32xf32>
  %all = tile.broadcast %back : tensor<1x32xf32> -> tensor<32x32xf32>
  %w = arith.addf %v, %all : tensor<32x32xf32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  tile.store %cs, %w, %in : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

// A mask that is no border (every second row), and one with the rows of another order.
// CHECK-LABEL: func.func @no_border(
// CHECK-NOT: arith.minsi
// CHECK: vector.fma
tile.func @no_border(%a: !tile.ptr<f32>, %c: !tile.ptr<f32>, %m: i32) {
  %rows = tile.arange : tensor<32xi32>
  %two = arith.constant dense<2> : tensor<32xi32>
  %doubled = arith.muli %rows, %two : tensor<32xi32>
  %row = tile.expand_dims %doubled axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ms = tile.splat %m : i32 -> tensor<32x1xi32>
  %row_in = arith.cmpi slt, %row, %ms : tensor<32x1xi32>
  %in = tile.broadcast %row_in : tensor<32x1xi1> -> tensor<32x32xi1>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %av = tile.load %as : tensor<32x32x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %v = tile.dot %av, %av, %zero : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  tile.store %cs, %v, %in : tensor<32x32x!tile.ptr<f32>>
  tile.return
}

// The mask is computed behind the loop, from what is known before it.
// CHECK-LABEL: func.func @behind(
// CHECK: %[[LESS:.*]] = arith.subi %{{.*}}, %c3_i64
// CHECK: arith.minsi %c{{[0-9]+}}_i64, %[[LESS]]
tile.func @behind(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %m: i32, %k: i32) {
  %from = arith.constant 0 : i32
  %by = arith.constant 1 : i32
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<64x8x!tile.ptr<f32>>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<8x32x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %i = %from to %k step %by iter_args(%before = %zero) -> (tensor<64x32xf32>) : i32 {
    %av = tile.load %as : tensor<64x8x!tile.ptr<f32>>
    %bv = tile.load %bs : tensor<8x32x!tile.ptr<f32>>
    %after = tile.dot %av, %bv, %before : tensor<64x8xf32>, tensor<8x32xf32> -> tensor<64x32xf32>
    scf.yield %after : tensor<64x32xf32>
  }
  %row = tile.expr col(arange(64))
  %in = tile.expr %row < %m
  %ins = tile.broadcast %in : tensor<64x1xi1> -> tensor<64x32xi1>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  tile.store %cs, %sum, %ins : tensor<64x32x!tile.ptr<f32>>
  tile.return
}
