// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=512 | FileCheck %s --check-prefix=WIDE

// Rows of A and panels of B in buffers of f32; the accumulator's buffer is the loop's, and updated
// in place: three buffers in all. Sixteen rows are three passes, of six and of five.
// CHECK-LABEL: func.func @accumulate
// CHECK-COUNT-3: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for %{{.*}} : i32 {
// CHECK:   arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK:   arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK:   scf.for %{{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-12: vector.fma
// CHECK-NOT: vector.fma
// CHECK:     scf.yield
// CHECK:   scf.for %{{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) : i64
// CHECK-COUNT-10: vector.fma

// With 32 registers of 16 lanes: two passes of eight rows, a panel of 32 columns.
// WIDE-LABEL: func.func @accumulate
// WIDE-COUNT-16: vector.fma %{{.*}} : vector<16xf32>
// WIDE-NOT: vector.fma
tile.func @accumulate(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<16xi32>
  %j = tile.arange : tensor<32xi32>
  %i1 = tile.expand_dims %i axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c32 = arith.constant dense<32> : tensor<16x1xi32>
  %ir = arith.muli %i1, %c32 : tensor<16x1xi32>
  %ib = tile.broadcast %ir : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tile.broadcast %j1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %ib, %jb : tensor<16x32xi32>
  %kk = tile.arange : tensor<32xi32>
  %k1 = tile.expand_dims %kk axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %ck = arith.constant dense<32> : tensor<32x1xi32>
  %kr = arith.muli %k1, %ck : tensor<32x1xi32>
  %kb = tile.broadcast %kr : tensor<32x1xi32> -> tensor<32x32xi32>
  %jbb = tile.broadcast %j1 : tensor<1x32xi32> -> tensor<32x32xi32>
  %ob = arith.addi %kb, %jbb : tensor<32x32xi32>
  %as = tile.splat %a : !tile.ptr<f16> -> tensor<16x32x!tile.ptr<f16>>
  %bs = tile.splat %b : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %pa = tile.addptr %as, %o : tensor<16x32x!tile.ptr<f16>>, tensor<16x32xi32>
  %pb = tile.addptr %bs, %ob : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  %pc = tile.addptr %cs, %o : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %acc = scf.for %n = %c0 to %k step %c1 iter_args(%s = %zero) -> (tensor<16x32xf32>) : i32 {
    %x = tile.load %pa : tensor<16x32x!tile.ptr<f16>>
    %y = tile.load %pb : tensor<32x32x!tile.ptr<f16>>
    %d = tile.dot %x, %y, %s : tensor<16x32xf16>, tensor<32x32xf16> -> tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  tile.store %pc, %acc : tensor<16x32x!tile.ptr<f32>>
  tile.return
}
