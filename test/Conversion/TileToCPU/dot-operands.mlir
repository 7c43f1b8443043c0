// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256 byte-dots" | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-cpu="vector-bits=256" | FileCheck %s --check-prefix=WITHOUT

// A lies along M, so that its copy does, too: rows of K. B lies along K: eight columns are read along K,
// transposed by three times eight shuffles, and written as rows of a panel.
// CHECK-LABEL: func.func @across(
// CHECK-NOT: masked.gather
// CHECK-COUNT-24: vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// CHECK-NOT: vector.shuffle
// CHECK-NOT: masked.gather
// CHECK: vector.fma
tile.func @across(%pa: !tile.ptr<f32>, %pb: !tile.ptr<f32>, %pc: !tile.ptr<f32>) {
  %row = tile.expr col(arange(16))
  %column = tile.expr row(arange(16))
  %as = tile.expr %pa + (row(arange(8)) * 16 + %row)
  %bs = tile.expr %pb + (%column * 8 + col(arange(8)))
  %a = tile.load %as : tensor<16x8x!tile.ptr<f32>>
  %b = tile.load %bs : tensor<8x16x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c = tile.dot %a, %b, %zero : tensor<16x8xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  %cs = tile.expr %pc + (%row * 16 + %column)
  tile.store %cs, %c : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// A's bytes have 128 added; four rows of B become one of groups of four bytes. What 128 added is
// subtracted behind the loop.
// CHECK-LABEL: func.func @bytes(
// CHECK: arith.xori %{{.*}}, %{{.*}} : vector<32xi8>
// CHECK-COUNT-2: vector.shuffle {{.*}} : vector<8xi8>, vector<8xi8>
// CHECK: vector.shuffle {{.*}} : vector<16xi8>, vector<16xi8>
// CHECK: scf.for
// CHECK-COUNT-12: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
// CHECK-NOT: vpdpbusd
// CHECK: arith.subi %{{.*}} : vector<8xi32>
// WITHOUT-LABEL: func.func @bytes(
// WITHOUT-NOT: vpdpbusd
// WITHOUT: arith.muli %{{.*}} : vector<8xi32>
tile.func @bytes(%pa: !tile.ptr<i8>, %pb: !tile.ptr<i8>, %pc: !tile.ptr<i32>) {
  %row = tile.expr col(arange(5))
  %column = tile.expr row(arange(16))
  %as = tile.expr %pa + (%row * 32 + row(arange(32)))
  %bs = tile.expr %pb + (col(arange(32)) * 16 + %column)
  %a = tile.load %as : tensor<5x32x!tile.ptr<i8>>
  %b = tile.load %bs : tensor<32x16x!tile.ptr<i8>>
  %zero = arith.constant dense<0> : tensor<5x16xi32>
  %c = tile.dot %a, %b, %zero : tensor<5x32xi8>, tensor<32x16xi8> -> tensor<5x16xi32>
  %cs = tile.expr %pc + (%row * 16 + %column)
  tile.store %cs, %c : tensor<5x16x!tile.ptr<i32>>
  tile.return
}
