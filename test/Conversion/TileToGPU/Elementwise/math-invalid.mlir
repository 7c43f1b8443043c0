// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

tile.func @unknown(%n: i32) {
  // expected-error@+1 {{expected a function that a GPU computes for its type, found 'math.ipowi' of 32 bits}}
  %r = math.ipowi %n, %n : i32
  tile.return
}
