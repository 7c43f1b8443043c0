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
// CHECK: %[[PANELS:.*]] = arith.ceildivsi %[[COLUMNS]], %c16_i64
// CHECK: %[[PANEL_END:.*]] = arith.minsi %c2_i64, %[[PANELS]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[PANEL_END]]
// CHECK: %[[ROW_END:.*]] = arith.minsi %c54_i64, %[[ROWS]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[ROW_END]] step %c6_i64
// CHECK-COUNT-12: vector.fma
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
