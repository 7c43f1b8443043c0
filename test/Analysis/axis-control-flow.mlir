// RUN: tile-opt %s --tile-print-axis-info -verify-diagnostics -o /dev/null

// The induction variable: below its bound, and a multiple of what start and step share.
tile.func @induction(%n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [1], constant = 64}}
  %c64 = arith.constant 64 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1], constant = 1024}}
  %lim = arith.constant 1024 : i32
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [64], constancy = [1], range = [0, 2147483584]}}
  scf.for %i = %c0 to %n step %c64 : i32 {
  }
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [64], constancy = [1], range = [64, 960]}}
  scf.for %i = %c64 to %lim step %c64 : i32 {
  }
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [1], constancy = [1], range = [-2147483648, 1023]}}
  scf.for %i = %n to %lim step %c64 : i32 {
  }
  tile.return
}
// What is carried: facts of the first value that every trip keeps.
tile.func @carried(%n: i32, %s: i32 {tile.divisibility = 8 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], constant = 16}}
  %c16 = arith.constant 16 : i32
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32]}}
  %t = tile.splat %s : i32 -> tensor<32xi32>
  // expected-remark @below {{result #0: contiguity = [32], divisibility = [8], constancy = [1]}}
  // expected-remark @below {{result #1: contiguity = [1], divisibility = [16], constancy = [1], constant = 16}}
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  // expected-remark @below {{argument #1: contiguity = [32], divisibility = [8], constancy = [1]}}
  // expected-remark @below {{argument #2: contiguity = [1], divisibility = [16], constancy = [1], constant = 16}}
  %x:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r, %b = %c16) -> (tensor<32xi32>, i32) : i32 {
    // expected-remark @below {{contiguity = [32], divisibility = [8], constancy = [1]}}
    %next = arith.addi %a, %t : tensor<32xi32>
    scf.yield %next, %b : tensor<32xi32>, i32
  }
  tile.return
}
// A run that the second trip breaks, and a divisor that later trips wear down.
tile.func @broken(%n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1], constant = 2}}
  %c2 = arith.constant 2 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [1], constant = 64}}
  %c64 = arith.constant 64 : i32
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{result #0: contiguity = [1], divisibility = [1], constancy = [1]}}
  // expected-remark @below {{result #1: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 64]}}
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  // expected-remark @below {{argument #1: contiguity = [1], divisibility = [1], constancy = [1]}}
  // expected-remark @below {{argument #2: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 64]}}
  %x:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r, %b = %c64) -> (tensor<32xi32>, i32) : i32 {
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
    %next = arith.addi %a, %a : tensor<32xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 32]}}
    %half = arith.divsi %b, %c2 : i32
    scf.yield %next, %half : tensor<32xi32>, i32
  }
  tile.return
}
// A loop in a loop: the inner one starts from what the outer one carries.
tile.func @nested(%n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1], constant = 4}}
  %c4 = arith.constant 4 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1], constant = 32}}
  %c32 = arith.constant 32 : i32
  // expected-remark @below {{result #0: contiguity = [1], divisibility = [4], constancy = [1]}}
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  // expected-remark @below {{argument #1: contiguity = [1], divisibility = [4], constancy = [1]}}
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c32) -> (i32) : i32 {
    // expected-remark @below {{result #0: contiguity = [1], divisibility = [4], constancy = [1]}}
    // expected-remark @below {{argument #0: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
    // expected-remark @below {{argument #1: contiguity = [1], divisibility = [4], constancy = [1]}}
    %y = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i32) : i32 {
      // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
      %z = arith.addi %b, %c4 : i32
      scf.yield %z : i32
    }
    scf.yield %y : i32
  }
  tile.return
}
// Either branch.
tile.func @either(%p: i1, %s: i32 {tile.divisibility = 4 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant = 8}}
  %c8 = arith.constant 8 : i32
  // expected-remark @below {{contiguity = [16], divisibility = [4611686018427387904], constancy = [1], range = [0, 15]}}
  %r = tile.arange : tensor<16xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [16], constant = 4}}
  %c = arith.constant dense<4> : tensor<16xi32>
  // expected-remark @below {{result #0: contiguity = [1], divisibility = [4], constancy = [1]}}
  // expected-remark @below {{result #1: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 15]}}
  %x:2 = scf.if %p -> (i32, tensor<16xi32>) {
    scf.yield %c8, %r : i32, tensor<16xi32>
  } else {
    scf.yield %s, %c : i32, tensor<16xi32>
  }
  tile.return
}
// A while: what enters, what goes round, what is passed on.
tile.func @while(%n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant = 8}}
  %c8 = arith.constant 8 : i32
  // expected-remark @below {{result #0: contiguity = [1], divisibility = [8], constancy = [1]}}
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [8], constancy = [1]}}
  // expected-remark @below {{passed on #0: contiguity = [1], divisibility = [8], constancy = [1]}}
  %x = scf.while (%a = %c0) : (i32) -> i32 {
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
    %more = arith.cmpi slt, %a, %n : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%b: i32):
    // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1]}}
    %next = arith.addi %b, %c8 : i32
    scf.yield %next : i32
  }
  tile.return
}
// Promises at the top of the body hold everywhere.
tile.func @assume(%n: i32, %m: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1], constant = 32}}
  %c32 = arith.constant 32 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %rest = arith.remsi %n, %c32 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %none = arith.cmpi eq, %rest, %c0 : i32
  tile.assume %none
  // expected-remark @below {{contiguity = [1], divisibility = [4096], constancy = [1], constant = 4096}}
  %limit = arith.constant 4096 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %low = arith.cmpi sge, %m, %c0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %high = arith.cmpi sgt, %limit, %m : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %both = arith.andi %low, %high : i1
  tile.assume %both
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1]}}
  %a = arith.addi %n, %c32 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1], range = [0, 131040]}}
  %b = arith.muli %m, %c32 : i32
  tile.return
}
// A promise that not every run reaches holds of nothing.
tile.func @assume_late(%n: i32, %p: i1) {
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1], constant = 32}}
  %c32 = arith.constant 32 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-31, 31]}}
  %rest = arith.remsi %n, %c32 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %none = arith.cmpi eq, %rest, %c0 : i32
  scf.if %p {
    tile.assume %none
  }
  tile.assume %none
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %a = arith.addi %n, %c32 : i32
  tile.return
}
