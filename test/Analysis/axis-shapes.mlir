// RUN: tile-opt %s --tile-print-axis-info -verify-diagnostics -o /dev/null

// A new dimension knows what holds of all elements; repeating makes constants.
tile.func @expand_broadcast(%s: i32 {tile.divisibility = 32 : i32}) {
  // expected-remark @below {{contiguity = [16], divisibility = [4611686018427387904], constancy = [1], range = [0, 15]}}
  %r = tile.arange : tensor<16xi32>
  // expected-remark @below {{contiguity = [16, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1], range = [0, 15]}}
  %e = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  // expected-remark @below {{contiguity = [16, 1], divisibility = [4611686018427387904, 1], constancy = [1, 8], range = [0, 15]}}
  %b = tile.broadcast %e : tensor<16x1xi32> -> tensor<16x8xi32>
  // expected-remark @below {{contiguity = [1, 16], divisibility = [1, 4611686018427387904], constancy = [1, 1], range = [0, 15]}}
  %f = tile.expand_dims %r axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [32, 32], constancy = [16, 8]}}
  %t = tile.splat %s : i32 -> tensor<16x8xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [32, 32], constancy = [1, 8]}}
  %p = arith.muli %b, %t : tensor<16x8xi32>
  tile.return
}
tile.func @trans() {
  // expected-remark @below {{contiguity = [16], divisibility = [4611686018427387904], constancy = [1], range = [0, 15]}}
  %r = tile.arange : tensor<16xi32>
  // expected-remark @below {{contiguity = [16, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1], range = [0, 15]}}
  %e = tile.expand_dims %r axis 1 : tensor<16xi32> -> tensor<16x1xi32>
  // expected-remark @below {{contiguity = [16, 1], divisibility = [4611686018427387904, 1], constancy = [1, 8], range = [0, 15]}}
  %b = tile.broadcast %e : tensor<16x1xi32> -> tensor<16x8xi32>
  // expected-remark @below {{contiguity = [1, 16], divisibility = [1, 4611686018427387904], constancy = [8, 1], range = [0, 15]}}
  %t = tile.trans %b order [1, 0] : tensor<16x8xi32> -> tensor<8x16xi32>
  tile.return
}
// Runs of the last dimension are cut where rows end; constants span dimensions.
tile.func @reshape(%n: i32) {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], range = [0, 63]}}
  %r = tile.arange : tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 16], divisibility = [1, 16], constancy = [1, 1], range = [0, 63]}}
  %a = tile.reshape %r : tensor<64xi32> -> tensor<4x16xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], range = [0, 63]}}
  %b = tile.reshape %a : tensor<4x16xi32> -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 1, 16], divisibility = [1, 1, 16], constancy = [1, 1, 1], range = [0, 63]}}
  %c = tile.reshape %a : tensor<4x16xi32> -> tensor<4x1x16xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64]}}
  %t = tile.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [2, 32]}}
  %d = tile.reshape %t : tensor<64xi32> -> tensor<2x32xi32>
  // 0 x 16, 1 x 16, ..: rows of 8 come in equal pairs.
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64], constant = 16}}
  %c16 = arith.constant dense<16> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16], range = [0, 3]}}
  %q = arith.divsi %r, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [2, 8], range = [0, 3]}}
  %e = tile.reshape %q : tensor<64xi32> -> tensor<8x8xi32>
  tile.return
}
tile.func @join_split_cat() {
  // expected-remark @below {{contiguity = [16], divisibility = [4611686018427387904], constancy = [1], range = [0, 15]}}
  %r = tile.arange : tensor<16xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [16], constant = 8}}
  %c = arith.constant dense<8> : tensor<16xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [8], constancy = [1], range = [8, 23]}}
  %s = arith.addi %r, %c : tensor<16xi32>
  // expected-remark @below {{contiguity = [16, 1], divisibility = [8, 1], constancy = [1, 1], range = [0, 23]}}
  %j = tile.join %r, %s : tensor<16xi32> -> tensor<16x2xi32>
  // expected-remark @below {{result #0: contiguity = [16], divisibility = [8], constancy = [1], range = [0, 23]}}
  // expected-remark @below {{result #1: contiguity = [16], divisibility = [8], constancy = [1], range = [0, 23]}}
  %x, %y = tile.split %j : tensor<16x2xi32> -> tensor<16xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [4611686018427387904], constancy = [1], range = [0, 7]}}
  %t = tile.arange : tensor<8xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1], range = [0, 23]}}
  %k = tile.cat %s, %t axis 0 : tensor<16xi32>, tensor<8xi32> -> tensor<24xi32>
  tile.return
}
// Extents need be no powers of two.
tile.func @odd_extent(%n: i32 {tile.divisibility = 4 : i32}) {
  // expected-remark @below {{contiguity = [12], divisibility = [4611686018427387904], constancy = [1], range = [0, 11]}}
  %r = tile.arange : tensor<12xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [12]}}
  %t = tile.splat %n : i32 -> tensor<12xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %m = arith.cmpi slt, %r, %t : tensor<12xi32>
  tile.return
}
// Constants written out are measured.
tile.func @dense() {
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1], range = [4, 11]}}
  %a = arith.constant dense<[8, 9, 10, 11, 4, 5, 6, 7]> : tensor<8xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [2, 2], constancy = [2, 2], range = [2, 4]}}
  %b = arith.constant dense<[[4, 4], [4, 4], [2, 2], [2, 2]]> : tensor<4x2xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [2]}}
  %c = arith.constant dense<[true, true, false, false]> : tensor<4xi1>
  // expected-remark @below {{contiguity = [2], divisibility = [1], constancy = [1]}}
  %d = arith.constant dense<[127, -128]> : tensor<2xi8>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4], constant = 7}}
  %e = arith.constant dense<7> : tensor<4xi64>
  tile.return
}
// A launch has at most 2^31 - 1 programs along x, 65535 along y and z.
tile.func @grid_indices() {
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  %x = tile.program_id x
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 65534]}}
  %y = tile.program_id y
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 65534]}}
  %z = tile.program_id z
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [1, 2147483647]}}
  %nx = tile.num_programs x
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [1, 65535]}}
  %ny = tile.num_programs y
  tile.return
}
// Of meta-parameters that are not bound, and of what is read from memory, nothing is claimed.
tile.func @unknown(%p: tensor<8x!tile.ptr<i32>>, %q: tensor<8xi32>) meta {N = 8 : i32} {
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483647]}}
  %r = tile.arange : tensor<?xi32, #tile.dims<[N]>>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  // expected-remark @below {{vector = [1], order = [0]}}
  %a = tile.load %p : tensor<8x!tile.ptr<i32>>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %g = tile.gather %q, %a axis 0 : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  // expected-remark @below {{result #0: contiguity = [1], divisibility = [1], constancy = [1]}}
  %s = tile.reduce add %q axis 0 : tensor<8xi32> -> i32
  tile.return
}
// The grid bounds the programs: no program starts behind the length, so no index wraps and the
// remainder is a run, as in the tutorials' `% M`.
tile.func @grid_bounds(%n: i32 {tile.divisibility = 16 : i32}) {
  tile.grid(%n : i32) {
    // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1], constant = 128}}
    %b = arith.constant 128 : i32
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [-16777216, 16777216]}}
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1], constant = 128}}
  %block = arith.constant 128 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 16777215]}}
  %pid = tile.program_id x
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [1, 16777216]}}
  %count = tile.num_programs x
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1], range = [0, 2147483520]}}
  %first = arith.muli %pid, %block : i32
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [128], range = [0, 2147483520]}}
  %t = tile.splat %first : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [4611686018427387904], constancy = [1], range = [0, 127]}}
  %r = tile.arange : tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [128], constancy = [1], range = [0, 2147483647]}}
  %rows = arith.addi %t, %r : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [128]}}
  %ns = tile.splat %n : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], range = [0, 2147483647]}}
  %in = arith.remsi %rows, %ns : tensor<128xi32>
  tile.return
}
// A register that is kept is the number that it keeps.
tile.func @pin(%s: i32 {tile.divisibility = 32 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [32], constancy = [1]}}
  %p = tile_gpu.pin %s : i32
  tile.return
}
