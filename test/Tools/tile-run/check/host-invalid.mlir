// Host code beyond its arrays is found where it stands, and nothing beyond is touched.
// RUN: not tile-run %s --check --args 3 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not tile-run %s --check --args 1000000000 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: tile-run %s --check --args 2 2>&1 | FileCheck %s --check-prefix=FINE
// STORE: host-invalid.mlir:[[#@LINE+13]]:3: error: expected host code to keep to its arrays, found: out-of-bounds access
// STORE-NEXT: memref.store
// LOAD: host-invalid.mlir:[[#@LINE+10]]:8: error: expected host code to keep to its arrays, found: out-of-bounds access
// STORE: check: 0 launches, 0 programs: ended by an error, nothing found before
// FINE: check: 0 launches, 0 programs: nothing found
func.func @main(%n: i32) {
  %a = tile_host.alloc() : () -> memref<4xf32>
  %one = arith.constant 1 : index
  %k = arith.index_cast %n : i32 to index
  %next = arith.addi %k, %one : index
  %f = arith.constant 1.0 : f32
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %v = memref.load %a[%k] : memref<4xf32>
  memref.store %v, %a[%next] : memref<4xf32>
  return
}
