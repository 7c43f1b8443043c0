// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-compare-truths,canonicalize,cse))' | FileCheck %s

// Which of a pair is greater, against which of the pair an element is, and against which way its block is sorted.
// CHECK-LABEL: tile.func @pairs
// CHECK-SAME: %[[X:.*]]: tensor<64x2xf32>, %[[Y:.*]]: tensor<64x2xf32>, %[[ZERO:.*]]: i1
// CHECK: %[[MORE:.*]] = arith.cmpf ogt, %[[X]], %[[Y]]
// CHECK-NOT: arith.extui %[[MORE]]
// CHECK: %[[SECOND:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : tensor<64x2xi32>
// CHECK: arith.xori %[[MORE]], %[[SECOND]] : tensor<64x2xi1>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : tensor<64x2xi32>
// CHECK: arith.xori %[[MORE]], %[[FIRST]] : tensor<64x2xi1>
// CHECK: arith.xori %[[MORE]], %{{.*}} : tensor<64x2xi1>
tile.func @pairs(%x: tensor<64x2xf32>, %y: tensor<64x2xf32>, %down: i1, %out: tensor<64x2x!tile.ptr<f32>>) {
  %two = tile.arange : tensor<2xi32>
  %row = tile.expand_dims %two axis 0 : tensor<2xi32> -> tensor<1x2xi32>
  %second = tile.broadcast %row : tensor<1x2xi32> -> tensor<64x2xi32>
  %more = arith.cmpf ogt, %x, %y : tensor<64x2xf32>
  %number = arith.extui %more : tensor<64x2xi1> to tensor<64x2xi32>
  %a = arith.cmpi ne, %number, %second : tensor<64x2xi32>
  %b = arith.cmpi eq, %second, %number : tensor<64x2xi32>
  %way = arith.extui %down : i1 to i32
  %ways = tile.splat %way : i32 -> tensor<64x2xi32>
  %turned = arith.xori %ways, %second : tensor<64x2xi32>
  %c = arith.cmpi ne, %number, %turned : tensor<64x2xi32>
  %both = arith.andi %a, %b : tensor<64x2xi1>
  %all = arith.ori %both, %c : tensor<64x2xi1>
  tile.store %out, %x, %all : tensor<64x2x!tile.ptr<f32>>
  tile.return
}

// The same, written as an exclusive or that is not 0.
// CHECK-LABEL: tile.func @differ
// CHECK: %[[MORE:.*]] = arith.cmpf ogt
// CHECK-NOT: arith.extui %[[MORE]]
// CHECK: %[[SECOND:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : tensor<2xi32>
// CHECK: arith.xori %[[MORE]], %[[SECOND]] : tensor<2xi1>
tile.func @differ(%x: tensor<2xf32>, %y: tensor<2xf32>, %out: tensor<2x!tile.ptr<f32>>) {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %second = tile.arange : tensor<2xi32>
  %more = arith.cmpf ogt, %x, %y : tensor<2xf32>
  %number = arith.extui %more : tensor<2xi1> to tensor<2xi32>
  %both = arith.xori %number, %second : tensor<2xi32>
  %a = arith.cmpi ne, %both, %zero : tensor<2xi32>
  tile.store %out, %x, %a : tensor<2x!tile.ptr<f32>>
  tile.return
}

// What may be 2 is asked for as it is; so is what is greater.
// CHECK-LABEL: tile.func @three
// CHECK: %[[NUMBER:.*]] = arith.extui
// CHECK: arith.cmpi ne, %[[NUMBER]], %{{.*}} : tensor<4xi32>
// CHECK: arith.cmpi ult, %[[NUMBER]], %{{.*}} : tensor<4xi32>
tile.func @three(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<4x!tile.ptr<f32>>) {
  %i = tile.arange : tensor<4xi32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %low = arith.andi %i, %one : tensor<4xi32>
  %more = arith.cmpf ogt, %x, %y : tensor<4xf32>
  %number = arith.extui %more : tensor<4xi1> to tensor<4xi32>
  %a = arith.cmpi ne, %number, %i : tensor<4xi32>
  %b = arith.cmpi ult, %number, %low : tensor<4xi32>
  %both = arith.andi %a, %b : tensor<4xi1>
  tile.store %out, %x, %both : tensor<4x!tile.ptr<f32>>
  tile.return
}

// Neither is what is made of such a number, however it is made: by or, exclusive or, a choice, in another shape.
// CHECK-LABEL: tile.func @made_of_three
// CHECK: %[[NUMBER:.*]] = arith.extui
// CHECK-COUNT-6: arith.cmpi ne, %[[NUMBER]], %{{.*}} : tensor<8x4xi32>
tile.func @made_of_three(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %c: i1, %out: tensor<8x4x!tile.ptr<f32>>) {
  %ones = arith.constant dense<1> : tensor<8x4xi32>
  %i = tile.arange : tensor<4xi32>
  %row = tile.expand_dims %i axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  %four = tile.broadcast %row : tensor<1x4xi32> -> tensor<8x4xi32>
  %low = arith.andi %four, %ones : tensor<8x4xi32>
  %j = tile.arange : tensor<8xi32>
  %column = tile.expand_dims %j axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %eight = tile.broadcast %column : tensor<8x1xi32> -> tensor<8x4xi32>
  %more = arith.cmpf ogt, %x, %y : tensor<8x4xf32>
  %number = arith.extui %more : tensor<8x4xi1> to tensor<8x4xi32>
  %or0 = arith.ori %four, %low : tensor<8x4xi32>
  %or1 = arith.ori %low, %eight : tensor<8x4xi32>
  %xor0 = arith.xori %four, %low : tensor<8x4xi32>
  %xor1 = arith.xori %low, %eight : tensor<8x4xi32>
  %choice0 = arith.select %c, %four, %low : tensor<8x4xi32>
  %choice1 = arith.select %c, %low, %four : tensor<8x4xi32>
  %a = arith.cmpi ne, %number, %or0 : tensor<8x4xi32>
  %b = arith.cmpi ne, %number, %or1 : tensor<8x4xi32>
  %d = arith.cmpi ne, %number, %xor0 : tensor<8x4xi32>
  %e = arith.cmpi ne, %number, %xor1 : tensor<8x4xi32>
  %f = arith.cmpi ne, %number, %choice0 : tensor<8x4xi32>
  %g = arith.cmpi ne, %number, %choice1 : tensor<8x4xi32>
  %ab = arith.addi %a, %b : tensor<8x4xi1>
  %abd = arith.addi %ab, %d : tensor<8x4xi1>
  %abde = arith.addi %abd, %e : tensor<8x4xi1>
  %abdef = arith.addi %abde, %f : tensor<8x4xi1>
  %all = arith.addi %abdef, %g : tensor<8x4xi1>
  tile.store %out, %x, %all : tensor<8x4x!tile.ptr<f32>>
  tile.return
}
