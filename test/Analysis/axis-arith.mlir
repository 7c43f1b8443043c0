// RUN: tile-opt %s --tile-print-axis-info -verify-diagnostics -o /dev/null

// Sums keep the runs of one side where the other is constant, and the smaller divisor.
tile.func @add_sub(%s: i32 {tile.divisibility = 4 : i32}) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [32]}}
  %t = tile.splat %s : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4], constancy = [1]}}
  %a = arith.addi %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4], constancy = [1]}}
  %b = arith.subi %a, %t : tensor<32xi32>
  // Counting down is no run.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %c = arith.subi %t, %r : tensor<32xi32>
  // Two runs make steps of 2.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 62]}}
  %d = arith.addi %r, %r : tensor<32xi32>
  tile.return
}
// Products multiply divisors of all elements; a factor of 1 changes nothing.
tile.func @mul(%s: i32 {tile.divisibility = 16 : i32}, %u: i32 {tile.divisibility = 8 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32], constant = 1}}
  %one = arith.constant dense<1> : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1]}}
  %p = arith.muli %s, %u : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [32]}}
  %t = tile.splat %s : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
  %a = arith.muli %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %b = arith.muli %r, %one : tensor<32xi32>
  tile.return
}
// Quotients that round down are constant where the run stays between two multiples of the divisor.
tile.func @div(%n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32], constant = 8}}
  %eight = arith.constant dense<8> : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8], range = [0, 3]}}
  %a = arith.divsi %r, %eight : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8], range = [0, 3]}}
  %b = arith.divui %r, %eight : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8], range = [0, 3]}}
  %c = arith.floordivsi %r, %eight : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 4]}}
  %d = arith.ceildivsi %r, %eight : tensor<32xi32>
  // 12 has a multiple of 4 only.
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [32], constant = 12}}
  %twelve = arith.constant dense<12> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4], range = [0, 2]}}
  %e = arith.divsi %r, %twelve : tensor<32xi32>
  // Below 0, truncation rounds up: -4 / 4 is -1 and -3 / 4 is 0.
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1], range = [-4, -1]}}
  %low = arith.constant dense<[-4, -3, -2, -1]> : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [4], constant = 4}}
  %four = arith.constant dense<4> : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-1, 0]}}
  %f = arith.divsi %low, %four : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4], constant = -1}}
  %g = arith.floordivsi %low, %four : tensor<4xi32>
  tile.return
}
// What is left of a divisor after an exact division.
tile.func @div_exact(%s: i32 {tile.divisibility = 64 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], constant = 16}}
  %c16 = arith.constant 16 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1], range = [-134217728, 134217724]}}
  %a = arith.divsi %s, %c16 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant = 24}}
  %c24 = arith.constant 24 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-89478485, 89478482]}}
  %b = arith.divsi %s, %c24 : i32
  tile.return
}
// Remainders run where the run stays between two multiples; not below 0.
tile.func @rem(%m: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %r = tile.arange : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %t = tile.splat %m : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], range = [0, 63]}}
  %a = arith.remsi %r, %t : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], range = [0, 63]}}
  %b = arith.remui %r, %t : tensor<64xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1], range = [-4, -1]}}
  %low = arith.constant dense<[-4, -3, -2, -1]> : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [4], constant = 4}}
  %four = arith.constant dense<4> : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-3, 0]}}
  %c = arith.remsi %low, %four : tensor<4xi32>
  // A multiple of 16 modulo 8 is 0; numbers below 64 modulo 64 are what they are.
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant = 8}}
  %c8 = arith.constant 8 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %d = arith.remsi %m, %c8 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [64], constant = 64}}
  %c64 = arith.constant dense<64> : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %e = arith.remsi %r, %c64 : tensor<64xi32>
  tile.return
}
// Shifts are products and quotients by powers of two.
tile.func @shifts(%s: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [32], constant = 2}}
  %two = arith.constant dense<2> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1], range = [0, 124]}}
  %a = arith.shli %r, %two : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4], range = [0, 7]}}
  %b = arith.shrsi %r, %two : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4], range = [0, 7]}}
  %c = arith.shrui %r, %two : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 3}}
  %c3 = arith.constant 3 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1]}}
  %d = arith.shli %s, %c3 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1], range = [-268435456, 268435454]}}
  %e = arith.shrsi %s, %c3 : i32
  // What is shifted in is 0, whatever the sign was.
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1], range = [0, 536870910]}}
  %f = arith.shrui %s, %c3 : i32
  tile.return
}
// Low bits are a remainder, high bits a quotient times its divisor.
tile.func @bits(%s: i32 {tile.divisibility = 16 : i32}, %n: i32) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32], constant = 7}}
  %seven = arith.constant dense<7> : tensor<32xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1], range = [0, 7]}}
  %a = arith.andi %r, %seven : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32], constant = -8}}
  %high = arith.constant dense<-8> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [8], range = [0, 24]}}
  %b = arith.andi %r, %high : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
  %c = arith.andi %s, %n : i32
  // 16 k | (0 .. 7) is a sum.
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [32]}}
  %t = tile.splat %s : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1], range = [-2147483648, 2147483639]}}
  %d = arith.ori %t, %a : tensor<32xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1], range = [-2147483648, 2147483639]}}
  %e = arith.xori %t, %a : tensor<32xi32>
  // These have bits in common.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %f = arith.ori %t, %r : tensor<32xi32>
  tile.return
}
// The smaller and the larger of two values is one of them.
tile.func @min_max(%s: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [1], constant = 64}}
  %c64 = arith.constant 64 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], range = [-2147483648, 64]}}
  %a = arith.minsi %s, %c64 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [1], constant = 64}}
  %b = arith.maxsi %a, %c64 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %zero = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], range = [0, 2147483632]}}
  %c = arith.maxsi %s, %zero : i32
  // Ranges decide.
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [32], constant = 64}}
  %t = tile.splat %c64 : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %d = arith.minsi %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %e = arith.minui %r, %t : tensor<32xi32>
  tile.return
}
// Wider types hold no wrapped runs: one that starts at a multiple of its length never wraps, one
// that starts anywhere may.
tile.func @extend(%s: i32 {tile.divisibility = 8 : i32}, %n: i32) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32]}}
  %t = tile.splat %s : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [8], constancy = [1]}}
  %a = arith.addi %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1], range = [-2147483648, 2147483647]}}
  %b = arith.extsi %a : tensor<32xi32> to tensor<32xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %u = tile.splat %n : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [1], constancy = [1]}}
  %c = arith.addi %r, %u : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-2147483648, 2147483647]}}
  %d = arith.extsi %c : tensor<32xi32> to tensor<32xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 4294967295]}}
  %e = arith.extui %c : tensor<32xi32> to tensor<32xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %f = arith.trunci %d : tensor<32xi64> to tensor<32xi8>
  // A range that stays inside the type rules the wrap out.
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %g = arith.extsi %r : tensor<32xi32> to tensor<32xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-2147483648, 2147483647]}}
  %h = arith.index_cast %n : i32 to index
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 4294967295]}}
  %i = arith.index_castui %n : i32 to index
  tile.return
}
// Of truth values, true is 1; extended with a sign it is -1.
tile.func @extend_truth(%n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %true = arith.constant true
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = -1}}
  %a = arith.extsi %true : i1 to i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %b = arith.extui %true : i1 to i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %c = arith.trunci %n : i32 to i1
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-1, 0]}}
  %d = arith.extsi %c : i1 to i32
  tile.return
}
// One side is taken as a whole where the condition is constant.
tile.func @select(%n: i32 {tile.divisibility = 4 : i32}, %p: i1) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [32]}}
  %t = tile.splat %n : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %m = arith.cmpi slt, %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4], constancy = [1]}}
  %far = arith.addi %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1]}}
  %a = arith.select %m, %r, %far : tensor<32xi1>, tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [4], constancy = [1]}}
  %b = arith.select %p, %r, %far : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %true = arith.constant true
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %c = arith.select %true, %r, %far : tensor<32xi32>
  tile.return
}
// Comparisons of a run with a number change between two runs, or inside one: by predicate.
tile.func @compare(%n: i32 {tile.divisibility = 8 : i32}) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32]}}
  %t = tile.splat %n : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %lt = arith.cmpi slt, %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %ge = arith.cmpi sge, %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %ult = arith.cmpi ult, %r, %t : tensor<32xi32>
  // n > r and n <= r are the same with sides changed.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %gt = arith.cmpi sgt, %t, %r : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %le = arith.cmpi sle, %t, %r : tensor<32xi32>
  // r <= n, r > n, r == n differ at r = n itself.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %not_le = arith.cmpi sle, %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %not_gt = arith.cmpi sgt, %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %not_eq = arith.cmpi eq, %r, %t : tensor<32xi32>
  // Ranges decide.
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [32], constant = 32}}
  %c32 = arith.constant dense<32> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32], constant = 1}}
  %all = arith.cmpi slt, %r, %c32 : tensor<32xi32>
  tile.return
}
// Without a divisor of n nothing is known of the mask; nor with one of the run's start.
tile.func @compare_unknown(%n: i32, %s: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %t = tile.splat %n : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %a = arith.cmpi slt, %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [32]}}
  %u = tile.splat %s : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [1], constancy = [1]}}
  %v = arith.addi %r, %t : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %b = arith.cmpi slt, %v, %u : tensor<32xi32>
  tile.return
}
// Other element-wise ops map equal elements to equal elements.
tile.func @elementwise(%x: f32) {
  %t = tile.splat %x : f32 -> tensor<32xf32>
  %a = arith.addf %t, %t : tensor<32xf32>
  %b = math.exp %a : tensor<32xf32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %c = arith.cmpf olt, %a, %b : tensor<32xf32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %d = arith.fptosi %b : tensor<32xf32> to tensor<32xi32>
  tile.return
}
// A sum may leave the type: nothing is left of its range, all of its divisors.
tile.func @wrap(%s: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], constant = 2147483632}}
  %big = arith.constant 2147483632 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1], constant = -32}}
  %a = arith.addi %big, %big : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %zero = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], range = [0, 2147483632]}}
  %c = arith.maxsi %s, %zero : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
  %d = arith.addi %c, %c : i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], range = [0, 2147483632]}}
  %e = arith.extsi %c : i32 to i64
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], range = [0, 4294967264]}}
  %f = arith.addi %e, %e : i64
  tile.return
}

// What an op says of its result counts, but for a shorter run than is known, and a divisor of a dimension without runs.
tile.func @hints(%x: !tile.ptr<f16>, %s: i32) {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %i = tile.arange : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64]}}
  %ss = tile.splat %s : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [32], constancy = [1]}}
  %a = arith.addi %i, %ss {tile.divisibility = array<i64: 32>, tile.contiguity = array<i64: 4>} : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1]}}
  %b = arith.muli %a, %ss {tile.divisibility = array<i64: 16>, tile.contiguity = array<i64: 16>} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 32], constancy = [1, 1]}}
  %c = tile.expand_dims %a axis 0 {tile.divisibility = array<i64: 64, 16>} : tensor<64xi32> -> tensor<1x64xi32>
  tile.return
}

// The dividend is not below 0, says the op.
tile.func @nonnegative(%s: i32 {tile.divisibility = 64 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %i = tile.arange : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [64], constancy = [64]}}
  %ss = tile.splat %s : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [64], constancy = [1]}}
  %a = arith.addi %i, %ss : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %signed = arith.remsi %a, %ns : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], range = [0, 2147483647]}}
  %r = arith.remsi %a, %ns {tile.nonnegative} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %d = arith.divsi %a, %ns {tile.nonnegative} : tensor<64xi32>
  tile.return
}

// Scales of packed weights: 2 k / 128 is k / 64, also by shifts; what is no multiple of 2, or may be below 0, is not.
tile.func @quotients_of_multiples(%p: i32 {tile.divisibility = 128 : i32, tile.positive}, %s: i32 {tile.divisibility = 128 : i32}) {
  // expected-remark @below {{contiguity = [128], divisibility = [4611686018427387904], constancy = [1], range = [0, 127]}}
  %r = tile.arange : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [128], range = [128, 2147483520]}}
  %ps = tile.splat %p : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [128], constancy = [1], range = [128, 2147483647]}}
  %k = arith.addi %ps, %r : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [128], constant = 2}}
  %two = arith.constant dense<2> : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [128], constant = 128}}
  %group = arith.constant dense<128> : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [128], constant = 7}}
  %seven = arith.constant dense<7> : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [128], constant = 3}}
  %odd = arith.constant dense<3> : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [128], constant = 1}}
  %one = arith.constant dense<1> : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
  %x = arith.muli %k, %two : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64]}}
  %a = arith.divui %x, %group : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
  %y = arith.shli %k, %one : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64], range = [-16777216, 16777215]}}
  %b = arith.shrsi %y, %seven : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %z = arith.muli %k, %odd : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %c = arith.divui %z, %group : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [128]}}
  %ss = tile.splat %s : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [128], constancy = [1]}}
  %n = arith.addi %ss, %r : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
  %m = arith.muli %n, %two : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-16777216, 16777215]}}
  %d = arith.divsi %m, %group : tensor<128xi32>
  tile.return
}
