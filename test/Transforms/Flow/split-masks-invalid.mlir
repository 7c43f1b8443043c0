// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-split-masks))' --verify-diagnostics -split-input-file | FileCheck %s --implicit-check-not=scf.if

// Loops of dots with comparisons that all smaller counters satisfy, and what hinders.

// Of what the mask asks only one part is known of all smaller counters.
// CHECK-LABEL: tile.func @others
// CHECK: scf.for
// CHECK-NOT: scf.for
tile.func @others(%kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                  %given: tensor<128x64xi1>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  // expected-remark @+1 {{masks stay in each step: expected a large tile that comparisons alone select}}
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %early = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %in = arith.andi %given, %early : tensor<128x64xi1>
    %left = arith.select %in, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// -----

// Either of the two tiles would be held over the other one.
// CHECK-LABEL: tile.func @two
// CHECK: scf.for
// CHECK-NOT: scf.for
tile.func @two(%kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                  %given: tensor<128x64xi1>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  // expected-remark @+1 {{masks stay in each step: expected one tile that comparisons select, found several}}
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %b = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %early = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %seen = arith.select %early, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    %twice = arith.addf %seen, %seen : tensor<128x64xf32>
    %left = arith.select %early, %twice, %s : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}

// -----

// The copy engine brings one tile, and threads load another.
// CHECK-LABEL: tile.func @mixed
// CHECK: scf.for
// CHECK-NOT: scf.for
tile.func @mixed(%k: !tile.desc<64x64xf16>, %kp: tensor<64x64x!tile.ptr<f16>>, %q: tensor<128x64xf16>, %first: i32, %n: i32,
                  %given: tensor<128x64xi1>, %p: tensor<128x64x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %lane = tile.arange : tensor<64xi32>
  %le = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %le : tensor<1x64xi32> -> tensor<128x64xi32>
  %ls = tile.splat %first : i32 -> tensor<128x64xi32>
  // expected-remark @+1 {{masks stay in each step: expected tiles that come in boxes, or none that do}}
  %sum = scf.for %j = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %box = tile.desc_load %k[%j, %c0] : !tile.desc<64x64xf16>
    %own = tile.load %kp : tensor<64x64x!tile.ptr<f16>>
    %b = arith.addf %box, %own : tensor<64x64xf16>
    %s = tile.dot %q, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %js = tile.splat %j : i32 -> tensor<128x64xi32>
    %keys = arith.addi %js, %cols : tensor<128x64xi32>
    %early = arith.cmpi slt, %keys, %ls : tensor<128x64xi32>
    %left = arith.select %early, %s, %acc : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %left : tensor<128x64xf32>
  }
  tile.store %p, %sum : tensor<128x64x!tile.ptr<f32>>
  tile.return
}
