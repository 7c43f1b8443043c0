// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-fold-masks))' -verify-diagnostics

// The last program has fewer elements than its tile.
tile.func @ragged(%n: i32) {
  tile.grid(%n : i32) {
    %b = arith.constant 64 : i32
    %g = arith.ceildivsi %n, %b : i32
    tile.yield %g : i32
  }
  %pid = tile.program_id x
  %c64 = arith.constant 64 : i32
  %first = arith.muli %pid, %c64 : i32
  %r = tile.arange : tensor<64xi32>
  %f = tile.splat %first : i32 -> tensor<64xi32>
  %at = arith.addi %f, %r : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  // expected-remark @+1 {{comparison is not folded: expected one that is shown to hold everywhere, found another}}
  %in = arith.cmpi slt, %at, %ns : tensor<64xi32>
  tile.print "%" %in : tensor<64xi1>
  tile.return
}

// 100 more than a byte is less than it from 28 on.
tile.func @wraps(%x: i8) {
  %more = arith.constant dense<100> : tensor<64xi8>
  %xs = tile.splat %x : i8 -> tensor<64xi8>
  %sum = arith.addi %xs, %more : tensor<64xi8>
  // expected-remark @+1 {{comparison is not folded: expected numbers that fit their type, found some that may wrap around}}
  %up = arith.cmpi sgt, %sum, %xs : tensor<64xi8>
  tile.print "%" %up : tensor<64xi1>
  tile.return
}
