// What is loaded along rows and along columns, and meets, is computed as most of it is loaded and stored, whichever comes
// first: the other one is converted, once, as narrow as it is.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-assign-layouts{num-warps=8},canonicalize,cse))' | FileCheck %s

// One of columns first, then two of rows, and a store.
// CHECK-LABEL: tile.func @columns_first
// CHECK: %[[X:.*]] = tile.load
// CHECK: tile_gpu.convert_layout %[[X]] : tensor<32x128xbf16
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @columns_first(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                         %z: !tile.ptr<bf16> {tile.divisibility = 16 : i32}) {
  %xp = tile.expr %x + (col(arange(32)) + row(arange(128)) * 4096)
  %yp = tile.expr %y + (col(arange(32)) * 128 + row(arange(128)))
  %zp = tile.expr %z + (col(arange(32)) * 128 + row(arange(128)))
  %a = tile.load %xp
  %b = tile.load %yp
  %c = tile.load %zp
  %af = arith.extf %a : tensor<32x128xbf16> to tensor<32x128xf32>
  %bf = arith.extf %b : tensor<32x128xbf16> to tensor<32x128xf32>
  %cf = arith.extf %c : tensor<32x128xbf16> to tensor<32x128xf32>
  %sum = arith.addf %af, %bf : tensor<32x128xf32>
  %product = arith.mulf %sum, %cf : tensor<32x128xf32>
  %out = arith.truncf %product : tensor<32x128xf32> to tensor<32x128xbf16>
  tile.store %zp, %out
  tile.return
}

// One of rows first, then two of columns, and a store of these.
// CHECK-LABEL: tile.func @rows_first
// CHECK: %[[X:.*]] = tile.load
// CHECK: tile_gpu.convert_layout %[[X]] : tensor<32x128xf32
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.func @rows_first(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %z: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %xp = tile.expr %x + (col(arange(32)) * 128 + row(arange(128)))
  %yp = tile.expr %y + (col(arange(32)) + row(arange(128)) * 4096)
  %zp = tile.expr %z + (col(arange(32)) + row(arange(128)) * 4096)
  %a = tile.load %xp
  %b = tile.load %yp
  %c = tile.load %zp
  %left = arith.mulf %a, %b : tensor<32x128xf32>
  %right = arith.mulf %a, %c : tensor<32x128xf32>
  %sum = arith.addf %left, %right : tensor<32x128xf32>
  tile.store %zp, %sum
  tile.return
}
