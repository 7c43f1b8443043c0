// A persistent kernel written by hand: its blocks share a grid of 41 x 29 x 7 programs, more than a
// device holds at a time, by striding over their numbers. Each program adds 1 + its number to its
// own element, so one that ran twice, or never, shows.
//
// REQUIRES: gpu
// RUN: tile-run %s --target=gpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=gpu --repeat 1 -D num_warps=1 | FileCheck %s
// CHECK: largest error 0, relative 0, in 1 comparison

tile.func @number(%out: !tile.ptr<i32>, %x: i32, %y: i32, %z: i32) attributes {tile_gpu.persistent} {
  tile.grid(%x : i32, %y : i32, %z : i32) {
    tile.yield %x, %y, %z : i32, i32, i32
  }
  %one = arith.constant 1 : i32
  %ex = tile_gpu.grid_extent x
  %ey = tile_gpu.grid_extent y
  %ez = tile_gpu.grid_extent z
  %exy = arith.muli %ex, %ey : i32
  %all = arith.muli %exy, %ez : i32
  %first = tile.program_id x
  %blocks = tile.num_programs x
  scf.for %i = %first to %all step %blocks : i32 {
    // The position, and from it the number again, so that each extent counts.
    %px = arith.remsi %i, %ex : i32
    %rest = arith.divsi %i, %ex : i32
    %py = arith.remsi %rest, %ey : i32
    %pz = arith.divsi %rest, %ey : i32
    %zy = arith.muli %pz, %y : i32
    %zyy = arith.addi %zy, %py : i32
    %row = arith.muli %zyy, %x : i32
    %n = arith.addi %row, %px : i32
    %to = tile.addptr %out, %n : !tile.ptr<i32>, i32
    %had = tile.load %to : !tile.ptr<i32>
    %more = arith.addi %n, %one : i32
    %now = arith.addi %had, %more : i32
    tile.store %to, %now : !tile.ptr<i32>
  }
  tile.return
}

func.func @main() {
  %x = arith.constant 41 : i32
  %y = arith.constant 29 : i32
  %z = arith.constant 7 : i32
  %out = tile_host.alloc() : () -> memref<8323xi32>
  %want = tile_host.alloc() : () -> memref<8323xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 8323 : index
  %none = arith.constant 0 : i32
  scf.for %i = %c0 to %count step %c1 {
    memref.store %none, %out[%i] : memref<8323xi32>
    %next = arith.addi %i, %c1 : index
    %number = arith.index_cast %next : index to i32
    memref.store %number, %want[%i] : memref<8323xi32>
  }
  tile_host.launch @number(%out, %x, %y, %z) : memref<8323xi32>, i32, i32, i32
  tile_host.expect_close %out, %want : memref<8323xi32>, memref<8323xi32>
  return
}
