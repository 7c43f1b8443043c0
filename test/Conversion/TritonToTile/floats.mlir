// What 8 bits cannot hold becomes the largest number that they can; rounding towards zero never gets further from it,
// and leaves infinities where they are, as Triton's does.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-run in.mlir --target=cpu
// RUN: tile-run %S/Inputs/floats.ttir --target=cpu --repeat 1 --grid 1 --arg in.npy --arg zeros:f32[32]:out=got.npy
// RUN: tile-run out.mlir --target=cpu
// RUN: tile-opt %S/Inputs/floats.ttir --convert-triton-to-tile | FileCheck %s
// CHECK: %[[HIGH:.*]] = arith.constant dense<4.480000e+02> : tensor<8xf32>
// CHECK: arith.minimumf %{{.*}}, %[[HIGH]] : tensor<8xf32>
// CHECK: arith.truncf %{{.*}} : tensor<8xf32> to tensor<8xf8E4M3FN>

//--- in.mlir
// 1.99 and its negative lie between numbers of all the types; 447.9 is below the most of e4m3, 465 above.
memref.global "private" constant @in : memref<8xf32> = dense<[1.99, -1.99, 447.9, 465.0, -70000.0, 0x7f800000, 0xff800000, 65519.9]>
func.func @main() {
  %table = memref.get_global @in : memref<8xf32>
  %in = tile_host.alloc() : () -> memref<8xf32>
  linalg.copy ins(%table : memref<8xf32>) outs(%in : memref<8xf32>)
  tile_host.write %in, "in.npy" : memref<8xf32>
  return
}

//--- out.mlir
memref.global "private" constant @want : memref<32xf32> = dense<[
  2.0, -2.0, 448.0, 448.0, -448.0, 448.0, -448.0, 448.0,
  2.0, -2.0, 448.0, 448.0, -57344.0, 57344.0, -57344.0, 57344.0,
  1.989257812, -1.989257812, 447.75, 465.0, -65504.0, 0x7f800000, 0xff800000, 65504.0,
  1.75, -1.75, 384.0, 448.0, -57344.0, 0x7f800000, 0xff800000, 57344.0]>
func.func @main() {
  %got = tile_host.read "got.npy" : memref<32xf32>
  %table = memref.get_global @want : memref<32xf32>
  %want = tile_host.alloc() : () -> memref<32xf32>
  linalg.copy ins(%table : memref<32xf32>) outs(%want : memref<32xf32>)
  tile_host.expect_close %got, %want {atol = 0.0, rtol = 1.0e-7} : memref<32xf32>, memref<32xf32>
  return
}
