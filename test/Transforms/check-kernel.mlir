// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-check-kernel))' | FileCheck %s

// Numbers and pointers, what the host evaluates, control flow: it stays as it is.
// CHECK-LABEL: tile.func @plain
// CHECK: tile.grid
// CHECK: scf.if
// CHECK: math.exp
tile.func @plain(%p: !tile.ptr<f32>, %n: i32, %f: f64, %c: i1) {
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  scf.if %c {
    %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %e = math.exp %x : tensor<2xf32>
    %s = tile.reduce add %e axis 0 : tensor<2xf32> -> f32
    tile.store %p, %s : !tile.ptr<f32>
  }
  tile.return
}

// A helper's arguments may be tiles.
// CHECK-LABEL: tile.func private @helper
tile.func private @helper(%m: tensor<4xi1>) {
  tile.return
}
