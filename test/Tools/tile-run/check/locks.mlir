// Programs that wait for each other: a lock hands on what it guards; one that is relaxed does not, nor does what comes behind
// its release.
// RUN: tile-run %s --check --kernel guarded --grid 4 --arg zeros:i32[1] --arg random:i32[1] 2>&1 | FileCheck %s --check-prefix=GUARDED
// RUN: not tile-run %s --check --kernel relaxed --grid 4 --arg zeros:i32[1] --arg random:i32[1] 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: not tile-run %s --check --kernel behind --grid 4 --arg zeros:i32[1] --arg random:i32[1] 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not tile-run %s --check --kernel others --grid 4 --arg zeros:i32[4] --arg random:i32[1] 2>&1 | FileCheck %s --check-prefix=OTHERS

// GUARDED: check: 1 launch, 4 programs: nothing found
tile.func @guarded(%lock: !tile.ptr<i32>, %sum: !tile.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = tile.program_id x
  scf.while : () -> () {
    %was = tile.atomic_cas acquire gpu %lock, %zero, %one : !tile.ptr<i32>
    %taken = arith.cmpi ne, %was, %zero : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %old = tile.load %sum : !tile.ptr<i32>
  %more = arith.addi %old, %pid : i32
  %new = arith.addi %more, %one : i32
  tile.store %sum, %new : !tile.ptr<i32>
  %free = tile.atomic_rmw xchg release gpu %lock, %zero : !tile.ptr<i32>
  tile.return
}

// RELAXED: error: expected one value from all programs for [0] of %sum (1xi32), found {{.*}} of program (0, 0, 0) and {{.*}} of program (1, 0, 0){{$}}
tile.func @relaxed(%lock: !tile.ptr<i32>, %sum: !tile.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = tile.program_id x
  scf.while : () -> () {
    %was = tile.atomic_cas relaxed gpu %lock, %zero, %one : !tile.ptr<i32>
    %taken = arith.cmpi ne, %was, %zero : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %old = tile.load %sum : !tile.ptr<i32>
  %more = arith.addi %old, %pid : i32
  %new = arith.addi %more, %one : i32
  tile.store %sum, %new : !tile.ptr<i32>
  %free = tile.atomic_rmw xchg relaxed gpu %lock, %zero : !tile.ptr<i32>
  tile.return
}

// BEHIND: error: expected one value from all programs for [0] of %sum (1xi32), found 0 of program (0, 0, 0) and 1 of program (1, 0, 0){{$}}
tile.func @behind(%count: !tile.ptr<i32>, %sum: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %pid = tile.program_id x
  %before = tile.atomic_rmw add acq_rel gpu %count, %one : !tile.ptr<i32>
  tile.store %sum, %pid : !tile.ptr<i32>
  tile.return
}

// A lock for each program guards nothing.
// OTHERS: error: expected one value from all programs for [0] of %sum (1xi32), found 0 of program (0, 0, 0) and 1 of program (1, 0, 0){{$}}
tile.func @others(%locks: !tile.ptr<i32>, %sum: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %pid = tile.program_id x
  %lock = tile.addptr %locks, %pid : !tile.ptr<i32>, i32
  %took = tile.atomic_rmw xchg acquire gpu %lock, %one : !tile.ptr<i32>
  tile.store %sum, %pid : !tile.ptr<i32>
  %free = tile.atomic_rmw xchg release gpu %lock, %took : !tile.ptr<i32>
  tile.return
}
