// What the differential fuzzer has found, a kernel each; what they have to print was worked out by hand.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// RUN: tile-run %s --emit=ptx --kernel=classes -o /dev/null

// Lanes that are a scalar and a stride wrap in one bit, and are extended after that.
// CHECK: [ 0 -1 0 -1 0 -1 0 -1 0 -1]
tile.func @wraps(%out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<10xi32>
  %odd = arith.trunci %lane : tensor<10xi32> to tensor<10xi1>
  %value = arith.extsi %odd : tensor<10xi1> to tensor<10xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<10x!tile.ptr<i32>>
  %p = tile.addptr %outs, %lane : tensor<10x!tile.ptr<i32>>, tensor<10xi32>
  tile.store %p, %value : tensor<10x!tile.ptr<i32>>
  tile.return
}

// -0 is below +0 for maximumf and minimumf, in either order: the bits of max, max, min, min.
// CHECK: [ 0 0 -2147483648 -2147483648]
// CHECK: [ 0 0 -9223372036854775808 -9223372036854775808]
tile.func @zeros(%out: !tile.ptr<i32>, %a: f32, %b: f32, %out64: !tile.ptr<i64>, %a64: f64, %b64: f64) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c1 = arith.constant 1 : i32
  %max0 = arith.maximumf %a, %b : f32
  %max1 = arith.maximumf %b, %a : f32
  %min0 = arith.minimumf %a, %b : f32
  %min1 = arith.minimumf %b, %a : f32
  %i0 = arith.bitcast %max0 : f32 to i32
  %i1 = arith.bitcast %max1 : f32 to i32
  %i2 = arith.bitcast %min0 : f32 to i32
  %i3 = arith.bitcast %min1 : f32 to i32
  tile.store %out, %i0 : !tile.ptr<i32>
  %p1 = tile.addptr %out, %c1 : !tile.ptr<i32>, i32
  tile.store %p1, %i1 : !tile.ptr<i32>
  %p2 = tile.addptr %p1, %c1 : !tile.ptr<i32>, i32
  tile.store %p2, %i2 : !tile.ptr<i32>
  %p3 = tile.addptr %p2, %c1 : !tile.ptr<i32>, i32
  tile.store %p3, %i3 : !tile.ptr<i32>
  %wmax0 = arith.maximumf %a64, %b64 : f64
  %wmax1 = arith.maximumf %b64, %a64 : f64
  %wmin0 = arith.minimumf %a64, %b64 : f64
  %wmin1 = arith.minimumf %b64, %a64 : f64
  %w0 = arith.bitcast %wmax0 : f64 to i64
  %w1 = arith.bitcast %wmax1 : f64 to i64
  %w2 = arith.bitcast %wmin0 : f64 to i64
  %w3 = arith.bitcast %wmin1 : f64 to i64
  tile.store %out64, %w0 : !tile.ptr<i64>
  %q1 = tile.addptr %out64, %c1 : !tile.ptr<i64>, i32
  tile.store %q1, %w1 : !tile.ptr<i64>
  %q2 = tile.addptr %q1, %c1 : !tile.ptr<i64>, i32
  tile.store %q2, %w2 : !tile.ptr<i64>
  %q3 = tile.addptr %q2, %c1 : !tile.ptr<i64>, i32
  tile.store %q3, %w3 : !tile.ptr<i64>
  tile.return
}

// A bf16 that is chosen but not computed: the least of (i - 6)^2 and where it is.
// CHECK: [0 6]
tile.func @chooses(%out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c1 = arith.constant 1 : i32
  %six = arith.constant dense<6> : tensor<17xi32>
  %lane = tile.arange : tensor<17xi32>
  %away = arith.subi %lane, %six : tensor<17xi32>
  %square = arith.muli %away, %away : tensor<17xi32>
  %x = arith.sitofp %square : tensor<17xi32> to tensor<17xbf16>
  %least, %at = tile.reduce %x, %lane axis 0 : tensor<17xbf16>, tensor<17xi32> -> bf16, i32 {
  ^bb0(%a: bf16, %i: i32, %b: bf16, %j: i32):
    %less = arith.cmpf olt, %a, %b : bf16
    %v = arith.select %less, %a, %b : bf16
    %k = arith.select %less, %i, %j : i32
    tile.yield %v, %k : bf16, i32
  }
  %whole = arith.fptosi %least : bf16 to i32
  tile.store %out, %whole : !tile.ptr<i32>
  %p1 = tile.addptr %out, %c1 : !tile.ptr<i32>, i32
  tile.store %p1, %at : !tile.ptr<i32>
  tile.return
}

// x = 2^-(8 i) as f16: 1, 2^-8, 2^-16 (subnormal in f16, not in f32), 2^-24, 0, and infinity divided by it.
// Bit 0: normal, bit 1: finite, bit 2: infinite, bit 3: NaN.
// CHECK: [3 3 2 2 2 4]
tile.func @classes(%out: !tile.ptr<i32>, %x: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<6xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<6x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<6x!tile.ptr<f32>>, tensor<6xi32>
  %wide = tile.load %xp : tensor<6x!tile.ptr<f32>>
  %v = arith.truncf %wide : tensor<6xf32> to tensor<6xf16>
  %isNormal = math.isnormal %v : tensor<6xf16>
  %isFinite = math.isfinite %v : tensor<6xf16>
  %isInf = math.isinf %v : tensor<6xf16>
  %isNan = math.isnan %v : tensor<6xf16>
  %b0 = arith.extui %isNormal : tensor<6xi1> to tensor<6xi32>
  %b1 = arith.extui %isFinite : tensor<6xi1> to tensor<6xi32>
  %b2 = arith.extui %isInf : tensor<6xi1> to tensor<6xi32>
  %b3 = arith.extui %isNan : tensor<6xi1> to tensor<6xi32>
  %c2 = arith.constant dense<2> : tensor<6xi32>
  %c4 = arith.constant dense<4> : tensor<6xi32>
  %c8 = arith.constant dense<8> : tensor<6xi32>
  %s1 = arith.muli %b1, %c2 : tensor<6xi32>
  %s2 = arith.muli %b2, %c4 : tensor<6xi32>
  %s3 = arith.muli %b3, %c8 : tensor<6xi32>
  %t1 = arith.addi %b0, %s1 : tensor<6xi32>
  %t2 = arith.addi %t1, %s2 : tensor<6xi32>
  %t3 = arith.addi %t2, %s3 : tensor<6xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<6x!tile.ptr<i32>>
  %p = tile.addptr %outs, %lane : tensor<6x!tile.ptr<i32>>, tensor<6xi32>
  tile.store %p, %t3 : tensor<6x!tile.ptr<i32>>
  tile.return
}

// i1 as a signed bf16 is 0 or -1, in pairs too.
// CHECK: [ 0 -1 0 -1 0 -1 0 -1]
tile.func @truths(%out: !tile.ptr<i32>, %x: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %v = tile.load %xp : tensor<8x!tile.ptr<i32>>
  %isNegative = arith.cmpi slt, %v, %zero : tensor<8xi32>
  %number = arith.sitofp %isNegative : tensor<8xi1> to tensor<8xbf16>
  %whole = arith.fptosi %number : tensor<8xbf16> to tensor<8xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %p = tile.addptr %outs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %p, %whole : tensor<8x!tile.ptr<i32>>
  tile.return
}

// The same of truths that were extended, or chosen, on their way, as bits: 0xBF80 is -1.
// CHECK: [ 0 -16512 0 -16512 0 -16512 0 -16512]
// CHECK: [ 0 -16512 0 -16512 0 -16512 0 -16512]
tile.func @long_truths(%out: !tile.ptr<i32>, %also: !tile.ptr<i32>, %x: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %minus = arith.constant dense<-1> : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %v = tile.load %xp : tensor<8x!tile.ptr<i32>>
  %isMinus = arith.cmpi eq, %v, %minus : tensor<8xi32>
  %long = arith.extsi %isMinus : tensor<8xi1> to tensor<8xi64>
  %number = arith.sitofp %long : tensor<8xi64> to tensor<8xbf16>
  %number_bits = arith.bitcast %number : tensor<8xbf16> to tensor<8xi16>
  %whole = arith.extsi %number_bits : tensor<8xi16> to tensor<8xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %p = tile.addptr %outs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %p, %whole : tensor<8x!tile.ptr<i32>>
  %chosen = arith.select %isMinus, %minus, %zero : tensor<8xi1>, tensor<8xi32>
  %choice = arith.sitofp %chosen : tensor<8xi32> to tensor<8xbf16>
  %choice_bits = arith.bitcast %choice : tensor<8xbf16> to tensor<8xi16>
  %chosen_whole = arith.extsi %choice_bits : tensor<8xi16> to tensor<8xi32>
  %alsos = tile.splat %also : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %q = tile.addptr %alsos, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %q, %chosen_whole : tensor<8x!tile.ptr<i32>>
  tile.return
}

// Few significant bits do not make 2^30 a number of f16: -i 2^30 for i of 0 to 7, which wraps, is 0 or infinite, and so
// is i 2^30 without sign, and the same in 64 bits. Bit 0: 0, bit 1: infinite, bit 2: negative.
// CHECK: [1 6 6 2 1 6 6 2]
// CHECK: [1 2 2 2 1 2 2 2]
// CHECK: [1 6 6 6 6 6 6 6]
tile.func @overflows(%out: !tile.ptr<i32>, %without: !tile.ptr<i32>, %long: !tile.ptr<i32>, %x: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<8xi32>
  %c30 = arith.constant dense<30> : tensor<8xi32>
  %c2 = arith.constant dense<2> : tensor<8xi32>
  %c4 = arith.constant dense<4> : tensor<8xi32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %infinity = arith.constant dense<0x7F800000> : tensor<8xf32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  %v = tile.load %xp : tensor<8x!tile.ptr<i32>>
  %large = arith.shli %v, %c30 : tensor<8xi32>
  %wide = arith.extsi %v : tensor<8xi32> to tensor<8xi64>
  %c30l = arith.extsi %c30 : tensor<8xi32> to tensor<8xi64>
  %larger = arith.shli %wide, %c30l : tensor<8xi64>
  %half0 = arith.sitofp %large : tensor<8xi32> to tensor<8xf16>
  %half1 = arith.uitofp %large : tensor<8xi32> to tensor<8xf16>
  %half2 = arith.sitofp %larger : tensor<8xi64> to tensor<8xf16>
  %y0 = arith.extf %half0 : tensor<8xf16> to tensor<8xf32>
  %size0 = math.absf %y0 : tensor<8xf32>
  %isZero0 = arith.cmpf oeq, %y0, %zero : tensor<8xf32>
  %isInf0 = arith.cmpf oeq, %size0, %infinity : tensor<8xf32>
  %isLess0 = arith.cmpf olt, %y0, %zero : tensor<8xf32>
  %a0 = arith.extui %isZero0 : tensor<8xi1> to tensor<8xi32>
  %b0 = arith.select %isInf0, %c2, %a0 : tensor<8xi1>, tensor<8xi32>
  %e0 = arith.ori %b0, %c4 : tensor<8xi32>
  %d0 = arith.select %isLess0, %e0, %b0 : tensor<8xi1>, tensor<8xi32>
  %ptrs0 = tile.splat %out : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %p0 = tile.addptr %ptrs0, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %p0, %d0 : tensor<8x!tile.ptr<i32>>
  %y1 = arith.extf %half1 : tensor<8xf16> to tensor<8xf32>
  %size1 = math.absf %y1 : tensor<8xf32>
  %isZero1 = arith.cmpf oeq, %y1, %zero : tensor<8xf32>
  %isInf1 = arith.cmpf oeq, %size1, %infinity : tensor<8xf32>
  %isLess1 = arith.cmpf olt, %y1, %zero : tensor<8xf32>
  %a1 = arith.extui %isZero1 : tensor<8xi1> to tensor<8xi32>
  %b1 = arith.select %isInf1, %c2, %a1 : tensor<8xi1>, tensor<8xi32>
  %e1 = arith.ori %b1, %c4 : tensor<8xi32>
  %d1 = arith.select %isLess1, %e1, %b1 : tensor<8xi1>, tensor<8xi32>
  %ptrs1 = tile.splat %without : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %p1 = tile.addptr %ptrs1, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %p1, %d1 : tensor<8x!tile.ptr<i32>>
  %y2 = arith.extf %half2 : tensor<8xf16> to tensor<8xf32>
  %size2 = math.absf %y2 : tensor<8xf32>
  %isZero2 = arith.cmpf oeq, %y2, %zero : tensor<8xf32>
  %isInf2 = arith.cmpf oeq, %size2, %infinity : tensor<8xf32>
  %isLess2 = arith.cmpf olt, %y2, %zero : tensor<8xf32>
  %a2 = arith.extui %isZero2 : tensor<8xi1> to tensor<8xi32>
  %b2 = arith.select %isInf2, %c2, %a2 : tensor<8xi1>, tensor<8xi32>
  %e2 = arith.ori %b2, %c4 : tensor<8xi32>
  %d2 = arith.select %isLess2, %e2, %b2 : tensor<8xi1>, tensor<8xi32>
  %ptrs2 = tile.splat %long : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %p2 = tile.addptr %ptrs2, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %p2, %d2 : tensor<8x!tile.ptr<i32>>
  tile.return
}

// A loop hands on fives, and lanes plus 0 times a random number. As far as the CPU's lowering looks into those, each may
// read what the other overwrites: it never came to an end.
// CHECK: [5 5 5 5 5 5 5 5]
// CHECK: [0 1 2 3 4 5 6 7]
tile.func @carries(%out: !tile.ptr<f32>, %also: !tile.ptr<f32>, %seed: i64, %five: f32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %lane = tile.arange : tensor<8xi32>
  %number = arith.sitofp %lane : tensor<8xi32> to tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %fives = tile.splat %five : f32 -> tensor<8xf32>
  %a, %b = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %zero, %y = %fives) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %r = tile.rand %seed, %lane : i64, tensor<8xi32>
    %nothing = arith.mulf %r, %zero : tensor<8xf32>
    %sum = arith.addf %nothing, %number : tensor<8xf32>
    scf.yield %fives, %sum : tensor<8xf32>, tensor<8xf32>
  }
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %p = tile.addptr %outs, %lane : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %p, %a : tensor<8x!tile.ptr<f32>>
  %alsos = tile.splat %also : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %q = tile.addptr %alsos, %lane : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %q, %b : tensor<8x!tile.ptr<f32>>
  tile.return
}

// 288 and 289 are 288 as bf16, and that lies between 256 (0x5C) and 320 (0x5D) of f8E5M2, and is the even one; 289 rounded
// once would be 320, as 290 to 295 are.
// CHECK: [92 92 93 93 93 93 93 93]
tile.func @rounds_twice(%out: !tile.ptr<i32>, %first: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<8xi32>
  %base = tile.splat %first : i32 -> tensor<8xi32>
  %i = arith.addi %base, %lane : tensor<8xi32>
  %wide = arith.uitofp %i : tensor<8xi32> to tensor<8xbf16>
  %narrow = arith.truncf %wide : tensor<8xbf16> to tensor<8xf8E5M2>
  %byte = arith.bitcast %narrow : tensor<8xf8E5M2> to tensor<8xi8>
  %bits = arith.extui %byte : tensor<8xi8> to tensor<8xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %p = tile.addptr %outs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %p, %bits : tensor<8x!tile.ptr<i32>>
  tile.return
}

// Where the greatest of 16 numbers is: (5 i) mod 16 for row 0, the same one place on for row 1, ..: 15 is at 3, 2, 1, 0.
// For AVX-512, LLVM compares lane 0 with itself where it should with lane 1.
// CHECK: [3 2 1 0]
tile.func @finds(%out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %rows = tile.arange : tensor<4xi32>
  %columns = tile.arange : tensor<16xi32>
  %down = tile.expand_dims %rows axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %along = tile.expand_dims %columns axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %i = tile.broadcast %down : tensor<4x1xi32> -> tensor<4x16xi32>
  %j = tile.broadcast %along : tensor<1x16xi32> -> tensor<4x16xi32>
  %five = arith.constant dense<5> : tensor<4x16xi32>
  %fifteen = arith.constant dense<15> : tensor<4x16xi32>
  %at = arith.addi %i, %j : tensor<4x16xi32>
  %times = arith.muli %at, %five : tensor<4x16xi32>
  %number = arith.andi %times, %fifteen : tensor<4x16xi32>
  %x = arith.sitofp %number : tensor<4x16xi32> to tensor<4x16xf64>
  %most, %where = tile.reduce %x, %j axis 1 : tensor<4x16xf64>, tensor<4x16xi32> -> tensor<4xf64>, tensor<4xi32> {
  ^bb0(%a: f64, %k: i32, %b: f64, %l: i32):
    %more = arith.cmpf ogt, %a, %b : f64
    %same = arith.cmpf oeq, %a, %b : f64
    %less = arith.cmpi slt, %k, %l : i32
    %before = arith.andi %same, %less : i1
    %first = arith.ori %more, %before : i1
    %v = arith.select %first, %a, %b : f64
    %w = arith.select %first, %k, %l : i32
    tile.yield %v, %w : f64, i32
  }
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %p = tile.addptr %outs, %rows : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %p, %where : tensor<4x!tile.ptr<i32>>
  tile.return
}

// An assert in front of a loop over boxes, more of them than there are stages: it waited for the warps that fetch, who
// waited for stages. Every element of the 64x64 product of ones is 64 x 8; its row 0, columns 0 to 3.
// CHECK: [512 512 512 512]
tile.func @asserts(%out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %stride = arith.constant 512 : i64
  %lane = tile.arange : tensor<64xi32>
  %limit = tile.splat %k : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %lane, %limit : tensor<64xi32>
  tile.assert %in, "in" : tensor<64xi1>
  %box = tile.make_desc %a, [%c64, %k], [%stride] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k0 = %c0 to %k step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> : i32 {
    %x = tile.desc_load %box[%c0, %k0] : !tile.desc<64x64xf16>
    %y = tile.trans %x order [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %down = tile.expand_dims %lane axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %along = tile.expand_dims %lane axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %i = tile.broadcast %down : tensor<64x1xi32> -> tensor<64x64xi32>
  %j = tile.broadcast %along : tensor<1x64xi32> -> tensor<64x64xi32>
  %width = arith.constant dense<4> : tensor<64x64xi32>
  %one = arith.constant dense<1> : tensor<64x64xi32>
  %corner = arith.cmpi slt, %j, %width : tensor<64x64xi32>
  %top = arith.cmpi slt, %i, %one : tensor<64x64xi32>
  %kept = arith.andi %corner, %top : tensor<64x64xi1>
  %outs = tile.splat %out : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %p = tile.addptr %outs, %j : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %p, %sum, %kept : tensor<64x64x!tile.ptr<f32>>
  tile.return
}

// Lane indices of which 16 bits are enough are added in pairs, and of each pair one sum is used alone (found as
// 3004412, 3007777, 103063 and 104110): the largest of each slot.
// CHECK: [ 61 123 127]
tile.func @halves(%out: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<256xi32>
  %two = arith.constant dense<2> : tensor<256xi32>
  %half = arith.divui %lane, %two : tensor<256xi32>
  %many = arith.constant dense<62> : tensor<256xi32>
  %slot = arith.divui %half, %many : tensor<256xi32>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %p = tile.addptr %outs, %slot : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  %old = tile.atomic_rmw umax relaxed gpu %p, %half : tensor<256x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %ten = arith.constant 10 : i32
  %wrapped = tile_host.alloc(%ten) : (i32) -> memref<?xi32>
  tile_host.launch @wraps(%wrapped) : memref<?xi32>
  tile_host.dump %wrapped : memref<?xi32>

  %four = arith.constant 4 : i32
  %bits = tile_host.alloc(%four) : (i32) -> memref<?xi32>
  %bits64 = tile_host.alloc(%four) : (i32) -> memref<?xi64>
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %plus64 = arith.constant 0.0 : f64
  %minus64 = arith.constant -0.0 : f64
  tile_host.launch @zeros(%bits, %plus, %minus, %bits64, %plus64, %minus64)
      : memref<?xi32>, f32, f32, memref<?xi64>, f64, f64
  tile_host.dump %bits : memref<?xi32>
  tile_host.dump %bits64 : memref<?xi64>

  %two = arith.constant 2 : i32
  %chosen = tile_host.alloc(%two) : (i32) -> memref<?xi32>
  tile_host.launch @chooses(%chosen) : memref<?xi32>
  tile_host.dump %chosen : memref<?xi32>

  %six = arith.constant 6 : i32
  %x = tile_host.alloc(%six) : (i32) -> memref<?xf32>
  %found = tile_host.alloc(%six) : (i32) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %factor = arith.constant 0.00390625 : f32
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %one) -> f32 {
    memref.store %v, %x[%i] : memref<?xf32>
    %next = arith.mulf %v, %factor : f32
    scf.yield %next : f32
  }
  %huge = arith.divf %one, %plus : f32
  memref.store %plus, %x[%c4] : memref<?xf32>
  memref.store %huge, %x[%c5] : memref<?xf32>
  tile_host.launch @classes(%found, %x) : memref<?xi32>, memref<?xf32>
  tile_host.dump %found : memref<?xi32>

  %eight = arith.constant 8 : i32
  %truths = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  %first8 = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  %c8 = arith.constant 8 : index
  %odd = arith.constant 1 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %number = arith.index_cast %i : index to i32
    %bit = arith.andi %number, %odd : i32
    %zero = arith.constant 0 : i32
    %negative = arith.subi %zero, %bit : i32
    memref.store %negative, %first8[%i] : memref<?xi32>
  }
  tile_host.launch @truths(%truths, %first8) : memref<?xi32>, memref<?xi32>
  tile_host.dump %truths : memref<?xi32>

  %long_truths = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  %chosen_truths = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  tile_host.launch @long_truths(%long_truths, %chosen_truths, %first8) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  tile_host.dump %long_truths : memref<?xi32>
  tile_host.dump %chosen_truths : memref<?xi32>

  %over0 = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  %over1 = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  %over2 = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %number = arith.index_cast %i : index to i32
    %zero = arith.constant 0 : i32
    %negative = arith.subi %zero, %number : i32
    memref.store %negative, %first8[%i] : memref<?xi32>
  }
  tile_host.launch @overflows(%over0, %over1, %over2, %first8) : memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xi32>
  tile_host.dump %over0 : memref<?xi32>
  tile_host.dump %over1 : memref<?xi32>
  tile_host.dump %over2 : memref<?xi32>

  %seed = arith.constant 17 : i64
  %five = arith.constant 5.0 : f32
  %carried = tile_host.alloc(%eight) : (i32) -> memref<?xf32>
  %carried_too = tile_host.alloc(%eight) : (i32) -> memref<?xf32>
  tile_host.launch @carries(%carried, %carried_too, %seed, %five) : memref<?xf32>, memref<?xf32>, i64, f32
  tile_host.dump %carried : memref<?xf32>
  tile_host.dump %carried_too : memref<?xf32>

  %twice = tile_host.alloc(%eight) : (i32) -> memref<?xi32>
  %c288 = arith.constant 288 : i32
  tile_host.launch @rounds_twice(%twice, %c288) : memref<?xi32>, i32
  tile_host.dump %twice : memref<?xi32>

  %places = tile_host.alloc(%four) : (i32) -> memref<?xi32>
  tile_host.launch @finds(%places) : memref<?xi32>
  tile_host.dump %places : memref<?xi32>

  %wide = arith.constant 512 : i32
  %many = arith.constant 32768 : i32
  %c32768 = arith.constant 32768 : index
  %ones = tile_host.alloc(%many) : (i32) -> memref<?xf16>
  %one16 = arith.constant 1.0 : f16
  scf.for %i = %c0 to %c32768 step %c1 {
    memref.store %one16, %ones[%i] : memref<?xf16>
  }
  %products = tile_host.alloc(%four) : (i32) -> memref<?xf32>
  tile_host.launch @asserts(%products, %ones, %wide) : memref<?xf32>, memref<?xf16>, i32
  tile_host.dump %products : memref<?xf32>

  %three = arith.constant 3 : i32
  %largest = tile_host.alloc(%three) : (i32) -> memref<?xi32>
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %zero = arith.constant 0 : i32
    memref.store %zero, %largest[%i] : memref<?xi32>
  }
  tile_host.launch @halves(%largest) : memref<?xi32>
  tile_host.dump %largest : memref<?xi32>
  return
}
