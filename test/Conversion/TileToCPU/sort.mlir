// tile.sort: a call for the order of each line, and one for each operand. tile.histogram: a loop.
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// CHECK-DAG: llvm.func @tileCpuSortOrder(!llvm.ptr, i64, i64, i64, i64, i64, i64, !llvm.ptr)
// CHECK-DAG: llvm.func @tileCpuSortMove(!llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr)

// Columns of a 5 x 12 tile, whose rows are 16 elements apart; f16 keys have a NaN above 0x7c00.
// CHECK-LABEL: func.func @columns
tile.func @columns(%x: f16, %y: i64) {
  // CHECK-DAG: %[[ORDER:.*]] = llvm.alloca %c10_i64 x i64
  // CHECK: scf.for %{{.*}} = %c0_i64 to %c12_i64 step %c1_i64
  // CHECK: llvm.call @tileCpuSortOrder(%{{.*}}, %c2_i64, %c2_i64, %c31744_i64, %c1_i64, %c5_i64, %c16_i64, %[[ORDER]])
  // CHECK: llvm.call @tileCpuSortMove(%{{.*}}, %{{.*}}, %c2_i64, %c5_i64, %c16_i64, %[[ORDER]])
  // CHECK: llvm.call @tileCpuSortMove(%{{.*}}, %{{.*}}, %c8_i64, %c5_i64, %c16_i64, %[[ORDER]])
  %k = tile.splat %x : f16 -> tensor<5x12xf16>
  %v = tile.splat %y : i64 -> tensor<5x12xi64>
  %s, %t = tile.sort %k, %v axis 0 {descending} : tensor<5x12xf16>, tensor<5x12xi64>
  tile.return
}

// All are ordered, and as many moved as are wanted.
// CHECK-LABEL: func.func @part
tile.func @part(%x: i32) {
  // CHECK: llvm.call @tileCpuSortOrder({{.*}}, %c64_i64, %c1_i64, %[[PART:[0-9]+]])
  // CHECK: llvm.call @tileCpuSortMove({{.*}}, %c4_i64, %c5_i64, %c1_i64, %[[PART]])
  %k = tile.splat %x : i32 -> tensor<64xi32>
  %s = tile.partial_sort %k axis 0 : (tensor<64xi32>) -> tensor<5xi32>
  tile.return
}

// CHECK-LABEL: func.func @histogram
tile.func @histogram(%x: i32, %m: i1) {
  // CHECK: %[[COUNTS:.*]] = llvm.alloca %c16_i64 x i32
  // CHECK: llvm.store %{{.*}} : vector<8xi32>
  // CHECK: scf.for %{{.*}} = %c0_i64 to %c64_i64 step %c1_i64
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[V:.*]], %c10_i32
  // CHECK: %[[COUNT:.*]] = arith.andi %[[IN]]
  // CHECK: scf.if %[[COUNT]] {
  // CHECK: %[[AT:.*]] = arith.extui %[[V]]
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[COUNTS]][%[[AT]]]
  // CHECK: %[[HAD:.*]] = llvm.load %[[P]]
  // CHECK: %[[HAS:.*]] = arith.addi %[[HAD]], %c1_i32
  // CHECK: llvm.store %[[HAS]], %[[P]]
  %v = tile.splat %x : i32 -> tensor<64xi32>
  %mask = tile.splat %m : i1 -> tensor<64xi1>
  %h = tile.histogram %v, %mask : tensor<64xi32> -> tensor<10xi32>
  tile.return
}
