// The facts of a launch are those of the first that @main makes: what follows it is not compiled, which here could not be linked.
//
// RUN: tile-run %s --kernel first --args 64 --emit=ptx --arch sm_90a --allow-extern | FileCheck %s --check-prefix=FIRST
//
// A kernel that a function launches: its calls stay.
// RUN: not tile-run %s --kernel second --args 64 --emit=ptx --arch sm_90a --allow-extern 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: sed '/@nowhere/d' %s >%t.mlir
// RUN: tile-run %t.mlir --kernel second --args 64 --emit=ptx --arch sm_90a | FileCheck %s --check-prefix=SECOND
//
// One that is not launched after all.
// RUN: not tile-run %s --kernel third --args 64 --emit=ptx --arch sm_90a --allow-extern 2>&1 | FileCheck %s --check-prefix=THIRD
//
// FIRST: .entry first(
// LINK: error: expected code that can be linked into this process, found: Symbols not found: [ nowhere ]
// SECOND: .entry second(
// THIRD: error: expected @main to launch 'third', found no launch of it

tile.func @first(%x: !tile.ptr<f32>) {
  tile.grid = 1
  tile.return
}

tile.func @second(%x: !tile.ptr<f32>) {
  tile.grid = 1
  tile.return
}

tile.func @third(%x: !tile.ptr<f32>) {
  tile.grid = 1
  tile.return
}

func.func private @nowhere()

func.func @helper(%x: memref<?xf32>) {
  tile_host.launch @second(%x)
  return
}

func.func @main(%n: i32) -> i32 {
  %x = tile_host.alloc(%n) -> memref<?xf32>
  %none = arith.constant false
  scf.if %none {
    tile_host.launch @third(%x)
  }
  tile_host.launch @first(%x)
  func.call @helper(%x) : (memref<?xf32>) -> ()
  func.call @nowhere() : () -> ()
  return %n : i32
}
