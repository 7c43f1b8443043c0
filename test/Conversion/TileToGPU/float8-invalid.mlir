// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

tile.func @remainder(%x: f8E4M3FN) {
  // expected-error@+1 {{expected an operation that convert-tile-to-gpu lowers, found 'arith.remf'}}
  %a = arith.remf %x, %x : f8E4M3FN
  tile.return
}

// -----

tile.func @no_expansion(%x: f8E5M2, %n: i32) {
  // expected-error@+1 {{expected a function that a GPU computes for its type, found 'math.fpowi' of a float of 32 bits}}
  %a = math.fpowi %x, %n : f8E5M2, i32
  tile.return
}
