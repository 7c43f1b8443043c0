// Sums that do not take a pair apart stay.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-exchange-pairs))' | FileCheck %s --implicit-check-not='tile.reduce xor'
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-exchange-pairs))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS: remark: one of each pair is a sum: expected the sum of the other one close behind

// Weights of 0 and 2; one half alone; a sum that others read in its own shape; the same half twice; halves that are
// widened otherwise; halves of two numbers.
// CHECK-LABEL: tile.func @weights
// CHECK-COUNT-2: tile.reduce add
// CHECK-LABEL: tile.func @half
// CHECK: tile.reduce add
// CHECK-LABEL: tile.func @read
// CHECK-COUNT-2: tile.reduce add
// CHECK-LABEL: tile.func @twice
// CHECK-COUNT-2: tile.reduce add
// CHECK-LABEL: tile.func @widened
// CHECK-COUNT-2: tile.reduce add
// CHECK-LABEL: tile.func @two
// CHECK-COUNT-2: tile.reduce add
tile.func @weights(%x: tensor<8x2xi32>, %p: tensor<8x2x!tile.ptr<i32>>, %q: tensor<8x2x!tile.ptr<i32>>) {
  %two = arith.constant dense<2> : tensor<1x2xi32>
  %i = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %i axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %first = arith.subi %two, %row : tensor<1x2xi32>
  %w0 = tile.broadcast %first : tensor<1x2xi32> -> tensor<8x2xi32>
  %w1 = tile.broadcast %row : tensor<1x2xi32> -> tensor<8x2xi32>
  %x0 = arith.muli %x, %w0 : tensor<8x2xi32>
  %s0 = tile.reduce add %x0 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e0 = tile.expand_dims %s0 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %left = tile.broadcast %e0 : tensor<8x1xi32> -> tensor<8x2xi32>
  %x1 = arith.muli %x, %w1 : tensor<8x2xi32>
  %s1 = tile.reduce add %x1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e1 = tile.expand_dims %s1 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %right = tile.broadcast %e1 : tensor<8x1xi32> -> tensor<8x2xi32>
  tile.store %p, %left : tensor<8x2x!tile.ptr<i32>>
  tile.store %q, %right : tensor<8x2x!tile.ptr<i32>>
  tile.return
}
tile.func @half(%x: tensor<8x2xi32>, %p: tensor<8x2x!tile.ptr<i32>>) {
  %i = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %i axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %w1 = tile.broadcast %row : tensor<1x2xi32> -> tensor<8x2xi32>
  %x1 = arith.muli %x, %w1 : tensor<8x2xi32>
  %s1 = tile.reduce add %x1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e1 = tile.expand_dims %s1 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %right = tile.broadcast %e1 : tensor<8x1xi32> -> tensor<8x2xi32>
  tile.store %p, %right : tensor<8x2x!tile.ptr<i32>>
  tile.return
}
tile.func @read(%x: tensor<8x2xi32>, %p: tensor<8x!tile.ptr<i32>>, %q: tensor<8x!tile.ptr<i32>>) {
  %one = arith.constant dense<1> : tensor<1x2xi32>
  %i = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %i axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %first = arith.subi %one, %row : tensor<1x2xi32>
  %w0 = tile.broadcast %first : tensor<1x2xi32> -> tensor<8x2xi32>
  %w1 = tile.broadcast %row : tensor<1x2xi32> -> tensor<8x2xi32>
  %x0 = arith.muli %x, %w0 : tensor<8x2xi32>
  %s0 = tile.reduce add %x0 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %x1 = arith.muli %x, %w1 : tensor<8x2xi32>
  %s1 = tile.reduce add %x1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  tile.store %p, %s0 : tensor<8x!tile.ptr<i32>>
  tile.store %q, %s1 : tensor<8x!tile.ptr<i32>>
  tile.return
}
tile.func @twice(%x: tensor<8x2xi32>, %p: tensor<8x2x!tile.ptr<i32>>, %q: tensor<8x2x!tile.ptr<i32>>) {
  %i = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %i axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %w = tile.broadcast %row : tensor<1x2xi32> -> tensor<8x2xi32>
  %x0 = arith.muli %x, %w : tensor<8x2xi32>
  %s0 = tile.reduce add %x0 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e0 = tile.expand_dims %s0 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %left = tile.broadcast %e0 : tensor<8x1xi32> -> tensor<8x2xi32>
  %x1 = arith.muli %x, %w : tensor<8x2xi32>
  %s1 = tile.reduce add %x1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e1 = tile.expand_dims %s1 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %right = tile.broadcast %e1 : tensor<8x1xi32> -> tensor<8x2xi32>
  tile.store %p, %left : tensor<8x2x!tile.ptr<i32>>
  tile.store %q, %right : tensor<8x2x!tile.ptr<i32>>
  tile.return
}
tile.func @widened(%x: tensor<8x2xi16>, %p: tensor<8x2x!tile.ptr<i16>>, %q: tensor<8x2x!tile.ptr<i16>>) {
  %one = arith.constant dense<1> : tensor<1x2xi16>
  %i = tile.arange : tensor<2xi32>
  %j = arith.trunci %i : tensor<2xi32> to tensor<2xi16>
  %row = tile.expand_dims %j axis 0 : tensor<2xi16> -> tensor<1x2xi16>
  %first = arith.subi %one, %row : tensor<1x2xi16>
  %w0 = tile.broadcast %first : tensor<1x2xi16> -> tensor<8x2xi16>
  %w1 = tile.broadcast %row : tensor<1x2xi16> -> tensor<8x2xi16>
  %x0 = arith.muli %x, %w0 : tensor<8x2xi16>
  %y0 = arith.extsi %x0 : tensor<8x2xi16> to tensor<8x2xi32>
  %s0 = tile.reduce add %y0 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %n0 = arith.trunci %s0 : tensor<8xi32> to tensor<8xi16>
  %e0 = tile.expand_dims %n0 axis 1 : tensor<8xi16> -> tensor<8x1xi16>
  %left = tile.broadcast %e0 : tensor<8x1xi16> -> tensor<8x2xi16>
  %x1 = arith.muli %x, %w1 : tensor<8x2xi16>
  %y1 = arith.extui %x1 : tensor<8x2xi16> to tensor<8x2xi32>
  %s1 = tile.reduce add %y1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %n1 = arith.trunci %s1 : tensor<8xi32> to tensor<8xi16>
  %e1 = tile.expand_dims %n1 axis 1 : tensor<8xi16> -> tensor<8x1xi16>
  %right = tile.broadcast %e1 : tensor<8x1xi16> -> tensor<8x2xi16>
  tile.store %p, %left : tensor<8x2x!tile.ptr<i16>>
  tile.store %q, %right : tensor<8x2x!tile.ptr<i16>>
  tile.return
}
tile.func @two(%x: tensor<8x2xi32>, %y: tensor<8x2xi32>, %p: tensor<8x2x!tile.ptr<i32>>, %q: tensor<8x2x!tile.ptr<i32>>) {
  %one = arith.constant dense<1> : tensor<1x2xi32>
  %i = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %i axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %first = arith.subi %one, %row : tensor<1x2xi32>
  %w0 = tile.broadcast %first : tensor<1x2xi32> -> tensor<8x2xi32>
  %w1 = tile.broadcast %row : tensor<1x2xi32> -> tensor<8x2xi32>
  %x0 = arith.muli %x, %w0 : tensor<8x2xi32>
  %s0 = tile.reduce add %x0 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e0 = tile.expand_dims %s0 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %left = tile.broadcast %e0 : tensor<8x1xi32> -> tensor<8x2xi32>
  %y1 = arith.muli %y, %w1 : tensor<8x2xi32>
  %s1 = tile.reduce add %y1 axis 1 : tensor<8x2xi32> -> tensor<8xi32>
  %e1 = tile.expand_dims %s1 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %right = tile.broadcast %e1 : tensor<8x1xi32> -> tensor<8x2xi32>
  tile.store %p, %left : tensor<8x2x!tile.ptr<i32>>
  tile.store %q, %right : tensor<8x2x!tile.ptr<i32>>
  tile.return
}
