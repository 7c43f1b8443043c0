// Many programs count into few places; each takes a ticket, and every element of its tile sees the
// same one. Launches are run again for timing, and tickets go on counting: they are taken modulo the
// number of programs, so that all of them fall into the array. On the CPU, others would fault.
//
// RUN: tile-run %s --target=cpu
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 %}
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 -D num_warps=1 %}
// RUN: tile-run %s --emit=ptx --arch=sm_80 | FileCheck %s
// CHECK: atom.global.gpu.relaxed.add.u32
// CHECK: atom.global.gpu.acq_rel.add.u32

!i = tensor<512xi32>

tile.func @count(%counts: !tile.ptr<i32>, %ticket: !tile.ptr<i32>, %seen: !tile.ptr<i32>) {
  tile.grid() {
    %programs = arith.constant 64 : i32
    tile.yield %programs : i32
  }
  // Element i counts at i mod 8; elements from 500 on are masked out.
  %e = tile.arange : !i
  %k7 = arith.constant dense<7> : !i
  %k500 = arith.constant dense<500> : !i
  %bin = arith.andi %e, %k7 : !i
  %on = arith.cmpi slt, %e, %k500 : !i
  %cs = tile.splat %counts : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %cp = tile.addptr %cs, %bin : tensor<512x!tile.ptr<i32>>, !i
  %one = arith.constant dense<1> : !i
  %old = tile.atomic_rmw add relaxed gpu %cp, %one, %on : tensor<512x!tile.ptr<i32>>

  // seen[ticket mod 64 * 512 + i] = ticket mod 64
  %step = arith.constant 1 : i32
  %taken = tile.atomic_rmw add acq_rel gpu %ticket, %step : !tile.ptr<i32>
  %k63 = arith.constant 63 : i32
  %t = arith.andi %taken, %k63 : i32
  %k512 = arith.constant 512 : i32
  %start = arith.muli %t, %k512 : i32
  %starts = tile.splat %start : i32 -> !i
  %at = arith.addi %starts, %e : !i
  %ss = tile.splat %seen : !tile.ptr<i32> -> tensor<512x!tile.ptr<i32>>
  %sp = tile.addptr %ss, %at : tensor<512x!tile.ptr<i32>>, !i
  %ts = tile.splat %t : i32 -> !i
  tile.store %sp, %ts : tensor<512x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c500 = arith.constant 500 : index
  %c512 = arith.constant 512 : index
  %n = arith.constant 32768 : index
  %counts = tile_host.alloc(%c8) : (index) -> memref<?xi32>
  %ticket = tile_host.alloc(%c1) : (index) -> memref<?xi32>
  %seen = tile_host.alloc(%n) : (index) -> memref<?xi32>
  tile_host.launch @count(%counts, %ticket, %seen) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  %want_counts = tile_host.alloc(%c8) : (index) -> memref<?xi32>
  %want_ticket = tile_host.alloc(%c1) : (index) -> memref<?xi32>
  %want_seen = tile_host.alloc(%n) : (index) -> memref<?xi32>
  %programs = arith.constant 64 : i32
  memref.store %programs, %want_ticket[%c0] : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %t = arith.divui %i, %c512 : index
    %t32 = arith.index_cast %t : index to i32
    memref.store %t32, %want_seen[%i] : memref<?xi32>
    %e = arith.remui %i, %c512 : index
    %bin = arith.remui %i, %c8 : index
    %on = arith.cmpi ult, %e, %c500 : index
    %once = arith.extui %on : i1 to i32
    %so_far = memref.load %want_counts[%bin] : memref<?xi32>
    %next = arith.addi %so_far, %once : i32
    memref.store %next, %want_counts[%bin] : memref<?xi32>
  }
  tile_host.expect_close %counts, %want_counts : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %ticket, %want_ticket : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %seen, %want_seen : memref<?xi32>, memref<?xi32>
  return
}
