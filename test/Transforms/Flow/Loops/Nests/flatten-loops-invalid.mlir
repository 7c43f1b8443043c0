// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-flatten-loops))' -split-input-file -verify-diagnostics -o /dev/null

!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!acc = tensor<64x64xf32>

tile.func private @counted(%m: i32, %n: i32, %a: !a, %b: !b, %zero: !acc) -> !acc {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @+1 {{loops of dots stay apart: expected a loop of known, few steps, found another}}
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %t = scf.for %c = %c0 to %n step %c1 iter_args(%u = %s) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  tile.return %r : !acc
}

// -----

!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!acc = tensor<64x64xf32>

tile.func private @uneven(%n: i32, %a: !a, %b: !b, %zero: !acc) -> !acc {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // expected-remark @+1 {{loops of dots stay apart: expected an inner loop from a constant to what does not change, found another}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %end = arith.addi %n, %i : i32
    %t = scf.for %c = %c0 to %end step %c1 iter_args(%u = %s) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  tile.return %r : !acc
}

// -----

!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!acc = tensor<64x64xf32>

tile.func private @long(%a: !a, %b: !b, %zero: !acc) -> !acc {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c100 = arith.constant 100 : i32
  // expected-remark @+1 {{loops of dots stay apart: expected a short inner loop, found a long one}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %t = scf.for %c = %c0 to %c100 step %c1 iter_args(%u = %s) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  tile.return %r : !acc
}

// -----

!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!acc = tensor<64x64xf32>

tile.func private @anew(%n: i32, %a: !a, %b: !b, %zero: !acc) -> !acc {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // expected-remark @+1 {{loops of dots stay apart: expected sums handed on from loop to loop, found others}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %t = scf.for %c = %c0 to %n step %c1 iter_args(%u = %zero) -> (!acc) : i32 {
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  tile.return %r : !acc
}

// -----

!a = tensor<64x32xf16>
!b = tensor<32x64xf16>
!acc = tensor<64x64xf32>

// Warps that copy boxes go from loop to loop themselves.
tile.func private @boxes(%n: i32, %da: !tile.desc<64x32xf16>, %b: !b, %zero: !acc) -> !acc {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // expected-remark @+1 {{loops of dots stay apart: expected no boxes, which warps copy from loop to loop, found one}}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (!acc) : i32 {
    %t = scf.for %c = %c0 to %n step %c1 iter_args(%u = %s) -> (!acc) : i32 {
      %a = tile.desc_load %da[%i, %c] : !tile.desc<64x32xf16>
      %d = tile.dot %a, %b, %u : !a, !b -> !acc
      scf.yield %d : !acc
    }
    scf.yield %t : !acc
  }
  tile.return %r : !acc
}
