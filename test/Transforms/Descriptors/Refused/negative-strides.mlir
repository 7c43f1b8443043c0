// Rows that a launch reads upwards, with a stride below 0, are no array's: they stay pointers. Other launches have boxes.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-specialize{facts=3/8- kernel=rows},tile.func(tile-raise-descriptors{num-warps=8}))' 2>&1 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-specialize{facts=3/8 kernel=rows},tile.func(tile-raise-descriptors{num-warps=8}))' 2>&1 | FileCheck %s --check-prefix=BOX

// CHECK: remark: stays an access through pointers: expected strides from 0 to 2^40 bytes, found another
// CHECK-LABEL: tile.func @rows
// CHECK-SAME: i32 {tile.divisibility = 8 : i32, tile.negative}
// CHECK-NOT: make_desc
// BOX-LABEL: tile.func @rows
// BOX: tile.make_desc
tile.func @rows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: tensor<64x16x!tile.ptr<f32>>, %k: i32, %s: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %b = arith.constant dense<1.0> : tensor<64x16xf16>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %i = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %pitch = tile.splat %s : i32 -> tensor<64x1xi32>
  %r = arith.muli %rows, %pitch : tensor<64x1xi32>
  %columns = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %base = tile.splat %a : !tile.ptr<f16> -> tensor<64x1x!tile.ptr<f16>>
  %row = tile.addptr %base, %r : tensor<64x1x!tile.ptr<f16>>, tensor<64x1xi32>
  %wide = tile.broadcast %row : tensor<64x1x!tile.ptr<f16>> -> tensor<64x64x!tile.ptr<f16>>
  %across = tile.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %p0 = tile.addptr %wide, %across : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %sum = scf.for %k0 = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %os = tile.splat %k0 : i32 -> tensor<64x64xi32>
    %p = tile.addptr %p0, %os : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %out, %sum : tensor<64x16x!tile.ptr<f32>>
  tile.return
}
