// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-gathers))' | FileCheck %s
// RUN: env TILE_TRACE=stage-gathers tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-stage-gathers))' 2>&1 >/dev/null | FileCheck %s --check-prefix=TRACE

#v = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0], [2, 0]]>
#row = #tile_gpu.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[0, 0], [0, 0]]>
#column = #tile_gpu.layout<register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[1, 0], [2, 0]]>
!v = tensor<4x64xf32, #v>
!row = tensor<1x64xf32, #row>
!column = tensor<4x1xf32, #column>
!i = tensor<1x64xi32, #row>
!j = tensor<4x1xi32, #column>

// A row and a column in each step: a store of each kind in front, and neither store nor barrier in the loop. Rows that
// are picked twice are read from one buffer.
// CHECK-LABEL: tile.func private @steps
// CHECK-SAME: (%[[V:[a-z0-9]*]]:
// CHECK-DAG: tile_gpu.buffer_store %[[V]], %[[ROWS:.*]] : tensor<4x64xf32, {{.*}}> -> !tile_gpu.buffer<4x64xf32>
// CHECK-DAG: tile_gpu.buffer_store %[[V]], %[[COLUMNS:.*]] : tensor<4x64xf32, {{.*}}> -> !tile_gpu.buffer<4x64xf32, order = [0, 1]>
// CHECK: scf.for
// CHECK-NOT: tile.gather
// CHECK: tile_gpu.buffer_gather %[[ROWS]], %{{.*}} axis 0
// CHECK-NEXT: tile_gpu.buffer_gather %[[ROWS]], %{{.*}} axis 0
// CHECK-NEXT: tile_gpu.buffer_gather %[[COLUMNS]], %{{.*}} axis 1
// CHECK-NOT: tile.gather
// CHECK: tile.return
// TRACE: tiles that are gathered from often, stored once: 2
tile.func private @steps(%v: !v, %n: i32, %r: !row, %c: !column) -> (!row, !column) attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sums:2 = scf.for %k = %zero to %n step %one iter_args(%x = %r, %y = %c) -> (!row, !column) : i32 {
    %i = tile.splat %k : i32 -> !i
    %next = arith.addi %k, %one : i32
    %i1 = tile.splat %next : i32 -> !i
    %j = tile.splat %k : i32 -> !j
    %a = tile.gather %v, %i axis 0 : !v, !i -> !row
    %a1 = tile.gather %v, %i1 axis 0 : !v, !i -> !row
    %b = tile.gather %v, %j axis 1 : !v, !j -> !column
    %p = arith.mulf %a, %a1 : !row
    %s = arith.addf %x, %p : !row
    %t = arith.addf %y, %b : !column
    scf.yield %s, %t : !row, !column
  }
  tile.return %sums#0, %sums#1 : !row, !column
}

// What the step computes is stored in the step; of two loops, in the outer one, what that computes.
// CHECK-LABEL: tile.func private @own
// CHECK: scf.for
// CHECK: %[[W:.*]] = arith.addf
// CHECK: tile_gpu.buffer_store %[[W]], %[[B:.*]] :
// CHECK-NEXT: scf.for
// CHECK: tile_gpu.buffer_gather %[[B]]
// CHECK: %[[O:.*]] = arith.mulf
// CHECK: tile.gather %[[O]]
tile.func private @own(%v: !v, %n: i32, %r: !row) -> !row attributes {tile.num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %all:2 = scf.for %k = %zero to %n step %one iter_args(%x = %r, %w = %v) -> (!row, !v) : i32 {
    %more = arith.addf %w, %v : !v
    %s = scf.for %l = %zero to %n step %one iter_args(%y = %x) -> (!row) : i32 {
      %i = tile.splat %l : i32 -> !i
      %a = tile.gather %more, %i axis 0 : !v, !i -> !row
      %o = arith.mulf %more, %more : !v
      %b = tile.gather %o, %i axis 0 : !v, !i -> !row
      %p = arith.addf %a, %b : !row
      %t = arith.addf %y, %p : !row
      scf.yield %t : !row
    }
    scf.yield %s, %more : !row, !v
  }
  tile.return %all#0 : !row
}

// Outside of loops there is nothing to gain from one.
// CHECK-LABEL: tile.func private @once
// CHECK-NEXT: tile.gather
// CHECK-NEXT: tile.return
tile.func private @once(%v: !v, %i: !i) -> !row attributes {tile.num_warps = 4 : i32} {
  %a = tile.gather %v, %i axis 0 : !v, !i -> !row
  tile.return %a : !row
}

// Of several there is: one store for two. What a third picks from is another tile, gathered from once.
// CHECK-LABEL: tile.func private @twice
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[B:.*]] :
// CHECK-NEXT: %[[A:.*]] = tile_gpu.buffer_gather %[[B]], %{{.*}} axis 0
// CHECK-NEXT: arith.fptosi %[[A]]
// CHECK-NEXT: tile_gpu.buffer_gather %[[B]], %{{.*}} axis 0
// CHECK-NEXT: tile.gather %{{.*}} axis 1
// CHECK-NEXT: tile.return
tile.func private @twice(%v: !v, %i: !i, %j: !j) -> (!row, !column) attributes {tile.num_warps = 4 : i32} {
  %a = tile.gather %v, %i axis 0 : !v, !i -> !row
  %next = arith.fptosi %a : !row to !i
  %b = tile.gather %v, %next axis 0 : !v, !i -> !row
  %c = tile.gather %v, %j axis 1 : !v, !j -> !column
  tile.return %b, %c : !row, !column
}
