// Ops of scf become branches, in the order in which they were written, those within others too.
// RUN: tile-opt %s --tile-lower-flow | FileCheck %s

// What MLIR's own pass makes of them, which begins with the first one, is the same to the letter.
// RUN: tile-opt %s --tile-lower-flow -o %t.mine && tile-opt %s --convert-scf-to-cf -o %t.theirs && cmp %t.mine %t.theirs

// CHECK-LABEL: func.func @flow(
// CHECK-NOT: scf.
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](
// CHECK: ^[[HEAD]](%[[I:.*]]: i32, %[[SUM:.*]]: f32):
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^[[BEHIND:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK: cf.cond_br %{{.*}}, ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK: ^[[THEN]]:
// CHECK: arith.mulf
// CHECK: ^[[ELSE]]:
// CHECK: arith.addf
// CHECK: cf.br ^[[HEAD]](
// CHECK: ^[[BEHIND]]:
// CHECK: arith.negf
// CHECK: cf.cond_br
// CHECK: cf.switch
// CHECK-NOT: scf.
// CHECK: return
func.func @flow(%n: i32, %x: f32, %at: index) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %x) -> (f32) : i32 {
    %first = arith.cmpi eq, %i, %c0 : i32
    %next = scf.if %first -> (f32) {
      %m = arith.mulf %before, %before : f32
      scf.yield %m : f32
    } else {
      %a = arith.addf %before, %x : f32
      scf.yield %a : f32
    }
    scf.yield %next : f32
  }
  %first_of_all = arith.cmpi sgt, %n, %c1 : i32
  %minus = arith.negf %sum : f32
  %halved:2 = scf.while (%v = %minus, %k = %n) : (f32, i32) -> (f32, i32) {
    %on = arith.cmpi sgt, %k, %c0 : i32
    scf.condition(%on) %v, %k : f32, i32
  } do {
  ^bb0(%v: f32, %k: i32):
    %w = scf.if %first_of_all -> (f32) {
      %m = arith.mulf %v, %x : f32
      scf.yield %m : f32
    } else {
      scf.yield %v : f32
    }
    %less = arith.subi %k, %c1 : i32
    scf.yield %w, %less : f32, i32
  }
  %chosen = scf.index_switch %at -> f32
  case 3 {
    scf.yield %x : f32
  }
  default {
    scf.yield %halved#0 : f32
  }
  return %chosen : f32
}

// What patterns make loops of, and drop on the way.
// CHECK-LABEL: func.func @made(
// CHECK-NOT: scf.
// CHECK: return
func.func @made(%m: memref<8xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%zero) -> f32 {
    scf.if %c {
      memref.store %f, %m[%i] : memref<8xf32>
    }
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      scf.reduce.return %ab : f32
    }
  }
  scf.execute_region {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %f, %m[%i] : memref<8xf32>
    }
    cf.br ^bb1
  ^bb1:
    scf.if %c {
      memref.store %sum, %m[%c0] : memref<8xf32>
    }
    scf.yield
  }
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %f, %m[%j] : memref<8xf32>
  }
  return
}
