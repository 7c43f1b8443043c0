// Steps of short products, by two warp groups: one that looks at its sums, as it scales them, waits for each and has no boxes.
// A sum that only grows has; so has either by one warp group, of which a multiprocessor has several blocks.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors{num-warps=8},canonicalize,cse))' 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY <%t
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,cse,loop-invariant-code-motion,tile-raise-descriptors,canonicalize,cse))' | FileCheck %s --check-prefix=ONE

// WHY: remark: stays an access through pointers: expected products that take longer in a step that waits for them, found others
// CHECK-LABEL: tile.func @scaled
// CHECK-NOT: tile.desc_load
// CHECK: tile.load
// ONE-LABEL: tile.func @scaled
// ONE: tile.desc_load
tile.func @scaled(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16>, %k: i32,
                 %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x32xf16>
  %half = arith.constant dense<0.5> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x64xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<64x32xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x64xi32>
    %j = arith.addi %k0s, %cols : tensor<1x64xi32>
    %off_js = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x64xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
    %less = arith.mulf %acc, %half : tensor<64x32xf32>
    %next = tile.dot %v, %b, %less : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<64x32xf32> -> tensor<64xf32>
  %o = tile.splat %out : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %to = tile.addptr %o, %r64 : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %h = arith.truncf %total : tensor<64xf32> to tensor<64xf16>
  tile.store %to, %h : tensor<64x!tile.ptr<f16>>
  tile.return
}

// CHECK-LABEL: tile.func @plain
// CHECK: tile.desc_load
// ONE-LABEL: tile.func @plain
// ONE: tile.desc_load
tile.func @plain(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16>, %k: i32,
                 %s: i32 {tile.divisibility = 8 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r64 = tile.arange : tensor<64xi32>
  %rows = tile.expand_dims %r64 axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %cols = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %b = arith.constant dense<1.0> : tensor<64x32xf16>
  %half = arith.constant dense<0.5> : tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %strides = tile.splat %s : i32 -> tensor<64x1xi32>
  %off_i = arith.muli %rows, %strides : tensor<64x1xi32>
  %off_is = tile.broadcast %off_i : tensor<64x1xi32> -> tensor<64x64xi32>
  %bases = tile.splat %a : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %sum = scf.for %k0 = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<64x32xf32>) : i32 {
    %k0s = tile.splat %k0 : i32 -> tensor<1x64xi32>
    %j = arith.addi %k0s, %cols : tensor<1x64xi32>
    %off_js = tile.broadcast %j : tensor<1x64xi32> -> tensor<64x64xi32>
    %off = arith.addi %off_is, %off_js : tensor<64x64xi32>
    %ptrs = tile.addptr %bases, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %v = tile.load %ptrs : tensor<64x64x!tile.ptr<f16>>
    %next = tile.dot %v, %b, %acc : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
    scf.yield %next : tensor<64x32xf32>
  }
  %total = tile.reduce add %sum axis 1 : tensor<64x32xf32> -> tensor<64xf32>
  %o = tile.splat %out : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %to = tile.addptr %o, %r64 : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %h = arith.truncf %total : tensor<64xf32> to tensor<64xf16>
  tile.store %to, %h : tensor<64x!tile.ptr<f16>>
  tile.return
}
