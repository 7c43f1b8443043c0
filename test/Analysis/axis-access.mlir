// RUN: tile-opt %s --tile-print-axis-info -verify-diagnostics -o /dev/null

// Pointers are counted in bytes: without an attribute one is aligned to what it points at.
tile.func @pointers(%p: !tile.ptr<f32>, %q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant = 8}}
  %c8 = arith.constant 8 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
  %a = tile.addptr %p, %c8 : !tile.ptr<f32>, i32
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
  %b = tile.addptr %q, %c8 : !tile.ptr<f16>, i32
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
  %c = tile.addptr %q, %n : !tile.ptr<f16>, i32
  tile.return
}
// Offsets of 32 bits are extended: only runs that cannot wrap stay runs. The order of dimensions is
// a guess that need not hold, and looks through.
tile.func @offsets(%p: !tile.ptr<f32>, %n: i32, %m: i64) {
  // expected-remark @below {{contiguity = [16], divisibility = [4611686018427387904], constancy = [1], range = [0, 15]}}
  %r = tile.arange : tensor<16xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %t = tile.splat %n : i32 -> tensor<16xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [1], constancy = [1]}}
  %a = arith.addi %r, %t : tensor<16xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [16]}}
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
  %b = tile.addptr %ps, %a : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [4611686018427387904], constancy = [1], range = [0, 15]}}
  %l = arith.extsi %r : tensor<16xi32> to tensor<16xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %u = tile.splat %m : i64 -> tensor<16xi64>
  // expected-remark @below {{contiguity = [16], divisibility = [1], constancy = [1]}}
  %v = arith.addi %l, %u : tensor<16xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
  %c = tile.addptr %ps, %v : tensor<16x!tile.ptr<f32>>, tensor<16xi64>
  tile.return
}
// One access moves 16 bytes at most, and as much as alignment and mask allow.
tile.func @vectors(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f16> {tile.divisibility = 8 : i32},
                   %w: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 2 : i32}) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [32]}}
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32]}}
  %qs = tile.splat %q : !tile.ptr<f16> -> tensor<32x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [32]}}
  %ws = tile.splat %w : !tile.ptr<f64> -> tensor<32x!tile.ptr<f64>>
  // expected-remark @below {{contiguity = [32], divisibility = [16], constancy = [1]}}
  %a = tile.addptr %ps, %r : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [8], constancy = [1]}}
  %b = tile.addptr %qs, %r : tensor<32x!tile.ptr<f16>>, tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [16], constancy = [1]}}
  %c = tile.addptr %ws, %r : tensor<32x!tile.ptr<f64>>, tensor<32xi32>
  // expected-remark @below {{vector = [8], order = [0]}}
  %x = tile.load %a : tensor<32x!tile.ptr<f16>>
  // expected-remark @below {{vector = [4], order = [0]}}
  tile.store %b, %x : tensor<32x!tile.ptr<f16>>
  // expected-remark @below {{vector = [2], order = [0]}}
  %y = tile.load %c : tensor<32x!tile.ptr<f64>>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [32]}}
  %t = tile.splat %n : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [2]}}
  %m = arith.cmpi slt, %r, %t : tensor<32xi32>
  // expected-remark @below {{vector = [2], order = [0]}}
  tile.store %a, %x, %m : tensor<32x!tile.ptr<f16>>
  // expected-remark @below {{vector = [2], order = [0]}}
  %old = tile.atomic_rmw fadd relaxed gpu %c, %y, %m : tensor<32x!tile.ptr<f64>>
  tile.return
}
// A matmul's left operand: rows modulo M, columns contiguous, strides that are multiples of 16.
tile.func @matmul_a(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32},
                    %k: i32, %stride: i32 {tile.divisibility = 16 : i32}, %trips: i32) {
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1], constant = 128}}
  %c128 = arith.constant 128 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant = 1}}
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  %pid = tile.program_id x
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1]}}
  %first = arith.muli %pid, %c128 : i32
  // expected-remark @below {{contiguity = [128], divisibility = [4611686018427387904], constancy = [1], range = [0, 127]}}
  %range = tile.arange : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [128]}}
  %firsts = tile.splat %first : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [128], constancy = [1]}}
  %rows = arith.addi %firsts, %range : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [128]}}
  %ms = tile.splat %m : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-2147483647, 2147483647]}}
  %wrapped = arith.remsi %rows, %ms : tensor<128xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1], range = [-2147483647, 2147483647]}}
  %row = tile.expand_dims %wrapped axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [128, 1]}}
  %strides = tile.splat %stride : i32 -> tensor<128x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1]}}
  %down = arith.muli %row, %strides : tensor<128x1xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %ks = tile.arange : tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 4611686018427387904], constancy = [1, 1], range = [0, 63]}}
  %col = tile.expand_dims %ks axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 64]}}
  %down2 = tile.broadcast %down : tensor<128x1xi32> -> tensor<128x64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 4611686018427387904], constancy = [128, 1], range = [0, 63]}}
  %col2 = tile.broadcast %col : tensor<1x64xi32> -> tensor<128x64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 16], constancy = [1, 1]}}
  %offs = arith.addi %down2, %col2 : tensor<128x64xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [128, 64]}}
  %base = tile.splat %a : !tile.ptr<f16> -> tensor<128x64x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 16], divisibility = [2, 16], constancy = [1, 1]}}
  %start = tile.addptr %base, %offs : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [64, 64], constancy = [128, 64], constant = 64}}
  %step = arith.constant dense<64> : tensor<128x64xi32>
  // expected-remark @below {{result #0: contiguity = [1, 16], divisibility = [2, 16], constancy = [1, 1]}}
  // expected-remark @below {{argument #0: contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  // expected-remark @below {{argument #1: contiguity = [1, 16], divisibility = [2, 16], constancy = [1, 1]}}
  %end = scf.for %i = %c0 to %trips step %c1 iter_args(%p = %start) -> (tensor<128x64x!tile.ptr<f16>>) : i32 {
    // expected-remark @below {{vector = [1, 8], order = [1, 0]}}
    %x = tile.load %p : tensor<128x64x!tile.ptr<f16>>
    // expected-remark @below {{contiguity = [1, 16], divisibility = [2, 16], constancy = [1, 1]}}
    %next = tile.addptr %p, %step : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>
    scf.yield %next : tensor<128x64x!tile.ptr<f16>>
  }
  tile.return
}
// The right operand stored with its columns one after the other, of any length.
tile.func @columns(%b: !tile.ptr<f16>, %stride: i32) {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %ks = tile.arange : tensor<64xi32>
  // expected-remark @below {{contiguity = [64, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1], range = [0, 63]}}
  %k = tile.expand_dims %ks axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [4611686018427387904], constancy = [1], range = [0, 127]}}
  %ns = tile.arange : tensor<128xi32>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 4611686018427387904], constancy = [1, 1], range = [0, 127]}}
  %n = tile.expand_dims %ns axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 128]}}
  %strides = tile.splat %stride : i32 -> tensor<1x128xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %across = arith.muli %n, %strides : tensor<1x128xi32>
  // expected-remark @below {{contiguity = [64, 1], divisibility = [4611686018427387904, 1], constancy = [1, 128], range = [0, 63]}}
  %k2 = tile.broadcast %k : tensor<64x1xi32> -> tensor<64x128xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [64, 1]}}
  %n2 = tile.broadcast %across : tensor<1x128xi32> -> tensor<64x128xi32>
  // expected-remark @below {{contiguity = [64, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %offs = arith.addi %k2, %n2 : tensor<64x128xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [64, 128]}}
  %base = tile.splat %b : !tile.ptr<f16> -> tensor<64x128x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [1, 1]}}
  %p = tile.addptr %base, %offs : tensor<64x128x!tile.ptr<f16>>, tensor<64x128xi32>
  // expected-remark @below {{vector = [1, 1], order = [0, 1]}}
  %x = tile.load %p : tensor<64x128x!tile.ptr<f16>>
  tile.return
}
// A column of pointers, repeated: the dimension along which nothing moves is the last to split.
tile.func @repeated(%b: !tile.ptr<f32>, %stride: i32) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %s = tile.splat %stride : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %o = arith.muli %r, %s : tensor<32xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %e = tile.expand_dims %o axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 4]}}
  %w = tile.broadcast %e : tensor<32x1xi32> -> tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [4, 4], constancy = [32, 4]}}
  %base = tile.splat %b : !tile.ptr<f32> -> tensor<32x4x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [4, 4], constancy = [1, 4]}}
  %p = tile.addptr %base, %w : tensor<32x4x!tile.ptr<f32>>, tensor<32x4xi32>
  // expected-remark @below {{vector = [1, 1], order = [0, 1]}}
  %x = tile.load %p : tensor<32x4x!tile.ptr<f32>>
  tile.return
}
// Pixels of rows that are `width` long, by channels that lie `plane` apart: nothing is proved of either, and yet it is the pixels
// that probably follow each other.
tile.func @pixels(%b: !tile.ptr<f16>, %width: i32, %pitch: i32, %plane: i32) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %w = tile.splat %width : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-31, 31]}}
  %line = arith.divsi %r, %w : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 31]}}
  %place = arith.remsi %r, %w : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %pitches = tile.splat %pitch : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %down = arith.muli %line, %pitches : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %pixel = arith.addi %down, %place : tensor<32xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4611686018427387904], constancy = [1], range = [0, 3]}}
  %c = tile.arange : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %planes = tile.splat %plane : i32 -> tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %channel = arith.muli %c, %planes : tensor<4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %e = tile.expand_dims %pixel axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %f = tile.expand_dims %channel axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 4]}}
  %e2 = tile.broadcast %e : tensor<32x1xi32> -> tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [32, 1]}}
  %f2 = tile.broadcast %f : tensor<1x4xi32> -> tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %offs = arith.addi %e2, %f2 : tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [32, 4]}}
  %base = tile.splat %b : !tile.ptr<f16> -> tensor<32x4x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [1, 1]}}
  %p = tile.addptr %base, %offs : tensor<32x4x!tile.ptr<f16>>, tensor<32x4xi32>
  // expected-remark @below {{vector = [1, 1], order = [0, 1]}}
  %x = tile.load %p : tensor<32x4x!tile.ptr<f16>>
  tile.return
}
// Rows that stop at the last one, and rows below a bound: those of a column are still side by side.
tile.func @clamped(%b: !tile.ptr<f16>, %last: i32, %pitch: i32) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1], range = [0, 31]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %n = tile.splat %last : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-2147483648, 31]}}
  %row = arith.minsi %r, %n : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [32], constant = 0}}
  %zero = arith.constant dense<0> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %below = arith.cmpi slt, %row, %n : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-2147483648, 31]}}
  %kept = arith.select %below, %row, %zero : tensor<32xi1>, tensor<32xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4611686018427387904], constancy = [1], range = [0, 3]}}
  %c = tile.arange : tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %pitches = tile.splat %pitch : i32 -> tensor<4xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %column = arith.muli %c, %pitches : tensor<4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1], range = [-2147483648, 31]}}
  %e = tile.expand_dims %kept axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %f = tile.expand_dims %column axis 0 : tensor<4xi32> -> tensor<1x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 4], range = [-2147483648, 31]}}
  %e2 = tile.broadcast %e : tensor<32x1xi32> -> tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [32, 1]}}
  %f2 = tile.broadcast %f : tensor<1x4xi32> -> tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %offs = arith.addi %e2, %f2 : tensor<32x4xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [32, 4]}}
  %base = tile.splat %b : !tile.ptr<f16> -> tensor<32x4x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [1, 1]}}
  %p = tile.addptr %base, %offs : tensor<32x4x!tile.ptr<f16>>, tensor<32x4xi32>
  // expected-remark @below {{vector = [1, 1], order = [0, 1]}}
  %x = tile.load %p : tensor<32x4x!tile.ptr<f16>>
  tile.return
}
// One address has one value: a loaded number is the same for as many lanes as its address, mask and fallback are, and
// what is a row's number for four columns leaves these side by side. What is read again each time may change.
tile.func @loaded_index(%table: !tile.ptr<i32>, %p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{constant = 4}}
  %c4 = arith.constant dense<4> : tensor<32xi32>
  // expected-remark @below {{constant = 0}}
  %c0 = arith.constant dense<0> : tensor<32xi32>
  // expected-remark @below {{contiguity = [32]}}
  %r = tile.arange : tensor<32xi32>
  // expected-remark @below {{constancy = [4]}}
  %row = arith.divsi %r, %c4 : tensor<32xi32>
  // expected-remark @below {{contiguity = [4]}}
  %column = arith.remsi %r, %c4 : tensor<32xi32>
  // expected-remark @below {{constancy = [1]}}
  %in = arith.cmpi slt, %row, %column : tensor<32xi32>
  // expected-remark @below {{constancy = [32]}}
  %ts = tile.splat %table : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  // expected-remark @below {{constancy = [4]}}
  %at = tile.addptr %ts, %row : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  // expected-remark @below {{vector = [1], order = [0]}}
  %i = tile.load %at : tensor<32x!tile.ptr<i32>>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [4]}}
  %i4 = arith.muli %i, %c4 : tensor<32xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1]}}
  %e = arith.addi %i4, %column : tensor<32xi32>
  // expected-remark @below {{constancy = [32]}}
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [4], divisibility = [16], constancy = [1]}}
  %a = tile.addptr %ps, %e : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  // expected-remark @below {{vector = [4], order = [0]}}
  %x = tile.load %a : tensor<32x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  // expected-remark @below {{vector = [1], order = [0]}}
  %j = tile.load %at, %in, %c0 : tensor<32x!tile.ptr<i32>>
  // expected-remark @below {{divisibility = [4], constancy = [1]}}
  %j4 = arith.muli %j, %c4 : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  // expected-remark @below {{vector = [1], order = [0]}}
  %k = tile.load %at cache cv : tensor<32x!tile.ptr<i32>>
  // expected-remark @below {{divisibility = [4], constancy = [1]}}
  %k4 = arith.muli %k, %c4 : tensor<32xi32>
  tile.return
}
