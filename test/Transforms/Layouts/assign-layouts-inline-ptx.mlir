// Texts work on elements where these are.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts))' | FileCheck %s

// CHECK-LABEL: tile.func @text
// CHECK: tile.inline_ptx {{.*}} : (tensor<256xf32, [[L:#tile_gpu.layout<.*>]]>) -> tensor<256xf32, [[L]]>
// CHECK-NOT: convert_layout
// CHECK: tile.store
tile.func @text(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %ptrs : tensor<256x!tile.ptr<f32>>
  %w = tile.inline_ptx "ex2.approx.ftz.f32 $0, $1;" constraints "=f,f" pure (%v) : (tensor<256xf32>) -> tensor<256xf32>
  tile.store %ptrs, %w : tensor<256x!tile.ptr<f32>>
  tile.return
}

// What is not pure runs once, though nobody looks at its result and its operands come in any layout.
// CHECK-LABEL: tile.func @effect
// CHECK: %[[AT:.*]] = tile.addptr
// CHECK: tile.inline_ptx {{.*}}(%[[AT]]) : (tensor<256x!tile.ptr<i8>, #tile_gpu.layout<{{.*}}>>) -> tensor<256xi8, #tile_gpu.layout<
// CHECK-NOT: tile.inline_ptx
// CHECK: tile.return
tile.func @effect(%p: !tile.ptr<i8>) {
  %lanes = tile.arange : tensor<256xi32>
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<256x!tile.ptr<i8>>
  %ptrs = tile.addptr %ps, %lanes : tensor<256x!tile.ptr<i8>>, tensor<256xi32>
  %none = tile.inline_ptx "mov.b32 $0, 0; st.global.b8 [$1], $0;" constraints "=r,l" (%ptrs) : (tensor<256x!tile.ptr<i8>>) -> tensor<256xi8>
  tile.return
}
