// What keeps tiles carried from the step that loads them.
// RUN: tile-opt %s --split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,cse,tile-load-in-step,canonicalize))' | FileCheck %s

// CHECK-LABEL: tile.func private @writes
// CHECK: scf.for %{{.*}} -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>)
tile.func private @writes(%xp0: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a0 = tile.load %xp0 : tensor<64x32x!tile.ptr<f16>>
  // expected-remark @+1 {{tiles are carried from the step that loads them: expected a loop that neither writes nor waits}}
  %r:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%xp = %xp0, %s = %zero, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %next = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %an = tile.load %next : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    tile.store %to, %d : tensor<64x64x!tile.ptr<f32>>
    scf.yield %next, %d, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>
  }
  tile.return
}

// -----

// Written between the load in front and the loop.
// CHECK-LABEL: tile.func private @written
// CHECK: scf.for %{{.*}} -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>)
tile.func private @written(%xp0: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a0 = tile.load %xp0 : tensor<64x32x!tile.ptr<f16>>
  tile.store %to, %zero : tensor<64x64x!tile.ptr<f32>>
  // expected-remark @+1 {{expected the same load in front of the loop, a step before, and nothing written since}}
  %r:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%xp = %xp0, %s = %zero, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %next = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %an = tile.load %next : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %next, %d, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>
  }
  tile.store %to, %r#1 : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// The first step's tile lies two steps ahead.
// CHECK-LABEL: tile.func private @elsewhere
// CHECK: scf.for %{{.*}} -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>)
tile.func private @elsewhere(%xp0: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %two = arith.constant dense<64> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a0 = tile.load %xp0 : tensor<64x32x!tile.ptr<f16>>
  %xp2 = tile.addptr %xp0, %two : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  // expected-remark @+1 {{expected the same load in front of the loop, a step before, and nothing written since}}
  %r:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%xp = %xp2, %s = %zero, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %an = tile.load %xp : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    scf.yield %next, %d, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>
  }
  tile.store %to, %r#1 : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// A mask that the loads share with what this step adds.
// CHECK-LABEL: tile.func private @read_by_others
// CHECK: scf.for %{{.*}} -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>)
tile.func private @read_by_others(%xp0: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>,
                                  %places: tensor<64x32xi32>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a0 = tile.load %xp0 : tensor<64x32x!tile.ptr<f16>>
  %xp1 = tile.addptr %xp0, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  // expected-remark @+1 {{expected addresses that nobody else reads}}
  %r:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%xp = %xp1, %s = %zero, %a = %a0)
      -> (tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %an = tile.load %xp : tensor<64x32x!tile.ptr<f16>>
    %here = tile.load %xp cache cg : tensor<64x32x!tile.ptr<f16>>
    %both = arith.addf %a, %here : tensor<64x32xf16>
    %d = tile.dot %both, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tile.addptr %xp, %by : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    scf.yield %next, %d, %an : tensor<64x32x!tile.ptr<f16>>, tensor<64x64xf32>, tensor<64x32xf16>
  }
  tile.store %to, %r#1 : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// By steps of two the last counter is no difference of the bounds, and the tile is wanted behind the loop.
// CHECK-LABEL: tile.func private @steps_of_two
// CHECK: scf.for %{{.*}} -> (tensor<64x64xf32>, tensor<64x32xf16>)
tile.func private @steps_of_two(%xp: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %begins = arith.constant dense<-2> : tensor<64x32xi32>
  %p0 = tile.addptr %xp, %begins : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
  %a0 = tile.load %p0 : tensor<64x32x!tile.ptr<f16>>
  // expected-remark @+1 {{expected steps of one, to know the last of them}}
  %r:2 = scf.for %i = %c0 to %steps step %c2 iter_args(%s = %zero, %a = %a0) -> (tensor<64x64xf32>, tensor<64x32xf16>) : i32 {
    %far = tile.splat %i : i32 -> tensor<64x32xi32>
    %p = tile.addptr %xp, %far : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %an = tile.load %p : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d, %an : tensor<64x64xf32>, tensor<64x32xf16>
  }
  %twice = arith.addf %r#1, %r#1 : tensor<64x32xf16>
  %sum = tile.dot %twice, %b, %r#0 : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.store %to, %sum : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// -----

// No tile of a load is carried: nothing is said.
// CHECK-LABEL: tile.func private @plain
tile.func private @plain(%xp: tensor<64x32x!tile.ptr<f16>>, %b: tensor<32x64xf16>, %to: tensor<64x64x!tile.ptr<f32>>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tile.load %xp : tensor<64x32x!tile.ptr<f16>>
    %d = tile.dot %a, %b, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %to, %r : tensor<64x64x!tile.ptr<f32>>
  tile.return
}
