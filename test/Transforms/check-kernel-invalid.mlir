// Both roads refuse the same kernels in the same words.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-check-kernel))' -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-to-cpu -split-input-file -verify-diagnostics

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 0}}
tile.func @tile(%m: tensor<4xi1>) {
  tile.assert %m, "x" : tensor<4xi1>
  tile.return
}

// -----

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 1}}
tile.func @index(%x: i32, %m: index) {
  tile.return
}

// -----

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 0}}
tile.func @unranked(%m: tensor<*xf32>) {
  tile.return
}

// -----

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 0}}
tile.func @empty(%m: tensor<0xf32>) {
  tile.return
}

// -----

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 0}}
tile.func @wide(%m: i128) {
  tile.return
}

// -----

// expected-error @+1 {{expected pointers and numbers as kernel arguments, found another type for argument 0}}
tile.func @tf32(%m: tf32) {
  tile.return
}

// -----

tile.func @f80(%x: i32, %p: !tile.ptr<i32>) {
  // expected-error @+1 {{expected floats that are f16, bf16, f32, f64, f8E4M3FN or f8E5M2, found 'arith.sitofp'}}
  %y = arith.sitofp %x : i32 to f80
  %z = arith.fptosi %y : f80 to i32
  tile.store %p, %z : !tile.ptr<i32>
  tile.return
}

// -----

tile.func @f8(%p: !tile.ptr<i32>) {
  %x = tile.arange : tensor<4xi32>
  %q = tile.splat %p : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  // expected-error @+1 {{expected floats that are f16, bf16, f32, f64, f8E4M3FN or f8E5M2, found 'arith.sitofp'}}
  %y = arith.sitofp %x : tensor<4xi32> to tensor<4xf8E5M2FNUZ>
  %z = arith.fptosi %y : tensor<4xf8E5M2FNUZ> to tensor<4xi32>
  tile.store %q, %z : tensor<4x!tile.ptr<i32>>
  tile.return
}

// -----

tile.func @resource(%p: !tile.ptr<i32>) {
  // expected-error @+1 {{expected a constant tile of dense elements, found 'arith.constant'}}
  %x = arith.constant dense_resource<numbers> : tensor<2xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  tile.store %ps, %x : tensor<2x!tile.ptr<i32>>
  tile.return
}

// -----

tile.func @sparse(%p: !tile.ptr<i32>) {
  // expected-error @+1 {{expected a constant tile of dense elements, found 'arith.constant'}}
  %x = arith.constant sparse<[[0]], [7]> : tensor<2xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  tile.store %ps, %x : tensor<2x!tile.ptr<i32>>
  tile.return
}
