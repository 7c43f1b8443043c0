// Of addresses that are a row's part and a column's a thread holds both, and not the sum of each row and each column, which would move on by itself from
// step to step, in kernels of many loops with products: 4 rows and 32 channels are 36 registers for 128.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=pixels -o - | FileCheck %s --check-prefix=HELD
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error {{.*}} in 1 comparison

// HELD-LABEL: .entry pixels
// HELD: ld.global.b16
// HELD: ld.global.b16
// HELD: ld.global.b16
// HELD: ld.global.b16
// HELD: add.s32 [[COLUMN:%r[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}};
// HELD: add.s32 %r{{[0-9]+}}, [[COLUMN]], %r{{[0-9]+}};
// HELD: ld.global.b16
// HELD: add.s32 %r{{[0-9]+}}, [[COLUMN]], %r{{[0-9]+}};
// HELD: ld.global.b16
// HELD: add.s32 %r{{[0-9]+}}, [[COLUMN]], %r{{[0-9]+}};
// HELD: ld.global.b16
// HELD: add.s32 %r{{[0-9]+}}, [[COLUMN]], %r{{[0-9]+}};
// HELD: ld.global.b16
tile.func @pixels(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %y: !tile.ptr<f32>, %width: i32, %pitch: i32, %count: i32) meta {num_warps = 1} {
  tile.grid = 1
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf32>
  %m = tile.arange : tensor<128xi32>
  %widths = tile.splat %width : i32 -> tensor<128xi32>
  %line = arith.divsi %m, %widths : tensor<128xi32>
  %rest = arith.remsi %m, %widths : tensor<128xi32>
  %two = arith.constant dense<2> : tensor<128xi32>
  %half = arith.divsi %rest, %two : tensor<128xi32>
  %along = arith.muli %line, %widths : tensor<128xi32>
  %at = arith.addi %along, %half : tensor<128xi32>
  %row = tile.expand_dims %at axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %rows = tile.broadcast %row : tensor<128x1xi32> -> tensor<128x32xi32>
  %in = tile.expr %rows < %pitch
  %s0 = scf.for %c = %c0 to %count step %c32 iter_args(%acc = %zero) -> (tensor<128x32xf32>) : i32 {
    %px = tile.expr %x + ((%c + row(arange(32))) * %pitch + %rows)
    %a = tile.load %px, %in
    %pw = tile.expr %w + ((%c + col(arange(32))) * 32 + row(arange(32)))
    %b = tile.load %pw
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<128x32xf32>
  }
  %s1 = scf.for %c = %c0 to %count step %c32 iter_args(%acc = %s0) -> (tensor<128x32xf32>) : i32 {
    %px = tile.expr %x + ((%c + row(arange(32))) * %pitch + %rows)
    %a = tile.load %px, %in
    %pw = tile.expr %w + ((%c + col(arange(32))) * 32 + row(arange(32)))
    %b = tile.load %pw
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<128x32xf32>
  }
  %s2 = scf.for %c = %c0 to %count step %c32 iter_args(%acc = %s1) -> (tensor<128x32xf32>) : i32 {
    %px = tile.expr %x + ((%c + row(arange(32))) * %pitch + %rows)
    %a = tile.load %px, %in
    %pw = tile.expr %w + ((%c + col(arange(32))) * 32 + row(arange(32)))
    %b = tile.load %pw
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<128x32xf32>
  }
  %s3 = scf.for %c = %c0 to %count step %c32 iter_args(%acc = %s2) -> (tensor<128x32xf32>) : i32 {
    %px = tile.expr %x + ((%c + row(arange(32))) * %pitch + %rows)
    %a = tile.load %px, %in
    %pw = tile.expr %w + ((%c + col(arange(32))) * 32 + row(arange(32)))
    %b = tile.load %pw
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<128x32xf32>
  }
  %py = tile.expr %y + (col(arange(128)) * 32 + row(arange(32)))
  tile.store %py, %s3
  tile.return
}

func.func @main() {
  %width = arith.constant 16 : i32
  %pitch = arith.constant 128 : i32
  %count = arith.constant 64 : i32
  %x = tile_host.random() seed 1 : () -> memref<64x128xf16>
  %w = tile_host.random() seed 2 : () -> memref<64x32xf16>
  %y = tile_host.alloc() : () -> memref<128x32xf32>
  %want = tile_host.alloc() : () -> memref<128x32xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w : memref<64x32xf16>) outs(%want : memref<128x32xf32>) {
  ^bb0(%b: f16, %sum: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %line = arith.divui %i, %c16 : index
    %rest = arith.remui %i, %c16 : index
    %half = arith.divui %rest, %c2 : index
    %along = arith.muli %line, %c16 : index
    %at = arith.addi %along, %half : index
    %a = memref.load %x[%k, %at] : memref<64x128xf16>
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %c4 = arith.constant 4.0 : f32
    %each = arith.mulf %a32, %b32 : f32
    %p = arith.mulf %each, %c4 : f32
    %new = arith.addf %sum, %p : f32
    linalg.yield %new : f32
  }
  tile_host.launch @pixels(%x, %w, %y, %width, %pitch, %count) : memref<64x128xf16>, memref<64x32xf16>, memref<128x32xf32>, i32, i32, i32
  tile_host.expect_close %y, %want {atol = 4.0e-2, rtol = 1.0e-2} : memref<128x32xf32>, memref<128x32xf32>
  return
}
