// RUN: tile-opt %s --convert-tile-to-gpu --verify-diagnostics

tile.func @remainder(%x: f8E4M3FN) {
  // expected-error@+1 {{expected an operation that convert-tile-to-gpu lowers, found 'arith.remf'}}
  %a = arith.remf %x, %x : f8E4M3FN
  tile.return
}
