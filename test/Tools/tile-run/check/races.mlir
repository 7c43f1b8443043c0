// What programs do to each other, and what one says of itself that is not so.
// RUN: not tile-run %s --check --check-limit 100 2>&1 | FileCheck %s

!i = tensor<8xi32>

// Four programs shift an array by one in place: each reads what the next one writes.
// CHECK: races.mlir:[[#@LINE+11]]:3: error: expected no program to read what another writes, found [1] of %x (5xi32) read by program (0, 0, 0) and written by program (1, 0, 0){{$}}
tile.func @shift(%x: !tile.ptr<i32>) {
  tile.grid() {
    %four = arith.constant 4 : i32
    tile.yield %four : i32
  }
  %one = arith.constant 1 : i32
  %pid = tile.program_id x
  %to = tile.addptr %x, %pid : !tile.ptr<i32>, i32
  %from = tile.addptr %to, %one : !tile.ptr<i32>, i32
  %v = tile.load %from : !tile.ptr<i32>
  tile.store %to, %v : !tile.ptr<i32>
  tile.return
}

// The other way round, what was written is read.
// CHECK: error: expected no program to read what another writes, found [1] of %x (5xi32) written by program (0, 0, 0) and read by program (1, 0, 0){{$}}
// CHECK-NEXT: %v = tile.load %from
tile.func @back(%x: !tile.ptr<i32>) {
  tile.grid() {
    %four = arith.constant 4 : i32
    tile.yield %four : i32
  }
  %one = arith.constant 1 : i32
  %pid = tile.program_id x
  %from = tile.addptr %x, %pid : !tile.ptr<i32>, i32
  %to = tile.addptr %from, %one : !tile.ptr<i32>, i32
  %v = tile.load %from : !tile.ptr<i32>
  tile.store %to, %v : !tile.ptr<i32>
  tile.return
}

// CHECK: error: expected "what tile.assume says", found it false in program (0, 0, 0){{$}}
// CHECK-NEXT: tile.assume %small
// CHECK: error: expected "indices within the tile", found it false in program (0, 0, 0) at 2 lanes from [0] to [7]{{$}}
// CHECK-NEXT: tile.gather
tile.func @says(%x: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %four = arith.constant 4 : i32
  %small = arith.cmpi slt, %n, %four : i32
  tile.assume %small
  %lane = tile.arange : !i
  %indices = arith.constant dense<[-1, 0, 7, 3, 4, 5, 6, 8]> : !i
  %g = tile.gather %lane, %indices axis 0 : !i, !i -> !i
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %lane : tensor<8x!tile.ptr<i32>>, !i
  tile.store %xp, %g : tensor<8x!tile.ptr<i32>>
  tile.return
}

// CHECK: error: expected results that were written, found 4 elements of %nobodys (4xf32) that nobody has, the first [0]{{$}}
func.func @main() {
  %seven = arith.constant 7 : i32
  %x = tile_host.alloc() : () -> memref<5xi32>
  linalg.fill ins(%seven : i32) outs(%x : memref<5xi32>)
  tile_host.launch @shift(%x) : memref<5xi32>
  tile_host.launch @back(%x) : memref<5xi32>
  %y = tile_host.alloc() : () -> memref<8xi32>
  tile_host.launch @says(%y, %seven) : memref<8xi32>, i32
  %nobodys = tile_host.alloc() : () -> memref<4xf32>
  tile_host.dump %nobodys : memref<4xf32>
  return
}
