// Example 1 of the tutorials with its two mistakes: x = [1 .. 6], programs of 2 elements. Both
// leave z unwritten behind its first two elements; in the first, all programs write those. That is a
// warning, and an error where the host goes on with what it takes for results (--args 1, which is the
// default).
//
// RUN: not tile-run %s --check 2>&1 | FileCheck %s --check-prefixes=READ,CHECK
// RUN: tile-run %s --check --args 0 2>&1 | FileCheck %s --check-prefixes=UNREAD,CHECK
// RUN: tile-run %s --check --kernel copy --arg random:i32[6] --arg zeros:i32[6] --arg 6 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT --implicit-check-not=warning
// RIGHT: check: 1 launch, 3 programs: nothing found

// READ: [1 2 3 4 5 6]
// READ: copy.mlir:[[#DUMP:]]:5: error: expected results that were written, found 4 elements of %u (6xi32) that nobody has, the first [2]{{$}}
// READ-NEXT: tile_host.dump %u
// READ: [1 2 0 0 0 0]
// READ: copy.mlir:[[#COMPARE:]]:5: error: expected results that were written, found 4 elements of %s (6xi32) that nobody has, the first [2]{{$}}
// READ-NEXT: tile_host.expect_close %s, %x
// CHECK: copy.mlir:[[#UNSHIFTED:]]:3: warning: expected all of %z (6xi32) to be written, found 4 of 6 elements that never are, the first [2]; 2 are written by several programs
// CHECK-NEXT: tile.store %zp, %v, %in {unshifted}
// CHECK: copy.mlir:[[#BY_N:]]:3: warning: expected all of %out (6xi32) to be written, found 4 of 6 elements that never are, the first [2]{{$}}
// CHECK-NEXT: tile.store %zp, %v, %in {shifted_by_n}
// READ: check: 3 launches, 9 programs: 2 errors, 2 warnings, 4 of them printed above
// UNREAD: check: 3 launches, 9 programs: 0 errors, 2 warnings, 2 of them printed above
// CHECK-NEXT: 1 never written tile.store at {{.*}}copy.mlir:[[#UNSHIFTED]]:3
// CHECK-NEXT: 1 never written tile.store at {{.*}}copy.mlir:[[#BY_N]]:3
// READ-NEXT: 1 never written before tile_host.dump at {{.*}}copy.mlir:[[#DUMP]]:5
// READ-NEXT: 1 never written before tile_host.expect_close at {{.*}}copy.mlir:[[#COMPARE]]:5
// CHECK-NOT: {{.}}

tile.func @copy(%x: !tile.ptr<i32>, %z: !tile.ptr<i32>, %n: i32) {
  tile.grid(%n : i32) {
    %two = arith.constant 2 : i32
    %programs = arith.ceildivsi %n, %two : i32
    tile.yield %programs : i32
  }
  %bs = arith.constant 2 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %bs : i32
  %base = tile.splat %first : i32 -> tensor<2xi32>
  %lane = tile.arange : tensor<2xi32>
  %offs = arith.addi %base, %lane : tensor<2xi32>
  %end = tile.splat %n : i32 -> tensor<2xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<2xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %offs : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  %v = tile.load %xp, %in : tensor<2x!tile.ptr<i32>>
  %zs = tile.splat %z : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %zp = tile.addptr %zs, %offs : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  tile.store %zp, %v, %in : tensor<2x!tile.ptr<i32>>
  tile.return
}

tile.func @unshifted(%x: !tile.ptr<i32>, %z: !tile.ptr<i32>, %n: i32) {
  tile.grid(%n : i32) {
    %two = arith.constant 2 : i32
    %programs = arith.ceildivsi %n, %two : i32
    tile.yield %programs : i32
  }
  %bs = arith.constant 2 : i32
  %pid = tile.program_id x
  %first = arith.constant 0 : i32
  %base = tile.splat %first : i32 -> tensor<2xi32>
  %lane = tile.arange : tensor<2xi32>
  %offs = arith.addi %base, %lane : tensor<2xi32>
  %end = tile.splat %n : i32 -> tensor<2xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<2xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %offs : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  %v = tile.load %xp, %in : tensor<2x!tile.ptr<i32>>
  %zs = tile.splat %z : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %zp = tile.addptr %zs, %offs : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  tile.store %zp, %v, %in {unshifted} : tensor<2x!tile.ptr<i32>>
  tile.return
}

tile.func @shifted_by_n(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i32) {
  tile.grid(%n : i32) {
    %two = arith.constant 2 : i32
    %programs = arith.ceildivsi %n, %two : i32
    tile.yield %programs : i32
  }
  %bs = arith.constant 2 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %n : i32
  %base = tile.splat %first : i32 -> tensor<2xi32>
  %lane = tile.arange : tensor<2xi32>
  %offs = arith.addi %base, %lane : tensor<2xi32>
  %end = tile.splat %n : i32 -> tensor<2xi32>
  %in = arith.cmpi slt, %offs, %end : tensor<2xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %offs : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  %v = tile.load %xp, %in : tensor<2x!tile.ptr<i32>>
  %zs = tile.splat %out : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %zp = tile.addptr %zs, %offs : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  tile.store %zp, %v, %in {shifted_by_n} : tensor<2x!tile.ptr<i32>>
  tile.return
}

func.func @main(%look: i32 {tile_host.default = 1 : i32}) {
  %n = arith.constant 6 : i32
  %none = arith.constant 0 : i32
  %looks = arith.cmpi ne, %look, %none : i32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %x = tile_host.alloc() : () -> memref<6xi32>
  scf.for %i = %zero to %six step %one {
    %next = arith.addi %i, %one : index
    %value = arith.index_cast %next : index to i32
    memref.store %value, %x[%i] : memref<6xi32>
  }
  %z = tile_host.alloc() : () -> memref<6xi32>
  tile_host.launch @copy(%x, %z, %n) : memref<6xi32>, memref<6xi32>, i32
  tile_host.expect_close %z, %x : memref<6xi32>, memref<6xi32>
  scf.if %looks {
    tile_host.dump %z : memref<6xi32>
  }
  %u = tile_host.alloc() : () -> memref<6xi32>
  tile_host.launch @unshifted(%x, %u, %n) : memref<6xi32>, memref<6xi32>, i32
  %s = tile_host.alloc() : () -> memref<6xi32>
  tile_host.launch @shifted_by_n(%x, %s, %n) : memref<6xi32>, memref<6xi32>, i32
  scf.if %looks {
    tile_host.dump %u : memref<6xi32>
    tile_host.expect_close %s, %x {atol = 10.0} : memref<6xi32>, memref<6xi32>
  }
  return
}
