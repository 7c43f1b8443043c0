// Branches around dots, in loops, are loops of one step at most.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.func(tile-step-branches,canonicalize))' | FileCheck %s
// Where no warps have roles they stay.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile-set-target{arch=sm_80},tile.func(tile-step-branches))' | FileCheck %s --check-prefix=STAYS
// STAYS-COUNT-7: scf.if

// A group that may be empty: what it hands on is what it had, and what its tiles are computed from stands where it stood.
// CHECK-LABEL: tile.func @group(
tile.func @group(%a: tensor<16x16x!tile.ptr<f32>>, %sizes: !tile.ptr<i32>, %groups: i32, %y: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %c0
  // CHECK: %[[N:.*]] = tile.load
  // CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[N]], %c0
  // CHECK: %[[STEPS:.*]] = arith.extui %[[SOME]] : i1 to i32
  // CHECK: %[[NEXT:.*]] = scf.for %{{.*}} = %c0{{.*}} to %[[STEPS]] step %c1{{.*}} iter_args(%{{.*}} = %[[T]]) -> (i32)
  // CHECK: %[[SUM:.*]] = scf.for
  // CHECK: tile.dot
  // CHECK: tile.store %{{.*}}, %[[SUM]]
  // CHECK: %[[BEHIND:.*]] = arith.addi %[[T]], %[[N]]
  // CHECK: scf.yield %[[BEHIND]]
  // CHECK: scf.yield %[[NEXT]]
  %all = scf.for %g = %c0 to %groups step %c1 iter_args(%t = %c0) -> (i32) : i32 {
    %at = tile.addptr %sizes, %g : !tile.ptr<i32>, i32
    %n = tile.load %at : !tile.ptr<i32>
    %some = arith.cmpi sgt, %n, %c0 : i32
    %next = scf.if %some -> (i32) {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
        %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
        %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
        scf.yield %d : tensor<16x16xf32>
      }
      tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
      %behind = arith.addi %t, %n : i32
      scf.yield %behind : i32
    } else {
      scf.yield %t : i32
    }
    scf.yield %next : i32
  }
  tile.store %y, %all : !tile.ptr<i32>
  tile.return
}

// The last part of K by itself: its dot adds to what the loop carries.
// CHECK-LABEL: tile.func @rest(
tile.func @rest(%a: tensor<16x16x!tile.ptr<f32>>, %tiles: i32, %steps: i32, %more: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: scf.for
  // CHECK: %[[SUM:.*]] = scf.for
  // CHECK: scf.for %{{.*}} iter_args(%[[KEPT:.*]] = %[[SUM]])
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[KEPT]]
  scf.for %t = %c0 to %tiles step %c1 : i32 {
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    %last = scf.if %more -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %sum : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %sum : tensor<16x16xf32>
    }
    tile.store %a, %last : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

// Steps of one loop that a branch chooses from stay; so does an early return, which is in no loop.
// CHECK-LABEL: tile.func @chosen(
// CHECK: scf.if
// CHECK: scf.if
tile.func @chosen(%a: tensor<16x16x!tile.ptr<f32>>, %steps: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  scf.if %c {
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
      %odd = arith.trunci %k : i32 to i1
      %t = scf.if %odd -> (tensor<16x16xf32>) {
        %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
        %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
        scf.yield %d : tensor<16x16xf32>
      } else {
        scf.yield %s : tensor<16x16xf32>
      }
      scf.yield %t : tensor<16x16xf32>
    }
    tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
  }
  tile.return
}

// An early return around a loop that reads descriptors: the loop leaves the branch.
// CHECK-LABEL: tile.func @leaves(
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: scf.if
// CHECK: tile.store
tile.func @leaves(%x: !tile.ptr<f16>, %a: tensor<64x64x!tile.ptr<f32>>, %m: i32, %k: i32, %pitch: i64, %none: i1) {
  %d = tile.make_desc %x, [%m, %k], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  scf.if %none {
  } else {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %i = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %t = tile.desc_load %d[%c0, %i] : !tile.desc<64x64xf16>
      %n = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %n : tensor<64x64xf32>
    }
    tile.store %a, %sum : tensor<64x64x!tile.ptr<f32>>
  }
  tile.return
}

// It follows from what the branch loads: the branch is a loop, of a step where it was not taken.
// CHECK-LABEL: tile.func @follows(
// CHECK-SAME: %[[NONE:[a-z0-9]+]]: i1
// CHECK: %[[SOME:.*]] = arith.xori %[[NONE]], %true
// CHECK: %[[STEPS:.*]] = arith.extui %[[SOME]] : i1 to i32
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[STEPS]]
// CHECK: tile.load
// CHECK: scf.for
// CHECK: tile.desc_load
// CHECK: tile.store
tile.func @follows(%none: i1, %x: !tile.ptr<f16>, %a: tensor<64x64x!tile.ptr<f32>>, %m: i32, %k: i32, %pitch: i64, %sizes: !tile.ptr<i32>) {
  %d = tile.make_desc %x, [%m, %k], [%pitch] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  scf.if %none {
  } else {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %to = tile.load %sizes : !tile.ptr<i32>
    %sum = scf.for %i = %c0 to %to step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %t = tile.desc_load %d[%c0, %i] : !tile.desc<64x64xf16>
      %n = tile.dot %t, %t, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %n : tensor<64x64xf32>
    }
    tile.store %a, %sum : tensor<64x64x!tile.ptr<f32>>
  }
  tile.return
}

// What is left of a loop is more than nothing in each of its steps; of another loop's end it need not be.
// CHECK-LABEL: tile.func @left(
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: tile.dot
// CHECK: scf.for
// CHECK: scf.if
tile.func @left(%a: tensor<16x16x!tile.ptr<f32>>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %left = arith.subi %n, %i : i32
    %rows = arith.minsi %left, %c16 : i32
    %some = arith.cmpi sgt, %rows, %c0 : i32
    %t = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %s : tensor<16x16xf32>
    }
    scf.yield %t : tensor<16x16xf32>
  }
  %more = scf.for %i = %c0 to %m step %c16 iter_args(%s = %sum) -> (tensor<16x16xf32>) : i32 {
    %left = arith.subi %n, %i : i32
    %some = arith.cmpi sgt, %left, %c0 : i32
    %t = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %s : tensor<16x16xf32>
    }
    scf.yield %t : tensor<16x16xf32>
  }
  tile.store %a, %more : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// The less of what is left and of a number that the launch says may be nothing, whichever stands first.
// CHECK-LABEL: tile.func @less_of_both
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.if
tile.func @less_of_both(%a: tensor<16x16x!tile.ptr<f32>>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %left = arith.subi %n, %i : i32
    %rows = arith.minsi %left, %m : i32
    %some = arith.cmpi sgt, %rows, %c0 : i32
    %t = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %s : tensor<16x16xf32>
    }
    scf.yield %t : tensor<16x16xf32>
  }
  %more = scf.for %i = %c0 to %n step %c16 iter_args(%s = %sum) -> (tensor<16x16xf32>) : i32 {
    %left = arith.subi %n, %i : i32
    %rows = arith.minsi %m, %left : i32
    %some = arith.cmpi sgt, %rows, %c0 : i32
    %t = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %s : tensor<16x16xf32>
    }
    scf.yield %t : tensor<16x16xf32>
  }
  tile.store %a, %more : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// A chunk of the steps, each of which asks whether there is one: the loop ends where there is none. What each step counts up for nobody
// does not matter; what somebody reads behind the loop does, and so does a number that does not grow with the counter.
// CHECK-LABEL: tile.func @chunk(
// CHECK-SAME: %[[STEPS:[a-z0-9]+]]: i32
// CHECK: scf.for %[[CHUNK:.*]] = %c0{{.*}} to %[[STEPS]] step %c1
// CHECK: %[[FIRST:.*]] = arith.muli %[[CHUNK]], %c4
// CHECK: %[[LEFT:.*]] = arith.subi %[[STEPS]], %[[FIRST]]
// CHECK: %[[END:.*]] = arith.minsi %[[LEFT]], %c4
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[END]] step %c1
// CHECK-NOT: scf.if
// CHECK: tile.dot
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.dot
// STAYS-LABEL: tile.func @chunk(
tile.func @chunk(%steps: i32, %a: tensor<16x16x!tile.ptr<f32>>, %y: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %all = scf.for %chunk = %c0 to %steps step %c1 iter_args(%t = %zero) -> (tensor<16x16xf32>) : i32 {
    %sum:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %t, %n = %c0) -> (tensor<16x16xf32>, i32) : i32 {
      %first = arith.muli %chunk, %c4 : i32
      %k = arith.addi %first, %i : i32
      %some = arith.cmpi slt, %k, %steps : i32
      %u = scf.if %some -> (tensor<16x16xf32>) {
        %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
        %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
        scf.yield %d : tensor<16x16xf32>
      } else {
        scf.yield %s : tensor<16x16xf32>
      }
      %m = arith.addi %n, %c1 : i32
      scf.yield %u, %m : tensor<16x16xf32>, i32
    }
    scf.yield %sum#0 : tensor<16x16xf32>
  }
  %counted:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %all, %n = %c0) -> (tensor<16x16xf32>, i32) : i32 {
    %some = arith.cmpi slt, %i, %steps : i32
    %u = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %s : tensor<16x16xf32>
    }
    %m = arith.addi %n, %c1 : i32
    scf.yield %u, %m : tensor<16x16xf32>, i32
  }
  tile.store %y, %counted#1 : !tile.ptr<i32>
  %turned = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %counted#0) -> (tensor<16x16xf32>) : i32 {
    %back = arith.subi %c4, %i : i32
    %some = arith.cmpi slt, %back, %steps : i32
    %u = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %s : tensor<16x16xf32>
    }
    scf.yield %u : tensor<16x16xf32>
  }
  tile.store %a, %turned : tensor<16x16x!tile.ptr<f32>>
  tile.return
}

// Each step of a loop is below its end.
// CHECK-LABEL: tile.func @below(
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: tile.dot
// STAYS-LABEL: tile.func @below(
// STAYS-NOT: scf.if
tile.func @below(%a: tensor<16x16x!tile.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x16xf32>) : i32 {
    %some = arith.cmpi slt, %i, %n : i32
    %t = scf.if %some -> (tensor<16x16xf32>) {
      %x = tile.load %a : tensor<16x16x!tile.ptr<f32>>
      %d = tile.dot %x, %x, %zero : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } else {
      scf.yield %zero : tensor<16x16xf32>
    }
    %u = arith.addf %s, %t : tensor<16x16xf32>
    scf.yield %u : tensor<16x16xf32>
  }
  tile.store %a, %sum : tensor<16x16x!tile.ptr<f32>>
  tile.return
}
