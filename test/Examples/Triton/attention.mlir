// A kernel that Triton printed: causal attention, in which two heads of queries share one of keys, and heads of 80 elements
// stand behind tiles of 128; compared with f64.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: tile-run %S/attention.ttir --target=cpu --repeat 1 --grid 2,4 \
// RUN:   --arg random:f16[4x200x80]:out=q.npy --arg random:f16[2x200x80]:out=k.npy --arg random:f16[2x200x80]:out=v.npy \
// RUN:   --arg zeros:f16[4x200x80]:out=out.npy --arg 4 --arg 2 --arg 200 --arg 0.16129821
// RUN: tile-run %s --target=cpu
//
// Below the diagonal a loop of its own has no masks, and both products leave out what is padding.
// RUN: tile-run %S/attention.ttir --emit=ptx --arch=sm_90a -D num_warps=8 | FileCheck %s --check-prefix=HOPPER
// HOPPER: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// HOPPER: wgmma.mma_async.sync.aligned.m64n80k16.f32.f16.f16
// HOPPER-NOT: m64n128k16

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %q = tile_host.read "q.npy" : memref<4x200x80xf16>
  %k = tile_host.read "k.npy" : memref<2x200x80xf16>
  %v = tile_host.read "v.npy" : memref<2x200x80xf16>
  %out = tile_host.read "out.npy" : memref<4x200x80xf16>
  %want = tile_host.alloc() : () -> memref<4x200x80xf64>
  %heads = memref.dim %q, %c0 : memref<4x200x80xf16>
  %length = memref.dim %q, %c1 : memref<4x200x80xf16>
  %depth = memref.dim %q, %c2 : memref<4x200x80xf16>
  // 1 / sqrt(80); the kernel has it times log2(e), as its weights are powers of 2.
  %root = arith.constant 0.11180340 : f64
  scf.for %h = %c0 to %heads step %c1 {
    %shared = arith.divui %h, %c2 : index
    scf.for %i = %c0 to %length step %c1 {
      %end = arith.addi %i, %c1 : index
      %sum = scf.for %j = %c0 to %end step %c1 iter_args(%s = %zero) -> f64 {
        %dot = scf.for %e = %c0 to %depth step %c1 iter_args(%t = %zero) -> f64 {
          %x = memref.load %q[%h, %i, %e] : memref<4x200x80xf16>
          %y = memref.load %k[%shared, %j, %e] : memref<2x200x80xf16>
          %x64 = arith.extf %x : f16 to f64
          %y64 = arith.extf %y : f16 to f64
          %xy = arith.mulf %x64, %y64 : f64
          %u = arith.addf %t, %xy : f64
          scf.yield %u : f64
        }
        %score = arith.mulf %dot, %root : f64
        %weight = math.exp %score : f64
        scf.for %e = %c0 to %depth step %c1 {
          %y = memref.load %v[%shared, %j, %e] : memref<2x200x80xf16>
          %y64 = arith.extf %y : f16 to f64
          %part = arith.mulf %weight, %y64 : f64
          %before = memref.load %want[%h, %i, %e] : memref<4x200x80xf64>
          %after = arith.addf %before, %part : f64
          memref.store %after, %want[%h, %i, %e] : memref<4x200x80xf64>
        }
        %next = arith.addf %s, %weight : f64
        scf.yield %next : f64
      }
      scf.for %e = %c0 to %depth step %c1 {
        %total = memref.load %want[%h, %i, %e] : memref<4x200x80xf64>
        %mean = arith.divf %total, %sum : f64
        memref.store %mean, %want[%h, %i, %e] : memref<4x200x80xf64>
      }
    }
  }
  tile_host.expect_close %out, %want {atol = 1.0e-3, rtol = 2.0e-3} : memref<4x200x80xf16>, memref<4x200x80xf64>
  return
}
