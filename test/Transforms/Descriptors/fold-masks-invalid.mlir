// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-fold-masks))' -verify-diagnostics

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
