// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-order-programs))' -verify-diagnostics | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-order-programs))' -verify-diagnostics -o %t.mlir
// RUN: tile-run %s --no-host --target=cpu --kernel=shorter --grid=5,3,19 --arg=zeros:f32[285]:out=%t.npy
// RUN: tile-run %t.mlir --no-host --target=cpu --kernel=shorter --grid=5,3,19 --arg=zeros:f32[285]:out=%t.ordered.npy
// RUN: cmp %t.npy %t.ordered.npy
// RUN: tile-run %t.mlir --no-host --target=cpu --kernel=longer --grid=3,7,2 --arg=zeros:f32[285]:out=%t.ordered.npy
// RUN: tile-run %s --no-host --target=cpu --kernel=longer --grid=3,7,2 --arg=zeros:f32[285]:out=%t.npy
// RUN: cmp %t.npy %t.ordered.npy

// Fewer steps, the higher the number along x: all blocks of y and z begin with their first, 16 of them at a time. Each program runs
// once (the commands above).
// CHECK-LABEL: tile.func @shorter
// CHECK-DAG: %[[X:.*]] = tile.program_id x
// CHECK-DAG: %[[Y:.*]] = tile.program_id y
// CHECK-DAG: %[[Z:.*]] = tile.program_id z
// CHECK-DAG: %[[NX:.*]] = tile.num_programs x
// CHECK-DAG: %[[NY:.*]] = tile.num_programs y
// CHECK-DAG: %[[NZ:.*]] = tile.num_programs z
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %{{.*}} : i64
// CHECK: %[[LAYERS:.*]] = arith.muli %[[Z]], %[[NY]]
// CHECK: %[[ROWS:.*]] = arith.addi %[[LAYERS]], %[[Y]]
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROWS]], %[[NX]]
// CHECK: %[[TURN:.*]] = arith.addi %[[BEFORE]], %[[X]]
// CHECK: %[[C16:.*]] = arith.constant 16
// CHECK: %[[OTHERS:.*]] = arith.muli %[[NY]], %[[NZ]]
// CHECK: %[[SIZE:.*]] = arith.muli %[[C16]], %[[NX]]
// CHECK: %[[GROUP:.*]] = arith.divui %[[TURN]], %[[SIZE]]
// CHECK: %[[WHOLE:.*]] = arith.muli %[[GROUP]], %[[SIZE]]
// CHECK: %[[INSIDE:.*]] = arith.subi %[[TURN]], %[[WHOLE]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %[[C16]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[OTHERS]], %[[FIRST]]
// CHECK: %[[WIDTH:.*]] = arith.minui %[[LEFT]], %[[C16]]
// CHECK: %[[BLOCK:.*]] = arith.divui %[[INSIDE]], %[[WIDTH]]
// CHECK: %[[AT:.*]] = arith.select %[[FITS]], %[[BLOCK]], %[[X]]
// CHECK: arith.subi %{{.*}}, %[[AT]]
tile.func @shorter(%out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %steps = arith.subi %nx, %x : i32
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  %layer = arith.muli %z, %ny : i32
  %rows = arith.addi %layer, %y : i32
  %before = arith.muli %rows, %nx : i32
  %turn = arith.addi %before, %x : i32
  %to = tile.addptr %out, %turn : !tile.ptr<f32>, i32
  %old = tile.atomic_rmw fadd relaxed gpu %to, %most : !tile.ptr<f32>
  tile.return
}

// Along y, which is turned already, there is no more to do than to bring it behind the others.
// CHECK-LABEL: tile.func @longer
// CHECK: %[[OTHERS:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: arith.divui
// CHECK: arith.divui
// CHECK: arith.divui
tile.func @longer(%out: !tile.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %id = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %last = arith.subi %ny, %c1 : i32
  %y = arith.subi %last, %id : i32
  %sum = scf.for %k = %c0 to %y step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  %layer = arith.muli %z, %ny : i32
  %rows = arith.addi %layer, %y : i32
  %before = arith.muli %rows, %nx : i32
  %turn = arith.addi %before, %x : i32
  %to = tile.addptr %out, %turn : !tile.ptr<f32>, i32
  %old = tile.atomic_rmw fadd relaxed gpu %to, %most : !tile.ptr<f32>
  tile.return
}

// A block mask says how many steps there are for each block of 128 rows: the last is taken for the longest.
// CHECK-LABEL: tile.func @masked
// CHECK: %[[X:.*]] = tile.program_id x
// CHECK: %[[NX:.*]] = tile.num_programs x
// CHECK: %[[LAST:.*]] = arith.subi %[[NX]], %{{.*}}
// CHECK: %[[TURNED:.*]] = arith.subi %[[LAST]], %{{.*}}
// CHECK: arith.select %{{.*}}, %[[TURNED]], %[[X]]
tile.func @masked(%out: !tile.ptr<f32>, %counts: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %from = tile.addptr %counts, %x : !tile.ptr<i32>, i32
  %steps = tile.load %from : !tile.ptr<i32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %first = arith.muli %x, %c16 : i32
  %all = tile.splat %first : i32 -> tensor<16xi32>
  %each = tile.arange : tensor<16xi32>
  %rows = arith.addi %all, %each : tensor<16xi32>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %to = tile.addptr %outs, %rows : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %row = tile.reduce add %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  tile.store %to, %row : tensor<16x!tile.ptr<f32>>
  tile.return
}

// Sequences are as long as they are, one behind the other; no dot in the loop; all at a time; as long in all programs.
// CHECK-LABEL: tile.func @sequences
// CHECK-NOT: tile.num_programs
tile.func @sequences(%out: !tile.ptr<f32>, %counts: !tile.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %from = tile.addptr %counts, %x : !tile.ptr<i32>, i32
  %steps = tile.load %from : !tile.ptr<i32>
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  %to = tile.addptr %out, %x : !tile.ptr<f32>, i32
  tile.store %to, %most : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @sums
// CHECK-NOT: tile.num_programs
tile.func @sums(%out: !tile.ptr<i32>, %blocks: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.program_id x
  %sum = scf.for %k = %x to %blocks step %c1 iter_args(%s = %c0) -> i32 : i32 {
    %d = arith.addi %s, %k : i32
    scf.yield %d : i32
  }
  tile.store %out, %sum : !tile.ptr<i32>
  tile.return
}

// CHECK-LABEL: tile.func @at_a_time
// CHECK-NOT: tile.num_programs
tile.func @at_a_time(%out: !tile.ptr<f32>, %blocks: i32) attributes {tile_gpu.single_wave = 1 : i32} {
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %sum = scf.for %k = %x to %blocks step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  tile.store %out, %most : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @even
// CHECK-NOT: tile.num_programs
tile.func @even(%out: !tile.ptr<f32>, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  %to = tile.addptr %out, %x : !tile.ptr<f32>, i32
  tile.store %to, %most : !tile.ptr<f32>
  tile.return
}

// It may wait for the program before it, which has to have begun.
// CHECK-LABEL: tile.func @waits
// CHECK-NOT: tile.num_programs
// expected-remark @+1 {{long programs of all rows of the grid do not begin first: expected no loop that may wait for another program, found scf.while around an access}}
tile.func @waits(%out: !tile.ptr<f32>, %turn: !tile.ptr<i32>, %blocks: i32) {
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %sum = scf.for %k = %x to %blocks step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  scf.while : () -> () {
    %now = tile.load %turn : !tile.ptr<i32>
    %wait = arith.cmpi slt, %now, %x : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  tile.store %out, %most : !tile.ptr<f32>
  tile.return
}

// CHECK-LABEL: tile.func @prints
// CHECK-NOT: tile.num_programs
// expected-remark @+1 {{long programs of all rows of the grid do not begin first: expected no tile.print, which names the program of a block, found one}}
tile.func @prints(%out: !tile.ptr<f32>, %blocks: i32) {
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16x16xf32>
  %x = tile.program_id x
  %sum = scf.for %k = %x to %blocks step %c1 iter_args(%s = %ones) -> tensor<16x16xf32> : i32 {
    %d = tile.dot %ones, %ones, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %row = tile.reduce maxnum %sum axis 1 : tensor<16x16xf32> -> tensor<16xf32>
  %most = tile.reduce maxnum %row axis 0 : tensor<16xf32> -> f32
  tile.print "most" %most : f32
  tile.store %out, %most : !tile.ptr<f32>
  tile.return
}
