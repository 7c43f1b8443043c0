// Thin products whose A is made in each step, as rows of f16 that become s8: where nobody says how many programs there are,
// slots ahead are worth more than blocks, and of a launch that has as many programs for a multiprocessor as this has room for, blocks are
// worth more, which compute while this one waits.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-assign-layouts{num-warps=2},tile-pipeline))' | FileCheck %s --check-prefix=FEW
// RUN: sed 's/tile.num_warps/tile_gpu.programs = 64 : i32, tile.num_warps/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-assign-layouts{num-warps=2},tile-pipeline))' | FileCheck %s --check-prefix=MANY
// RUN: sed 's/tile.num_warps/tile_gpu.programs = 2 : i32, tile.num_warps/' %s | tile-opt --pass-pipeline='builtin.module(tile.func(tile-assign-layouts{num-warps=2},tile-pipeline))' | FileCheck %s --check-prefix=FEW
// FEW: tile_gpu.alloc_shared : !tile_gpu.buffer<128x32xi8, {{.*}}stages = 4>
// MANY: tile_gpu.alloc_shared : !tile_gpu.buffer<128x32xi8, {{.*}}stages = 3>
tile.func @made_integers(%pa: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %pb: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                         %pc: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %s: f32, %n: i32) attributes {tile.num_warps = 2 : i32} {
  %zero = arith.constant dense<0> : tensor<16x32xi32>
  %lo = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %scale = tile.splat %s : f32 -> tensor<16x128xf32>
  %a0 = tile.expr %pa + col(arange(16)) * 4096 + row(arange(128))
  %b0 = tile.expr %pb + col(arange(128)) + row(arange(32)) * 4096
  %sum = scf.for %k = %lo to %n step %step iter_args(%acc = %zero) -> (tensor<16x32xi32>) : i32 {
    %ak = tile.expr %a0 + %k
    %bk = tile.expr %b0 + %k
    %x = tile.load %ak : tensor<16x128x!tile.ptr<f16>>
    %b = tile.load %bk : tensor<128x32x!tile.ptr<i8>>
    %xf = arith.extf %x : tensor<16x128xf16> to tensor<16x128xf32>
    %m = arith.mulf %xf, %scale : tensor<16x128xf32>
    %a = arith.fptosi %m : tensor<16x128xf32> to tensor<16x128xi8>
    %d = tile.dot %a, %b, %acc by mma_sync : tensor<16x128xi8>, tensor<128x32xi8> -> tensor<16x32xi32>
    scf.yield %d : tensor<16x32xi32>
  }
  %c = tile.expr %pc + col(arange(16)) * 4096 + row(arange(32))
  tile.store %c, %sum : tensor<16x32x!tile.ptr<i32>>
  tile.return
}
