// A helper that combines has no side effects either: seen once it is inlined.
//
// RUN: not tile-opt %s --tile-to-nvvm=arch=sm_90a 2>&1 | FileCheck %s
// RUN: not tile-opt %s --tile-to-cpu 2>&1 | FileCheck %s

// CHECK: [[#@LINE+9]]:8: error: 'tile.reduce' op expected a region without side effects, found tile.print
tile.func private @says(%a: f32, %b: f32) -> f32 {
  tile.print "here"
  tile.return %a : f32
}
tile.func @k(%p: !tile.ptr<f32>, %n: i32) {
  %i = tile.arange : tensor<64xi32>
  %q = tile.addptr %p, %i : !tile.ptr<f32>, tensor<64xi32>
  %x = tile.load %q : tensor<64x!tile.ptr<f32>>
  %0 = tile.reduce %x axis 0 : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = tile.call @says(%a, %b) : (f32, f32) -> f32
    tile.yield %c : f32
  }
  tile.store %p, %0 : !tile.ptr<f32>
  tile.return
}
