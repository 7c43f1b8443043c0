// Of rows of 33, the last chunk has one lane for vectors of any width: LLVM 22.1 would store it before its truncation,
// and overwrite its neighbour.
//
// RUN: tile-run %s --target=cpu --emit=llvm --kernel=narrow | FileCheck %s --check-prefix=LLVM
// LLVM: store <{{[0-9]+}} x i16>
// LLVM: store i16 %{{.*}}, ptr %{{.*}}, align
// LLVM-NOT: call void @llvm.masked.store
//
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// CHECK: [ 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 -1 -1 -1]

tile.func @narrow(%y: !tile.ptr<i16>, %factor: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<33xi32>
  %factors = tile.splat %factor : i32 -> tensor<33xi32>
  %wide = arith.muli %lane, %factors : tensor<33xi32>
  %v = arith.trunci %wide : tensor<33xi32> to tensor<33xi16>
  %ys = tile.splat %y : !tile.ptr<i16> -> tensor<33x!tile.ptr<i16>>
  %p = tile.addptr %ys, %lane : tensor<33x!tile.ptr<i16>>, tensor<33xi32>
  tile.store %p, %v : tensor<33x!tile.ptr<i16>>
  tile.return
}

// 0x10001 times i: its lower half is i, its upper half not 0.
func.func @main() {
  %n = arith.constant 36 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  %minus = arith.constant -1 : i16
  %factor = arith.constant 65537 : i32
  %y = tile_host.alloc(%n) : (i32) -> memref<?xi16>
  scf.for %i = %c0 to %c36 step %c1 {
    memref.store %minus, %y[%i] : memref<?xi16>
  }
  tile_host.launch @narrow(%y, %factor) : memref<?xi16>, i32
  tile_host.dump %y : memref<?xi16>
  return
}
