// Launches that differ are timed each, 64 of them; that there are more is told.
// RUN: tile-run %s --target=cpu --repeat 1 2> %t.err | count 64
// RUN: FileCheck %s --input-file=%t.err
// CHECK: many-launches.mlir:{{[0-9]+}}:5: remark: launches beyond 64 that differ are not timed
// CHECK-NEXT: tile_host.launch
// CHECK-NOT: remark
tile.func @store(%out: !tile.ptr<i32>, %value: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  tile.store %out, %value : !tile.ptr<i32>
  tile.return
}

func.func @main() {
  %c1 = arith.constant 1 : i32
  %c101 = arith.constant 101 : i32
  %out = tile_host.alloc(%c1) : (i32) -> memref<?xi32>
  scf.for %i = %c1 to %c101 step %c1 : i32 {
    tile_host.launch @store(%out, %i) : memref<?xi32>, i32
  }
  return
}
