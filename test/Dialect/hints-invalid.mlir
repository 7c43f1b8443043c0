// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.func @not_a_power(%x: i32) {
  // expected-error @+1 {{expected tile.divisibility to be an array<i64> of a power of two for each dimension of the one result, found array<i64: 12>}}
  %y = arith.muli %x, %x {tile.divisibility = array<i64: 12>} : i32
  tile.return
}

// -----

tile.func @too_many(%x: i32) {
  // expected-error @+1 {{expected tile.contiguity to be an array<i64> of a positive number for each dimension of the one result, found array<i64: 4, 4>}}
  %i = tile.arange {tile.contiguity = array<i64: 4, 4>} : tensor<64xi32>
  tile.return
}

// -----

tile.func @none(%x: i32) {
  // expected-error @+1 {{expected tile.constancy to be an array<i64> of a positive number for each dimension of the one result, found 4 : i64}}
  %y = arith.muli %x, %x {tile.constancy = 4 : i64} : i32
  tile.return
}

// -----

tile.func @wraps(%n: i32, %x: f32) {
  %a = arith.addi %n, %n {tile.wraps} : i32
  // expected-error @+1 {{expected tile.wraps, without a value, on arith.addi, subi, muli, shli or trunci, found it on 'arith.addf'}}
  %b = arith.addf %x, %x {tile.wraps} : f32
  tile.return
}

// -----

tile.func @wraps_how(%n: i32) {
  // expected-error @+1 {{expected tile.wraps, without a value, on arith.addi, subi, muli, shli or trunci, found a value}}
  %a = arith.addi %n, %n {tile.wraps = 1} : i32
  tile.return
}

// -----

tile.func @wraps_and_not(%n: i32) {
  // expected-error @+1 {{expected tile.wraps or an overflow flag, found both}}
  %a = arith.addi %n, %n overflow<nsw> {tile.wraps} : i32
  tile.return
}
