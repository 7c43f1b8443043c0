// A file from a stranger. Run by tile-run, its host program calls the C library; neither tile-opt, nor --emit, nor
// --no-host, nor the language server runs anything of it.
// RUN: not tile-run %s --target=cpu 2>&1 | FileCheck %s --check-prefix=EXTERN
// RUN: not tile-run %s --check 2>&1 | FileCheck %s --check-prefix=EXTERN
// RUN: not tile-run %s --bench --target=cpu 2>&1 | FileCheck %s --check-prefix=EXTERN
// RUN: not tile-run %s --emit=ptx --args '' 2>&1 | FileCheck %s --check-prefix=EXTERN
// EXTERN: hostile.mlir:[[#@LINE+14]]:1: error: expected functions with a body (or --allow-extern, for host programs that may call any function of this process), found 'getpid' without one

// It is asked for, and happens: with its number for a status the program is not one that returned 0.
// RUN: not tile-run %s --target=cpu --allow-extern 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: error: expected @main to return 0, found {{[1-9]}}

// The kernels alone.
// RUN: not tile-run %s --no-host --target=cpu 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --no-host --target=cpu --kernel fill --arg zeros:i32[8] | FileCheck %s --check-prefix=KERNEL
// RUN: not tile-run %s --no-host --allow-extern 2>&1 | FileCheck %s --check-prefix=BOTH
// NONE: error: expected a host program func.func @main, or an --arg for each argument of a kernel, found neither
// KERNEL: cpu ({{.*}}): fill(
// BOTH: expected --no-host or --allow-extern, found both

func.func private @getpid() -> i32

llvm.mlir.global_ctors ctors = [@before], priorities = [0 : i32], data = [#llvm.zero]
llvm.func @before() {
  llvm.return
}

tile.func @fill(%x: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<8xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %lane : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  tile.store %xp, %lane : tensor<8x!tile.ptr<i32>>
  tile.return
}

func.func @main() -> i32 {
  %id = func.call @getpid() : () -> i32
  return %id : i32
}
