// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.func(tile-check-ops))' | FileCheck %s

// Ops of each dialect that kernels are made of, helpers of tile, and a grid: it stays as it is.
// CHECK-LABEL: tile.func @plain
// CHECK: tile.grid
// CHECK: tile.call @helper
// CHECK: scf.if
// CHECK: math.exp
// CHECK: ub.poison
tile.func @plain(%p: !tile.ptr<f32>, %n: i32, %f: f32, %c: i1) {
  tile.grid(%n : i32) {
    tile.yield %n : i32
  }
  %g = tile.call @helper(%f) : (f32) -> f32
  scf.if %c {
    %e = math.exp %g : f32
    tile.store %p, %e : !tile.ptr<f32>
  }
  %u = ub.poison : f32
  tile.return
}

// CHECK-LABEL: tile.func private @helper
// CHECK: arith.addf
tile.func private @helper(%f: f32) -> f32 {
  %g = arith.addf %f, %f : f32
  tile.return %g : f32
}

// What host programs are made of is not asked.
// CHECK-LABEL: func.func @host
// CHECK: call @host
func.func @host() {
  func.call @host() : () -> ()
  return
}
