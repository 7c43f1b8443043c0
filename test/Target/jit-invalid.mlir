// A function that is nowhere is found missing before the program starts.
// RUN: not tile-run %s --target=cpu --allow-extern 2>&1 | FileCheck %s
// CHECK-NOT: 1xf32
// CHECK: error: expected code that can be linked into this process, found: Symbols not found: [ nowhere ]
func.func private @nowhere()
func.func @main() {
  %x = tile_host.alloc() : () -> memref<1xf32>
  tile_host.dump %x : memref<1xf32>
  func.call @nowhere() : () -> ()
  return
}
