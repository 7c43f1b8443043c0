// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256 check" | FileCheck %s --check-prefix=CHECKED
// CHECKED-NOT: arith.remsi

// Up to where a row's mask is on there are none: of its terms neither the load's nor those that others are made of.
// CHECK-LABEL: func.func @row_sums(
// CHECK: %[[KNOWN:.*]] = arith.minsi %[[REACH:.*]], %[[ROWS:.*]] : i64
// CHECK: scf.for
// CHECK:   %[[TO:.*]] = arith.maxsi %{{.*}}, %c32_i64
// CHECK:   scf.for %{{.*}} = %c32_i64 to %[[TO]] step %c32_i64
// CHECK-NOT: masked.load
// CHECK-NOT: arith.cmpi
// CHECK:     scf.yield
// CHECK:   scf.for %{{.*}} = %[[TO]] to %{{.*}} step %c32_i64
// CHECK:     llvm.intr.masked.load
tile.func @row_sums(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) {
  %row = tile.expr col(arange(4))
  %column = tile.expr row(arange(1024))
  %row_in = tile.expr %row < %m
  %column_in = tile.expr %column < %n
  %in = tile.expr %row_in and %column_in
  %xs = tile.expr %x + (%row * %n + %column)
  %v = tile.load %xs, %in : tensor<4x1024x!tile.ptr<f32>>
  %none = arith.constant dense<1.0> : tensor<4x1024xf32>
  %ends = tile.broadcast %column_in : tensor<1x1024xi1> -> tensor<4x1024xi1>
  %chosen = arith.select %ends, %v, %none : tensor<4x1024xi1>, tensor<4x1024xf32>
  %sums = tile.reduce add %chosen axis 1 : tensor<4x1024xf32> -> tensor<4xf32>
  %ys = tile.expr %y + arange(4)
  tile.store %ys, %sums : tensor<4x!tile.ptr<f32>>
  tile.return
}

// The same tile ends rows and columns: that all columns of a chunk are in says nothing of the rows, which are counted.
// CHECK-LABEL: func.func @both_ways(
// CHECK: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c1_i64
// CHECK:   scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c8_i64
// CHECK:     llvm.load %{{.*}} -> vector<8xf32>
// CHECK:     %[[ROW_IN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK:     arith.uitofp %[[ROW_IN]] : i1 to f32
tile.func @both_ways(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) {
  %place = tile.arange : tensor<64xi32>
  %end = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %place, %end : tensor<64xi32>
  %row = tile.expand_dims %in axis 1 : tensor<64xi1> -> tensor<64x1xi1>
  %rows = tile.broadcast %row : tensor<64x1xi1> -> tensor<64x64xi1>
  %column = tile.expand_dims %in axis 0 : tensor<64xi1> -> tensor<1x64xi1>
  %columns = tile.broadcast %column : tensor<1x64xi1> -> tensor<64x64xi1>
  %at = tile.expr col(arange(64)) * 64 + row(arange(64))
  %xs = tile.expr %x + %at
  %ys = tile.expr %y + %at
  %v = tile.load %xs, %columns : tensor<64x64x!tile.ptr<f32>>
  %counted = arith.uitofp %rows : tensor<64x64xi1> to tensor<64x64xf32>
  %sum = arith.addf %v, %counted : tensor<64x64xf32>
  tile.store %ys, %sum, %columns : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
