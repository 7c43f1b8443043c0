// A trap of PTX fails the launch where a program comes to it, as an assert does, and is nothing where none does; nobody need wait
// for nanosleep. What no instruction writes is any number.
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: sed 's/constant 63/constant 64/' %s > %t.mlir && not tile-run %t.mlir --target=cpu --repeat 1 2>&1 | FileCheck %s --check-prefix=TRAP
// CHECK: in 1 comparison
// TRAP: .mlir:[[# @LINE + 14]]:{{[0-9]+}}: error: expected assertion "trap" to hold

tile.func @copy(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %l = tile.arange : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %l : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %v = tile.load %xp : tensor<64x!tile.ptr<i32>>
  %limit = arith.constant 64 : i32
  %bad = arith.cmpi sge, %n, %limit : i32
  scf.if %bad {
    %none = tile.inline_ptx "trap; // nothing of $0" constraints "=r" () : () -> i32
  }
  %w = tile.inline_ptx "{ .reg .pred p; setp.gt.s32 p, $1, 1000; @p trap; nanosleep.u32 40; add.s32 $0, $1, 1; }" constraints "=r,r" (%v) : (tensor<64xi32>) -> tensor<64xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %l : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  tile.store %yp, %w : tensor<64x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %n = arith.constant 63 : i32
  %x = tile_host.random() seed 1 : () -> memref<64xi32>
  %y = tile_host.alloc() : () -> memref<64xi32>
  tile_host.launch @copy(%x, %y, %n) : memref<64xi32>, memref<64xi32>, i32
  %want = tile_host.alloc() : () -> memref<64xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xi32>) outs(%want : memref<64xi32>) {
  ^bb0(%a: i32, %b: i32):
    %one = arith.constant 1 : i32
    %sum = arith.addi %a, %one : i32
    linalg.yield %sum : i32
  }
  tile_host.expect_close %y, %want : memref<64xi32>, memref<64xi32>
  return
}
