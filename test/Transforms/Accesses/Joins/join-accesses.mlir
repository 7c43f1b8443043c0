// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-join-accesses,cse))' | FileCheck %s

// Complex numbers: x[2 i] and x[2 i + 1] are one load of 8 bytes, contiguous where i is.
// CHECK-LABEL: tile.func @pairs(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.ptr<f32>
tile.func @pairs(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  %lanes = tile.arange : tensor<512xi32>
  %two = arith.constant dense<2> : tensor<512xi32>
  %one = arith.constant dense<1> : tensor<512xi32>
  // CHECK: %[[WIDE:.*]] = tile.ptr_cast %[[X]] : !tile.ptr<f32> -> !tile.ptr<i64>
  // CHECK: %[[TWICE:.*]] = arith.muli
  %twice = arith.muli %lanes, %two : tensor<512xi32>
  // CHECK: %[[HALF:.*]] = arith.shrsi %[[TWICE]], %{{.*}} {tile.contiguity = array<i64: 512>, tile.divisibility = array<i64: {{[0-9]+}}>}
  // CHECK: %[[BASES:.*]] = tile.splat %[[WIDE]]
  // CHECK: %[[AT:.*]] = tile.addptr %[[BASES]], %[[HALF]] : tensor<512x!tile.ptr<i64>>
  // CHECK: %[[BOTH:.*]] = tile.load %[[AT]] : tensor<512x!tile.ptr<i64>>
  // CHECK-NOT: tile.load
  // CHECK: %[[LOW:.*]] = arith.trunci %[[BOTH]] : tensor<512xi64> to tensor<512xi32>
  // CHECK: %[[RE:.*]] = arith.bitcast %[[LOW]] : tensor<512xi32> to tensor<512xf32>
  // CHECK: %[[SHIFTED:.*]] = arith.shrui %[[BOTH]], %{{.*}}
  // CHECK: %[[HIGH:.*]] = arith.trunci %[[SHIFTED]]
  // CHECK: %[[IM:.*]] = arith.bitcast %[[HIGH]]
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %base, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %re = tile.load %p : tensor<512x!tile.ptr<f32>>
  %q = tile.addptr %p, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %im = tile.load %q : tensor<512x!tile.ptr<f32>>
  // The lower address is the second store's.
  // CHECK: %[[SUM:.*]] = arith.addf %[[RE]], %[[IM]]
  // CHECK: %[[DIFFERENCE:.*]] = arith.subf %[[RE]], %[[IM]]
  // CHECK: arith.bitcast %[[DIFFERENCE]]
  // CHECK: %[[LOWER:.*]] = arith.extui
  // CHECK: arith.bitcast %[[SUM]]
  // CHECK: %[[UPPER:.*]] = arith.shli
  // CHECK: %[[WHOLE:.*]] = arith.ori %[[LOWER]], %[[UPPER]]
  // CHECK: tile.store %{{.*}}, %[[WHOLE]] : tensor<512x!tile.ptr<i64>>
  // CHECK-NOT: tile.store
  %sum = arith.addf %re, %im : tensor<512xf32>
  %difference = arith.subf %re, %im : tensor<512xf32>
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %to = tile.addptr %out, %twice : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %behind = tile.addptr %to, %one : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  tile.store %behind, %sum : tensor<512x!tile.ptr<f32>>
  tile.store %to, %difference : tensor<512x!tile.ptr<f32>>
  tile.return
}

// Four bytes of a pixel, rows of which lie apart: two rounds. What is masked out is 255 in each byte.
// CHECK-LABEL: tile.func @pixels
// CHECK: arith.shrsi %{{.*}} {tile.contiguity = array<i64: 1, 64>, tile.divisibility = array<i64: 1, {{[0-9]+}}>}
// CHECK: %[[PIXELS:.*]] = tile.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x64x!tile.ptr<i32>>
// CHECK-NOT: tile.load
tile.func @pixels(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %y: !tile.ptr<i32>, %n: i32, %pitch: i32 {tile.divisibility = 16 : i32}) {
  %four = arith.constant dense<4> : tensor<1x64xi32>
  %none = arith.constant dense<-1> : tensor<8x64xi8>
  %lanes = tile.arange : tensor<64xi32>
  %i = tile.expand_dims %lanes axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %rows = tile.arange : tensor<8xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<8xi32>
  %lines = arith.muli %rows, %pitches : tensor<8xi32>
  %j = tile.expand_dims %lines axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %down = tile.broadcast %j : tensor<8x1xi32> -> tensor<8x64xi32>
  %bytes = arith.muli %i, %four : tensor<1x64xi32>
  %across = tile.broadcast %bytes : tensor<1x64xi32> -> tensor<8x64xi32>
  %limit = tile.splat %n : i32 -> tensor<8x64xi32>
  %mask = arith.cmpi slt, %across, %limit : tensor<8x64xi32>
  %base = tile.splat %x : !tile.ptr<i8> -> tensor<8x64x!tile.ptr<i8>>
  %line = tile.addptr %base, %down : tensor<8x64x!tile.ptr<i8>>, tensor<8x64xi32>
  %p = tile.addptr %line, %across : tensor<8x64x!tile.ptr<i8>>, tensor<8x64xi32>
  %c1 = arith.constant dense<1> : tensor<8x64xi32>
  %c2 = arith.constant dense<2> : tensor<8x64xi32>
  %c3 = arith.constant dense<3> : tensor<8x64xi32>
  %p1 = tile.addptr %p, %c1 : tensor<8x64x!tile.ptr<i8>>, tensor<8x64xi32>
  %p2 = tile.addptr %p, %c2 : tensor<8x64x!tile.ptr<i8>>, tensor<8x64xi32>
  %p3 = tile.addptr %p, %c3 : tensor<8x64x!tile.ptr<i8>>, tensor<8x64xi32>
  %r = tile.load %p, %mask, %none : tensor<8x64x!tile.ptr<i8>>
  %g = tile.load %p1, %mask, %none : tensor<8x64x!tile.ptr<i8>>
  %b = tile.load %p2, %mask, %none : tensor<8x64x!tile.ptr<i8>>
  %a = tile.load %p3, %mask, %none : tensor<8x64x!tile.ptr<i8>>
  %rg = arith.addi %r, %g : tensor<8x64xi8>
  %ba = arith.xori %b, %a : tensor<8x64xi8>
  %all = arith.muli %rg, %ba : tensor<8x64xi8>
  %wide = arith.extui %all : tensor<8x64xi8> to tensor<8x64xi32>
  %out = tile.splat %y : !tile.ptr<i32> -> tensor<8x64x!tile.ptr<i32>>
  %o = tile.addptr %out, %across : tensor<8x64x!tile.ptr<i32>>, tensor<8x64xi32>
  tile.store %o, %wide, %mask : tensor<8x64x!tile.ptr<i32>>
  tile.return
}

// Pairs that a loaded index picks have no run, and are one access all the same.
// CHECK-LABEL: tile.func @gathered
// CHECK: tile.load %{{.*}} : tensor<128x!tile.ptr<i32>>
// CHECK: arith.shrsi %{{.*}} {tile.divisibility = array<i64: 1>} : tensor<128xi32>
// CHECK: tile.load %{{.*}} : tensor<128x!tile.ptr<i32>>
// CHECK-NOT: tile.load
tile.func @gathered(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %index: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16>) {
  %two = arith.constant dense<2> : tensor<128xi32>
  %one = arith.constant dense<1> : tensor<128xi32>
  %lanes = tile.arange : tensor<128xi32>
  %indices = tile.splat %index : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %where = tile.addptr %indices, %lanes : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %i = tile.load %where : tensor<128x!tile.ptr<i32>>
  %even = arith.muli %i, %two : tensor<128xi32>
  %odd = arith.addi %even, %one : tensor<128xi32>
  %base = tile.splat %x : !tile.ptr<bf16> -> tensor<128x!tile.ptr<bf16>>
  %p = tile.addptr %base, %even : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %q = tile.addptr %base, %odd : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  %a = tile.load %p : tensor<128x!tile.ptr<bf16>>
  %b = tile.load %q : tensor<128x!tile.ptr<bf16>>
  %sum = arith.addf %a, %b : tensor<128xbf16>
  %out = tile.splat %y : !tile.ptr<bf16> -> tensor<128x!tile.ptr<bf16>>
  %to = tile.addptr %out, %lanes : tensor<128x!tile.ptr<bf16>>, tensor<128xi32>
  tile.store %to, %sum : tensor<128x!tile.ptr<bf16>>
  tile.return
}

// Rows that a number and a tile of rows pick, in pairs of columns: what is said of quotients fits their shapes, down to
// one thread's code.
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_90a | FileCheck %s --check-prefix=CODE
// CHECK-LABEL: tile.func @pooled
// CHECK: arith.shrsi %{{.*}} {tile.divisibility = array<i64: {{[0-9]+}}>} : i32
// CHECK: arith.shrsi %{{.*}} {tile.contiguity = array<i64: 1, 64>, tile.divisibility = array<i64: 1, {{[0-9]+}}>} : tensor<16x64xi32>
// CHECK: tile.load %{{.*}} : tensor<16x64x!tile.ptr<i32>>
// CHECK-NOT: tile.load
// CODE-LABEL: llvm.func @pooled
// CODE: llvm.return
tile.func @pooled(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %plane: i32 {tile.divisibility = 16 : i32}, %pitch: i32 {tile.divisibility = 16 : i32}) {
  %p = tile.program_id x
  %start = arith.muli %p, %plane : i32
  %first = tile.addptr %x, %start : !tile.ptr<f16>, i32
  %rows = tile.arange : tensor<16xi32>
  %pitches = tile.splat %pitch : i32 -> tensor<16xi32>
  %lines = arith.muli %rows, %pitches : tensor<16xi32>
  %down = tile.expand_dims %lines axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  %lanes = tile.arange : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %twice = arith.muli %lanes, %two : tensor<64xi32>
  %across = tile.expand_dims %twice axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %all = tile.broadcast %down : tensor<16x1xi32> -> tensor<16x64xi32>
  %even = tile.broadcast %across : tensor<1x64xi32> -> tensor<16x64xi32>
  %base = tile.splat %first : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %line = tile.addptr %base, %all : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %a = tile.addptr %line, %even : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %one = arith.constant dense<1> : tensor<16x64xi32>
  %b = tile.addptr %a, %one : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %left = tile.load %a : tensor<16x64x!tile.ptr<f16>>
  %right = tile.load %b : tensor<16x64x!tile.ptr<f16>>
  %most = arith.maxnumf %left, %right : tensor<16x64xf16>
  %out = tile.splat %y : !tile.ptr<f16> -> tensor<16x64x!tile.ptr<f16>>
  %to = tile.addptr %out, %all : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  %wide = tile.broadcast %across : tensor<1x64xi32> -> tensor<16x64xi32>
  %half = arith.shrui %wide, %one : tensor<16x64xi32>
  %o = tile.addptr %to, %half : tensor<16x64x!tile.ptr<f16>>, tensor<16x64xi32>
  tile.store %o, %most : tensor<16x64x!tile.ptr<f16>>
  tile.return
}

// What a step reads of each row, and what the next one reads, which one step does now (tile-unroll-loops).
// CHECK-LABEL: tile.func @steps(
// CHECK: scf.for
// CHECK: tile.load %{{.*}} : tensor<64x!tile.ptr<i64>>
// CHECK-NOT: tile.load
// CHECK: scf.yield
tile.func @steps(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %i = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %first = arith.muli %i, %ns : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %rows = tile.addptr %base, %first : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %sum = scf.for %k = %c0 to %n step %c2 iter_args(%s = %zero) -> (tensor<64xf32>) : i32 {
    %far = tile.splat %k : i32 -> tensor<64xi32>
    %p = tile.addptr %rows, %far : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %p : tensor<64x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<64xf32>
    %k1 = arith.addi %k, %c1 : i32
    %farther = tile.splat %k1 : i32 -> tensor<64xi32>
    %q = tile.addptr %rows, %farther : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %w = tile.load %q : tensor<64x!tile.ptr<f32>>
    %u = arith.addf %t, %w : tensor<64xf32>
    scf.yield %u : tensor<64xf32>
  }
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %to = tile.addptr %outs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %to, %sum : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Four halves, of which what is masked out is a float: two rounds.
// CHECK-LABEL: tile.func @floats
// CHECK: %[[QUARTET:.*]] = tile.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<i64>>
// CHECK-NOT: tile.load
tile.func @floats(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %y: !tile.ptr<bf16>, %n: i32) {
  %four = arith.constant dense<4> : tensor<64xi32>
  %none = arith.constant dense<1.0> : tensor<64xbf16>
  %lanes = tile.arange : tensor<64xi32>
  %limit = tile.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %lanes, %limit : tensor<64xi32>
  %at = arith.muli %lanes, %four : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>>
  %p = tile.addptr %base, %at : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %c1 = arith.constant dense<1> : tensor<64xi32>
  %c2 = arith.constant dense<2> : tensor<64xi32>
  %c3 = arith.constant dense<3> : tensor<64xi32>
  %a = tile.load %p, %mask, %none : tensor<64x!tile.ptr<bf16>>
  %p1 = tile.addptr %p, %c1 : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %b = tile.load %p1, %mask, %none : tensor<64x!tile.ptr<bf16>>
  %ab = arith.addf %a, %b : tensor<64xbf16>
  %p2 = tile.addptr %p, %c2 : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %c = tile.load %p2, %mask, %none : tensor<64x!tile.ptr<bf16>>
  %abc = arith.addf %ab, %c : tensor<64xbf16>
  %p3 = tile.addptr %p, %c3 : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %d = tile.load %p3, %mask, %none : tensor<64x!tile.ptr<bf16>>
  %sum = arith.addf %abc, %d : tensor<64xbf16>
  %out = tile.splat %y : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>>
  %to = tile.addptr %out, %lanes : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  tile.store %to, %sum : tensor<64x!tile.ptr<bf16>>
  tile.return
}
