// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s

// Stored along the other dimension than loaded: lanes run along the one that is stored along, over a copy whose squares are
// transposed in registers.
// CHECK-LABEL: func.func @transpose
// CHECK: %[[TURNED:.*]] = llvm.alloca
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: return
tile.func @transpose(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32) {
  %i = tile.expr col(arange(16))
  %j = tile.expr row(arange(32))
  %from = tile.expr %x + (%i * %n + %j)
  %to = tile.expr %y + (%j * %m + %i)
  %v = tile.load %from : tensor<16x32x!tile.ptr<f32>>
  tile.store %to, %v : tensor<16x32x!tile.ptr<f32>>
  tile.return
}

// All of it along the first dimension: so run the lanes.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: shuffle
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: arith.addf
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK: return
tile.func @columns(%x: !tile.ptr<f32>, %m: i32) {
  %i = tile.expr col(arange(16))
  %j = tile.expr row(arange(32))
  %at = tile.expr %x + (%j * %m + %i)
  %v = tile.load %at : tensor<16x32x!tile.ptr<f32>>
  %w = arith.addf %v, %v : tensor<16x32xf32>
  tile.store %at, %w : tensor<16x32x!tile.ptr<f32>>
  tile.return
}

// Rows of a tile that lies along columns, added up: lanes are rows.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: shuffle
// CHECK-NOT: gather
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: return
tile.func @sums(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32) {
  %i = tile.expr col(arange(16))
  %j = tile.expr row(arange(32))
  %at = tile.expr %x + (%j * %m + %i)
  %v = tile.load %at : tensor<16x32x!tile.ptr<f32>>
  %sums = tile.reduce add %v axis 1 : tensor<16x32xf32> -> tensor<16xf32>
  %to = tile.expr %y + arange(16)
  tile.store %to, %sums : tensor<16x!tile.ptr<f32>>
  tile.return
}

// Columns of it.
// CHECK-LABEL: func.func @column_sums
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: gather
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: return
tile.func @column_sums(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32) {
  %i = tile.expr col(arange(16))
  %j = tile.expr row(arange(32))
  %at = tile.expr %x + (%j * %m + %i)
  %v = tile.load %at : tensor<16x32x!tile.ptr<f32>>
  %sums = tile.reduce add %v axis 0 : tensor<16x32xf32> -> tensor<32xf32>
  %to = tile.expr %y + arange(32)
  tile.store %to, %sums : tensor<32x!tile.ptr<f32>>
  tile.return
}

// Too short for a square.
// CHECK-LABEL: func.func @pairs
// CHECK: llvm.intr.masked.gather
// CHECK-NOT: shuffle
// CHECK: return
tile.func @pairs(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %i = tile.expr col(arange(2))
  %j = tile.expr row(arange(32))
  %from = tile.expr %x + (%j * 2 + %i)
  %to = tile.expr %y + (%i * 32 + %j)
  %v = tile.load %from : tensor<2x32x!tile.ptr<f32>>
  tile.store %to, %v : tensor<2x32x!tile.ptr<f32>>
  tile.return
}
