// RUN: tile-opt %s --tile-set-target=arch=sm_80 --convert-tile-to-gpu --split-input-file --verify-diagnostics

tile.func @ticket(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error@+1 {{expected a kernel with shared memory for an atomic result that several warps use (see tile-allocate-shared), found none}}
  %old = tile.atomic_rmw add relaxed gpu %p, %x : !tile.ptr<i32>
  %t = arith.addi %old, %old : i32
  tile.return
}

// -----

#p = #tile_gpu.layout<register = [[1]], lane = [[2], [4], [8], [16], [3]], warp = []>
tile.func @permuted(%x: !tile.ptr<f32>, %v: f32) attributes {tile.num_warps = 1 : i32} {
  %a = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #p>
  %b = tile.splat %v : f32 -> tensor<32xf32, #p>
  // expected-error @+1 {{expected copies of a tile to be whole, found a permuted copy}}
  %old = tile.atomic_rmw fadd relaxed gpu %a, %b : tensor<32x!tile.ptr<f32>, #p>
  tile.return
}
