// A kernel that Triton printed, with an early return, compared with a product in f64. One row of
// programs more than there is work for returns at once.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %S/matmul.ttir --target=cpu --repeat 1 --grid 3,3 \
// RUN:   --arg random:f16[100x70]:out=a.npy --arg random:f16[70x130]:out=b.npy \
// RUN:   --arg zeros:f16[100x130]:out=c.npy --arg 100 --arg 130 --arg 70
// RUN: tile-run %s --target=cpu
//
// And becomes tensor core code. Nothing says that rows begin at multiples of 4 bytes: chunks that
// they lie in are copied.
// RUN: tile-run %S/matmul.ttir --emit=ptx --arch=sm_80 | FileCheck %s --check-prefix=AMPERE
// RUN: tile-run %S/matmul.ttir --emit=ptx --arch=sm_90a -D num_warps=4 | FileCheck %s --check-prefix=HOPPER
// AMPERE: .visible .entry matmul(
// AMPERE: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// HOPPER: cp.async.cg.shared.global
// HOPPER: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16

func.func @main() {
  %a = tile_host.read "a.npy" : memref<100x70xf16>
  %b = tile_host.read "b.npy" : memref<70x130xf16>
  %c = tile_host.read "c.npy" : memref<100x130xf16>
  %want = tile_host.alloc() : () -> memref<100x130xf64>
  linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                   affine_map<(i, k, j) -> (k, j)>,
                                   affine_map<(i, k, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a, %b : memref<100x70xf16>, memref<70x130xf16>) outs(%want : memref<100x130xf64>) {
  ^bb0(%x: f16, %y: f16, %sum: f64):
    %x64 = arith.extf %x : f16 to f64
    %y64 = arith.extf %y : f16 to f64
    %product = arith.mulf %x64, %y64 : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  }
  tile_host.expect_close %c, %want {atol = 1.0e-5, rtol = 1.0e-3} : memref<100x130xf16>, memref<100x130xf64>
  return
}
