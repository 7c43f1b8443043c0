// Bytes of A that threads load with M fastest come to wgmma in registers, whose rows are interleaved as the sums' are: a buffer has
// its rows in order, and would be multiplied into other rows.
// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(canonicalize,tile-accelerate-dot,tile-assign-layouts))' | FileCheck %s

module attributes {tile.target = #nvvm.target<chip = "sm_90a">} {
// CHECK-LABEL: tile.func @across
// CHECK: tile.dot %{{.*}} by wgmma : tensor<128x32xf8E4M3FN, #tile_gpu.layout<{{.*}}>>, !tile_gpu.buffer<{{.*}}> -> tensor<128x64xf32, #tile_gpu.layout<register = {{\[\[}}0, 1], [1, 0], {{.*}}, lane = {{\[\[}}0, 2], [0, 4], [2, 0], [4, 0], [8, 0]],
tile.func @across(%x: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %y: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32>, %n: i32, %steps: i32) attributes {tile.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4096 = arith.constant 4096 : i32
  %c2368 = arith.constant 2368 : i32
  %rows = tile.expr col(arange(128)) + row(arange(32)) * 128 : tensor<128x32xi32>
  %ks = tile.expr row(arange(32)) + col(arange(128)) * 0 : tensor<128x32xi32>
  %ap = tile.expr %x + %rows
  %columns = tile.expr col(arange(32)) * 74 + row(arange(64)) : tensor<32x64xi32>
  %bp = tile.expr %y + %columns
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> tensor<128x64xf32> : i32 {
    %ao = arith.muli %i, %c4096 : i32
    %bo = arith.muli %i, %c2368 : i32
    %ai = tile.expr %ap + %ao
    %bi = tile.expr %bp + %bo
    %inside = tile.expr %i * 32 + %ks < %n
    %a = tile.load %ai, %inside
    %b = tile.load %bi
    %d = tile.dot %a, %b, %acc : tensor<128x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %out = tile.expr %z + (col(arange(128)) * 64 + row(arange(64)))
  tile.store %out, %r
  tile.return
}
}
