// A kernel that writes over what the C library keeps behind its array, which is found when that is
// freed, behind the program: the message says what looks for such accesses.
// UNSUPPORTED: asan
// RUN: not tile-run %s --target=cpu --args 1008 2>&1 | FileCheck %s
// RUN: not tile-run %s --target=cpu --args 1008 --check 2>&1 | FileCheck %s --check-prefix=CHECKED
// CHECK: error: expected {{the program|what follows the program}} to end, found {{an abort|a segmentation fault.*}}; --check tests what kernels access
// CHECKED: error: expected an element of %out (1000xi64), 0 to 999, found element 1000 written by program (0, 0, 0)
tile.func @fill(%out: !tile.ptr<i64>, %n: i32) {
  tile.grid = %n ceildiv 1024
  %offs = tile.expr program_id(x) * 1024 + arange(1024)
  %in = tile.expr %offs < %n
  %p = tile.expr %out + %offs
  %ones = tile.expr -1 : tensor<1024xi64>
  tile.store %p, %ones, %in
  tile.return
}

func.func @main(%n: i32) {
  %length = arith.constant 1000 : i32
  %out = tile_host.alloc(%length) : (i32) -> memref<?xi64>
  tile_host.launch @fill(%out, %n) : memref<?xi64>, i32
  return
}
