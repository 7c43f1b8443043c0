// Two products, one behind the other, of which the first one's operands are boxes and threads load those of the second, as rows by index
// are: rings of boxes are free behind the first loop, and the second one's copies lie there. Where a block has several programs, they are not.
// RUN: env TILE_TRACE=pipeline tile-opt %s --tile-to-nvvm='arch=sm_90a num-warps=8' -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/ attributes {tile_gpu.single_wave = 1 : i32}//' %s | env TILE_TRACE=pipeline tile-opt --tile-to-nvvm='arch=sm_90a num-warps=8' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP

// CHECK: loop is pipelined: 1 load in rings of 4 stages, 32768 bytes a stage
// LOOP: loop is pipelined: 1 load in rings of 3 stages, 32768 bytes a stage
tile.func @behind(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ids: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile_gpu.single_wave = 1 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %weights = arith.constant dense<1.0> : tensor<128x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %first = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<128x128xf32> : i32 {
    %pb = tile.expr %b + (col(arange(128)) * 512 + row(%j * 64 + arange(64)))
    %pc = tile.expr %c + (col(%j * 64 + arange(64)) * 128 + row(arange(128)))
    %y = tile.load %pb
    %z = tile.load %pc
    %d = tile.dot %y, %z, %acc
    scf.yield %d : tensor<128x128xf32>
  }
  %second = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %first) -> tensor<128x128xf32> : i32 {
    %pi = tile.expr %ids + (%j * 128 + arange(128))
    %id = tile.load %pi
    %pa = tile.expr %a + (col(%id) * 128 + row(arange(128)))
    %x = tile.load %pa
    %d = tile.dot %x, %weights, %acc
    scf.yield %d : tensor<128x128xf32>
  }
  %total = tile.reduce add %second axis 1
  %to = tile.expr %out + arange(128)
  tile.store %to, %total
  tile.return
}
