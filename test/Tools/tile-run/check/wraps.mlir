// Arithmetic that wraps on purpose or promises not to, and lanes of one store that meet.
// RUN: not tile-run %s --check --check-limit 100 2>&1 | FileCheck %s --implicit-check-not=error:

!i = tensor<32xi32>
!p = tensor<32x!tile.ptr<i32>>

tile.func private @at(%x: !tile.ptr<i32>, %offsets: !i) -> !p {
  %xs = tile.splat %x : !tile.ptr<i32> -> !p
  %xp = tile.addptr %xs, %offsets : !p, !i
  tile.return %xp : !p
}

// A hash chooses the element: what is marked is not tested, but what it is made of is.
// CHECK: error: expected a number of 32 bits, found 2147483647 + 1 in program (0, 0, 0) at 31 lanes from [1] to [31]{{$}}
// CHECK-NEXT: %far = arith.addi
tile.func @hash(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !i
  %golden = arith.constant dense<0x9E3779B9> : !i
  %most = arith.constant dense<2147483647> : !i
  %shift = arith.constant dense<27> : !i
  %mixed = arith.muli %lane, %golden {tile.wraps} : !i
  %near = arith.shrui %mixed, %shift : !i
  // The registers of PTX wrap, too, and those of 64 bits that are made of them.
  %turned = tile.inline_ptx "shf.l.wrap.b32 $0, $1, $2, 7; add.s32 $0, $0, $0; mul.lo.s32 $0, $0, $0;" constraints "=r,r,r" pure (%mixed, %mixed) : (!i, !i) -> !i
  %place = arith.shrui %turned, %shift : !i
  %xr = tile.call @at(%x, %place) : (!tile.ptr<i32>, !i) -> !p
  %u = tile.load %xr : !p
  %xp = tile.call @at(%x, %near) : (!tile.ptr<i32>, !i) -> !p
  %v = tile.load %xp : !p
  %far = arith.addi %most, %lane : !i
  %again = arith.muli %far, %golden {tile.wraps} : !i
  %more = arith.shrui %again, %shift : !i
  %xq = tile.call @at(%x, %more) : (!tile.ptr<i32>, !i) -> !p
  %w = tile.load %xq : !p
  %both = arith.addi %v, %w : !i
  %sum = arith.addi %both, %u : !i
  %yp = tile.call @at(%y, %lane) : (!tile.ptr<i32>, !i) -> !p
  tile.store %yp, %sum : !p
  tile.return
}

// A flag is a promise, wherever the op stands; what is data and has none may wrap.
// CHECK: error: expected a number of 32 bits, found 2147483647 + 1 in program (0, 0, 0) at 31 lanes from [1] to [31]{{$}}
// CHECK-NEXT: %signed = arith.addi
// CHECK: error: expected a number of 32 bits, found 4294967295 + 1 in program (0, 0, 0) at 31 lanes from [1] to [31]{{$}}
// CHECK-NEXT: %all = arith.addi
tile.func @flags(%y: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !i
  %most = arith.constant dense<2147483647> : !i
  %ones = arith.constant dense<-1> : !i
  %wrapped = arith.addi %most, %lane : !i
  %signed = arith.addi %most, %lane overflow<nsw> : !i
  %unsigned = arith.addi %most, %lane overflow<nuw> : !i
  %below = arith.addi %ones, %lane overflow<nsw> : !i
  %all = arith.addi %ones, %lane overflow<nuw> : !i
  %a = arith.addi %wrapped, %signed : !i
  %b = arith.addi %unsigned, %below : !i
  %c = arith.addi %a, %all : !i
  %sum = arith.addi %b, %c : !i
  %yp = tile.call @at(%y, %lane) : (!tile.ptr<i32>, !i) -> !p
  tile.store %yp, %sum : !p
  tile.return
}

// Two lanes share an element, of one chunk and of several: the same value is fine, another is not.
// CHECK: error: expected one value from all lanes for [0] of %y (32xi32), found 0 and 1 of program (0, 0, 0) at 16 lanes from [1] to [31]{{$}}
// CHECK-NEXT: tile.store %yp, %lane
// CHECK: error: expected one value from all lanes for [0] of %y (32xi32), found 0 and 16 of program (0, 0, 0) at 16 lanes from [16] to [31]{{$}}
// CHECK-NEXT: tile.store %yq, %lane
tile.func @meet(%y: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : !i
  %two = arith.constant dense<2> : !i
  %sixteen = arith.constant dense<16> : !i
  %half = arith.divsi %lane, %two : !i
  %rest = arith.remsi %lane, %sixteen : !i
  %yp = tile.call @at(%y, %half) : (!tile.ptr<i32>, !i) -> !p
  %yq = tile.call @at(%y, %rest) : (!tile.ptr<i32>, !i) -> !p
  tile.store %yp, %half : !p
  tile.store %yq, %rest : !p
  tile.store %yp, %lane : !p
  tile.store %yq, %lane : !p
  tile.return
}

// CHECK: check: 3 launches, 3 programs: 5 errors, 0 warnings
// CHECK-COUNT-3: 1 overflow {{ *}}arith.addi
// CHECK-COUNT-2: 1 lanes that meet {{ *}}tile.store
func.func @main() {
  %n = arith.constant 32 : i32
  %x = tile_host.random(%n) seed 1 : (i32) -> memref<?xi32>
  %y = tile_host.alloc(%n) : (i32) -> memref<?xi32>
  tile_host.launch @hash(%x, %y) : memref<?xi32>, memref<?xi32>
  tile_host.launch @flags(%y) : memref<?xi32>
  tile_host.launch @meet(%y) : memref<?xi32>
  return
}
