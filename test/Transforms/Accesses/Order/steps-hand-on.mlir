// RUN: tile-opt %s --tile-order-accesses | FileCheck %s

// What a step stores and loads again at the same places is handed on, and the next step's store
// waits for no load that is gone: no barrier in the loop. Sums of attention went by way of memory
// so, where a compiler had lost them otherwise.

// CHECK-LABEL: @by_way_of_memory
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.store %{{.*}}, %[[x:.*]] :
// CHECK-NOT: tile.load
// CHECK: arith.addf %{{.*}}, %[[x]]
// CHECK: scf.yield
// CHECK: tile.barrier
// CHECK-NEXT: tile.store
tile.func @by_way_of_memory(%p: tensor<128x!tile.ptr<f32>>, %n: i32, %one: tensor<128xf32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %end = scf.for %i = %zero to %n step %step iter_args(%sum = %one) -> (tensor<128xf32>) : i32 {
    %x = math.exp %sum : tensor<128xf32>
    tile.store %p, %x : tensor<128x!tile.ptr<f32>>
    %y = tile.load %p : tensor<128x!tile.ptr<f32>>
    %next = arith.addf %sum, %y : tensor<128xf32>
    scf.yield %next : tensor<128xf32>
  }
  tile.store %p, %end : tensor<128x!tile.ptr<f32>>
  tile.return
}

// A load in front of the store still wants what the step before stored, by whoever did.

// CHECK-LABEL: @of_the_step_before
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
tile.func @of_the_step_before(%p: tensor<128x!tile.ptr<f32>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.for %i = %zero to %n step %step : i32 {
    %y = tile.load %p : tensor<128x!tile.ptr<f32>>
    %x = math.exp %y : tensor<128xf32>
    tile.store %p, %x : tensor<128x!tile.ptr<f32>>
  }
  tile.return
}
