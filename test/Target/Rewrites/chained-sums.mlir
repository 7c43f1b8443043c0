// An element's address is an array's, a channel's number and a place's, of 32 bits each: numbers are added to the array one by one, each by one
// instruction, and not to each other first, in 64 bits.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=taps -Wno-slow -o - | FileCheck %s --check-prefix=SUMS
// RUN: tile-run %s -Wno-slow --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s -Wno-slow --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error {{.*}} in 1 comparison

// SUMS-LABEL: .entry taps
// SUMS: $L__BB0_2:
// SUMS-NOT: shl.b64
// SUMS: $L__BB0_3:
tile.func @taps(%x: !tile.ptr<f16>, %w: !tile.ptr<f16>, %y: !tile.ptr<f32>, %length: i32, %count: i32, %one: i32, %none: i32) meta {num_warps = 2} {
  tile.grid = %length ceildiv 128
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x32xf32>
  %nowhere = arith.constant dense<0> : tensor<128x1xi32>
  %rows = tile.expr program_id(x) * 128 + col(arange(128))
  %end = tile.splat %length : i32 -> tensor<128x1xi32>
  %all = scf.for %t = %c0 to %count step %c1 iter_args(%acc = %zero) -> (tensor<128x32xf32>) : i32 {
    %row = tile.expr %rows + %t - 1
    %above = arith.cmpi sge, %row, %nowhere : tensor<128x1xi32>
    %below = arith.cmpi slt, %row, %end : tensor<128x1xi32>
    %in = arith.andi %above, %below : tensor<128x1xi1>
    %mask = tile.broadcast %in : tensor<128x1xi1> -> tensor<128x32xi1>
    %channels = tile.expr (row(arange(32)) + %t * %none) * %length
    %spread = tile.broadcast %channels : tensor<1x32xi32> -> tensor<128x32xi32>
    %pc = tile.expr %x + %spread
    %places = tile.expr (%rows + %t - 1) * %one
    %far = tile.broadcast %places : tensor<128x1xi32> -> tensor<128x32xi32>
    %px = tile.addptr %pc, %far : tensor<128x32x!tile.ptr<f16>>, tensor<128x32xi32>
    %a = tile.load %px, %mask
    %pw = tile.expr %w + ((%t * 32 + col(arange(32))) * 32 + row(arange(32)))
    %b = tile.load %pw
    %next = tile.dot %a, %b, %acc
    scf.yield %next : tensor<128x32xf32>
  }
  %py = tile.expr %y + (%rows * 32 + row(arange(32)))
  tile.store %py, %all
  tile.return
}

func.func @main() {
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %length = arith.constant 256 : i32
  %x = tile_host.random() seed 1 : () -> memref<32x256xf16>
  %w = tile_host.random() seed 2 : () -> memref<3x32x32xf16>
  %y = tile_host.alloc() : () -> memref<256x32xf32>
  %want = tile_host.alloc() : () -> memref<256x32xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, t, k) -> (t, k, j)>, affine_map<(i, j, t, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%w : memref<3x32x32xf16>) outs(%want : memref<256x32xf32>) {
  ^bb0(%b: f16, %sum: f32):
    %i = linalg.index 0 : index
    %t = linalg.index 2 : index
    %k = linalg.index 3 : index
    %first = arith.constant 0 : index
    %back = arith.constant 1 : index
    %last = arith.constant 255 : index
    %below = arith.addi %i, %t : index
    %row = arith.subi %below, %back : index
    %up = arith.maxsi %row, %first : index
    %at = arith.minsi %up, %last : index
    %is = arith.cmpi eq, %at, %row : index
    %a = memref.load %x[%k, %at] : memref<32x256xf16>
    %a32 = arith.extf %a : f16 to f32
    %b32 = arith.extf %b : f16 to f32
    %p = arith.mulf %a32, %b32 : f32
    %more = arith.addf %sum, %p : f32
    %new = arith.select %is, %more, %sum : f32
    linalg.yield %new : f32
  }
  tile_host.launch @taps(%x, %w, %y, %length, %c3, %c1, %c0) : memref<32x256xf16>, memref<3x32x32xf16>, memref<256x32xf32>, i32, i32, i32, i32
  tile_host.expect_close %y, %want {atol = 1.0e-2, rtol = 1.0e-2} : memref<256x32xf32>, memref<256x32xf32>
  return
}
