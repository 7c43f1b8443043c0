// Whoever launches a kernel says on the module whether its products and sums may fuse.
//
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
// RUN: tile-opt %s --convert-triton-to-tile=fp-fusion=false | FileCheck %s

// CHECK-LABEL: tile.func @apart
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
module attributes {tt.fp_fusion = false} {
  tt.func public @apart(%x: f32, %p: !tt.ptr<f32>) {
    %product = arith.mulf %x, %x : f32
    %sum = arith.addf %product, %x : f32
    tt.store %p, %sum : !tt.ptr<f32>
    tt.return
  }
}
