// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256" | FileCheck %s

// Rows of a table are picked by numbers that lie in a buffer, and added: where masks are on and lanes have one quotient, all
// have one row, so that lanes are columns, and lie together. Steps in front of the end of the picks have no masks.
// CHECK-LABEL: func.func @picked(
// The buffer of numbers is not turned round.
// CHECK-NOT: vector.shuffle
// CHECK: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c8_i64
// CHECK:   %[[SOME:.*]] = arith.cmpi sge, %{{.*}}, %c4_i64
// CHECK:   scf.if %[[SOME]] -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:     scf.if %{{.*}} -> (vector<8xf32>) {
// CHECK-NEXT: llvm.load %{{.*}} -> vector<8xf32>
// CHECK:     } else {
// CHECK:       llvm.intr.masked.gather
tile.func @picked(%picks: !tile.ptr<i32>, %table: !tile.ptr<f32>, %out: !tile.ptr<f32>, %m: i32, %n: i32) {
  %at = tile.expr program_id(x) * 64 + col(arange(64))
  %pick = tile.expr row(arange(32))
  %at_in = tile.expr %at < %m
  %pick_in = tile.expr %pick < %n
  %in = tile.expr %at_in and %pick_in
  %sixty_four = arith.constant dense<64> : tensor<64x1xi32>
  %bag = arith.divsi %at, %sixty_four : tensor<64x1xi32>
  %column = arith.remsi %at, %sixty_four : tensor<64x1xi32>
  %ps = tile.expr %picks + (%bag * %n + %pick)
  %none = arith.constant dense<0> : tensor<64x32xi32>
  %number = tile.load %ps, %in, %none : tensor<64x32x!tile.ptr<i32>>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %limit = arith.constant dense<5000> : tensor<64x32xi32>
  %fits = arith.cmpi slt, %number, %limit : tensor<64x32xi32>
  tile.assert %fits, "a row of the table" : tensor<64x32xi1>
  %ts = tile.expr %table + (%number * 64 + %column)
  %v = tile.load %ts, %in, %zeros : tensor<64x32x!tile.ptr<f32>>
  %sums = tile.reduce add %v axis 1 : tensor<64x32xf32> -> tensor<64xf32>
  %os = tile.expr %out + (program_id(x) * 64 + arange(64))
  tile.store %os, %sums : tensor<64x!tile.ptr<f32>>
  tile.return
}
