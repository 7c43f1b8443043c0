// Both roads refuse them in the same words, be the function that is called there or not; so does
// tile-run (test/Tools/messages/foreign.test).
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-check-ops))' -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-to-nvvm=arch=sm_80 -split-input-file -verify-diagnostics
// RUN: tile-opt %s --tile-to-cpu -split-input-file -verify-diagnostics

func.func private @system(i32)
tile.func @call(%x: i32) {
  // expected-error @+1 {{expected an op of tile, arith, math or scf in a kernel, found 'func.call'}}
  func.call @system(%x) : (i32) -> ()
  tile.return
}

// -----

// One that MLIR's inliner would make part of the kernel.
func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
tile.func @inlined(%p: !tile.ptr<i32>, %n: i32) {
  // expected-error @+1 {{expected an op of tile, arith, math or scf in a kernel, found 'func.call'}}
  %z = func.call @twice(%n) : (i32) -> i32
  tile.store %p, %z : !tile.ptr<i32>
  tile.return
}

// -----

func.func private @twice(%x: i32) -> i32 {
  return %x : i32
}
tile.func private @helper(%n: i32) -> i32 {
  // expected-error @+1 {{expected an op of tile, arith, math or scf in a kernel, found 'func.call'}}
  %z = func.call @twice(%n) : (i32) -> i32
  tile.return %z : i32
}
tile.func @k(%p: !tile.ptr<i32>, %n: i32) {
  %z = tile.call @helper(%n) : (i32) -> i32
  tile.store %p, %z : !tile.ptr<i32>
  tile.return
}

// -----

llvm.func @twice(%x: i32) -> i32 {
  llvm.return %x : i32
}
tile.func @lowered(%p: !tile.ptr<i32>, %n: i32) {
  // expected-error @+1 {{expected an op of tile, arith, math or scf in a kernel, found 'llvm.call'}}
  %z = llvm.call @twice(%n) : (i32) -> i32
  tile.store %p, %z : !tile.ptr<i32>
  tile.return
}

// -----

// Nested, where the inliner would go, too.
func.func private @none() {
  return
}
tile.func @nested(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{expected an op of tile, arith, math or scf in a kernel, found 'func.call'}}
    func.call @none() : () -> ()
  }
  tile.return
}

// -----

tile.func @vectors(%n: i32) {
  // expected-error @+1 {{expected an op of tile, arith, math or scf in a kernel, found 'vector.broadcast'}}
  %v = vector.broadcast %n : i32 to vector<4xi32>
  tile.return
}

// -----

// The CPU has no lowering of these, and a GPU would run them in each thread.
tile.func @beside(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected scf.for, scf.if or scf.while in a kernel, found 'scf.parallel'}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    scf.reduce
  }
  tile.return
}

// -----

tile.func @all(%n: i32) {
  // expected-error @+1 {{expected scf.for, scf.if or scf.while in a kernel, found 'scf.forall'}}
  scf.forall (%i) in (4) {
  }
  tile.return
}

// -----

tile.func @switch(%n: i32) {
  %i = arith.index_cast %n : i32 to index
  // expected-error @+1 {{expected scf.for, scf.if or scf.while in a kernel, found 'scf.index_switch'}}
  scf.index_switch %i
  case 3 {
    scf.yield
  }
  default {
    scf.yield
  }
  tile.return
}
