// Numbers at their ends, by the rules of docs/dialect.md, as tiles that are loaded and that the compiler knows:
// min and max of NaN and zeros of both signs; sums that wrap; and quotients, remainders and shifts that are any number,
// but trap nowhere and leave all other lanes right. What is expected is written by hand in @main.
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons
!f = tensor<16xf32>
!i = tensor<16xi32>
!fp = tensor<16x!tile.ptr<f32>>
!ip = tensor<16x!tile.ptr<i32>>

// Bits, so that NaN and -0 can be compared: of a NaN, whose bits are anything, 0x7FC00000.
tile.func private @bits(%x: !f) -> !i {
  %b = arith.bitcast %x : !f to !i
  %isnan = arith.cmpf uno, %x, %x : !f
  %nan = arith.constant dense<0x7FC00000> : !i
  %r = arith.select %isnan, %nan, %b : tensor<16xi1>, !i
  tile.return %r : !i
}

tile.func private @put(%p: !tile.ptr<i32>, %place: i32, %v: !i) {
  %c16 = arith.constant 16 : i32
  %first = arith.muli %place, %c16 : i32
  %q = tile.addptr %p, %first : !tile.ptr<i32>, i32
  %lane = tile.arange : !i
  %s = tile.splat %q : !tile.ptr<i32> -> !ip
  %a = tile.addptr %s, %lane : !ip, !i
  tile.store %a, %v : !ip
  tile.return
}

tile.func private @extremes(%p: !tile.ptr<i32>, %x: !f, %y: !f) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %max = arith.maximumf %x, %y : !f
  %max.b = tile.call @bits(%max) : (!f) -> !i
  tile.call @put(%p, %c0, %max.b) : (!tile.ptr<i32>, i32, !i) -> ()
  %min = arith.minimumf %x, %y : !f
  %min.b = tile.call @bits(%min) : (!f) -> !i
  tile.call @put(%p, %c1, %min.b) : (!tile.ptr<i32>, i32, !i) -> ()
  // Zeros of two signs may be either: they are made +0.
  %zero = arith.constant dense<0.0> : !f
  %maxnum = arith.maxnumf %x, %y : !f
  %maxnum.z = arith.addf %maxnum, %zero : !f
  %maxnum.b = tile.call @bits(%maxnum.z) : (!f) -> !i
  tile.call @put(%p, %c2, %maxnum.b) : (!tile.ptr<i32>, i32, !i) -> ()
  %minnum = arith.minnumf %x, %y : !f
  %minnum.z = arith.addf %minnum, %zero : !f
  %minnum.b = tile.call @bits(%minnum.z) : (!f) -> !i
  tile.call @put(%p, %c3, %minnum.b) : (!tile.ptr<i32>, i32, !i) -> ()
  tile.return
}

// Lanes 0 to 7 divide by 0, by -1 or shift by the width and more; 8 to 15 do what has one result.
tile.func private @undefined(%p: !tile.ptr<i32>, %x: !i, %d: !i, %s: !i) {
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %lane = tile.arange : !i
  %c8 = arith.constant dense<8> : !i
  %zero = arith.constant dense<0> : !i
  %defined = arith.cmpi sge, %lane, %c8 : !i
  %q = arith.divsi %x, %d : !i
  %r = arith.remsi %x, %d : !i
  %uq = arith.divui %x, %d : !i
  %ur = arith.remui %x, %d : !i
  %qr = arith.xori %q, %r : !i
  %uqr = arith.xori %uq, %ur : !i
  %all = arith.addi %qr, %uqr : !i
  %shown = arith.select %defined, %all, %zero : tensor<16xi1>, !i
  tile.call @put(%p, %c4, %shown) : (!tile.ptr<i32>, i32, !i) -> ()
  %l = arith.shli %x, %s : !i
  %a = arith.shrsi %x, %s : !i
  %u = arith.shrui %x, %s : !i
  %la = arith.xori %l, %a : !i
  %lau = arith.addi %la, %u : !i
  %shifted = arith.select %defined, %lau, %zero : tensor<16xi1>, !i
  tile.call @put(%p, %c5, %shifted) : (!tile.ptr<i32>, i32, !i) -> ()
  tile.return
}

tile.func @ends(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: !tile.ptr<i32>, %d: !tile.ptr<i32>, %s: !tile.ptr<i32>,
                %loaded: !tile.ptr<i32>, %known: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !i
  // NaN, -0, 0 and infinity, in each order.
  %kx = arith.constant dense<[0x7FC00000, 1.0, 0x7FC00000, 0xFFC00000, -0.0, 0.0, 0x7F800000, 0xFF800000, 0x7F800000, 0x7FC00000, 1.0, -1.0, 0x7FC00001, 2.0, -0.0, 0.0]> : !f
  %ky = arith.constant dense<[1.0, 0x7FC00000, 0x7FC00000, -2.0, 0.0, -0.0, 1.0, 1.0, 0x7FC00000, 0xFF800000, 2.0, -2.0, 3.0, 0xFFFFFFFF, -0.0, 0.0]> : !f
  %kn = arith.constant dense<[7, -7, 0, -2147483648, 7, -1, 1, -2147483648, 7, -7, 100, -2147483648, 5, -1, 0, 2147483647]> : !i
  %kd = arith.constant dense<[0, 0, 0, -1, 0, 0, 0, 0, 2, 2, 7, 2, -3, 16, 5, 10]> : !i
  %ks = arith.constant dense<[32, 33, 64, -1, 2147483647, -2147483648, 32, 100, 0, 1, 31, 4, 2, 31, 3, 30]> : !i
  tile.call @extremes(%known, %kx, %ky) : (!tile.ptr<i32>, !f, !f) -> ()
  tile.call @undefined(%known, %kn, %kd, %ks) : (!tile.ptr<i32>, !i, !i, !i) -> ()

  %xs = tile.splat %x : !tile.ptr<f32> -> !fp
  %xp = tile.addptr %xs, %lane : !fp, !i
  %ys = tile.splat %y : !tile.ptr<f32> -> !fp
  %yp = tile.addptr %ys, %lane : !fp, !i
  %ns = tile.splat %n : !tile.ptr<i32> -> !ip
  %np = tile.addptr %ns, %lane : !ip, !i
  %ds = tile.splat %d : !tile.ptr<i32> -> !ip
  %dp = tile.addptr %ds, %lane : !ip, !i
  %ss = tile.splat %s : !tile.ptr<i32> -> !ip
  %sp = tile.addptr %ss, %lane : !ip, !i
  tile.store %xp, %kx : !fp
  tile.store %yp, %ky : !fp
  tile.store %np, %kn : !ip
  tile.store %dp, %kd : !ip
  tile.store %sp, %ks : !ip
  tile.barrier
  %lx = tile.load %xp : !fp
  %ly = tile.load %yp : !fp
  %ln = tile.load %np : !ip
  %ld = tile.load %dp : !ip
  %ls = tile.load %sp : !ip
  tile.call @extremes(%loaded, %lx, %ly) : (!tile.ptr<i32>, !f, !f) -> ()
  tile.call @undefined(%loaded, %ln, %ld, %ls) : (!tile.ptr<i32>, !i, !i, !i) -> ()
  tile.return
}

memref.global "private" constant @want : memref<96xi32> = dense<[
  // maximumf: nan, nan, nan, nan, 0, 0, inf, 1, nan, nan, 2, -1, nan, nan, -0, 0
  0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x00000000, 0x00000000, 0x7F800000, 0x3F800000, 0x7FC00000, 0x7FC00000, 0x40000000, 0xBF800000, 0x7FC00000, 0x7FC00000, 0x80000000, 0x00000000,
  // minimumf: nan, nan, nan, nan, -0, -0, 1, -inf, nan, nan, 1, -2, nan, nan, -0, 0
  0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x80000000, 0x80000000, 0x3F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x3F800000, 0xC0000000, 0x7FC00000, 0x7FC00000, 0x80000000, 0x00000000,
  // maxnumf, -0 made 0: 1, 1, nan, -2, 0, 0, inf, 1, inf, -inf, 2, -1, 3, 2, 0, 0
  0x3F800000, 0x3F800000, 0x7FC00000, 0xC0000000, 0x00000000, 0x00000000, 0x7F800000, 0x3F800000, 0x7F800000, 0xFF800000, 0x40000000, 0xBF800000, 0x40400000, 0x40000000, 0x00000000, 0x00000000,
  // minnumf: 1, 1, nan, -2, 0, 0, 1, -inf, inf, -inf, 1, -2, 3, 2, 0, 0
  0x3F800000, 0x3F800000, 0x7FC00000, 0xC0000000, 0x00000000, 0x00000000, 0x3F800000, 0xFF800000, 0x7F800000, 0xFF800000, 0x3F800000, 0xC0000000, 0x40400000, 0x40000000, 0x00000000, 0x00000000,
  // quotients and remainders, signed and unsigned; shifts
  0, 0, 0, 0, 0, 0, 0, 0, 4, 2147483647, 24, 0, 2, 268435439, 0, 429496726,
  0, 0, 0, 0, 0, 0, 0, 0, 7, -2147483638, 0, 0, 22, -2147483648, 0, -1073741822
]>

func.func @main() {
  %x = tile_host.alloc() : () -> memref<16xf32>
  %y = tile_host.alloc() : () -> memref<16xf32>
  %n = tile_host.alloc() : () -> memref<16xi32>
  %d = tile_host.alloc() : () -> memref<16xi32>
  %s = tile_host.alloc() : () -> memref<16xi32>
  %loaded = tile_host.alloc() : () -> memref<96xi32>
  %known = tile_host.alloc() : () -> memref<96xi32>
  tile_host.launch @ends(%x, %y, %n, %d, %s, %loaded, %known) : memref<16xf32>, memref<16xf32>, memref<16xi32>, memref<16xi32>, memref<16xi32>, memref<96xi32>, memref<96xi32>
  %want.g = memref.get_global @want : memref<96xi32>
  %want = tile_host.alloc() : () -> memref<96xi32>
  memref.copy %want.g, %want : memref<96xi32> to memref<96xi32>
  tile_host.expect_close %loaded, %want : memref<96xi32>, memref<96xi32>
  tile_host.expect_close %known, %want : memref<96xi32>, memref<96xi32>
  return
}
