// A constant that a scan hands on among lanes stays one, so that ptxas does not find it: with -2 behind a cvt.s8.s32 it
// compared 16 bits with 32.
//
// RUN: tile-run %s --emit=ptx --arch=sm_80 -o - | FileCheck %s
// CHECK-LABEL: .entry first_of_equals
// Positions alone are handed on, from lane to lane, and nothing of 8 bits is left to compare.
// CHECK-NOT: cvt.s8
// CHECK-COUNT-5: shfl.sync
// CHECK-NOT: shfl
// CHECK-NOT: setp.eq.b16

tile.func @first_of_equals(%out: !tile.ptr<i32>) {
  %value = arith.constant dense<-2> : tensor<32xi8>
  %index = tile.arange : tensor<32xi32>
  %most, %first = tile.scan %value, %index axis 0 : tensor<32xi8>, tensor<32xi32> -> tensor<32xi8>, tensor<32xi32> {
  ^bb0(%a: i8, %i: i32, %b: i8, %j: i32):
    %more = arith.cmpi sgt, %a, %b : i8
    %same = arith.cmpi eq, %a, %b : i8
    %before = arith.cmpi slt, %i, %j : i32
    %earlier = arith.andi %same, %before : i1
    %left = arith.ori %more, %earlier : i1
    %x = arith.select %left, %a, %b : i8
    %y = arith.select %left, %i, %j : i32
    tile.yield %x, %y : i8, i32
  }
  %ps = tile.splat %out : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %p = tile.addptr %ps, %index : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %p, %first : tensor<32x!tile.ptr<i32>>
  tile.return
}
