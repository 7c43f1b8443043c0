// RUN: tile-run %s --emit=layouts --arch=sm_90a -D num_stages=8 | FileCheck %s

// Eight stages that somebody asked for, where there is room for seven: two boxes of 16384 bytes each.
// CHECK-LABEL: tile.func @asked
// CHECK: tile_gpu.alloc_shared {{.*}}stages = 7>
// CHECK: scf.for
tile.func @asked(%x: !tile.ptr<f64>, %y: !tile.ptr<f64>, %z: !tile.ptr<f64>, %list: !tile.ptr<i32>, %n: i32) attributes {tile.num_warps = 4 : i32} {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.arange : tensor<64xi32>
  %k = tile.arange : tensor<32xi32>
  // Rows that a list names are no boxes.
  %at = tile.expr %list + %i
  %rows = tile.load %at : tensor<64x!tile.ptr<i32>>
  %zero = arith.constant dense<0.0> : tensor<64x64xf64>
  %sum = scf.for %step = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64x64xf64>) : i32 {
    %xp = tile.expr %x + %step * 32 + col(%rows) * 1024 + row(%k)
    %xv = tile.load %xp : tensor<64x32x!tile.ptr<f64>>
    %yp = tile.expr %y + %step * 32 + row(%rows) * 1024 + col(%k)
    %yv = tile.load %yp : tensor<32x64x!tile.ptr<f64>>
    %d = tile.dot %xv, %yv, %a : tensor<64x32xf64>, tensor<32x64xf64> -> tensor<64x64xf64>
    scf.yield %d : tensor<64x64xf64>
  }
  %zp = tile.expr %z + col(%i) * 64 + row(%i)
  tile.store %zp, %sum : tensor<64x64x!tile.ptr<f64>>
  tile.return
}
