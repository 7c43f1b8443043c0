// RUN: tile-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(tile.func(canonicalize,tile-raise-descriptors{num-warps=8}))' | FileCheck %s

// Heads in groups share keys: which, follows from the numbers of heads, groups and keys, whose signs nobody tells, but which
// something is divided by, or a loop goes up to. The array's extent, of which there is none, is -1 where one is negative.
// CHECK-LABEL: tile.func @groups
// CHECK-SAME: %[[K:[^:]*]]: !tile.ptr<f16>{{.*}}, %[[HEADS:[^:]*]]: i32, %[[GROUPS:[^:]*]]: i32, %[[N:[^:]*]]: i32
// CHECK-DAG: %[[H:.*]] = arith.minsi %[[HEADS]], %c0
// CHECK-DAG: %[[HSIGN:.*]] = arith.maxsi %[[H]], %c-1
// CHECK-DAG: %[[G:.*]] = arith.minsi %[[GROUPS]], %c0
// CHECK-DAG: %[[GSIGN:.*]] = arith.maxsi %[[G]], %c-1
// CHECK-DAG: %[[L:.*]] = arith.minsi %[[N]], %c0
// CHECK-DAG: %[[LSIGN:.*]] = arith.maxsi %[[L]], %c-1
// CHECK-DAG: %[[BOTH:.*]] = arith.minsi %{{.*}}, %[[GSIGN]]
// CHECK: %[[SIGN:.*]] = arith.minsi %[[BOTH]], %[[LSIGN]]
// CHECK: %[[HOLDS:.*]] = arith.addi %[[SIGN]], %c1
// CHECK: %[[FAR:.*]] = arith.muli %[[HOLDS]], %c2147483647
// CHECK: %[[EXTENT:.*]] = arith.addi %[[FAR]], %[[SIGN]]
// CHECK: tile.make_desc %[[K]], [%[[EXTENT]],
// CHECK: tile.desc_load
// CHECK-NOT: tile.load
tile.func @groups(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %heads: i32, %groups: i32,
                  %n: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x
  %batch = arith.divsi %pid, %heads : i32
  %first = arith.muli %batch, %groups : i32
  %head = arith.remsi %pid, %heads : i32
  %each = arith.divsi %heads, %groups : i32
  %group = arith.divsi %head, %each : i32
  %kv = arith.addi %first, %group : i32
  %kv64 = arith.extsi %kv : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %c64 = arith.constant 64 : i64
  %rows = arith.muli %kv64, %n64 : i64
  %start = arith.muli %rows, %c64 : i64
  %base = tile.addptr %k, %start : !tile.ptr<f16>, i64
  %a = arith.constant dense<1.0> : tensor<128x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %pitch = arith.constant dense<64> : tensor<128x1xi32>
  %bases = tile.splat %base : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %sum = scf.for %j = %c0 to %n step %c128 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %js = tile.splat %j : i32 -> tensor<128xi32>
    %row = arith.addi %js, %r128 : tensor<128xi32>
    %column = tile.expand_dims %row axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %far = arith.muli %column, %pitch : tensor<128x1xi32>
    %fars = tile.broadcast %far : tensor<128x1xi32> -> tensor<128x64xi32>
    %d = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ds = tile.broadcast %d : tensor<1x64xi32> -> tensor<128x64xi32>
    %offsets = arith.addi %fars, %ds : tensor<128x64xi32>
    %ptrs = tile.addptr %bases, %offsets : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %x = tile.load %ptrs : tensor<128x64x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %p = tile.dot %a, %t, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  // expected-remark @+1 {{stays an access through pointers: expected elements at increasing addresses}}
  tile.store %outs, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// -----

// What is only multiplied may be negative: nothing is taken for granted, and positions are moved away from 0.
// CHECK-LABEL: tile.func @times
// CHECK: tile.desc_load %{{.*}}[%c67108864
tile.func @times(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %heads: i32, %times: i32,
                 %n: i32 {tile.divisibility = 16 : i32}) {
  %pid = tile.program_id x
  %batch = arith.divsi %pid, %heads : i32
  %kv = arith.muli %batch, %times : i32
  %kv64 = arith.extsi %kv : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %c64 = arith.constant 64 : i64
  %rows = arith.muli %kv64, %n64 : i64
  %start = arith.muli %rows, %c64 : i64
  %base = tile.addptr %k, %start : !tile.ptr<f16>, i64
  %a = arith.constant dense<1.0> : tensor<128x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %pitch = arith.constant dense<64> : tensor<128x1xi32>
  %bases = tile.splat %base : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %sum = scf.for %j = %c0 to %n step %c128 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %js = tile.splat %j : i32 -> tensor<128xi32>
    %row = arith.addi %js, %r128 : tensor<128xi32>
    %column = tile.expand_dims %row axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %far = arith.muli %column, %pitch : tensor<128x1xi32>
    %fars = tile.broadcast %far : tensor<128x1xi32> -> tensor<128x64xi32>
    %d = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ds = tile.broadcast %d : tensor<1x64xi32> -> tensor<128x64xi32>
    %offsets = arith.addi %fars, %ds : tensor<128x64xi32>
    %ptrs = tile.addptr %bases, %offsets : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %x = tile.load %ptrs : tensor<128x64x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %p = tile.dot %a, %t, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  // expected-remark @+1 {{stays an access through pointers: expected elements at increasing addresses}}
  tile.store %outs, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}

// -----

// A program of a head of its own, arrays of any pitch: heads are divided by groups, and what divides the head is what comes
// of that. Both are counts.
// CHECK-LABEL: tile.func @pitches
// CHECK-SAME: %[[K:[^:]*]]: !tile.ptr<f16>{{.*}}: !tile.ptr<f32>, %[[HEADS:[^:]*]]: i32, %[[GROUPS:[^:]*]]: i32
// CHECK-DAG: arith.minsi %[[HEADS]], %c0
// CHECK-DAG: arith.minsi %[[GROUPS]], %c0
// CHECK: tile.make_desc %[[K]],
// CHECK: %[[EACH:.*]] = arith.divsi %[[HEADS]], %[[GROUPS]]
// CHECK: %[[GROUP:.*]] = arith.divsi %{{.*}}, %[[EACH]]
// CHECK: tile.desc_load %{{.*}}[%{{.*}}, %{{.*}}, %c0
// CHECK-NOT: tile.load
tile.func @pitches(%k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %heads: i32, %groups: i32,
                   %n: i32, %pitch_head: i32 {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}) {
  %head = tile.program_id y
  %each = arith.divsi %heads, %groups : i32
  %group = arith.divsi %head, %each : i32
  %start = arith.muli %group, %pitch_head : i32
  %base = tile.addptr %k, %start : !tile.ptr<f16>, i32
  %a = arith.constant dense<1.0> : tensor<128x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r128 = tile.arange : tensor<128xi32>
  %r64 = tile.arange : tensor<64xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<128x1xi32>
  %bases = tile.splat %base : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %sum = scf.for %j = %c0 to %n step %c128 iter_args(%s = %zero) -> tensor<128x128xf32> : i32 {
    %js = tile.splat %j : i32 -> tensor<128xi32>
    %row = arith.addi %js, %r128 : tensor<128xi32>
    %column = tile.expand_dims %row axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    %far = arith.muli %column, %pitches : tensor<128x1xi32>
    %fars = tile.broadcast %far : tensor<128x1xi32> -> tensor<128x64xi32>
    %d = tile.expand_dims %r64 axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %ds = tile.broadcast %d : tensor<1x64xi32> -> tensor<128x64xi32>
    %offsets = arith.addi %fars, %ds : tensor<128x64xi32>
    %ptrs = tile.addptr %bases, %offsets : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    %x = tile.load %ptrs : tensor<128x64x!tile.ptr<f16>>
    %t = tile.trans %x order [1, 0] : tensor<128x64xf16> -> tensor<64x128xf16>
    %p = tile.dot %a, %t, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %p : tensor<128x128xf32>
  }
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  // expected-remark @+1 {{stays an access through pointers: expected elements at increasing addresses}}
  tile.store %outs, %sum : tensor<128x128x!tile.ptr<f32>>
  tile.return
}
