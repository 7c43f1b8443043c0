// `null` is an array without elements, of whatever type the kernel wants: what it reads there is a finding.
// RUN: tile-run %s --target=cpu --repeat 1 --kernel k --arg null --arg zeros:i32[2]:out=%t.npy --arg 0 && ls %t.npy
// RUN: not tile-run %s --check --kernel k --arg null --arg zeros:i32[2] --arg 1 2>&1 | FileCheck %s
// RUN: not tile-run %s --target=cpu --kernel k --arg null --arg null --arg null 2>&1 | FileCheck %s --check-prefix=NUMBER
// CHECK: error: expected an element of %bias (0xf32), 0 to -1, found element 0 read by program (0, 0, 0)
// NUMBER: error: expected a value of type i32 for argument 2, found 'null'
tile.func @k(%bias: !tile.ptr<f32>, %z: !tile.ptr<i32>, %has: i32) {
  tile.grid(%has : i32) {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %zero = arith.constant 0 : i32
  %in = arith.cmpi ne, %has, %zero : i32
  %v = tile.load %bias, %in : !tile.ptr<f32>
  %i = arith.fptosi %v : f32 to i32
  tile.store %z, %i : !tile.ptr<i32>
  tile.return
}
