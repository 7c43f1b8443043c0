// Adds two vectors of any length: the smallest whole program.
//
//   tile-run vector_add.mlir                 98,432 elements, as the tutorials have it
//   tile-run vector_add.mlir --args 1000003  any other number
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1023 -D BLOCK=100 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 0 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --target=cpu --repeat 1 --args 1000003 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 4096 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 16777216 | FileCheck %s
// RUN: tile-run %s --check --args 1023
// CHECK: largest error 0, relative 0, in 1 comparison
// CHECK: cpu{{.*}}: add({{.*}}GB/s
// A grid of no programs is not launched, and nothing is timed.
// NONE: largest error 0, relative 0, in 1 comparison
// NONE-NOT: add(

!index = tensor<?xi32, #tile.dims<[BLOCK]>>
!ptrs = tensor<?x!tile.ptr<f32>, #tile.dims<[BLOCK]>>
!vals = tensor<?xf32, #tile.dims<[BLOCK]>>

tile.func @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i32 {tile.key, tile.extent = [2, 0]})
    meta {BLOCK = 1024} {
  tile.grid(%n : i32) {
    %block = tile.meta BLOCK : i32
    %programs = arith.ceildivsi %n, %block : i32
    tile.yield %programs : i32
  }
  tile.cost(%n : i32) {
    %flops = arith.extsi %n : i32 to i64
    %bytes_each = arith.constant 12 : i64
    %bytes = arith.muli %flops, %bytes_each : i64
    tile.yield %flops, %bytes : i64, i64
  }
  %block = tile.meta BLOCK : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : !index
  %base = tile.splat %first : i32 -> !index
  %offs = arith.addi %base, %lane : !index
  %end = tile.splat %n : i32 -> !index
  %in = arith.cmpi slt, %offs, %end : !index
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %xp = tile.addptr %xs, %offs : !ptrs, !index
  %xv = tile.load %xp, %in : !ptrs
  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs
  %yp = tile.addptr %ys, %offs : !ptrs, !index
  %yv = tile.load %yp, %in : !ptrs
  %sum = arith.addf %xv, %yv : !vals
  %outs = tile.splat %out : !tile.ptr<f32> -> !ptrs
  %outp = tile.addptr %outs, %offs : !ptrs, !index
  tile.store %outp, %sum, %in : !ptrs
  tile.return
}

func.func @main(%n: i32 {tile_host.default = 98432 : i32}) {
  %x = tile_host.random(%n) seed 1 : (i32) -> memref<?xf32>
  %y = tile_host.random(%n) seed 2 : (i32) -> memref<?xf32>
  %out = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  tile_host.launch @add(%x, %y, %out, %n) : memref<?xf32>, memref<?xf32>, memref<?xf32>, i32

  %want = tile_host.alloc(%n) : (i32) -> memref<?xf32>
  linalg.add ins(%x, %y : memref<?xf32>, memref<?xf32>) outs(%want : memref<?xf32>)
  tile_host.expect_close %out, %want : memref<?xf32>, memref<?xf32>
  return
}
