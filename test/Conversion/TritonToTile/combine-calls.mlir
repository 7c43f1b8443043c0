// Regions that combine call helpers, which are inlined there.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %S/Inputs/combine-calls.ttir --target=cpu --repeat 1 --grid 1 \
// RUN:   --arg zeros:i32[1]:out=all.npy --arg zeros:i32[64]:out=each.npy
// RUN: tile-run %s --target=cpu
// RUN: tile-opt %S/Inputs/combine-calls.ttir --tile-to-nvvm=arch=sm_90a -o %t/nvvm

memref.global "private" constant @all : memref<1xi32> = dense<32>
memref.global "private" constant @each : memref<64xi32> = dense<[-31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, -31, 32, 32, 32, 32, 32]>

func.func @main() {
  %all = tile_host.read "all.npy" : memref<1xi32>
  %wantAll = memref.get_global @all : memref<1xi32>
  %most = tile_host.alloc() : () -> memref<1xi32>
  linalg.copy ins(%wantAll : memref<1xi32>) outs(%most : memref<1xi32>)
  tile_host.expect_close %all, %most {atol = 0.0, rtol = 0.0} : memref<1xi32>, memref<1xi32>
  %each = tile_host.read "each.npy" : memref<64xi32>
  %wantEach = memref.get_global @each : memref<64xi32>
  %running = tile_host.alloc() : () -> memref<64xi32>
  linalg.copy ins(%wantEach : memref<64xi32>) outs(%running : memref<64xi32>)
  tile_host.expect_close %each, %running {atol = 0.0, rtol = 0.0} : memref<64xi32>, memref<64xi32>
  return
}
