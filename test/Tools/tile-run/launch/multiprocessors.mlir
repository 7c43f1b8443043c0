// Programs that stay: two for each multiprocessor, or fewer where there are fewer rows, and each goes on in strides of
// their number. Every row is done once, and the launch has the programs that it should.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 1 | FileCheck %s
// RUN: tile-run %s --check | FileCheck %s
// RUN: tile-run %s --emit=tile --kernel rows --args 5 | FileCheck %s --check-prefix=TILE
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: multiprocessors: at least 1: 1
// CHECK: programs are as many as there should be: 1
// CHECK: rows are done once: 1
// TILE: tile.func @rows

tile.func @rows(%done: !tile.ptr<i32>, %count: !tile.ptr<i32>, %rows: i32) meta {PROGRAMS = 1} {
  tile.grid() {
    %programs = tile.meta PROGRAMS : i32
    tile.yield %programs : i32
  }
  %pid = tile.program_id x
  %programs = tile.num_programs x
  %one = arith.constant 1 : i32
  scf.for %row = %pid to %rows step %programs : i32 {
    %ptr = tile.addptr %done, %row : !tile.ptr<i32>, i32
    %old = tile.atomic_rmw add relaxed gpu %ptr, %one : !tile.ptr<i32>
  }
  %old = tile.atomic_rmw add relaxed gpu %count, %one : !tile.ptr<i32>
  tile.return
}

tile.func @say(%many: i1, %right: i1, %once: i1) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.print "multiprocessors: at least 1" %many : i1
  tile.print "programs are as many as there should be" %right : i1
  tile.print "rows are done once" %once : i1
  tile.return
}

func.func @main(%rows: i32 {tile_host.default = 1000 : i32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %yes = arith.constant true
  %count = tile_host.multiprocessors
  %room = arith.muli %count, %two : i32
  %programs = arith.minsi %room, %rows : i32
  %done = tile_host.alloc(%rows) : (i32) -> memref<?xi32>
  %launched = tile_host.alloc() : () -> memref<1xi32>
  tile_host.launch @rows(%done, %launched, %rows) meta {PROGRAMS = %programs} : memref<?xi32>, memref<1xi32>, i32

  %many = arith.cmpi sge, %count, %one : i32
  %found = memref.load %launched[%c0] : memref<1xi32>
  %right = arith.cmpi eq, %found, %programs : i32
  %end = arith.index_cast %rows : i32 to index
  %once = scf.for %i = %c0 to %end step %c1 iter_args(%all = %yes) -> i1 {
    %times = memref.load %done[%i] : memref<?xi32>
    %is = arith.cmpi eq, %times, %one : i32
    %next = arith.andi %all, %is : i1
    scf.yield %next : i1
  }
  tile_host.launch @say(%many, %right, %once) : i1, i1, i1
  return
}
