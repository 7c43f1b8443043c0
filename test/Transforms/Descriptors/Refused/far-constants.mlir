// A loop whose counter ends at the greatest i32 reads from a constant as far on: a dimension of its own would have a stride of 2^37 bytes, and the
// one that moves positions back a stride below 0, which no launch can have.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-raise-descriptors{num-warps=8}))' 2>&1 | FileCheck %s

// CHECK: remark: stays an access through pointers: expected positions proved
// CHECK-LABEL: tile.func @far
// CHECK-NOT: make_desc
// CHECK: tile.load
tile.func @far(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: tensor<64x16x!tile.ptr<f32>>, %k: i32, %m: i32, %s: i32 {tile.divisibility = 16 : i32}) {
  %far = arith.constant 2147483600 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %c1 = arith.constant 1 : i32
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
  %from = arith.subi %far, %k : i32
  %sum = scf.for %k0 = %from to %far step %c1 iter_args(%acc = %zero) -> (tensor<64x16xf32>) : i32 {
    %q = arith.subi %k0, %from : i32
    %o = arith.muli %q, %c64 : i32
    %os = tile.splat %o : i32 -> tensor<64x64xi32>
    %p = tile.addptr %p0, %os : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %at = tile.splat %o : i32 -> tensor<64xi32>
    %place = arith.addi %at, %i : tensor<64xi32>
    %ends = tile.splat %m : i32 -> tensor<64xi32>
    %is = arith.cmpi slt, %place, %ends : tensor<64xi32>
    %isRow = tile.expand_dims %is axis 0 : tensor<64xi1> -> tensor<1x64xi1>
    %in = tile.broadcast %isRow : tensor<1x64xi1> -> tensor<64x64xi1>
    %v = tile.load %p, %in, %none : tensor<64x64x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  tile.store %out, %sum : tensor<64x16x!tile.ptr<f32>>
  tile.return
}
