// Two warp groups share the columns of a product of 64 rows. Each reads half of a row of the swizzle where B's columns lie beside
// each other, which wgmma cannot; so they lie along K, however B comes. Here memory says K, and the threads hold columns: elements
// of both are neighbours.
//
// RUN: tile-run %s --kernel product --emit=layouts --arch=sm_90a | FileCheck %s
// RUN: tile-run %s --kernel product --emit=ptx --arch=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s --check-prefix=RIGHT
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: in 1 comparison

// CHECK: %[[B:.*]] = tile_gpu.alloc_shared {{.*}}: !tile_gpu.buffer<128x64xf16, swizzle = 128, order = [0, 1]>
// CHECK: tile_gpu.buffer_store %{{.*}}, %[[B]]
// CHECK: tile.dot %{{.*}}, %[[B]], %{{.*}} by wgmma
// PTX: wgmma.mma_async.sync.aligned.m64n32k16
tile.func @product(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) attributes {tile.num_warps = 8 : i32} {
  tile.grid = 1
  %ap = tile.expr %a + col(arange(64)) * 128 + row(arange(128))
  %at = tile.load %ap
  %bp = tile.expr %b + col(arange(128)) + row(arange(64))
  %bt = tile.load %bp
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %at, %bt, %zero : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
  %cp = tile.expr %c + col(arange(64)) * 64 + row(arange(64))
  tile.store %cp, %d
  tile.return
}

func.func @main() {
  %ma = arith.constant 8192 : i32
  %mb = arith.constant 192 : i32
  %mc = arith.constant 4096 : i32
  %a = tile_host.random(%ma) seed 1 -> memref<?xf16>
  %b = tile_host.random(%mb) seed 2 -> memref<?xf16>
  %c = tile_host.alloc(%mc) -> memref<?xf32>
  %want = tile_host.alloc(%mc) -> memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %sum = scf.for %k = %c0 to %c128 step %c1 iter_args(%s = %zero) -> (f32) {
        %row = arith.muli %i, %c128 : index
        %x = arith.addi %row, %k : index
        %y = arith.addi %k, %j : index
        %u = memref.load %a[%x] : memref<?xf16>
        %v = memref.load %b[%y] : memref<?xf16>
        %uf = arith.extf %u : f16 to f32
        %vf = arith.extf %v : f16 to f32
        %p = arith.mulf %uf, %vf : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %to = arith.muli %i, %c64 : index
      %at = arith.addi %to, %j : index
      memref.store %sum, %want[%at] : memref<?xf32>
    }
  }
  tile_host.launch @product(%a, %b, %c)
  tile_host.expect_close %c, %want {atol = 1.0e-3, rtol = 1.0e-3}
  return
}
