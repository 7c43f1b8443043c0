// Of the 32 distances of a thread's rows from its columns, as wgmma lays out 64 x 64, 18 differ: each is converted, and decays with
// it, once, and so are those that a loop moves on. Of a tile that has no two alike nothing changes.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=decay -o - | FileCheck %s --check-prefix=SAME
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=apart -o - | FileCheck %s --check-prefix=APART
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error {{.*}} in 1 comparison

// SAME-LABEL: .entry decay
// SAME-COUNT-18: cvt.rn.f32.s32
// SAME-NOT: cvt.rn.f32.s32
tile.func @decay(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32, %slope: f32) meta {num_warps = 4} {
  tile.grid = %n ceildiv 64
  %c0 = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zero = tile.expr 0 : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %slopes = tile.splat %slope : f32 -> tensor<64x64xf32>
  %rows = tile.expr program_id(x) * 64 + col(arange(64))
  %pa = tile.expr %a + (%rows * 64 + row(arange(64)))
  %x = tile.load %pa
  %all = scf.for %k = %c0 to %n step %step iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %columns = tile.expr %k + row(arange(64))
    %pb = tile.expr %b + (col(arange(64)) * %n + %columns)
    %y = tile.load %pb
    %s = tile.dot %x, %y, %zero
    %d = tile.expr %rows - %columns
    %f = arith.sitofp %d : tensor<64x64xi32> to tensor<64x64xf32>
    %g = arith.mulf %f, %slopes : tensor<64x64xf32>
    %w = math.exp2 %g : tensor<64x64xf32>
    %t = arith.mulf %s, %w : tensor<64x64xf32>
    %next = arith.addf %acc, %t : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %pc = tile.expr %c + (%rows * 64 + row(arange(64)))
  tile.store %pc, %all
  tile.return
}

// APART-LABEL: .entry apart
// APART-COUNT-4: cvt.rn.f32.s32
tile.func @apart(%c: !tile.ptr<f32>, %n: i32) meta {num_warps = 4} {
  tile.grid = %n ceildiv 64
  %rows = tile.expr program_id(x) * 8 + col(arange(8))
  %d = tile.expr %rows * 64 - row(arange(64))
  %f = arith.sitofp %d : tensor<8x64xi32> to tensor<8x64xf32>
  %pc = tile.expr %c + (%rows * 64 + row(arange(64)))
  tile.store %pc, %f
  tile.return
}

func.func @main() {
  %n = arith.constant 128 : i32
  %slope = arith.constant 0.01 : f32
  %a = tile_host.random() seed 1 : () -> memref<128x64xf16>
  %b = tile_host.random() seed 2 : () -> memref<64x128xf16>
  %c = tile_host.alloc() : () -> memref<128x64xf32>
  %want = tile_host.alloc() : () -> memref<128x64xf32>
  %near = memref.reinterpret_cast %want to offset: [0], sizes: [2, 64, 64], strides: [4096, 64, 1] : memref<128x64xf32> to memref<2x64x64xf32, strided<[4096, 64, 1]>>
  %left = memref.reinterpret_cast %a to offset: [0], sizes: [2, 64, 64], strides: [4096, 64, 1] : memref<128x64xf16> to memref<2x64x64xf16, strided<[4096, 64, 1]>>
  %right = memref.reinterpret_cast %b to offset: [0], sizes: [64, 2, 64], strides: [128, 64, 1] : memref<64x128xf16> to memref<64x2x64xf16, strided<[128, 64, 1]>>
  linalg.generic {indexing_maps = [affine_map<(p, i, q, j, k) -> (p, i, k)>, affine_map<(p, i, q, j, k) -> (k, q, j)>, affine_map<(p, i, q, j, k) -> (p, i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction", "parallel", "reduction"]}
      ins(%left, %right : memref<2x64x64xf16, strided<[4096, 64, 1]>>, memref<64x2x64xf16, strided<[128, 64, 1]>>) outs(%near : memref<2x64x64xf32, strided<[4096, 64, 1]>>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %p = linalg.index 0 : index
    %i = linalg.index 1 : index
    %q = linalg.index 2 : index
    %j = linalg.index 3 : index
    %blocks = arith.subi %p, %q : index
    %c64 = arith.constant 64 : index
    %far = arith.muli %blocks, %c64 : index
    %within = arith.subi %i, %j : index
    %d = arith.addi %far, %within : index
    %d32 = arith.index_cast %d : index to i32
    %f = arith.sitofp %d32 : i32 to f32
    %g = arith.mulf %f, %slope : f32
    %w = math.exp2 %g : f32
    %x32 = arith.extf %x : f16 to f32
    %y32 = arith.extf %y : f16 to f32
    %product = arith.mulf %x32, %y32 : f32
    %t = arith.mulf %product, %w : f32
    %next = arith.addf %sum, %t : f32
    linalg.yield %next : f32
  }
  tile_host.launch @decay(%a, %b, %c, %n, %slope) : memref<128x64xf16>, memref<64x128xf16>, memref<128x64xf32>, i32, f32
  tile_host.expect_close %c, %want {atol = 1.0e-2, rtol = 1.0e-2} : memref<128x64xf32>, memref<128x64xf32>
  return
}
