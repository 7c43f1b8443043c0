// erfcx, normcdf, gamma and its logarithm are as near where they are large or small as elsewhere, beyond gamma(171) and at poles far off, too; and a
// zero has its sign: of sin(pi x), tanh, J1 and I1 that of x, none of cos(pi x), erfc, lgamma(1) and normcdfinv(1/2).
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: tile-run in.mlir --target=cpu
// RUN: tile-run %S/Inputs/libdevice-signs.ttir --target=cpu --repeat 1 --grid 1 --arg x.npy --arg z.npy --arg y.npy \
// RUN:   --arg zeros:f64[80]:out=wide.npy --arg zeros:f32[56]:out=narrow.npy
// RUN: tile-run out.mlir --target=cpu
// RUN: %if gpu %{ tile-run %S/Inputs/libdevice-signs.ttir --target=gpu --repeat 1 --grid 1 --arg x.npy --arg z.npy --arg y.npy \
// RUN:   --arg zeros:f64[80]:out=wide.npy --arg zeros:f32[56]:out=narrow.npy %}
// RUN: tile-run out.mlir --target=cpu

//--- in.mlir
memref.global "private" constant @x : memref<8xf64> = dense<[-23.635998861903378, -1.7976931348623157e+308, -170.93762077750148, -164.7130360188952, -37.33447905197603, 150.25, 1.0, -0.0]>
memref.global "private" constant @z : memref<8xf64> = dense<[1.0, -1.0, 0.5, -0.0, 32.0, 3.0, 1.5, -2.0]>
memref.global "private" constant @y : memref<8xf32> = dense<[1.0, -1.0, 0.5, -0.0, 32.0, 3.0, 1.5, -2.0]>
func.func @main() {
  %x = memref.get_global @x : memref<8xf64>
  %xs = tile_host.alloc() : () -> memref<8xf64>
  linalg.copy ins(%x : memref<8xf64>) outs(%xs : memref<8xf64>)
  tile_host.write %xs, "x.npy" : memref<8xf64>
  %z = memref.get_global @z : memref<8xf64>
  %zs = tile_host.alloc() : () -> memref<8xf64>
  linalg.copy ins(%z : memref<8xf64>) outs(%zs : memref<8xf64>)
  tile_host.write %zs, "z.npy" : memref<8xf64>
  %y = memref.get_global @y : memref<8xf32>
  %ys = tile_host.alloc() : () -> memref<8xf32>
  linalg.copy ins(%y : memref<8xf32>) outs(%ys : memref<8xf32>)
  tile_host.write %ys, "y.npy" : memref<8xf32>
  return
}

//--- out.mlir
// By mpmath, of 50 digits, rounded.
memref.global "private" constant @wide : memref<80xf64> = dense<[
  8.398027660006229e+242, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0.00375492238615124, 0.427583576155807, 1.0,
  -52.384178117871485, 0x7FF0000000000000, -708.6128899960119, -678.0998496758457, -99.25787422015021, 601.2615040324997, 0.0, 0x7FF0000000000000,
  1.7776264528194518e-23, 7.0, -1.791975506397169e-308, -3.1987264857742247e-295, 7.813631773574108e-44, 1.3321507761951635e+261, 1.0, 0xFFF0000000000000,
  8.222209076554933e-124, 0.0, 0.0, 0.0, 2.2641929217386555e-305, 1.0, 0.8413447460685429, 0.5,
  0x7FF0000000000000, 0xFFF0000000000000, 1.0, 0xFFF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, -1.0, 0xFFF0000000000000,
  -1.0, -1.0, 0x7FF0000000000000, 1.0, 1.0, -1.0, 0x7FF0000000000000, 1.0,
  6.3573111317739945, 0.5426817005919033, 2.085505203709015, 1.0, 0x7FF0000000000000, 45268.33416486894, 29.503004026012157, 0.5011721753079829,
  2.272466012758883, -2.272466012758883, 4.127652479391302, 0xFFF0000000000000, -37.6094975003013, 2.9493395613185207, 1.7923186345087319, -1.7339292268168986,
  1.7694132376805827, -1.7694132376805827, 3.8775575074613498, 0xFFF0000000000000, 1.8172416397346523e-13, 0.252948736143666, 1.0186759686267883, -0.6286790080869864,
  0.0, 7.0, 0x7FF0000000000000, 0.0, 7.0, 7.0, 7.0, 7.0]>
memref.global "private" constant @narrow : memref<56xf32> = dense<[
  0.0, 0x7F800000, 0.5723649429247001, 0x7F800000, 78.0922235533153, 0.6931471805599453, -0.12078223763524522, 0x7F800000,
  0x7F800000, 0xFF800000, 1.0, 0xFF800000, 0x7F800000, 0x7F800000, -1.0, 0xFF800000,
  -1.0, -1.0, 0x7F800000, 1.0, 1.0, -1.0, 0x7F800000, 1.0,
  6.3573111317739945, 0.5426817005919033, 2.085505203709015, 1.0, 0x7F800000, 45268.33416486894, 29.503004026012157, 0.5011721753079829,
  1.3130352854993312, -1.3130352854993312, 2.163953413738653, 0xFF800000, 1.0, 1.0049698233136892, 1.104791392982512, -1.0373147207275482,
  0x7F800000, 0.0, 1.7471370536604638, 0.0, 0.012805372346931286, 1.4426950408889634, -8.279363088303905, 0.0,
  0.0, 7.0, 0x7F800000, 0.0, 7.0, 7.0, 7.0, 7.0]>
func.func @main() {
  %got = tile_host.read "wide.npy" : memref<80xf64>
  %wide = memref.get_global @wide : memref<80xf64>
  %want = tile_host.alloc() : () -> memref<80xf64>
  linalg.copy ins(%wide : memref<80xf64>) outs(%want : memref<80xf64>)
  tile_host.expect_close %got, %want {atol = 0.0, rtol = 1.0e-14} : memref<80xf64>, memref<80xf64>
  %narrow = tile_host.read "narrow.npy" : memref<56xf32>
  %table = memref.get_global @narrow : memref<56xf32>
  %also = tile_host.alloc() : () -> memref<56xf32>
  linalg.copy ins(%table : memref<56xf32>) outs(%also : memref<56xf32>)
  tile_host.expect_close %narrow, %also {atol = 0.0, rtol = 1.0e-6} : memref<56xf32>, memref<56xf32>
  return
}
