// Every f8E4M3FN: its value, its double, and f64 numbers at and beside the middle between it and the
// next, which must be rounded once: an f32 in between would make a tie of them. The host decodes by
// the format's definition.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons

tile.func @values(%values: !tile.ptr<f32>, %doubles: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  // 0 .. 125, then 0 again: finite all.
  %lane = tile.arange : tensor<128xi32>
  %limit = arith.constant dense<126> : tensor<128xi32>
  %code = arith.remui %lane, %limit : tensor<128xi32>
  %byte = arith.trunci %code : tensor<128xi32> to tensor<128xi8>
  %x = arith.bitcast %byte : tensor<128xi8> to tensor<128xf8E4M3FN>
  %f = arith.extf %x : tensor<128xf8E4M3FN> to tensor<128xf32>
  %vs = tile.splat %values : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %vp = tile.addptr %vs, %lane : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  tile.store %vp, %f : tensor<128x!tile.ptr<f32>>
  // x + x - x is x, but for what x + x cannot hold: from 256 on, NaN.
  %twice = arith.addf %x, %x : tensor<128xf8E4M3FN>
  %again = arith.subf %twice, %x : tensor<128xf8E4M3FN>
  %bits = arith.bitcast %again : tensor<128xf8E4M3FN> to tensor<128xi8>
  %number = arith.extui %bits : tensor<128xi8> to tensor<128xi32>
  %ds = tile.splat %doubles : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %dp = tile.addptr %ds, %lane : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %dp, %number : tensor<128x!tile.ptr<i32>>
  tile.return
}

tile.func @round(%x: !tile.ptr<f64>, %codes: !tile.ptr<i32>) {
  tile.grid() {
    %three = arith.constant 3 : i32
    tile.yield %three : i32
  }
  %pid = tile.program_id x
  %size = arith.constant 128 : i32
  %first = arith.muli %pid, %size : i32
  %base = tile.splat %first : i32 -> tensor<128xi32>
  %lane = tile.arange : tensor<128xi32>
  %offs = arith.addi %base, %lane : tensor<128xi32>
  %xs = tile.splat %x : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>>
  %xp = tile.addptr %xs, %offs : tensor<128x!tile.ptr<f64>>, tensor<128xi32>
  %v = tile.load %xp : tensor<128x!tile.ptr<f64>>
  %r = arith.truncf %v : tensor<128xf64> to tensor<128xf8E4M3FN>
  %bits = arith.bitcast %r : tensor<128xf8E4M3FN> to tensor<128xi8>
  %number = arith.extui %bits : tensor<128xi8> to tensor<128xi32>
  %cs = tile.splat %codes : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %cp = tile.addptr %cs, %offs : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %cp, %number : tensor<128x!tile.ptr<i32>>
  tile.return
}

// Three bits of mantissa, a bias of 7: (8 + m) 2^(e - 10), or m 2^-9.
func.func private @decode(%code: i32) -> f64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c10 = arith.constant 10 : i32
  %m = arith.andi %code, %c7 : i32
  %e = arith.shrui %code, %c3 : i32
  %normal = arith.cmpi ne, %e, %c0 : i32
  %hidden = arith.select %normal, %c8, %c0 : i32
  %whole = arith.addi %m, %hidden : i32
  %e1 = arith.maxsi %e, %c1 : i32
  %power = arith.subi %e1, %c10 : i32
  %pf = arith.sitofp %power : i32 to f64
  %scale = math.exp2 %pf : f64
  %wf = arith.sitofp %whole : i32 to f64
  %r = arith.mulf %wf, %scale : f64
  return %r : f64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %i1 = arith.constant 1 : i32
  %i126 = arith.constant 126 : i32
  %i127 = arith.constant 127 : i32
  %half = arith.constant 0.5 : f64
  %below = arith.constant 0.99999999999909050530 : f64
  %above = arith.constant 1.00000000000090949470 : f64
  %overflow = arith.constant 232.0 : f64
  %values = tile_host.alloc() : () -> memref<128xf32>
  %doubles = tile_host.alloc() : () -> memref<128xi32>
  %x = tile_host.alloc() : () -> memref<384xf64>
  %codes = tile_host.alloc() : () -> memref<384xi32>
  %want_values = tile_host.alloc() : () -> memref<128xf32>
  %want_doubles = tile_host.alloc() : () -> memref<128xi32>
  %want_codes = tile_host.alloc() : () -> memref<384xi32>
  scf.for %i = %c0 to %c128 step %c1 {
    %n = arith.index_cast %i : index to i32
    %code = arith.remui %n, %i126 : i32
    %next = arith.addi %code, %i1 : i32
    %v = func.call @decode(%code) : (i32) -> f64
    %w = func.call @decode(%next) : (i32) -> f64
    %f = arith.truncf %v : f64 to f32
    memref.store %f, %want_values[%i] : memref<128xf32>
    %beyond = arith.cmpf oge, %v, %overflow : f64
    %double = arith.select %beyond, %i127, %code : i32
    memref.store %double, %want_doubles[%i] : memref<128xi32>
    %sum = arith.addf %v, %w : f64
    %middle = arith.mulf %sum, %half : f64
    %less = arith.mulf %middle, %below : f64
    %more = arith.mulf %middle, %above : f64
    %odd = arith.andi %code, %i1 : i32
    %even = arith.addi %code, %odd : i32
    %j = arith.addi %i, %c128 : index
    %k = arith.addi %i, %c256 : index
    memref.store %less, %x[%i] : memref<384xf64>
    memref.store %middle, %x[%j] : memref<384xf64>
    memref.store %more, %x[%k] : memref<384xf64>
    memref.store %code, %want_codes[%i] : memref<384xi32>
    memref.store %even, %want_codes[%j] : memref<384xi32>
    memref.store %next, %want_codes[%k] : memref<384xi32>
  }
  tile_host.launch @values(%values, %doubles) : memref<128xf32>, memref<128xi32>
  tile_host.launch @round(%x, %codes) : memref<384xf64>, memref<384xi32>
  tile_host.expect_close %values, %want_values : memref<128xf32>, memref<128xf32>
  tile_host.expect_close %doubles, %want_doubles : memref<128xi32>, memref<128xi32>
  tile_host.expect_close %codes, %want_codes : memref<384xi32>, memref<384xi32>
  return
}
