// What a kernel's grid calls would be called by whoever launches it.
// RUN: not tile-run %s --kernel k --arg 1 --target=cpu --allow-extern 2>&1 | FileCheck %s
// RUN: not tile-run %s --target=cpu --allow-extern 2>&1 | FileCheck %s
// CHECK: grid-invalid.mlir:[[#@LINE+4]]:10: error: expected arithmetic in tile.grid and tile.cost, found 'func.call'
func.func private @getpid() -> i32
tile.func @k(%x: i32) {
  tile.grid() {
    %n = func.call @getpid() : () -> i32
    tile.yield %n : i32
  }
  tile.return
}
func.func @main() {
  %x = arith.constant 1 : i32
  tile_host.launch @k(%x) : i32
  return
}
