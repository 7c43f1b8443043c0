// RUN: tile-opt %s --tile-order-accesses | FileCheck %s

// Barriers of a loop that writes nothing: one behind it does.

// CHECK-LABEL: @reads
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
tile.func @reads(%p: tensor<128x!tile.ptr<f32>>, %q: tensor<128x!tile.ptr<f32>>, %n: i32, %one: tensor<128xf32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %end = scf.for %i = %zero to %n step %step iter_args(%sum = %one) -> (tensor<128xf32>) : i32 {
    tile.barrier
    %y = tile.load %p : tensor<128x!tile.ptr<f32>>
    tile.barrier
    %next = arith.addf %sum, %y : tensor<128xf32>
    scf.yield %next : tensor<128xf32>
  }
  tile.store %q, %end : tensor<128x!tile.ptr<f32>>
  tile.return
}

// What was written in front of the loop is read in it: one in front, too. Of loops within each other the outer one is
// asked first.

// CHECK-LABEL: @reads_what_was_written
// CHECK: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.load
// CHECK-NOT: tile.barrier
// CHECK: }
// CHECK: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.return
// CHECK-LABEL: @writes
tile.func @reads_what_was_written(%p: tensor<128x!tile.ptr<f32>>, %n: i32, %one: tensor<128xf32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  tile.store %p, %one : tensor<128x!tile.ptr<f32>>
  scf.for %i = %zero to %n step %step : i32 {
    scf.for %j = %zero to %n step %step : i32 {
      tile.barrier
      %y = tile.load %p : tensor<128x!tile.ptr<f32>>
    }
  }
  tile.return
}

// A loop that writes keeps them, and so does one that waits for others.

// CHECK: scf.for
// CHECK: tile.store
// CHECK: tile.barrier
// CHECK: scf.for
// CHECK-NEXT: tile.load {{.*}} cache cv
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: }
tile.func @writes(%p: tensor<128x!tile.ptr<f32>>, %n: i32, %one: tensor<128xf32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.for %i = %zero to %n step %step : i32 {
    tile.store %p, %one : tensor<128x!tile.ptr<f32>>
    tile.barrier
  }
  scf.for %i = %zero to %n step %step : i32 {
    %y = tile.load %p cache cv : tensor<128x!tile.ptr<f32>>
    tile.barrier
  }
  tile.return
}

// A loop in which another one may wait keeps them.

// CHECK-LABEL: @waits
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.while
tile.func @waits(%n: i32, %more: i1) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.for %i = %zero to %n step %step : i32 {
    tile.barrier
    scf.while : () -> () {
      scf.condition(%more)
    } do {
      scf.yield
    }
  }
  tile.return
}

// What a step of a loop around it writes behind the loop, the loop reads in the next step: one in front.

// CHECK-LABEL: @reads_what_a_step_writes
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
tile.func @reads_what_a_step_writes(%p: tensor<128x!tile.ptr<f32>>, %n: i32, %one: tensor<128xf32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  scf.for %i = %zero to %n step %step : i32 {
    scf.for %j = %zero to %n step %step : i32 {
      %y = tile.load %p : tensor<128x!tile.ptr<f32>>
      tile.barrier
    }
    tile.store %p, %one : tensor<128x!tile.ptr<f32>>
  }
  tile.return
}
