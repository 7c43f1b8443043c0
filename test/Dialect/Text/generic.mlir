// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

// A helper for any numbers is one for each type that it is called with.
// CHECK-NOT: tile.any
// CHECK: tile.func private @total_f16(%{{.*}}: tensor<?xf16, #tile.dims<[N]>>) -> f16
// CHECK: arith.mulf {{.*}} : tensor<?xf16
// CHECK: tile.reduce add %{{.*}} axis 0 : tensor<?xf16, #tile.dims<[N]>> -> f16
// CHECK: tile.func private @total_i32(%{{.*}}: tensor<?xi32, #tile.dims<[N]>>) -> i32
// CHECK: arith.muli {{.*}} : tensor<?xi32
// CHECK: tile.reduce add %{{.*}} axis 0 : tensor<?xi32, #tile.dims<[N]>> -> i32
tile.func private @total(%x: tensor<?x!tile.any<T>, #tile.dims<[N]>>) -> !tile.any<T> {
  %twice = tile.expr 2 * %x
  %sum = tile.reduce add %twice axis 0
  tile.return %sum : !tile.any<T>
}

// Calls within follow.
// CHECK: tile.func private @read_f32_f16(%{{.*}}: !tile.ptr<f32>, %{{.*}}: f16) -> f32
// CHECK: tile.call @total_f32
tile.func private @read(%x: !tile.ptr<!tile.any<T>>, %other: !tile.any<U>) -> !tile.any<T> {
  %p = tile.expr %x + arange(8)
  %v = tile.load %p
  %w = tile.expr %v + to(%other, !tile.any<T>)
  %sum = tile.call @total(%w) -> !tile.any<T>
  tile.return %sum : !tile.any<T>
}

// Nobody calls it: it is gone.
tile.func private @unused(%x: !tile.any<T>) { tile.return }

// CHECK-LABEL: tile.func @kernel
tile.func @kernel(%p: !tile.ptr<f32>, %x: tensor<4xf16>, %y: tensor<?xi32, #tile.dims<[B]>>) meta {B = 8} {
  // CHECK: tile.call @total_f16(%{{.*}}) : (tensor<4xf16>) -> f16
  %a = tile.call @total(%x) -> f16
  // CHECK: tile.call @total_i32(%{{.*}}) : (tensor<?xi32, #tile.dims<[B]>>) -> i32
  %b = tile.call @total(%y) -> i32
  // CHECK: tile.call @read_f32_f16
  %c = tile.call @read(%p, %a) -> f32
  tile.print "x" %b, %c : i32, f32
  tile.return
}
