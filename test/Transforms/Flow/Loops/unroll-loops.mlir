// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-unroll-loops))' | FileCheck %s

// Three taps, and what is carried from one to the next.
// CHECK-LABEL: tile.func @taps
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.ptr<f32>
tile.func @taps(%x: !tile.ptr<f32>, %at: tensor<256xi32>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %p = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  // CHECK-NOT: scf.for
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00>
  // CHECK: %[[S0:.*]] = arith.constant 0 : i32
  // CHECK: tile.splat %[[S0]]
  // CHECK: %[[V0:.*]] = tile.load
  // CHECK: %[[T0:.*]] = arith.addf %[[Z]], %[[V0]]
  // CHECK: %[[S1:.*]] = arith.constant 2 : i32
  // CHECK: tile.splat %[[S1]]
  // CHECK: %[[V1:.*]] = tile.load
  // CHECK: %[[T1:.*]] = arith.addf %[[T0]], %[[V1]]
  // CHECK: %[[S2:.*]] = arith.constant 4 : i32
  // CHECK: tile.splat %[[S2]]
  // CHECK: %[[V2:.*]] = tile.load
  // CHECK: %[[T2:.*]] = arith.addf %[[T1]], %[[V2]]
  // CHECK: tile.store %{{.*}}, %[[T2]]
  %sum = scf.for %i = %c0 to %c6 step %c2 iter_args(%s = %zero) -> (tensor<256xf32>) : i32 {
    %far = tile.splat %i : i32 -> tensor<256xi32>
    %offset = arith.addi %at, %far : tensor<256xi32>
    %q = tile.addptr %p, %offset : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  tile.store %p, %sum : tensor<256x!tile.ptr<f32>>
  tile.return
}

// The inner loop, and the one around it, but not one that nobody knows the steps of.
// CHECK-LABEL: tile.func @nested
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-6: tile.load
// CHECK-NOT: tile.load
// CHECK: scf.yield
tile.func @nested(%x: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) : i32 {
    %row = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> (f32) : i32 {
      %tap = scf.for %k = %c0 to %c3 step %c1 iter_args(%c = %b) -> (f32) : i32 {
        %p = tile.addptr %x, %k : !tile.ptr<f32>, i32
        %q = tile.addptr %p, %j : !tile.ptr<f32>, i32
        %v = tile.load %q : !tile.ptr<f32>
        %t = arith.addf %c, %v : f32
        scf.yield %t : f32
      }
      scf.yield %tap : f32
    }
    scf.yield %row : f32
  }
  tile.store %x, %sum : !tile.ptr<f32>
  tile.return
}

// What crosses threads in each step, many steps, and long ones stay loops.
// CHECK-LABEL: tile.func @stays
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @stays(%p: tensor<256x!tile.ptr<f32>>, %q: tensor<64x128x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %one = arith.constant dense<1.0> : tensor<64x128xf32>
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %v = tile.load %p : tensor<256x!tile.ptr<f32>>
    %s = tile.reduce add %v axis 0 : tensor<256xf32> -> f32
    %w = tile.splat %s : f32 -> tensor<256xf32>
    tile.store %p, %w : tensor<256x!tile.ptr<f32>>
  }
  scf.for %i = %c0 to %c64 step %c1 : i32 {
    tile.store %p, %zero : tensor<256x!tile.ptr<f32>>
  }
  scf.for %i = %c0 to %c3 step %c1 : i32 {
    %v = tile.load %q : tensor<64x128x!tile.ptr<f32>>
    %a = arith.addf %v, %one : tensor<64x128xf32>
    %b = arith.mulf %a, %v : tensor<64x128xf32>
    tile.store %q, %b : tensor<64x128x!tile.ptr<f32>>
  }
  tile.return
}

// Four elements of each row a step, where a row has a multiple of four; and of rows whose elements lie side by side, none.
// CHECK-LABEL: tile.func @rows
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c4
// CHECK: tile.load
// CHECK: %[[K1:.*]] = arith.addi %[[K]], %c1
// CHECK: tile.splat %[[K1]]
// CHECK: tile.load
// CHECK: tile.load
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: scf.yield
// CHECK: scf.for {{.*}} step %c1
// CHECK: tile.load
// CHECK-NOT: tile.load
tile.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32},
                %out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %first = arith.muli %i, %ns : tensor<256xi32>
  %p = tile.addptr %xs, %first : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<256xf32>) : i32 {
    %far = tile.splat %k : i32 -> tensor<256xi32>
    %q = tile.addptr %p, %far : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  %r = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %all = scf.for %k = %c0 to %n step %c1 iter_args(%s = %sum) -> (tensor<256xf32>) : i32 {
    %far = tile.splat %k : i32 -> tensor<256xi32>
    %q = tile.addptr %r, %far : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  %o = tile.splat %out : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %po = tile.addptr %o, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %po, %all : tensor<256x!tile.ptr<f32>>
  tile.return
}

// One element a step where rows may have any number of them, where the first step is none of a multiple, and where steps leave
// elements out.
// CHECK-LABEL: tile.func @odd_rows
// CHECK-COUNT-3: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @odd_rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}, %m: i32,
                    %out: tensor<256x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %i = tile.arange : tensor<256xi32>
  %ns = tile.splat %n : i32 -> tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %first = arith.muli %i, %ns : tensor<256xi32>
  %p = tile.addptr %xs, %first : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %any = scf.for %k = %c0 to %m step %c1 iter_args(%s = %zero) -> (tensor<256xf32>) : i32 {
    %far = tile.splat %k : i32 -> tensor<256xi32>
    %q = tile.addptr %p, %far : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  %late = scf.for %k = %c2 to %n step %c1 iter_args(%s = %any) -> (tensor<256xf32>) : i32 {
    %far = tile.splat %k : i32 -> tensor<256xi32>
    %q = tile.addptr %p, %far : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  %half = scf.for %k = %c0 to %n step %c2 iter_args(%s = %late) -> (tensor<256xf32>) : i32 {
    %far = tile.splat %k : i32 -> tensor<256xi32>
    %q = tile.addptr %p, %far : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    %v = tile.load %q : tensor<256x!tile.ptr<f32>>
    %t = arith.addf %s, %v : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  tile.store %out, %half : tensor<256x!tile.ptr<f32>>
  tile.return
}

// Arithmetic alone stays a loop: it has nothing on its way.
// CHECK-LABEL: tile.func @arithmetic
tile.func @arithmetic(%x: tensor<256xf32>, %p: tensor<256x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  // CHECK: scf.for
  // CHECK: arith.mulf
  // CHECK-NOT: arith.mulf
  // CHECK: tile.store
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> (tensor<256xf32>) : i32 {
    %t = arith.mulf %s, %x : tensor<256xf32>
    scf.yield %t : tensor<256xf32>
  }
  tile.store %p, %y : tensor<256x!tile.ptr<f32>>
  tile.return
}

// Twelve terms are short, twelve sines are not: 82 instructions for an element.
// CHECK-LABEL: tile.func @sines
// CHECK: scf.for
// CHECK: math.sin
// CHECK-NOT: math.sin
tile.func @sines(%x: tensor<512xf32>, %p: tensor<512x!tile.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c12 = arith.constant 12 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32>
  %sum = scf.for %i = %c0 to %c12 step %c1 iter_args(%s = %zero) -> (tensor<512xf32>) : i32 {
    %f = arith.sitofp %i : i32 to f32
    %fs = tile.splat %f : f32 -> tensor<512xf32>
    %y = arith.mulf %x, %fs : tensor<512xf32>
    %v = math.sin %y : tensor<512xf32>
    %t = arith.addf %s, %v : tensor<512xf32>
    scf.yield %t : tensor<512xf32>
  }
  tile.store %p, %sum : tensor<512x!tile.ptr<f32>>
  tile.return
}

// Five steps along rows that begin anywhere, of twelve single elements a thread each: together they would take 60 registers.
// CHECK-LABEL: tile.func @ragged_rows
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.load
// CHECK: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.return
tile.func @ragged_rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %c4099 = arith.constant 4099 : i32
  %end = arith.constant dense<4099> : tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %zs = tile.splat %z : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %sum = scf.for %i = %c0 to %c4099 step %c1024 iter_args(%s = %zero) -> (tensor<1024xf32>) : i32 {
    %far = tile.splat %i : i32 -> tensor<1024xi32>
    %at = arith.addi %lane, %far : tensor<1024xi32>
    %in = arith.cmpi slt, %at, %end : tensor<1024xi32>
    %p = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %a = tile.load %p, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %q = tile.addptr %ys, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %b = tile.load %q, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %r = tile.addptr %zs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %c = tile.load %r, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %m = arith.mulf %a, %b : tensor<1024xf32>
    %n = arith.addf %c, %m : tensor<1024xf32>
    %t = arith.addf %s, %n : tensor<1024xf32>
    scf.yield %t : tensor<1024xf32>
  }
  tile.store %xs, %sum : tensor<1024x!tile.ptr<f32>>
  tile.return
}

// Four steps of eight, 32 registers, or elements that come by fours, where rows begin at 16 bytes, are on their way together.
// CHECK-LABEL: tile.func @short_rows
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @short_rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %c4095 = arith.constant 4095 : i32
  %end = arith.constant dense<4095> : tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %sum = scf.for %i = %c0 to %c4095 step %c1024 iter_args(%s = %zero) -> (tensor<1024xf32>) : i32 {
    %far = tile.splat %i : i32 -> tensor<1024xi32>
    %at = arith.addi %lane, %far : tensor<1024xi32>
    %in = arith.cmpi slt, %at, %end : tensor<1024xi32>
    %p = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %a = tile.load %p, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %q = tile.addptr %ys, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %b = tile.load %q, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %n = arith.mulf %a, %b : tensor<1024xf32>
    %t = arith.addf %s, %n : tensor<1024xf32>
    scf.yield %t : tensor<1024xf32>
  }
  tile.store %xs, %sum : tensor<1024x!tile.ptr<f32>>
  tile.return
}
// CHECK-LABEL: tile.func @aligned_rows
// CHECK-NOT: scf.for
// CHECK: tile.return
tile.func @aligned_rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.num_warps = 8 : i32} {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %c5120 = arith.constant 5120 : i32
  %end = arith.constant dense<5120> : tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %lane = tile.arange : tensor<1024xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %zs = tile.splat %z : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %sum = scf.for %i = %c0 to %c5120 step %c1024 iter_args(%s = %zero) -> (tensor<1024xf32>) : i32 {
    %far = tile.splat %i : i32 -> tensor<1024xi32>
    %at = arith.addi %lane, %far : tensor<1024xi32>
    %in = arith.cmpi slt, %at, %end : tensor<1024xi32>
    %p = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %a = tile.load %p, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %q = tile.addptr %ys, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %b = tile.load %q, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %r = tile.addptr %zs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %c = tile.load %r, %in, %zero : tensor<1024x!tile.ptr<f32>>
    %m = arith.mulf %a, %b : tensor<1024xf32>
    %n = arith.addf %c, %m : tensor<1024xf32>
    %t = arith.addf %s, %n : tensor<1024xf32>
    scf.yield %t : tensor<1024xf32>
  }
  tile.store %xs, %sum : tensor<1024x!tile.ptr<f32>>
  tile.return
}
