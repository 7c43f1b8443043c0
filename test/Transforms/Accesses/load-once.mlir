// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-load-once,canonicalize,cse))' -verify-diagnostics | FileCheck %s

// Bytes with two numbers each, contiguous along K, by pointers that a loop carries: as many as there are, and each twice.
// A group's scale, one for all of K of a step: a row.
// CHECK-LABEL: tile.func private @packed
// CHECK: %[[SPLAT:.*]] = tile.splat %arg1 : !tile.ptr<i8> -> tensor<32x64x!tile.ptr<i8>>
// CHECK: %[[FIRST:.*]] = tile.addptr %[[SPLAT]],
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[P:.*]] = %[[FIRST]])
// CHECK: %[[V:.*]] = tile.load %[[P]], %{{.*}} : tensor<32x64x!tile.ptr<i8>>
// CHECK: %[[J:.*]] = tile.join %[[V]], %[[V]] : tensor<32x64xi8> -> tensor<32x64x2xi8>
// CHECK: %[[T:.*]] = tile.trans %[[J]] order [0, 2, 1]
// CHECK: tile.reshape %[[T]] : tensor<32x2x64xi8> -> tensor<64x64xi8>
// CHECK: %[[S:.*]] = tile.load {{.*}} : tensor<1x64x!tile.ptr<f16>>
// CHECK: tile.broadcast %[[S]] : tensor<1x64xf16> -> tensor<64x64xf16>
// CHECK: tile.dot
// CHECK: tile.addptr %[[P]], %{{.*}} : tensor<32x64x!tile.ptr<i8>>
tile.func private @packed(%a: tensor<64x64xf16>, %w: !tile.ptr<i8>, %scales: !tile.ptr<f16>, %steps: i32, %s: i32, %in: i1) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0> : tensor<64x64xi8>
  %two = arith.constant dense<2> : tensor<64x1xi32>
  %four = arith.constant dense<4> : tensor<64x1xi32>
  %fifteen = arith.constant dense<15> : tensor<64x64xi8>
  %step = arith.constant dense<32> : tensor<64x64xi32>
  %r = tile.arange : tensor<64xi32>
  %k = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %n = tile.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %half = arith.divsi %k, %two : tensor<64x1xi32>
  %odd = arith.remsi %k, %two : tensor<64x1xi32>
  %shift = arith.muli %odd, %four : tensor<64x1xi32>
  %ss = tile.splat %s : i32 -> tensor<1x64xi32>
  %n_off = arith.muli %n, %ss : tensor<1x64xi32>
  %half_b = tile.broadcast %half : tensor<64x1xi32> -> tensor<64x64xi32>
  %n_b = tile.broadcast %n_off : tensor<1x64xi32> -> tensor<64x64xi32>
  %off = arith.addi %half_b, %n_b : tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %first = tile.addptr %ws, %off : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %scale_bases = tile.splat %scales : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %mask = tile.splat %in : i1 -> tensor<64x64xi1>
  %shift_b = tile.broadcast %shift : tensor<64x1xi32> -> tensor<64x64xi32>
  %shift8 = arith.trunci %shift_b : tensor<64x64xi32> to tensor<64x64xi8>
  %sum:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<i8>>) : i32 {
    %v = tile.load %p, %mask, %zero : tensor<64x64x!tile.ptr<i8>>
    %moved = arith.shrui %v, %shift8 : tensor<64x64xi8>
    %low = arith.andi %moved, %fifteen : tensor<64x64xi8>
    %number = arith.uitofp %low : tensor<64x64xi8> to tensor<64x64xf16>
    %is = tile.splat %i : i32 -> tensor<64x64xi32>
    %at = arith.addi %n_b, %is : tensor<64x64xi32>
    %ps = tile.addptr %scale_bases, %at : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    %scale = tile.load %ps : tensor<64x64x!tile.ptr<f16>>
    %b = arith.mulf %number, %scale : tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %q = tile.addptr %p, %step : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
    scf.yield %next, %q : tensor<64x64xf32>, tensor<64x64x!tile.ptr<i8>>
  }
  tile.return %sum#0 : tensor<64x64xf32>
}

// Eight numbers of a word. Where the eighth is asked for, what is divided is a multiple of it.
// CHECK-LABEL: tile.func private @eight
// CHECK-DAG: %[[R:.*]] = tile.arange : tensor<8xi32>
// CHECK-NOT: arith.divsi {{.*}} tensor<8
// CHECK: scf.for
// CHECK: tile.load %{{.*}} : tensor<8x64x!tile.ptr<i32>>
// CHECK-COUNT-3: tile.join
// CHECK: tile.trans %{{.*}} order [0, 2, 3, 4, 1]
// CHECK: tile.reshape %{{.*}} : tensor<8x2x2x2x64xi32> -> tensor<64x64xi32>
tile.func private @eight(%a: tensor<64x64xf16>, %w: !tile.ptr<i32>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %c8 = arith.constant dense<8> : tensor<64x1xi32>
  %r = tile.arange : tensor<64xi32>
  %k = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %word = arith.divsi %k, %c8 : tensor<64x1xi32>
  %off = tile.broadcast %word : tensor<64x1xi32> -> tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>>
  %p = tile.addptr %ws, %off : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
  %n = tile.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %n_b = tile.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %pn = tile.addptr %p, %n_b : tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %v = tile.load %pn : tensor<64x64x!tile.ptr<i32>>
    %b = arith.sitofp %v : tensor<64x64xi32> to tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.return %sum : tensor<64x64xf32>
}

// What is the same along K is so whatever it follows from, but what a load gave for all of it. Beside what is an operand one number
// for all is loaded once; parts of it are not.
// CHECK-LABEL: tile.func private @others
// CHECK: scf.for
// CHECK: tile.load %{{.*}} : tensor<1x64x!tile.ptr<i8>>
// CHECK: tile.load %{{.*}} : tensor<1x!tile.ptr<f32>>
// CHECK: tile.load %{{.*}} : tensor<64x!tile.ptr<f32>>
tile.func private @others(%a: tensor<64x64xf16>, %w: !tile.ptr<i8>, %where: tensor<64x!tile.ptr<i32>>, %scale: !tile.ptr<f32>, %steps: i32)
    -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c2 = arith.constant dense<2> : tensor<64xi32>
  %rows = tile.load %where : tensor<64x!tile.ptr<i32>>
  %rows_b1 = tile.expand_dims %rows axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %off = tile.broadcast %rows_b1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %p = tile.addptr %ws, %off : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %q = tile.splat %scale : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %r = tile.arange : tensor<64xi32>
  %half = arith.divsi %r, %c2 : tensor<64xi32>
  %qh = tile.addptr %q, %half : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %sum:3 = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none, %x = %zero, %y = %zero) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
    %v = tile.load %p : tensor<64x64x!tile.ptr<i8>>
    %b = arith.sitofp %v : tensor<64x64xi8> to tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %s = tile.load %q : tensor<64x!tile.ptr<f32>>
    %t = tile.load %qh : tensor<64x!tile.ptr<f32>>
    %x1 = arith.addf %x, %s : tensor<64xf32>
    %y1 = arith.addf %y, %t : tensor<64xf32>
    scf.yield %next, %x1, %y1 : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  tile.return %sum#0, %sum#1, %sum#2 : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
}

// The same by reshaping: that it repeats is known, but no way to every other one.
// CHECK-LABEL: tile.func private @reshaped
// CHECK: scf.for
// CHECK: tile.load %{{.*}} : tensor<64x64x!tile.ptr<i8>>
tile.func private @reshaped(%a: tensor<64x64xf16>, %w: !tile.ptr<i8>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.arange : tensor<32xi32>
  %r1 = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x2xi32>
  %half = tile.reshape %r2 : tensor<32x2xi32> -> tensor<64xi32>
  %k = tile.expand_dims %half axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %k_b = tile.broadcast %k : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = tile.arange : tensor<64xi32>
  %n1 = tile.expand_dims %n axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %n_b = tile.broadcast %n1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %c32 = arith.constant dense<32> : tensor<64x64xi32>
  %n_off = arith.muli %n_b, %c32 : tensor<64x64xi32>
  %off = arith.addi %k_b, %n_off : tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %p = tile.addptr %ws, %off : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    // expected-remark @below {{load repeats what it reads: expected addresses of positions and numbers, to leave out 1 of 2, found others}}
    %v = tile.load %p : tensor<64x64x!tile.ptr<i8>>
    %b = arith.sitofp %v : tensor<64x64xi8> to tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.return %sum : tensor<64x64xf32>
}

// Pointers that a loop carries: where they begin so, and where each step moves them so.
// CHECK-LABEL: tile.func private @carried_from
// CHECK: tile.load %{{.*}} : tensor<64x64x!tile.ptr<i8>>
tile.func private @carried_from(%a: tensor<64x64xf16>, %w: !tile.ptr<i8>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.arange : tensor<32xi32>
  %r1 = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x2xi32>
  %half = tile.reshape %r2 : tensor<32x2xi32> -> tensor<64xi32>
  %k = tile.expand_dims %half axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %halves = tile.broadcast %k : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = tile.arange : tensor<64xi32>
  %n1 = tile.expand_dims %n axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %n1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %first = tile.addptr %ws, %halves : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %sum:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<i8>>) : i32 {
    // expected-remark @below {{load repeats what it reads: expected addresses of positions and numbers, to leave out 1 of 2, found others}}
    %v = tile.load %p : tensor<64x64x!tile.ptr<i8>>
    %b = arith.sitofp %v : tensor<64x64xi8> to tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %q = tile.addptr %p, %cols : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
    scf.yield %next, %q : tensor<64x64xf32>, tensor<64x64x!tile.ptr<i8>>
  }
  tile.return %sum#0 : tensor<64x64xf32>
}

// CHECK-LABEL: tile.func private @carried_by
// CHECK: tile.load %{{.*}} : tensor<64x64x!tile.ptr<i8>>
tile.func private @carried_by(%a: tensor<64x64xf16>, %w: !tile.ptr<i8>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.arange : tensor<32xi32>
  %r1 = tile.expand_dims %r axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r1 : tensor<32x1xi32> -> tensor<32x2xi32>
  %half = tile.reshape %r2 : tensor<32x2xi32> -> tensor<64xi32>
  %k = tile.expand_dims %half axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %halves = tile.broadcast %k : tensor<64x1xi32> -> tensor<64x64xi32>
  %n = tile.arange : tensor<64xi32>
  %n1 = tile.expand_dims %n axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %n1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %first = tile.addptr %ws, %cols : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %sum:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<i8>>) : i32 {
    // expected-remark @below {{load repeats what it reads: expected addresses of positions and numbers, to leave out 1 of 2, found others}}
    %v = tile.load %p : tensor<64x64x!tile.ptr<i8>>
    %b = arith.sitofp %v : tensor<64x64xi8> to tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %q = tile.addptr %p, %halves : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
    scf.yield %next, %q : tensor<64x64xf32>, tensor<64x64x!tile.ptr<i8>>
  }
  tile.return %sum#0 : tensor<64x64xf32>
}

// Of every other row a fourth is still a quotient, and so is half of what is no multiple of 2.
// CHECK-LABEL: tile.func private @quotients
// CHECK-DAG: %[[FOUR:.*]] = arith.constant dense<4> : tensor<32x1xi32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2> : tensor<32x1xi32>
// CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %{{.*}} : tensor<32xi32>
// CHECK: %[[K:.*]] = tile.expand_dims %[[ROWS]] axis 1
// CHECK: arith.divsi %[[K]], %[[FOUR]] : tensor<32x1xi32>
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %[[TWO]] : tensor<32x1xi32>
// CHECK: arith.divsi %[[NEXT]], %[[TWO]] : tensor<32x1xi32>
// CHECK: tile.load %{{.*}} : tensor<32x64x!tile.ptr<i8>>
tile.func private @quotients(%a: tensor<64x64xf16>, %w: !tile.ptr<i8>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %n = tile.arange : tensor<64xi32>
  %n1 = tile.expand_dims %n axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %cols = tile.broadcast %n1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %two = arith.constant dense<2> : tensor<64x1xi32>
  %four = arith.constant dense<4> : tensor<64x1xi32>
  %far = arith.constant dense<64> : tensor<64x1xi32>
  %k = tile.expand_dims %n axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %fourth = arith.divsi %k, %four : tensor<64x1xi32>
  %more = arith.addi %k, %two : tensor<64x1xi32>
  %half = arith.divsi %more, %two : tensor<64x1xi32>
  %away = arith.muli %half, %far : tensor<64x1xi32>
  %sum = arith.addi %fourth, %away : tensor<64x1xi32>
  %rows = tile.broadcast %sum : tensor<64x1xi32> -> tensor<64x64xi32>
  %off = arith.addi %rows, %cols : tensor<64x64xi32>
  %ws = tile.splat %w : !tile.ptr<i8> -> tensor<64x64x!tile.ptr<i8>>
  %p = tile.addptr %ws, %off : tensor<64x64x!tile.ptr<i8>>, tensor<64x64xi32>
  %all = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %v = tile.load %p : tensor<64x64x!tile.ptr<i8>>
    %b = arith.sitofp %v : tensor<64x64xi8> to tensor<64x64xf16>
    %next = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.return %all : tensor<64x64xf32>
}

// The scales of groups of 16 along K: none has several numbers in it, so they are spread over whoever wants them.
// CHECK-LABEL: tile.func private @groups
// CHECK-NOT: tile.join
// CHECK: %[[S:.*]] = tile.load {{.*}} : tensor<4x64x!tile.ptr<f16>>
// CHECK: %[[E:.*]] = tile.expand_dims %[[S]] axis 1 : tensor<4x64xf16> -> tensor<4x1x64xf16>
// CHECK: %[[B:.*]] = tile.broadcast %[[E]] : tensor<4x1x64xf16> -> tensor<4x16x64xf16>
// CHECK: tile.reshape %[[B]] : tensor<4x16x64xf16> -> tensor<64x64xf16>
// CHECK-NOT: tile.join
// CHECK: tile.dot
tile.func private @groups(%a: tensor<64x64xf16>, %w: tensor<64x64xf16>, %scales: !tile.ptr<f16>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %group = arith.constant dense<16> : tensor<64x1xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %step = arith.constant dense<256> : tensor<64x64xi32>
  %r = tile.arange : tensor<64xi32>
  %k = tile.expand_dims %r axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %n = tile.expand_dims %r axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %of = arith.divsi %k, %group : tensor<64x1xi32>
  %row = arith.muli %of, %pitch : tensor<64x1xi32>
  %row_b = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
  %n_b = tile.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %off = arith.addi %row_b, %n_b : tensor<64x64xi32>
  %bases = tile.splat %scales : !tile.ptr<f16> -> tensor<64x64x!tile.ptr<f16>>
  %first = tile.addptr %bases, %off : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
  %sum:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none, %p = %first) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %s = tile.load %p : tensor<64x64x!tile.ptr<f16>>
    %b = arith.mulf %w, %s : tensor<64x64xf16>
    %d = tile.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tile.addptr %p, %step : tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  tile.return %sum#0 : tensor<64x64xf32>
}
