// Prints of Triton's show an element a line, where and which it is, as Triton does.
//
// A number, and a text alone, come once for each thread.
//
// RUN: tile-run %s --kernel show --grid 1,2 --target=cpu -D num_warps=2 --arg random:f32[8] | FileCheck %s --match-full-lines
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s --check-prefix=TILE
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 | FileCheck %s --check-prefix=SITE
// TILE: tile.print "x" %{{.*}} {tile.elements = "i"} : tensor<2x16xi32>
// TILE: tile.print "" %{{.*}}, %{{.*}} {tile.elements = "ui"} : tensor<4xi8>, f32
// SITE: print i
// SITE: print ui
// SITE: print x
//
// CHECK: pid (0, 0, 0) idx (0,  0) x: 0
// CHECK: pid (0, 0, 0) idx (0, 15) x: -15
// CHECK: pid (0, 0, 0) idx (1,  9) x: -9
// CHECK: pid (0, 0, 0) idx (3): (operand 0) 253
// CHECK-COUNT-64: pid (0, 0, 0) idx (): (operand 1) 1.500000
// CHECK-NOT: operand 1
// CHECK: pid (0, 0, 0) idx (2) h: 0x00fe
// CHECK-COUNT-64: pid (0, 0, 0) idx () g: 0x1.8p+0
// CHECK-NOT: g:
// CHECK-COUNT-64: pid (0, 0, 0) here
// CHECK-NOT: here
// CHECK: pid (0, 1, 0) idx (0,  0) x: 0

tt.func public @show(%unused: !tt.ptr<f32>) {
  %row = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %row {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %both = tt.broadcast %rows : tensor<1x16xi32> -> tensor<2x16xi32>
  %zero = arith.constant dense<0> : tensor<2x16xi32>
  %x = arith.subi %zero, %both : tensor<2x16xi32>
  tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<2x16xi32>
  %four = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %none = arith.constant dense<0> : tensor<4xi32>
  %down = arith.subi %none, %four : tensor<4xi32>
  %bytes = arith.trunci %down : tensor<4xi32> to tensor<4xi8>
  %f = arith.constant 1.5 : f32
  tt.print ": " {hex = false, isSigned = array<i32: 0, 1>} : %bytes, %f : tensor<4xi8>, f32
  %words = arith.extui %bytes : tensor<4xi8> to tensor<4xi16>
  tt.print " h: " {hex = true, isSigned = array<i32: 0>} : %words : tensor<4xi16>
  tt.print " g: " {hex = true, isSigned = array<i32: 1>} : %f : f32
  tt.print " here" {hex = false, isSigned = array<i32>}
  tt.return
}
