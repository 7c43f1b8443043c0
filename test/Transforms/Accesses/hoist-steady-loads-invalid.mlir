// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-hoist-steady-loads))' --verify-diagnostics -split-input-file | FileCheck %s

// A step may have written it.
// CHECK-LABEL: tile.func @written
// CHECK: scf.for
// CHECK: tile.load
tile.func @written(%q: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %q : !tile.ptr<f32>
    %y = arith.addf %x, %x : f32
    tile.store %q, %y : !tile.ptr<f32>
  }
  tile.return
}

// -----

// Read again each time; and only where a branch says so.
// CHECK-LABEL: tile.func @again
// CHECK: scf.for
// CHECK: tile.load %{{.*}} cache cv
// CHECK: scf.if
// CHECK: tile.load
tile.func @again(%q: !tile.ptr<f32>, %m: i1, %n: i32, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %x = tile.load %q cache cv : !tile.ptr<f32>
    %y = scf.if %m -> (f32) {
      %z = tile.load %q : !tile.ptr<f32>
      scf.yield %z : f32
    } else {
      scf.yield %zero : f32
    }
    %both = arith.addf %x, %y : f32
    %next = arith.addf %acc, %both : f32
    scf.yield %next : f32
  }
  tile.store %out, %sum : !tile.ptr<f32>
  tile.return
}

// -----

// More than a few words a thread.
tile.func @large(%q: !tile.ptr<f32>, %n: i32, %out: !tile.ptr<f32>) attributes {tile.num_warps = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %i = tile.arange : tensor<256xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %qp = tile.addptr %qs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    // expected-remark @+1 {{load does not leave the loop: expected at most 4 words a thread, found 8}}
    %x = tile.load %qp : tensor<256x!tile.ptr<f32>>
    %s = tile.reduce add %x axis 0 : tensor<256xf32> -> f32
    %next = arith.addf %acc, %s : f32
    scf.yield %next : f32
  }
  tile.store %out, %sum : !tile.ptr<f32>
  tile.return
}
