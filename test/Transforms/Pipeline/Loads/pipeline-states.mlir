// A state that a step hands on as memory has it and multiplies by wgmma: the conversion reads the operand, and takes
// nothing of its own, so that rings of two slots leave room for two blocks. So they do where it is not the operand that is
// converted: what the second dot reads is stored where the first one's operand lay, which is over by then.
//
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-pipeline))' | FileCheck %s

#v = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0]]>
#t = #tile_gpu.layout<register = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [64, 0], [0, 1]], warp = [[0, 2], [0, 4]]>
#vline = #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048], [4096]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#u = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#uline = #tile_gpu.layout<register = [[1], [2], [4], [1024], [2048]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#o = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#h = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#s = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = !tile_gpu.buffer<64x128xbf16, swizzle = 128>
!b = !tile_gpu.buffer<128x64xbf16, swizzle = 128>
!ta = !tile_gpu.buffer<128x64xbf16, swizzle = 128, order = [0, 1]>
!c = !tile_gpu.buffer<64x64xbf16, swizzle = 128>

// CHECK-LABEL: tile.func @operand
// CHECK-COUNT-3: tile_gpu.alloc_shared : {{.*}}, stages = 2>
tile.func @operand(%k: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %u: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
               %n: i32, %c: tensor<128x64xf32, #h>, %last: tensor<128x64xbf16, #o>) attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<8192xi32, #vline>
  %off = tile.reshape %i : tensor<8192xi32, #vline> -> tensor<64x128xi32, #v>
  %ks = tile.splat %k : !tile.ptr<bf16> -> tensor<64x128x!tile.ptr<bf16>, #v>
  %pk = tile.addptr %ks, %off : tensor<64x128x!tile.ptr<bf16>, #v>, tensor<64x128xi32, #v>
  %ws = tile.splat %w : !tile.ptr<bf16> -> tensor<64x128x!tile.ptr<bf16>, #v>
  %pw = tile.addptr %ws, %off : tensor<64x128x!tile.ptr<bf16>, #v>, tensor<64x128xi32, #v>
  %iu = tile.arange : tensor<4096xi32, #uline>
  %offu = tile.reshape %iu : tensor<4096xi32, #uline> -> tensor<64x64xi32, #u>
  %us = tile.splat %u : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #u>
  %pu = tile.addptr %us, %offu : tensor<64x64x!tile.ptr<bf16>, #u>, tensor<64x64xi32, #u>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #s>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c, %l = %last) -> (tensor<128x64xf32, #h>, tensor<128x64xbf16, #o>) : i32 {
    %x = arith.truncf %a : tensor<128x64xf32, #h> to tensor<128x64xbf16, #h>
    %out = tile_gpu.convert_layout %x : tensor<128x64xbf16, #h> -> tensor<128x64xbf16, #o>
    %y = tile.load %pw : tensor<64x128x!tile.ptr<bf16>, #v>
    %bw = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %y, %bw : tensor<64x128xbf16, #v> -> !a
    %bh = tile_gpu.alloc_shared : !b
    tile_gpu.buffer_store %x, %bh : tensor<128x64xbf16, #h> -> !b
    %d = tile.dot %bw, %bh, %zero by wgmma : !a, !b -> tensor<64x64xf32, #s>
    %z = tile.load %pu : tensor<64x64x!tile.ptr<bf16>, #u>
    %zs = tile_gpu.convert_layout %z : tensor<64x64xbf16, #u> -> tensor<64x64xbf16, #s>
    %zf = arith.extf %zs : tensor<64x64xbf16, #s> to tensor<64x64xf32, #s>
    %e = arith.subf %zf, %d : tensor<64x64xf32, #s>
    %f = arith.truncf %e : tensor<64x64xf32, #s> to tensor<64x64xbf16, #s>
    %bf = tile_gpu.alloc_shared : !c
    tile_gpu.buffer_store %f, %bf : tensor<64x64xbf16, #s> -> !c
    %g = tile.load %pk : tensor<64x128x!tile.ptr<bf16>, #v>
    %gt = tile.trans %g order [1, 0] : tensor<64x128xbf16, #v> -> tensor<128x64xbf16, #t>
    %bk = tile_gpu.alloc_shared : !ta
    tile_gpu.buffer_store %gt, %bk : tensor<128x64xbf16, #t> -> !ta
    %q = tile.dot %bk, %bf, %a by wgmma : !ta, !c -> tensor<128x64xf32, #h>
    scf.yield %q, %out : tensor<128x64xf32, #h>, tensor<128x64xbf16, #o>
  }
  tile.return
}

// CHECK-LABEL: tile.func @another
// CHECK-COUNT-3: tile_gpu.alloc_shared : {{.*}}, stages = 2>
tile.func @another(%k: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %w: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %u: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
               %n: i32, %c: tensor<128x64xf32, #h>, %last: tensor<128x64xbf16, #o>) attributes {tile.num_warps = 4 : i32} {
  %i = tile.arange : tensor<8192xi32, #vline>
  %off = tile.reshape %i : tensor<8192xi32, #vline> -> tensor<64x128xi32, #v>
  %ks = tile.splat %k : !tile.ptr<bf16> -> tensor<64x128x!tile.ptr<bf16>, #v>
  %pk = tile.addptr %ks, %off : tensor<64x128x!tile.ptr<bf16>, #v>, tensor<64x128xi32, #v>
  %ws = tile.splat %w : !tile.ptr<bf16> -> tensor<64x128x!tile.ptr<bf16>, #v>
  %pw = tile.addptr %ws, %off : tensor<64x128x!tile.ptr<bf16>, #v>, tensor<64x128xi32, #v>
  %iu = tile.arange : tensor<4096xi32, #uline>
  %offu = tile.reshape %iu : tensor<4096xi32, #uline> -> tensor<64x64xi32, #u>
  %us = tile.splat %u : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>, #u>
  %pu = tile.addptr %us, %offu : tensor<64x64x!tile.ptr<bf16>, #u>, tensor<64x64xi32, #u>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #s>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c, %l = %last) -> (tensor<128x64xf32, #h>, tensor<128x64xbf16, #o>) : i32 {
    %x = arith.truncf %a : tensor<128x64xf32, #h> to tensor<128x64xbf16, #h>
    %m = arith.negf %x : tensor<128x64xbf16, #h>
    %out = tile_gpu.convert_layout %m : tensor<128x64xbf16, #h> -> tensor<128x64xbf16, #o>
    %y = tile.load %pw : tensor<64x128x!tile.ptr<bf16>, #v>
    %bw = tile_gpu.alloc_shared : !a
    tile_gpu.buffer_store %y, %bw : tensor<64x128xbf16, #v> -> !a
    %bh = tile_gpu.alloc_shared : !b
    tile_gpu.buffer_store %x, %bh : tensor<128x64xbf16, #h> -> !b
    %d = tile.dot %bw, %bh, %zero by wgmma : !a, !b -> tensor<64x64xf32, #s>
    %z = tile.load %pu : tensor<64x64x!tile.ptr<bf16>, #u>
    %zs = tile_gpu.convert_layout %z : tensor<64x64xbf16, #u> -> tensor<64x64xbf16, #s>
    %zf = arith.extf %zs : tensor<64x64xbf16, #s> to tensor<64x64xf32, #s>
    %e = arith.subf %zf, %d : tensor<64x64xf32, #s>
    %f = arith.truncf %e : tensor<64x64xf32, #s> to tensor<64x64xbf16, #s>
    %bf = tile_gpu.alloc_shared : !c
    tile_gpu.buffer_store %f, %bf : tensor<64x64xbf16, #s> -> !c
    %g = tile.load %pk : tensor<64x128x!tile.ptr<bf16>, #v>
    %gt = tile.trans %g order [1, 0] : tensor<64x128xbf16, #v> -> tensor<128x64xbf16, #t>
    %bk = tile_gpu.alloc_shared : !ta
    tile_gpu.buffer_store %gt, %bk : tensor<128x64xbf16, #t> -> !ta
    %q = tile.dot %bk, %bf, %a by wgmma : !ta, !c -> tensor<128x64xf32, #h>
    scf.yield %q, %out : tensor<128x64xf32, #h>, tensor<128x64xbf16, #o>
  }
  tile.return
}
