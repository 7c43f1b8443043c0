// bf16 through masked loads, arithmetic and masked stores, against the host's own rounding.
//
// RUN: tile-run %s --target=cpu --repeat 1 --args 50 | FileCheck %s
// RUN: tile-run %s --target=cpu --repeat 1 --args 64 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 50 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

tile.func @twice(%x: !tile.ptr<bf16>, %y: !tile.ptr<bf16>, %n: i32) {
  tile.grid(%n : i32) {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<64xi32>
  %e = tile.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %l, %e : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>>
  %ys = tile.splat %y : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>>
  %xp = tile.addptr %xs, %l : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %yp = tile.addptr %ys, %l : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
  %v = tile.load %xp, %m : tensor<64x!tile.ptr<bf16>>
  %w = arith.addf %v, %v : tensor<64xbf16>
  tile.store %yp, %w, %m : tensor<64x!tile.ptr<bf16>>
  tile.return
}
func.func @main(%n: i32) {
  %x = tile_host.random(%n) seed 1 : (i32) -> memref<?xbf16>
  %y = tile_host.alloc(%n) : (i32) -> memref<?xbf16>
  %w = tile_host.alloc(%n) : (i32) -> memref<?xbf16>
  tile_host.launch @twice(%x, %y, %n) : memref<?xbf16>, memref<?xbf16>, i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<?xbf16>) outs(%w : memref<?xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %f = arith.extf %a : bf16 to f32
    %g = arith.addf %f, %f : f32
    %t = arith.truncf %g : f32 to bf16
    linalg.yield %t : bf16
  }
  tile_host.expect_close %y, %w : memref<?xbf16>, memref<?xbf16>
  return
}
