// The largest and the smallest numbers, infinities and zeros: erfcx of the largest is no NaN, lgamma near 0, and as long as it fits, is no infinity, and no remainder is
// left of an infinity, whatever it is divided by.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-run in.mlir --target=cpu
// RUN: tile-run %S/Inputs/libdevice-ends.ttir --target=cpu --repeat 1 --grid 1 --arg x.npy --arg y.npy --arg z.npy \
// RUN:   --arg zeros:f64[16]:out=wide.npy --arg zeros:f32[16]:out=narrow.npy
// RUN: tile-run out.mlir --target=cpu
// RUN: %if gpu %{ tile-run %S/Inputs/libdevice-ends.ttir --target=gpu --repeat 1 --grid 1 --arg x.npy --arg y.npy --arg z.npy \
// RUN:   --arg zeros:f64[16]:out=wide.npy --arg zeros:f32[16]:out=narrow.npy %}
// RUN: tile-run out.mlir --target=cpu

//--- in.mlir
memref.global "private" constant @x : memref<8xf64> = dense<[1.7e308, 0x7ff0000000000000, 0.0, 2.5584837335605278e305, 4.9406564584124654e-324, -4.9406564584124654e-324, 1.0e-305, -2.5]>
memref.global "private" constant @y : memref<8xf32> = dense<[-1.0e-20, -1.0e-30, 1.0e-30, -2.5, 0x7f800000, 0xff800000, 0x7f800000, 3.0e38]>
memref.global "private" constant @z : memref<8xf32> = dense<[1.0, 0x7f800000, 3.0, 2.0, 0x7f800000, 0x7f800000, 3.0e38, 2.0e38]>
func.func @main() {
  %x = memref.get_global @x : memref<8xf64>
  %xs = tile_host.alloc() : () -> memref<8xf64>
  linalg.copy ins(%x : memref<8xf64>) outs(%xs : memref<8xf64>)
  tile_host.write %xs, "x.npy" : memref<8xf64>
  %y = memref.get_global @y : memref<8xf32>
  %ys = tile_host.alloc() : () -> memref<8xf32>
  linalg.copy ins(%y : memref<8xf32>) outs(%ys : memref<8xf32>)
  tile_host.write %ys, "y.npy" : memref<8xf32>
  %z = memref.get_global @z : memref<8xf32>
  %zs = tile_host.alloc() : () -> memref<8xf32>
  linalg.copy ins(%z : memref<8xf32>) outs(%zs : memref<8xf32>)
  tile_host.write %zs, "z.npy" : memref<8xf32>
  return
}

//--- out.mlir
// By mpmath, of 40 digits, rounded.
memref.global "private" constant @wide : memref<16xf64> = dense<[
  3.31876225616327e-309, 0.0, 1.0, 2.2051716653386682e-306, 1.0, 1.0, 1.0, 1035.814842972623,
  0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 1.7966385779264913e+308, 744.4400719213812, 744.4400719213812, 702.288453363184, -0.056243716497674054]>
memref.global "private" constant @narrow : memref<16xf32> = dense<[
  46.051700592041016, 69.07755279541016, 69.07755279541016, -0.056243717670440674, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000,
  -9.999999682655225e-21, -1.0000000031710769e-30, 1.0000000031710769e-30, -0.5, 7.0, 7.0, 7.0, -9.999998666165212e+37]>
func.func @main() {
  %got = tile_host.read "wide.npy" : memref<16xf64>
  %wide = memref.get_global @wide : memref<16xf64>
  %want = tile_host.alloc() : () -> memref<16xf64>
  linalg.copy ins(%wide : memref<16xf64>) outs(%want : memref<16xf64>)
  tile_host.expect_close %got, %want {atol = 0.0, rtol = 1.0e-14} : memref<16xf64>, memref<16xf64>
  %narrow = tile_host.read "narrow.npy" : memref<16xf32>
  %table = memref.get_global @narrow : memref<16xf32>
  %also = tile_host.alloc() : () -> memref<16xf32>
  linalg.copy ins(%table : memref<16xf32>) outs(%also : memref<16xf32>)
  tile_host.expect_close %narrow, %also {atol = 0.0, rtol = 1.0e-6} : memref<16xf32>, memref<16xf32>
  return
}
