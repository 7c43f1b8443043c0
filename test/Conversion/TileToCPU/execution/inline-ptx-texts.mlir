// PTX of several instructions, on registers that hold several elements, beside the same by arith.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: tile-run %s --target=cpu --check | FileCheck %s --check-prefix=CHECKED
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: in 4 comparisons
// CHECKED: in 4 comparisons

// Floats of 8 bits with a bias of 15: the upper half of an f16 but for its first bit of exponent. Four a register; and back,
// where 1.875 is too much.
tile.func @bytes(%wide: !tile.ptr<i16>, %back: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<256xi32>
  %x = arith.trunci %l : tensor<256xi32> to tensor<256xi8>
  %h = tile.inline_ptx "{ .reg .b32 a<2>, b<2>;\0A prmt.b32 a0, 0, $2, 0x5746; and.b32 b0, a0, 0x7f007f00; /* both */ and.b32 b1, a0, 0x00ff00ff; and.b32 a1, a0, 0x00800080; shr.b32 b0, b0, 1; add.u32 b1, b1, a1; // sign\0A lop3.b32 $0, b0, 0x80008000, a0, 0xf8; shl.b32 $1, b1, 7; }" constraints "=r,=r,r" pack 4 pure (%x) : (tensor<256xi8>) -> tensor<256xf16>
  %bits = arith.bitcast %h : tensor<256xf16> to tensor<256xi16>
  %ws = tile.splat %wide : !tile.ptr<i16> -> tensor<256x!tile.ptr<i16>>
  %wp = tile.addptr %ws, %l : tensor<256x!tile.ptr<i16>>, tensor<256xi32>
  tile.store %wp, %bits : tensor<256x!tile.ptr<i16>>
  %n = tile.inline_ptx "{ .reg .pred p<4>; .reg .b32 a<2>, b<2>; .reg .b16 c<4>; .reg .b16 most; .reg .b32 two; mov.b16 most, 0x3F00; mov.b32 two, 0x3F003F00; and.b32 a0, $1, 0x7fff7fff; and.b32 a1, $2, 0x7fff7fff; setp.lt.f16x2 p0|p1, a0, two; setp.lt.f16x2 p2|p3, a1, two; mov.b32 {c0, c1}, a0; mov.b32 {c2, c3}, a1; selp.b16 c0, c0, most, p0; selp.b16 c1, c1, most, p1; selp.b16 c2, c2, most, p2; selp.b16 c3, c3, most, p3; mov.b32 a0, {c0, c1}; mov.b32 a1, {c2, c3}; mad.lo.u32 a0, a0, 2, 0x00800080; mad.lo.u32 a1, a1, 2, 0x00800080; lop3.b32 b0, $1, 0x80008000, a0, 0xea; lop3.b32 b1, $2, 0x80008000, a1, 0xea; prmt.b32 $0, b0, b1, 0x7531; }" constraints "=r,r,r" pack 4 pure (%h) : (tensor<256xf16>) -> tensor<256xi8>
  %ns = arith.extui %n : tensor<256xi8> to tensor<256xi32>
  %bs = tile.splat %back : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
  %bp = tile.addptr %bs, %l : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
  tile.store %bp, %ns : tensor<256x!tile.ptr<i32>>
  tile.return
}

// A predicate, a choice, distances beyond the width, bytes in another order; f16 two a register.
tile.func @words(%x: !tile.ptr<f16>, %words: !tile.ptr<i32>, %halves: !tile.ptr<f16>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<64xi32>
  %y = tile.expr %l * 77777777 - 1000
  %w = tile.inline_ptx "{ .reg .pred p; .reg .b32 a<3>; shr.u32 a0, $1, 0b100; lop3.b32 a1, a0, 0b00001111000011110000111100001111, $2, 0xea; setp.gt.s32 p, $2, 9; @p mad.lo.u32 a1, a1, 3, 7; @!p shl.b32 a1, a1, 40; selp.b32 a2, a1, $1, p; prmt.b32 $0, a2, $2, 0x4123; }" constraints "=r,r,r" pure (%y, %l) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %ws = tile.splat %words : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %wp = tile.addptr %ws, %l : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %wp, %w : tensor<64x!tile.ptr<i32>>
  %xs = tile.splat %x : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %xp = tile.addptr %xs, %l : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<f16>>
  %h = tile.inline_ptx "{ .reg .b32 t; sub.f16x2 t, $1, $2; fma.rn.f16x2 $0, t, $2, $1; }" constraints "=r,r,r" pack 2 pure (%v, %v) : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16>
  %hs = tile.splat %halves : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %hp = tile.addptr %hs, %l : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  tile.store %hp, %h : tensor<64x!tile.ptr<f16>>
  tile.return
}

func.func @main() {
  %wide = tile_host.alloc() : () -> memref<256xi16>
  %back = tile_host.alloc() : () -> memref<256xi32>
  %x = tile_host.random() seed 1 : () -> memref<64xf16>
  %words = tile_host.alloc() : () -> memref<64xi32>
  %halves = tile_host.alloc() : () -> memref<64xf16>
  tile_host.launch @bytes(%wide, %back) : memref<256xi16>, memref<256xi32>
  tile_host.launch @words(%x, %words, %halves) : memref<64xf16>, memref<64xi32>, memref<64xf16>
  %want0 = tile_host.alloc() : () -> memref<256xi16>
  %want1 = tile_host.alloc() : () -> memref<256xi32>
  %want2 = tile_host.alloc() : () -> memref<64xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%want0, %want1 : memref<256xi16>, memref<256xi32>) {
  ^bb0(%a: i16, %b: i32):
    %i = linalg.index 0 : index
    %u = arith.index_cast %i : index to i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c126 = arith.constant 126 : i32
    %c127 = arith.constant 127 : i32
    %c128 = arith.constant 128 : i32
    %sign = arith.andi %u, %c128 : i32
    %size = arith.andi %u, %c127 : i32
    %high = arith.shli %sign, %c8 : i32
    %low = arith.shli %size, %c7 : i32
    %both = arith.ori %high, %low : i32
    %half = arith.trunci %both : i32 to i16
    %less = arith.minui %size, %c126 : i32
    %again = arith.ori %sign, %less : i32
    linalg.yield %half, %again : i16, i32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%want2 : memref<64xi32>) {
  ^bb0(%a: i32):
    %i = linalg.index 0 : index
    %u = arith.index_cast %i : index to i32
    %c1000 = arith.constant 1000 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c9 = arith.constant 9 : i32
    %c24 = arith.constant 24 : i32
    %many = arith.constant 77777777 : i32
    %nibbles = arith.constant 0x0f0f0f0f : i32
    %byte = arith.constant 255 : i32
    %times = arith.muli %u, %many : i32
    %y = arith.subi %times, %c1000 : i32
    %a0 = arith.shrui %y, %c4 : i32
    %kept = arith.andi %a0, %nibbles : i32
    %a1 = arith.ori %kept, %u : i32
    %product = arith.muli %a1, %c3 : i32
    %sum = arith.addi %product, %c7 : i32
    %p = arith.cmpi sgt, %u, %c9 : i32
    %a2 = arith.select %p, %sum, %y : i32
    %c16 = arith.constant 16 : i32
    %b3 = arith.shrui %a2, %c24 : i32
    %b2 = arith.shrui %a2, %c16 : i32
    %b2m = arith.andi %b2, %byte : i32
    %b2s = arith.shli %b2m, %c8 : i32
    %b1 = arith.shrui %a2, %c8 : i32
    %b1m = arith.andi %b1, %byte : i32
    %b1s = arith.shli %b1m, %c16 : i32
    %um = arith.andi %u, %byte : i32
    %us = arith.shli %um, %c24 : i32
    %r0 = arith.ori %b3, %b2s : i32
    %r1 = arith.ori %r0, %b1s : i32
    %r2 = arith.ori %r1, %us : i32
    linalg.yield %r2 : i32
  }
  tile_host.expect_close %wide, %want0 {atol = 0.0, rtol = 0.0} : memref<256xi16>, memref<256xi16>
  tile_host.expect_close %back, %want1 {atol = 0.0, rtol = 0.0} : memref<256xi32>, memref<256xi32>
  tile_host.expect_close %words, %want2 {atol = 0.0, rtol = 0.0} : memref<64xi32>, memref<64xi32>
  tile_host.expect_close %halves, %x {atol = 0.0, rtol = 0.0} : memref<64xf16>, memref<64xf16>
  return
}
