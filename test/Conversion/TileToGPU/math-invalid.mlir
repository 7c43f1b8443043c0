// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

tile.func @unknown(%x: f32, %n: i32) {
  // expected-error@+1 {{expected a function that a GPU computes for its type, found 'math.fpowi' of a float of 32 bits}}
  %r = math.fpowi %x, %n : f32, i32
  tile.return
}
