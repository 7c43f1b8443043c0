// What a grid that rounds down leaves to nobody, and what programs do that never ask which they are:
// the findings that these leave are errors that name the mistake. Without it they are warnings.
//
// RUN: split-file %s %t
// RUN: not tile-run %t/floor.mlir --check --args 10 2>&1 | FileCheck %s --check-prefix=FLOOR
// RUN: tile-run %t/floor.mlir --check --args 8 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: sed 's/arith.floordivsi/arith.ceildivsi/' %t/floor.mlir > %t/ceil.mlir
// RUN: tile-run %t/ceil.mlir --check --args 10 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: sed 's/arith.floordivsi %%n, %%block/arith.shrsi %%n, %%two/' %t/floor.mlir > %t/shift.mlir
// RUN: not tile-run %t/shift.mlir --check --args 10 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: sed 's/arith.floordivsi %%n, %%block/arith.floordivsi %%up, %%block/' %t/floor.mlir > %t/up.mlir
// RUN: tile-run %t/up.mlir --check --args 10 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not tile-run %t/floor.mlir --check --args 10 -D BLOCK=8 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not tile-run %t/forgotten.mlir --check 2>&1 | FileCheck %s --check-prefix=FORGOTTEN
// RUN: tile-run %t/meant.mlir --check 2>&1 | FileCheck %s --check-prefix=MEANT
// RUN: tile-run %t/counted.mlir --check 2>&1 | FileCheck %s --check-prefix=COUNTED

// FLOOR: floor.mlir:20:{{.*}} error: expected all of %z (10xi32) to be written, found 2 of 10 elements that never are, the first [8]
// FLOOR-NEXT: tile.store
// FLOOR-NEXT: ^
// FLOOR-NEXT: floor.mlir:7:{{.*}} note: the grid rounds down here, 10 by 4: 2 are left to no program; ceildiv (arith.ceildivsi) has one for them, where this is arith.floordivsi
// FLOOR: 1 error, 0 warnings
// CLEAN: nothing found
// SHIFT: note: the grid rounds down here, 10 by 4: 2 are left to no program; {{.*}} arith.shrsi
// BOUND: note: the grid rounds down here, 10 by 8: 2 are left

// FORGOTTEN: error: expected each element of %z (4xi32) to be written by one program, found 4 that several write
// FORGOTTEN: note: the grid has 3 programs along y, and the kernel never asks for tile.program_id y: they all do the same
// FORGOTTEN: 1 error, 0 warnings

// MEANT: warning: expected each element of
// MEANT: 0 errors, 1 warning

// Programs that count themselves need not ask: what is left is a warning.
// COUNTED: warning: expected all of %z (6xi32) to be written, found 2 of 6 elements that never are, the first [4]
// COUNTED-NOT: note:
// COUNTED: 0 errors, 1 warning

//--- floor.mlir
tile.func @fill(%z: !tile.ptr<i32>, %n: i32) meta {BLOCK = 4} {
  tile.grid(%n : i32) {
    %block = tile.meta BLOCK : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %up = arith.addi %n, %three : i32
    %programs = arith.floordivsi %n, %block : i32
    tile.yield %programs : i32
  }
  %block = tile.meta BLOCK : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %block : i32
  %lane = tile.arange : tensor<?xi32, #tile.dims<[BLOCK]>>
  %base = tile.splat %first : i32 -> tensor<?xi32, #tile.dims<[BLOCK]>>
  %offs = arith.addi %base, %lane : tensor<?xi32, #tile.dims<[BLOCK]>>
  %end = tile.splat %n : i32 -> tensor<?xi32, #tile.dims<[BLOCK]>>
  %in = arith.cmpi slt, %offs, %end : tensor<?xi32, #tile.dims<[BLOCK]>>
  %zs = tile.splat %z : !tile.ptr<i32> -> tensor<?x!tile.ptr<i32>, #tile.dims<[BLOCK]>>
  %zp = tile.addptr %zs, %offs : tensor<?x!tile.ptr<i32>, #tile.dims<[BLOCK]>>, tensor<?xi32, #tile.dims<[BLOCK]>>
  tile.store %zp, %offs, %in : tensor<?x!tile.ptr<i32>, #tile.dims<[BLOCK]>>
  tile.return
}
func.func @main(%n: i32) {
  %size = arith.index_cast %n : i32 to index
  %z = tile_host.alloc(%size) : (index) -> memref<?xi32>
  tile_host.launch @fill(%z, %n) : memref<?xi32>, i32
  return
}
//--- forgotten.mlir
tile.func @fill(%z: !tile.ptr<i32>) {
  tile.grid() {
    %two = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    tile.yield %two, %three : i32, i32
  }
  %pid = tile.program_id x
  %lane = tile.arange : tensor<4xi32>
  %zs = tile.splat %z : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %zp = tile.addptr %zs, %lane : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %zp, %lane : tensor<4x!tile.ptr<i32>>
  tile.return
}
func.func @main() {
  %z = tile_host.alloc() : () -> memref<4xi32>
  tile_host.launch @fill(%z) : memref<4xi32>
  return
}
//--- meant.mlir
tile.func private @which() -> i32 {
  %pid = tile.program_id x
  tile.return %pid : i32
}
tile.func @fill(%z: !tile.ptr<i32>) {
  tile.grid() {
    %three = arith.constant 3 : i32
    tile.yield %three : i32
  }
  %pid = tile.call @which() : () -> i32
  %zero = arith.constant 0 : i32
  %none = arith.muli %pid, %zero : i32
  tile.store %z, %none : !tile.ptr<i32>
  tile.return
}
func.func @main() {
  %z = tile_host.alloc() : () -> memref<1xi32>
  tile_host.launch @fill(%z) : memref<1xi32>
  return
}

//--- counted.mlir
tile.func @count(%z: !tile.ptr<i32>, %taken: !tile.ptr<i32>) {
  tile.grid() {
    %c4 = arith.constant 4 : i32
    tile.yield %c4 : i32
  }
  %c1 = arith.constant 1 : i32
  %mine = tile.atomic_rmw add relaxed gpu %taken, %c1 : !tile.ptr<i32>
  %p = tile.addptr %z, %mine : !tile.ptr<i32>, i32
  tile.store %p, %mine : !tile.ptr<i32>
  tile.return
}

func.func @main() {
  %z = tile_host.alloc() : () -> memref<6xi32>
  %taken = tile_host.alloc() : () -> memref<1xi32>
  tile_host.launch @count(%z, %taken) : memref<6xi32>, memref<1xi32>
  return
}
