// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-fold-masks))' | FileCheck %s

// Each of n / 64 programs has 64 elements, where 64 divides n.
// CHECK-LABEL: tile.func @whole
tile.func @whole(%n: i32 {tile.divisibility = 64 : i32}, %p: !tile.ptr<f32>) {
  tile.grid(%n : i32) {
    %b = arith.constant 64 : i32
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  // CHECK: %[[ALL:.*]] = arith.constant dense<true> : tensor<64xi1>
  // CHECK-NOT: arith.cmpi
  // CHECK: tile.load %{{.*}}, %[[ALL]]
  %pid = tile.program_id x
  %c64 = arith.constant 64 : i32
  %first = arith.muli %pid, %c64 : i32
  %r = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %f, %r : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %at, %ns : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ptrs = tile.addptr %ps, %at : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %x = tile.load %ptrs, %in : tensor<64x!tile.ptr<f32>>
  tile.print "%" %x : tensor<64xf32>
  tile.return
}

// Half a fact: the last program may have 32.
// CHECK-LABEL: tile.func @ragged
tile.func @ragged(%n: i32 {tile.divisibility = 32 : i32}) {
  tile.grid(%n : i32) {
    %b = arith.constant 64 : i32
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  // CHECK: arith.cmpi slt
  %pid = tile.program_id x
  %c64 = arith.constant 64 : i32
  %first = arith.muli %pid, %c64 : i32
  %r = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %f, %r : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %at, %ns : tensor<64xi32>
  tile.print "%" %in : tensor<64xi1>
  tile.return
}

// The last iteration is a whole step in front of the bound. Both ways to write it, and the other
// predicates; what starts elsewhere, or takes one position more, is not true everywhere.
// CHECK-LABEL: tile.func @steps
tile.func @steps(%k: i32 {tile.divisibility = 256 : i32}, %any: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %r = tile.arange : tensor<32xi32>
  %one = arith.constant dense<1> : tensor<32xi32>
  // CHECK: scf.for
  scf.for %k0 = %c0 to %k step %c32 : i32 {
    %left = arith.subi %k, %k0 : i32
    %lefts = tile.splat %left : i32 -> tensor<32xi32>
    // CHECK-COUNT-3: arith.constant dense<true> : tensor<32xi1>
    // CHECK-NOT: arith.constant dense<true> : tensor<32xi1>
    %lt = arith.cmpi slt, %r, %lefts : tensor<32xi32>
    %gt = arith.cmpi sgt, %lefts, %r : tensor<32xi32>
    %le = arith.cmpi sle, %r, %lefts : tensor<32xi32>
    // CHECK: %[[PAST:.*]] = arith.cmpi slt
    // CHECK: tile.print "%" %[[PAST]]
    %next = arith.addi %r, %one : tensor<32xi32>
    %past = arith.cmpi slt, %next, %lefts : tensor<32xi32>
    tile.print "%" %past : tensor<32xi1>
    tile.print "%" %lt : tensor<32xi1>
    tile.print "%" %gt : tensor<32xi1>
    tile.print "%" %le : tensor<32xi1>
  }
  // CHECK: scf.for
  // CHECK: arith.cmpi slt
  scf.for %k0 = %c1 to %k step %c32 : i32 {
    %left = arith.subi %k, %k0 : i32
    %lefts = tile.splat %left : i32 -> tensor<32xi32>
    %lt = arith.cmpi slt, %r, %lefts : tensor<32xi32>
    tile.print "%" %lt : tensor<32xi1>
  }
  // CHECK: scf.for
  // CHECK: arith.cmpi slt
  scf.for %k0 = %c0 to %any step %c32 : i32 {
    %left = arith.subi %any, %k0 : i32
    %lefts = tile.splat %left : i32 -> tensor<32xi32>
    %lt = arith.cmpi slt, %r, %lefts : tensor<32xi32>
    tile.print "%" %lt : tensor<32xi1>
  }
  tile.return
}

// Rows in the grouped order of the tutorials: programs of a group share 8 rows of tiles, the last
// group has what is left. Positive sizes make a program's number what it is; without their signs
// nothing is known of the group's size.
// CHECK-LABEL: tile.func @grouped
// CHECK: arith.constant dense<true> : tensor<128xi1>
// CHECK-NOT: arith.cmpi
// CHECK: tile.return
tile.func @grouped(%m: i32 {tile.divisibility = 256 : i32, tile.positive}, %n: i32 {tile.positive}) {
  tile.grid(%m : i32, %n : i32) {
    %c128 = arith.constant 128 : i32
    %gm = arith.ceildivsi %m, %c128 : i32
    %gn = arith.ceildivsi %n, %c128 : i32
    %g = arith.muli %gm, %gn : i32
    tile.yield %g : i32
  }
  %c128 = arith.constant 128 : i32
  %c8 = arith.constant 8 : i32
  %tm = arith.ceildivsi %m, %c128 : i32
  %tn = arith.ceildivsi %n, %c128 : i32
  %pid = tile.program_id x
  %in_group = arith.muli %tn, %c8 : i32
  %group = arith.divsi %pid, %in_group : i32
  %first = arith.muli %group, %c8 : i32
  %left = arith.subi %tm, %first : i32
  %size = arith.minsi %left, %c8 : i32
  %rest = arith.remsi %pid, %in_group : i32
  %row = arith.remsi %rest, %size : i32
  %i = arith.addi %first, %row : i32
  %base = arith.muli %i, %c128 : i32
  %r = tile.arange : tensor<128xi32>
  %bs = tile.splat %base : i32 -> tensor<128xi32>
  %at = arith.addi %bs, %r : tensor<128xi32>
  %ms = tile.splat %m : i32 -> tensor<128xi32>
  %in = arith.cmpi slt, %at, %ms : tensor<128xi32>
  tile.print "%" %in : tensor<128xi1>
  tile.return
}

// CHECK-LABEL: tile.func @grouped_any_sign
// CHECK: arith.cmpi slt
tile.func @grouped_any_sign(%m: i32 {tile.divisibility = 256 : i32}, %n: i32) {
  tile.grid(%m : i32, %n : i32) {
    %c128 = arith.constant 128 : i32
    %gm = arith.ceildivsi %m, %c128 : i32
    %gn = arith.ceildivsi %n, %c128 : i32
    %g = arith.muli %gm, %gn : i32
    tile.yield %g : i32
  }
  %c128 = arith.constant 128 : i32
  %c8 = arith.constant 8 : i32
  %tm = arith.ceildivsi %m, %c128 : i32
  %tn = arith.ceildivsi %n, %c128 : i32
  %pid = tile.program_id x
  %in_group = arith.muli %tn, %c8 : i32
  %group = arith.divsi %pid, %in_group : i32
  %first = arith.muli %group, %c8 : i32
  %left = arith.subi %tm, %first : i32
  %size = arith.minsi %left, %c8 : i32
  %rest = arith.remsi %pid, %in_group : i32
  %row = arith.remsi %rest, %size : i32
  %i = arith.addi %first, %row : i32
  %base = arith.muli %i, %c128 : i32
  %r = tile.arange : tensor<128xi32>
  %bs = tile.splat %base : i32 -> tensor<128xi32>
  %at = arith.addi %bs, %r : tensor<128xi32>
  %ms = tile.splat %m : i32 -> tensor<128xi32>
  %in = arith.cmpi slt, %at, %ms : tensor<128xi32>
  tile.print "%" %in : tensor<128xi1>
  tile.return
}

// Other questions than < and <= are not asked of the prover, and scalars are left to canonicalization.
// CHECK-LABEL: tile.func @others
tile.func @others() {
  // CHECK: arith.cmpi ult
  // CHECK: arith.cmpi eq
  // CHECK: arith.cmpi slt, %{{.*}} : i32
  %pid = tile.program_id x
  %r = tile.arange : tensor<32xi32>
  %c = arith.constant dense<32> : tensor<32xi32>
  %m = arith.constant -1 : i32
  %a = arith.cmpi ult, %r, %c : tensor<32xi32>
  %b = arith.cmpi eq, %r, %r : tensor<32xi32>
  %s = arith.cmpi slt, %m, %pid : i32
  tile.print "%" %a : tensor<32xi1>
  tile.print "%" %b : tensor<32xi1>
  tile.print "%" %s : i1
  tile.return
}

// A divisor that can only be 0 says nothing of the quotient; the analysis once divided by it.
// CHECK-LABEL: tile.func @by_zero
// CHECK: arith.cmpi
tile.func @by_zero(%n: i32, %p: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %zero = arith.constant 0 : i32
  %lanes = tile.arange : tensor<64xi32>
  %c8 = arith.constant 8 : i32
  %least = arith.minsi %zero, %c8 : i32
  %pid = tile.program_id x
  %share = arith.divsi %pid, %least : i32
  %ends = tile.splat %share : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %lanes, %ends : tensor<64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %ps, %lanes : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %q, %in : tensor<64x!tile.ptr<f32>>
  tile.store %q, %v, %in : tensor<64x!tile.ptr<f32>>
  tile.return
}

// Sums wrap: of k = 2^31 - 1 no position but the first is k or more, and of 8 bits the bounds are near. Where 64
// divides n, 63 more than n stay below 2^31, and so do the elements of n / 64 programs.
// CHECK-LABEL: tile.func @wraps
// CHECK: arith.cmpi sge, {{.*}} : tensor<64xi32>
// CHECK: arith.cmpi sgt, {{.*}} : tensor<64xi8>
// CHECK: arith.cmpi sle, {{.*}} : tensor<64xi32>
// CHECK-COUNT-2: arith.constant dense<true> : tensor<64xi1>
// CHECK-NOT: arith.cmpi
// CHECK: tile.return
tile.func @wraps(%n: i32 {tile.positive, tile.divisibility = 64 : i32}, %k: i32, %p: !tile.ptr<i8>) {
  tile.grid(%n : i32) {
    %b = arith.constant 64 : i32
    %g = arith.divsi %n, %b : i32
    tile.yield %g : i32
  }
  %r = tile.arange : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %ks = tile.splat %k : i32 -> tensor<64xi32>
  %beyond = arith.addi %ks, %r : tensor<64xi32>
  %ge = arith.cmpi sge, %beyond, %ks : tensor<64xi32>
  tile.print "%" %ge : tensor<64xi1>
  %byte = tile.load %p : !tile.ptr<i8>
  %bytes = tile.splat %byte : i8 -> tensor<64xi8>
  %hundred = arith.constant dense<100> : tensor<64xi8>
  %more = arith.addi %bytes, %hundred : tensor<64xi8>
  %gt = arith.cmpi sgt, %more, %bytes : tensor<64xi8>
  tile.print "%" %gt : tensor<64xi1>
  // What wrapped before it is made wider is not what it would be there.
  %wide = arith.extsi %beyond : tensor<64xi32> to tensor<64xi64>
  %shorter = arith.trunci %wide : tensor<64xi64> to tensor<64xi32>
  %le = arith.cmpi sle, %ks, %shorter : tensor<64xi32>
  tile.print "%" %le : tensor<64xi1>
  %pid = tile.program_id x
  %c64 = arith.constant 64 : i32
  %first = arith.muli %pid, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %firsts, %r : tensor<64xi32>
  %in = arith.cmpi slt, %at, %ns : tensor<64xi32>
  tile.print "%" %in : tensor<64xi1>
  %more_n = arith.addi %ns, %r : tensor<64xi32>
  %fits = arith.cmpi sge, %more_n, %ns : tensor<64xi32>
  tile.print "%" %fits : tensor<64xi1>
  tile.return
}
