// What a kernel wrote by the same pointers it reads, or overwrites: threads of Triton's do so one element each, without a barrier.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(convert-triton-to-tile,tile.func(tile-order-accesses))' | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_90a -o %t
//
// The value is handed on, with what masked elements have instead.
// CHECK-LABEL: tile.func @handed
// CHECK: tile.store %[[P:.*]], %[[X:.*]] : tensor<64x!tile.ptr<f32>>
// CHECK-NOT: tile.barrier
// CHECK: tile.store %[[Q:.*]], %[[X]], %[[M:.*]] : tensor<64x!tile.ptr<f32>>
// CHECK: %[[S:.*]] = arith.select %[[M]], %[[X]], %{{.*}} : tensor<64xi1>, tensor<64xf32>
// CHECK: arith.addf %[[X]], %[[S]]
// CHECK-NOT: tile.barrier
tt.func public @handed(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ptrs = tt.addptr %ps, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %others = tt.addptr %qs, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %ends = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %lane, %ends : tensor<64xi32>
  %lanes = arith.sitofp %lane : tensor<64xi32> to tensor<64xf32>
  %x = arith.addf %lanes, %one : tensor<64xf32>
  tt.store %ptrs, %x : tensor<64x!tt.ptr<f32>>
  %a = tt.load %ptrs : tensor<64x!tt.ptr<f32>>
  tt.store %others, %x, %mask : tensor<64x!tt.ptr<f32>>
  %b = tt.load %others, %mask, %zero : tensor<64x!tt.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<64xf32>
  %away = tt.addptr %ptrs, %ends : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %away, %sum : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Elements that the store leaves out, and other stores since, are read from memory.
// CHECK-LABEL: tile.func @awaited
// CHECK: tile.store %[[P:.*]], %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load %[[P]]
// A store by others is between; what is read then has been waited for.
// CHECK: tile.store %[[Q:.*]], %{{.*}} : tensor<64x!tile.ptr<f32>>
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load %[[Q]]
// CHECK-NEXT: tile.load %[[Q]]
// One barrier is enough for what is written next; a store on a store has its own.
// CHECK-NOT: tile.barrier
// CHECK: tile.store %[[Q]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store %[[Q]]
tt.func public @awaited(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ptrs = tt.addptr %ps, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %others = tt.addptr %qs, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %ends = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %lane, %ends : tensor<64xi32>
  tt.store %ptrs, %zero, %mask : tensor<64x!tt.ptr<f32>>
  %a = tt.load %ptrs : tensor<64x!tt.ptr<f32>>
  tt.store %others, %a : tensor<64x!tt.ptr<f32>>
  tt.store %ps, %zero : tensor<64x!tt.ptr<f32>>
  %b = tt.load %others : tensor<64x!tt.ptr<f32>>
  %c = tt.load %others, %mask, %zero : tensor<64x!tt.ptr<f32>>
  %sum = arith.addf %b, %c : tensor<64xf32>
  tt.store %others, %sum : tensor<64x!tt.ptr<f32>>
  tt.store %others, %a, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}

// The step before wrote what this one reads. Pointers that move wait for nothing; what is read, and stored elsewhere too, is read
// by all first.
// CHECK-LABEL: tile.func @steps
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load %[[P:.*]] : tensor<64x!tile.ptr<f32>>
// CHECK-NEXT: tile.load %[[Q:.*]] : tensor<64x!tile.ptr<f32>>
// CHECK: tile.barrier
// CHECK-NEXT: tile.store %[[Q]]
// CHECK-NEXT: tile.store %[[P]]
// CHECK: scf.yield
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tt.func public @steps(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %by = arith.constant dense<64> : tensor<64xi32>
  %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ptrs = tt.addptr %ps, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %others = tt.addptr %qs, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %last = scf.for %i = %zero to %n step %one iter_args(%at = %others) -> (tensor<64x!tt.ptr<f32>>) : i32 {
    %a = tt.load %ptrs : tensor<64x!tt.ptr<f32>>
    %b = tt.load %at : tensor<64x!tt.ptr<f32>>
    %sum = arith.addf %a, %b : tensor<64xf32>
    tt.store %at, %sum : tensor<64x!tt.ptr<f32>>
    tt.store %ptrs, %sum : tensor<64x!tt.ptr<f32>>
    %next = tt.addptr %at, %by : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.yield %next : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}
