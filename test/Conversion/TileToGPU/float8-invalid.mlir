// RUN: tile-opt %s --convert-tile-to-gpu --split-input-file --verify-diagnostics

tile.func @arithmetic(%x: f8E4M3FN) {
  // expected-error@+1 {{expected 8-bit floats to be extended, rounded from 16 or 32 bits or selected, found 'arith.addf'}}
  %a = arith.addf %x, %x : f8E4M3FN
  tile.return
}

// -----

#line = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

tile.func @combination(%x: f8E5M2) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : f8E5M2 -> tensor<32xf8E5M2, #line>
  // expected-error@+1 {{expected a type with arithmetic to combine, found an 8-bit float (extend it first)}}
  %s = tile.reduce max %a axis 0 : tensor<32xf8E5M2, #line> -> f8E5M2
  tile.return
}
