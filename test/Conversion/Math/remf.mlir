// Remainders bit by bit beside the host's fmod, of floats of random bits: quotients up to 2^277
// (of f64, 2^2098), subnormal numbers, zeros, infinities and NaN among them.
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 4 comparisons

tile.func @remainders(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %r: !tile.ptr<i32>,
                      %h: !tile.ptr<i32>) {
  tile.grid() {
    %n = arith.constant 16 : i32
    tile.yield %n : i32
  }
  %pid = tile.program_id x
  %size = arith.constant 256 : i32
  %first = arith.muli %pid, %size : i32
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %lane = tile.arange : tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %offs : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %xp : tensor<256x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>>
  %yp = tile.addptr %ys, %offs : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %b = tile.load %yp : tensor<256x!tile.ptr<f32>>
  %rem = arith.remf %a, %b : tensor<256xf32>
  %isNan = arith.cmpf uno, %rem, %rem : tensor<256xf32>
  %mark = arith.constant dense<12345> : tensor<256xi32>
  %bits = arith.bitcast %rem : tensor<256xf32> to tensor<256xi32>
  %out = arith.select %isNan, %mark, %bits : tensor<256xi1>, tensor<256xi32>
  %rs = tile.splat %r : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %rp = tile.addptr %rs, %offs : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %rp, %out : tensor<256x!tile.ptr<i32>>

  // The remainder of two f16 is one, so nothing is rounded twice.
  %ha = arith.truncf %a : tensor<256xf32> to tensor<256xf16>
  %hb = arith.truncf %b : tensor<256xf32> to tensor<256xf16>
  %hrem = arith.remf %ha, %hb : tensor<256xf16>
  %wide = arith.extf %hrem : tensor<256xf16> to tensor<256xf32>
  %hNan = arith.cmpf uno, %wide, %wide : tensor<256xf32>
  %hbits = arith.bitcast %wide : tensor<256xf32> to tensor<256xi32>
  %hout = arith.select %hNan, %mark, %hbits : tensor<256xi1>, tensor<256xi32>
  %hs = tile.splat %h : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %hp = tile.addptr %hs, %offs : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %hp, %hout : tensor<256x!tile.ptr<i32>>
  tile.return
}

// The two words of the remainders of f64.
tile.func @doubles(%x: !tile.ptr<f64>, %y: !tile.ptr<f64>, %low: !tile.ptr<i32>,
                   %high: !tile.ptr<i32>) {
  tile.grid() {
    %n = arith.constant 16 : i32
    tile.yield %n : i32
  }
  %pid = tile.program_id x
  %size = arith.constant 256 : i32
  %first = arith.muli %pid, %size : i32
  %base = tile.splat %first : i32 -> tensor<256xi32>
  %lane = tile.arange : tensor<256xi32>
  %offs = arith.addi %base, %lane : tensor<256xi32>
  %xs = tile.splat %x : !tile.ptr<f64> -> tensor<256x!tile.ptr<f64>>
  %xp = tile.addptr %xs, %offs : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %a = tile.load %xp : tensor<256x!tile.ptr<f64>>
  %ys = tile.splat %y : !tile.ptr<f64> -> tensor<256x!tile.ptr<f64>>
  %yp = tile.addptr %ys, %offs : tensor<256x!tile.ptr<f64>>, tensor<256xi32>
  %b = tile.load %yp : tensor<256x!tile.ptr<f64>>
  %rem = arith.remf %a, %b : tensor<256xf64>
  %isNan = arith.cmpf uno, %rem, %rem : tensor<256xf64>
  %mark = arith.constant dense<12345> : tensor<256xi64>
  %bits = arith.bitcast %rem : tensor<256xf64> to tensor<256xi64>
  %out = arith.select %isNan, %mark, %bits : tensor<256xi1>, tensor<256xi64>
  %l = arith.trunci %out : tensor<256xi64> to tensor<256xi32>
  %word = arith.constant dense<32> : tensor<256xi64>
  %up = arith.shrui %out, %word : tensor<256xi64>
  %h = arith.trunci %up : tensor<256xi64> to tensor<256xi32>
  %ls = tile.splat %low : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %lp = tile.addptr %ls, %offs : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %lp, %l : tensor<256x!tile.ptr<i32>>
  %hs = tile.splat %high : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %hp = tile.addptr %hs, %offs : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %hp, %h : tensor<256x!tile.ptr<i32>>
  tile.return
}

func.func private @marked(%r: f32) -> i32 {
  %mark = arith.constant 12345 : i32
  %isNan = arith.cmpf uno, %r, %r : f32
  %bits = arith.bitcast %r : f32 to i32
  %out = arith.select %isNan, %mark, %bits : i32
  return %out : i32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4096 : index
  %c3 = arith.constant 3 : i32
  %c15 = arith.constant 15 : i32
  %zero = arith.constant 0 : i32
  %infinite = arith.constant 0x7f800000 : i32
  // Those near 1, so that f16 has more than infinities and zeros.
  %few = arith.constant 0x87ffffff : i32
  %middle = arith.constant 0x38000000 : i32
  %step1 = arith.constant 0x9e3779b1 : i32
  %step2 = arith.constant 0x85ebca6b : i32
  %x = tile_host.alloc() : () -> memref<4096xf32>
  %y = tile_host.alloc() : () -> memref<4096xf32>
  %r = tile_host.alloc() : () -> memref<4096xi32>
  %h = tile_host.alloc() : () -> memref<4096xi32>
  %want = tile_host.alloc() : () -> memref<4096xi32>
  %hwant = tile_host.alloc() : () -> memref<4096xi32>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %p = arith.muli %k, %step1 : i32
    %q0 = arith.muli %k, %step2 : i32
    %q1 = arith.xori %q0, %p : i32
    %last = arith.andi %k, %c15 : i32
    %isInfinite = arith.cmpi eq, %last, %c15 : i32
    %q = arith.select %isInfinite, %infinite, %q1 : i32
    %isZero = arith.cmpi eq, %last, %c3 : i32
    %q2 = arith.select %isZero, %zero, %q : i32
    %odd = arith.trunci %k : i32 to i1
    %p1 = arith.andi %p, %few : i32
    %p2 = arith.addi %p1, %middle : i32
    %p3 = arith.select %odd, %p2, %p : i32
    %q3 = arith.andi %q2, %few : i32
    %q4 = arith.addi %q3, %middle : i32
    %q5 = arith.select %odd, %q4, %q2 : i32
    %a = arith.bitcast %p3 : i32 to f32
    %b = arith.bitcast %q5 : i32 to f32
    memref.store %a, %x[%i] : memref<4096xf32>
    memref.store %b, %y[%i] : memref<4096xf32>
    %rem = arith.remf %a, %b : f32
    %w = func.call @marked(%rem) : (f32) -> i32
    memref.store %w, %want[%i] : memref<4096xi32>
    %a16 = arith.truncf %a : f32 to f16
    %b16 = arith.truncf %b : f32 to f16
    %a32 = arith.extf %a16 : f16 to f32
    %b32 = arith.extf %b16 : f16 to f32
    %hrem = arith.remf %a32, %b32 : f32
    %hw = func.call @marked(%hrem) : (f32) -> i32
    memref.store %hw, %hwant[%i] : memref<4096xi32>
  }
  tile_host.launch @remainders(%x, %y, %r, %h) : memref<4096xf32>, memref<4096xf32>, memref<4096xi32>, memref<4096xi32>
  tile_host.expect_close %r, %want : memref<4096xi32>, memref<4096xi32>
  tile_host.expect_close %h, %hwant : memref<4096xi32>, memref<4096xi32>

  // f64 of random bits; in every other pair the exponents are up to 2^63 apart, and in some the
  // divisor is subnormal, infinite or 0.
  %dx = tile_host.alloc() : () -> memref<4096xf64>
  %dy = tile_host.alloc() : () -> memref<4096xf64>
  %dlow = tile_host.alloc() : () -> memref<4096xi32>
  %dhigh = tile_host.alloc() : () -> memref<4096xi32>
  %wlow = tile_host.alloc() : () -> memref<4096xi32>
  %whigh = tile_host.alloc() : () -> memref<4096xi32>
  %golden = arith.constant 0x9e3779b97f4a7c15 : i64
  %other = arith.constant 0xd1342543de82ef95 : i64
  %near = arith.constant 0x83ffffffffffffff : i64
  %one64 = arith.constant 0x3c00000000000000 : i64
  %fraction = arith.constant 0x800fffffffffffff : i64
  %infinite64 = arith.constant 0x7ff0000000000000 : i64
  %zero64 = arith.constant 0 : i64
  %k5 = arith.constant 5 : i32
  %k9 = arith.constant 9 : i32
  %k32 = arith.constant 32 : i64
  %mark64 = arith.constant 12345 : i64
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %k64 = arith.index_cast %i : index to i64
    %p = arith.muli %k64, %golden : i64
    %p9 = arith.constant 29 : i64
    %q0 = arith.shrui %p, %p9 : i64
    %q1 = arith.xori %q0, %p : i64
    %q2 = arith.muli %q1, %other : i64
    %last = arith.andi %k, %c15 : i32
    %odd = arith.trunci %k : i32 to i1
    %pn = arith.andi %p, %near : i64
    %pm = arith.addi %pn, %one64 : i64
    %px = arith.select %odd, %pm, %p : i64
    %qn = arith.andi %q2, %near : i64
    %qm = arith.addi %qn, %one64 : i64
    %qa = arith.select %odd, %qm, %q2 : i64
    %tiny = arith.andi %q2, %fraction : i64
    %isTiny = arith.cmpi eq, %last, %k5 : i32
    %qb = arith.select %isTiny, %tiny, %qa : i64
    %isInfinite = arith.cmpi eq, %last, %k9 : i32
    %qc = arith.select %isInfinite, %infinite64, %qb : i64
    %isZero = arith.cmpi eq, %last, %c3 : i32
    %qd = arith.select %isZero, %zero64, %qc : i64
    %a = arith.bitcast %px : i64 to f64
    %b = arith.bitcast %qd : i64 to f64
    memref.store %a, %dx[%i] : memref<4096xf64>
    memref.store %b, %dy[%i] : memref<4096xf64>
    %rem = arith.remf %a, %b : f64
    %isNan = arith.cmpf uno, %rem, %rem : f64
    %bits = arith.bitcast %rem : f64 to i64
    %out = arith.select %isNan, %mark64, %bits : i64
    %l = arith.trunci %out : i64 to i32
    %up = arith.shrui %out, %k32 : i64
    %hh = arith.trunci %up : i64 to i32
    memref.store %l, %wlow[%i] : memref<4096xi32>
    memref.store %hh, %whigh[%i] : memref<4096xi32>
  }
  tile_host.launch @doubles(%dx, %dy, %dlow, %dhigh) : memref<4096xf64>, memref<4096xf64>, memref<4096xi32>, memref<4096xi32>
  tile_host.expect_close %dlow, %wlow : memref<4096xi32>, memref<4096xi32>
  tile_host.expect_close %dhigh, %whigh : memref<4096xi32>, memref<4096xi32>
  return
}
