// RUN: tile-opt %s --tile-print-axis-info -verify-diagnostics -o /dev/null

// The masked accesses of a vector add: the mask is constant over 16 lanes because the length is a
// multiple of 16, and the block starts at one.
tile.func @vector_add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1], constant = 1024}}
  %block = arith.constant 1024 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], range = [0, 2147483646]}}
  %pid = tile.program_id x
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1]}}
  %first = arith.muli %pid, %block : i32
  // expected-remark @below {{contiguity = [1024], divisibility = [4611686018427387904], constancy = [1], range = [0, 1023]}}
  %lane = tile.arange : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1024]}}
  %base = tile.splat %first : i32 -> tensor<1024xi32>
  // expected-remark @below {{contiguity = [1024], divisibility = [1024], constancy = [1]}}
  %offs = arith.addi %base, %lane : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1024]}}
  %end = tile.splat %n : i32 -> tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %in = arith.cmpi slt, %offs, %end : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1024]}}
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [1024], divisibility = [16], constancy = [1]}}
  %p = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // expected-remark @below {{vector = [4], order = [0]}}
  %v = tile.load %p, %in : tensor<1024x!tile.ptr<f32>>
  // expected-remark @below {{vector = [4], order = [0]}}
  tile.store %p, %v, %in : tensor<1024x!tile.ptr<f32>>
  tile.return
}
