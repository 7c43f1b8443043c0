// Rows by index, which threads copy ahead, times a box: a fence in front of each step's products would wait for the copies of later
// steps.
// RUN: tile-opt %s --tile-to-nvvm='arch=sm_90a num-warps=8' --mlir-print-ir-after=tile-allocate-shared -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: tile.func @rows
// CHECK: tile_gpu.warp_specialize
// CHECK: tile_gpu.async_wait
// CHECK-NEXT: gpu.barrier {tile_gpu.unfenced}
// CHECK: by wgmma
tile.func @rows(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %ids: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %k: i32 {tile.divisibility = 64 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %pi = tile.expr %ids + arange(128)
  %id = tile.load %pi
  %sum = scf.for %j = %c0 to %k step %c64 iter_args(%acc = %zero) -> tensor<128x256xf32> : i32 {
    %pa = tile.expr %a + (col(%id) * %k + row(%j + arange(64)))
    %pb = tile.expr %b + (col(%j + arange(64)) * 256 + row(arange(256)))
    %x = tile.load %pa
    %y = tile.load %pb
    %d = tile.dot %x, %y, %acc
    scf.yield %d : tensor<128x256xf32>
  }
  %total = tile.reduce add %sum axis 1
  %to = tile.expr %out + arange(128)
  tile.store %to, %total
  tile.return
}
