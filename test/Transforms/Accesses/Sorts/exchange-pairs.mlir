// What two sums take apart of a pair is exchanged once.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-exchange-pairs,canonicalize,cse))' | FileCheck %s

// Both of a pair in the places of both, as torch.compile's sorts ask for them.
// CHECK-LABEL: tile.func @both
// CHECK-SAME: %[[X:[^ :]*]]: tensor<16x2x4xi32>
// CHECK-NOT: arith.muli
// CHECK: %[[B:.*]] = tile.reduce xor %[[X]] axis 1
// CHECK: %[[E:.*]] = tile.expand_dims %[[B]] axis 1
// CHECK: %[[S:.*]] = tile.broadcast %[[E]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[X]], %[[S]]
// CHECK: %[[IS:.*]] = arith.cmpi ne
// CHECK: arith.select %[[IS]], %[[X]], %[[OTHER]]
// CHECK: arith.select %[[IS]], %[[OTHER]], %[[X]]
// CHECK-NOT: tile.reduce add
// CHECK: tile.return
tile.func @both(%x: tensor<16x2x4xi32>, %p: tensor<16x2x4x!tile.ptr<i32>>, %q: tensor<16x2x4x!tile.ptr<i32>>) {
  %one = arith.constant dense<1> : tensor<1x2x1xi32>
  %two = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %two axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %second = tile.expand_dims %row axis 2 : tensor<1x2xi32> -> tensor<1x2x1xi32>
  %first = arith.subi %one, %second : tensor<1x2x1xi32>
  %w0 = tile.broadcast %first : tensor<1x2x1xi32> -> tensor<16x2x4xi32>
  %x0 = arith.muli %x, %w0 : tensor<16x2x4xi32>
  %s0 = tile.reduce add %x0 axis 1 : tensor<16x2x4xi32> -> tensor<16x4xi32>
  %e0 = tile.expand_dims %s0 axis 1 : tensor<16x4xi32> -> tensor<16x1x4xi32>
  %left = tile.broadcast %e0 : tensor<16x1x4xi32> -> tensor<16x2x4xi32>
  %w1 = tile.broadcast %second : tensor<1x2x1xi32> -> tensor<16x2x4xi32>
  %x1 = arith.muli %x, %w1 : tensor<16x2x4xi32>
  %s1 = tile.reduce add %x1 axis 1 : tensor<16x2x4xi32> -> tensor<16x4xi32>
  %e1 = tile.expand_dims %s1 axis 1 : tensor<16x4xi32> -> tensor<16x1x4xi32>
  %right = tile.broadcast %e1 : tensor<16x1x4xi32> -> tensor<16x2x4xi32>
  tile.store %p, %left : tensor<16x2x4x!tile.ptr<i32>>
  tile.store %q, %right : tensor<16x2x4x!tile.ptr<i32>>
  tile.return
}

// Bytes are widened in front of the sums, and narrowed behind.
// CHECK-LABEL: tile.func @bytes
// CHECK: %[[W:.*]] = arith.extsi %{{.*}} : tensor<8x2xi8> to tensor<8x2xi32>
// CHECK: tile.reduce xor %[[W]] axis 1
// CHECK-NOT: tile.reduce add
// CHECK: arith.trunci %{{.*}} : tensor<8x2xi32> to tensor<8x2xi8>
// CHECK: tile.return
tile.func @bytes(%x: tensor<8x2xi8>, %p: tensor<8x2x!tile.ptr<i8>>, %q: tensor<8x2x!tile.ptr<i8>>) {
  %one = arith.constant dense<1> : tensor<1x2xi8>
  %two = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %two axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %second = arith.trunci %row : tensor<1x2xi32> to tensor<1x2xi8>
  %first = arith.subi %one, %second : tensor<1x2xi8>
  %w0 = tile.broadcast %first : tensor<1x2xi8> -> tensor<8x2xi8>
  %w1 = tile.broadcast %second : tensor<1x2xi8> -> tensor<8x2xi8>
  %x1 = arith.muli %w1, %x : tensor<8x2xi8>
  %i1 = arith.extsi %x1 : tensor<8x2xi8> to tensor<8x2xi32>
  %s1 = tile.reduce add %i1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %t1 = arith.trunci %s1 : tensor<8xi32> to tensor<8xi8>
  %e1 = tile.expand_dims %t1 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %right = tile.broadcast %e1 : tensor<8x1xi8> -> tensor<8x2xi8>
  %x0 = arith.muli %w0, %x : tensor<8x2xi8>
  %i0 = arith.extsi %x0 : tensor<8x2xi8> to tensor<8x2xi32>
  %s0 = tile.reduce add %i0 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %t0 = arith.trunci %s0 : tensor<8xi32> to tensor<8xi8>
  %e0 = tile.expand_dims %t0 axis 1 : tensor<8xi8> -> tensor<8x1xi8>
  %left = tile.broadcast %e0 : tensor<8x1xi8> -> tensor<8x2xi8>
  tile.store %p, %left : tensor<8x2x!tile.ptr<i8>>
  tile.store %q, %right : tensor<8x2x!tile.ptr<i8>>
  tile.return
}
