// Distances from what memory tells are the same only where that is the same number: of two rows and 16 columns, or of 8 rows and
// four columns, all 32 differ.
//
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=told -o - | FileCheck %s --check-prefix=TOLD
// RUN: tile-run %s --no-host --emit=ptx --arch=sm_90a --kernel=beside -o - | FileCheck %s --check-prefix=BESIDE
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 2 comparisons

// Rows 8 apart come in two loads.
// TOLD-LABEL: .entry told
// TOLD-COUNT-32: cvt.rn.f32.s32
// TOLD-NOT: cvt.rn.f32.s32
tile.func @told(%list: !tile.ptr<i32>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) meta {num_warps = 4} {
  tile.grid = 1
  %zero = tile.expr 0 : tensor<64x64xf32>
  %pl = tile.expr %list + col(arange(64))
  %row = tile.load %pl
  %d = tile.expr %row - row(arange(64))
  %f = arith.sitofp %d : tensor<64x64xi32> to tensor<64x64xf32>
  %pa = tile.expr %a + (col(arange(64)) * 64 + row(arange(64)))
  %x = tile.load %pa
  %pb = tile.expr %b + (col(arange(64)) * 64 + row(arange(64)))
  %y = tile.load %pb
  %s = tile.dot %x, %y, %zero
  %t = arith.addf %s, %f : tensor<64x64xf32>
  %pc = tile.expr %c + (col(arange(64)) * 64 + row(arange(64)))
  tile.store %pc, %t
  tile.return
}

// Columns side by side come in one, each in a lane of its own.
// BESIDE-LABEL: .entry beside
// BESIDE-COUNT-32: cvt.rn.f32.s32
// BESIDE-NOT: cvt.rn.f32.s32
tile.func @beside(%list: !tile.ptr<i32>, %c: !tile.ptr<f32>) meta {num_warps = 1} {
  tile.grid = 1
  %pl = tile.expr %list + row(arange(128))
  %column = tile.load %pl
  %d = tile.expr %column - col(arange(8))
  %f = arith.sitofp %d : tensor<8x128xi32> to tensor<8x128xf32>
  %pc = tile.expr %c + (col(arange(8)) * 128 + row(arange(128)))
  tile.store %pc, %f
  tile.return
}

func.func @main() {
  %list = tile_host.alloc() : () -> memref<128xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%list : memref<128xi32>) {
  ^bb0(%none: i32):
    %i = linalg.index 0 : index
    %seven = arith.constant 7 : index
    %square = arith.muli %i, %i : index
    %n = arith.muli %square, %seven : index
    %n32 = arith.index_cast %n : index to i32
    linalg.yield %n32 : i32
  }
  %a = tile_host.alloc() : () -> memref<64x64xf16>
  %b = tile_host.random() seed 2 : () -> memref<64x64xf16>
  %c = tile_host.alloc() : () -> memref<64x64xf32>
  %e = tile_host.alloc() : () -> memref<8x128xf32>
  %c_want = tile_host.alloc() : () -> memref<64x64xf32>
  %e_want = tile_host.alloc() : () -> memref<8x128xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%c_want : memref<64x64xf32>) {
  ^bb0(%none: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = memref.load %list[%i] : memref<128xi32>
    %j32 = arith.index_cast %j : index to i32
    %d = arith.subi %row, %j32 : i32
    %f = arith.sitofp %d : i32 to f32
    linalg.yield %f : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e_want : memref<8x128xf32>) {
  ^bb0(%none: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %column = memref.load %list[%j] : memref<128xi32>
    %i32 = arith.index_cast %i : index to i32
    %d = arith.subi %column, %i32 : i32
    %f = arith.sitofp %d : i32 to f32
    linalg.yield %f : f32
  }
  tile_host.launch @told(%list, %a, %b, %c) : memref<128xi32>, memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>
  tile_host.launch @beside(%list, %e) : memref<128xi32>, memref<8x128xf32>
  tile_host.expect_close %c, %c_want : memref<64x64xf32>, memref<64x64xf32>
  tile_host.expect_close %e, %e_want : memref<8x128xf32>, memref<8x128xf32>
  return
}
