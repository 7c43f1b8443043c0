// A failed check names the worst element, its values and the tolerance, and stops the program.
// RUN: not tile-run %s --target=cpu 2>&1 | FileCheck %s
// CHECK: expect-close-invalid.mlir:[[#@LINE+12]]:3: error: expected 0 within atol 0.25 and rtol 0 at [3, 1], found 1; 1 of 8
// CHECK-NOT: {{^}}4x2xf32
func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %x = tile_host.alloc() : () -> memref<4x2xf32>
  %y = tile_host.alloc() : () -> memref<4x2xf32>
  memref.store %one, %x[%c3, %c1] : memref<4x2xf32>
  // Within the tolerance in one place, out of it in the other.
  %little = arith.constant 0.1 : f32
  memref.store %little, %x[%c1, %c1] : memref<4x2xf32>
  tile_host.expect_close %x, %y {atol = 0.25} : memref<4x2xf32>, memref<4x2xf32>
  tile_host.dump %x : memref<4x2xf32>
  return
}
