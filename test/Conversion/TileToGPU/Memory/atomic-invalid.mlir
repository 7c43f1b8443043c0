// RUN: tile-opt %s --tile-set-target=arch=sm_80 --convert-tile-to-gpu --split-input-file --verify-diagnostics

tile.func @ticket(%p: !tile.ptr<i32>, %x: i32) {
  // expected-error@+1 {{expected a kernel with shared memory for an atomic result that several warps use (see tile-allocate-shared), found none}}
  %old = tile.atomic_rmw add relaxed gpu %p, %x : !tile.ptr<i32>
  %t = arith.addi %old, %old : i32
  tile.return
}
