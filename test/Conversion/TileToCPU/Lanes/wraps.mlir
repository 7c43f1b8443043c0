// A mask whose sums wrap is not all true, though the numbers without an end that a tile is tested by say so: in 32 bits, also
// where they are extended behind that, from one chunk of lanes to the next.
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: [7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 {{.*}}]
// CHECK: [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7]

tile.func @sums(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i32) {
  tile.grid = 1
  %lane = tile.arange : tensor<16xi32>
  %one = tile.expr %lane + %n
  %two = tile.expr %one + %n
  %end = tile.splat %n : i32 -> tensor<16xi32>
  %in = arith.cmpi sgt, %two, %end : tensor<16xi32>
  %seven = arith.constant dense<7> : tensor<16xi32>
  %xp = tile.expr %x + %lane
  %v = tile.load %xp, %in, %seven : tensor<16x!tile.ptr<i32>>
  %outp = tile.expr %out + %lane
  tile.store %outp, %v : tensor<16x!tile.ptr<i32>>
  tile.return
}

tile.func @extended(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %n: i32) {
  tile.grid = 1
  %lane = tile.arange : tensor<32xi32>
  %sum = tile.expr %lane + %n
  %wide = arith.extsi %sum : tensor<32xi32> to tensor<32xi64>
  %none = arith.constant dense<0> : tensor<32xi64>
  %in = arith.cmpi sge, %wide, %none : tensor<32xi64>
  %seven = arith.constant dense<7> : tensor<32xi32>
  %xp = tile.expr %x + %lane
  %v = tile.load %xp, %in, %seven : tensor<32x!tile.ptr<i32>>
  %outp = tile.expr %out + %lane
  tile.store %outp, %v : tensor<32x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %size = arith.constant 32 : i32
  %x = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %out = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %near = arith.constant 2147483632 : i32
  %nearer = arith.constant 2147483632 : i32
  tile_host.launch @sums(%x, %out, %near) : memref<?xi32>, memref<?xi32>, i32
  tile_host.dump %out : memref<?xi32>
  tile_host.launch @extended(%x, %out, %nearer) : memref<?xi32>, memref<?xi32>, i32
  tile_host.dump %out : memref<?xi32>
  return
}
