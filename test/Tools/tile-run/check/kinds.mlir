// What --check finds, a kernel a kind, with what must not be found beside it. A finding prints the
// line of its op: that is how the checks below know which it is.
//
// RUN: not tile-run %s --check --check-limit 100 2>&1 | FileCheck %s

!i = tensor<4xi32>
!b = tensor<4xi1>
!f = tensor<4xf32>
!p = tensor<4x!tile.ptr<f32>>
!pi = tensor<4x!tile.ptr<i32>>

/// program_id * 4 + 0 .. 3
tile.func private @offsets() -> !i {
  %four = arith.constant 4 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %four : i32
  %firsts = tile.splat %first : i32 -> !i
  %lanes = tile.arange : !i
  %offs = arith.addi %firsts, %lanes : !i
  tile.return %offs : !i
}
tile.func private @floats(%x: !tile.ptr<f32>, %offs: !i) -> !p {
  %xs = tile.splat %x : !tile.ptr<f32> -> !p
  %xp = tile.addptr %xs, %offs : !p, !i
  tile.return %xp : !p
}
tile.func private @ints(%x: !tile.ptr<i32>, %offs: !i) -> !pi {
  %xs = tile.splat %x : !tile.ptr<i32> -> !pi
  %xp = tile.addptr %xs, %offs : !pi, !i
  tile.return %xp : !pi
}

// The second of two programs reads 4 .. 7 of 6; the first writes from -1 on.
// CHECK: error: expected an element of %y (6xf32), 0 to 5, found element -1 written by program (0, 0, 0) at lane [0]{{$}}
// CHECK-NEXT: tile.store %yp, %v {below}
// CHECK: error: expected an element of %x (6xf32), 0 to 5, found element 6 read by program (1, 0, 0) at 2 lanes from [2] to [3]{{$}}
// CHECK-NEXT: %v = tile.load %xp {beyond}
// CHECK: error: expected an element of %y (6xf32), 0 to 5, found element 6 written by program (1, 0, 0) at lane [3]{{$}}
tile.func @outside(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two : i32
  }
  %offs = tile.call @offsets() : () -> !i
  %xp = tile.call @floats(%x, %offs) : (!tile.ptr<f32>, !i) -> !p
  %v = tile.load %xp {beyond} : !p
  %minus = arith.constant dense<-1> : !i
  %lower = arith.addi %offs, %minus : !i
  %yp = tile.call @floats(%y, %lower) : (!tile.ptr<f32>, !i) -> !p
  tile.store %yp, %v {below} : !p
  tile.return
}

// Scalars and atomics alike; what does not run gives 0 and leaves the array as it is.
// CHECK: error: expected an element of %x (2xi32), 0 to 1, found element 2 changed atomically by program (0, 0, 0) at 2 lanes from [2] to [3]{{$}}
// CHECK: error: expected an element of %x (2xi32), 0 to 1, found element 2 changed atomically by program (0, 0, 0) at 2 lanes from [2] to [3]{{$}}
// CHECK: error: expected an element of %x (2xi32), 0 to 1, found element 5 read by program (0, 0, 0){{$}}
tile.func @outside_atomics(%x: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %offs = tile.call @offsets() : () -> !i
  %xp = tile.call @ints(%x, %offs) : (!tile.ptr<i32>, !i) -> !pi
  %old = tile.atomic_rmw add relaxed gpu %xp, %offs : !pi
  %again = tile.atomic_cas relaxed gpu %xp, %old, %old : !pi
  %five = arith.constant 5 : i32
  %far = tile.addptr %x, %five : !tile.ptr<i32>, i32
  %v = tile.load %far : !tile.ptr<i32>
  tile.store %x, %v : !tile.ptr<i32>
  tile.return
}

// x was filled by the host, z by nobody: 4 .. 7 is read before it is written, 0 .. 3 after. Masked
// lanes read nothing.
// CHECK: error: expected an element that was written, found [1, 0] of %z (2x4xf32) read by program (0, 0, 0) at 3 lanes from [0] to [2]{{$}}
// CHECK-NEXT: %w = tile.load %zq, %in {nobody}
tile.func @unwritten(%x: !tile.ptr<f32>, %z: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %offs = tile.call @offsets() : () -> !i
  %xp = tile.call @floats(%x, %offs) : (!tile.ptr<f32>, !i) -> !p
  %zp = tile.call @floats(%z, %offs) : (!tile.ptr<f32>, !i) -> !p
  %v = tile.load %xp : !p
  tile.store %zp, %v : !p
  %u = tile.load %zp : !p
  %four = arith.constant dense<4> : !i
  %three = arith.constant dense<3> : !i
  %in = arith.cmpi slt, %offs, %three : !i
  %zq = tile.addptr %zp, %four : !p, !i
  %w = tile.load %zq, %in {nobody} : !p
  %sum = arith.addf %u, %w : !f
  tile.store %zq, %sum : !p
  tile.return
}

// Three programs write x[0 .. 3]: the first two the same, the third its own number; and each adds to
// a counter, which is no conflict.
// CHECK: error: expected one value from all programs for [0] of %x (4xi32), found 1 of program (0, 1, 0) and 2 of program (0, 2, 0) at 4 lanes from [0] to [3]{{$}}
// CHECK-NEXT: tile.store %xp, %vs {differs}
tile.func @conflict(%x: !tile.ptr<i32>, %count: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    tile.yield %one, %three : i32, i32
  }
  %one = arith.constant 1 : i32
  %y = tile.program_id y
  %v = arith.maxsi %y, %one : i32
  %vs = tile.splat %v : i32 -> !i
  %lanes = tile.arange : !i
  %xp = tile.call @ints(%x, %lanes) : (!tile.ptr<i32>, !i) -> !pi
  tile.store %xp, %vs {differs} : !pi
  %old = tile.atomic_rmw add relaxed gpu %count, %one : !tile.ptr<i32>
  tile.return
}

// 65536 * 65536 does not fit: as a product it is reported, in an offset in 64 bits it is not. A sum
// that is data may wrap.
// CHECK: error: expected a number of 32 bits, found 65536 * 65536 in program (0, 0, 0){{$}}
// CHECK-NEXT: %wraps = arith.muli %n, %n {narrow}
// CHECK: error: expected a number of 32 bits, found 2 + 2147483646 in program (0, 0, 0) at 2 lanes from [2] to [3]{{$}}
// CHECK-NEXT: %past = arith.addi %lanes, %mosts
// CHECK: error: expected a number of 32 bits, found 4294967296 in program (0, 0, 0){{$}}
// CHECK-NEXT: %cut = arith.trunci %wide
tile.func @overflow(%x: !tile.ptr<i32>, %n: i32) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %wraps = arith.muli %n, %n {narrow} : i32
  %at = tile.addptr %x, %wraps : !tile.ptr<i32>, i32
  %v = tile.load %at : !tile.ptr<i32>
  %n64 = arith.extsi %n : i32 to i64
  %wide = arith.muli %n64, %n64 : i64
  %lanes = tile.arange : !i
  %most = arith.constant 2147483646 : i32
  %mosts = tile.splat %most : i32 -> !i
  %past = arith.addi %lanes, %mosts : !i
  %zeros = arith.constant dense<0> : !i
  %in = arith.cmpi slt, %past, %zeros : !i
  %cut = arith.trunci %wide : i64 to i32
  %q = tile.addptr %x, %cut : !tile.ptr<i32>, i32
  %u = tile.load %q : !tile.ptr<i32>
  %data = arith.addi %u, %most : i32
  %more = arith.addi %data, %most : i32
  %datas = tile.splat %more : i32 -> !i
  %xp = tile.call @ints(%x, %lanes) : (!tile.ptr<i32>, !i) -> !pi
  tile.store %xp, %datas, %in : !pi
  tile.return
}

// CHECK: error: expected "below 6", found it false in program (1, 0, 0) at 2 lanes from [2] to [3]{{$}}
// CHECK-NEXT: tile.assert %in, "below 6"
// CHECK: error: expected "first program", found it false in program (1, 0, 0){{$}}
tile.func @asserts() {
  tile.grid() {
    %two = arith.constant 2 : i32
    tile.yield %two : i32
  }
  %offs = tile.call @offsets() : () -> !i
  %six = arith.constant dense<6> : !i
  %in = arith.cmpi slt, %offs, %six : !i
  tile.assert %in, "below 6" : !b
  %zero = arith.constant 0 : i32
  %pid = tile.program_id x
  %first = arith.cmpi eq, %pid, %zero : i32
  tile.assert %first, "first program" : i1
  tile.return
}

// Half of z is written; all of x was, by the host. Nobody asks for arrays that are only read.
// CHECK-NOT: warning
// CHECK: warning: expected each element of %x (4xi32) to be written by one program, found 4 that several write, the first [0]{{$}}
// CHECK-NEXT: tile.store %xp, %vs {differs}
// CHECK-NOT: warning
// CHECK: warning: expected all of %z (2x4xf32) to be written, found 4 of 8 elements that never are, the first [1, 0]{{$}}
// CHECK-NEXT: tile.store %zp, %ones {half}
// CHECK-NOT: warning
tile.func @incomplete(%x: !tile.ptr<f32>, %z: !tile.ptr<f32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %offs = tile.call @offsets() : () -> !i
  %xp = tile.call @floats(%x, %offs) : (!tile.ptr<f32>, !i) -> !p
  %zp = tile.call @floats(%z, %offs) : (!tile.ptr<f32>, !i) -> !p
  %ones = arith.constant dense<1.0> : !f
  tile.store %xp, %ones : !p
  tile.store %zp, %ones {half} : !p
  tile.return
}

// CHECK: check: 7 launches, 11 programs: 13 errors, 2 warnings, 15 of them printed above
// CHECK-DAG: 2 outside of the array tile.store
// CHECK-DAG: 1 outside of the array tile.load
// CHECK-DAG: 1 outside of the array tile.atomic_rmw
// CHECK-DAG: 1 outside of the array tile.atomic_cas
// CHECK-DAG: 1 never written before tile.load
// CHECK-DAG: 1 another value tile.store
// CHECK-DAG: 1 overflow arith.muli
// CHECK-DAG: 1 overflow arith.trunci
// CHECK-DAG: 1 assert tile.assert
// CHECK-DAG: 1 never written tile.store
// CHECK-DAG: 1 written twice tile.store
func.func @main() {
  %n = arith.constant 65536 : i32
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7 : i32
  %x = tile_host.random() seed 1 : () -> memref<6xf32>
  %y = tile_host.alloc() : () -> memref<6xf32>
  tile_host.launch @outside(%x, %y) : memref<6xf32>, memref<6xf32>
  %pair = tile_host.alloc() : () -> memref<2xi32>
  linalg.fill ins(%seven : i32) outs(%pair : memref<2xi32>)
  tile_host.launch @outside_atomics(%pair) : memref<2xi32>
  %z = tile_host.alloc() : () -> memref<2x4xf32>
  tile_host.launch @unwritten(%x, %z) : memref<6xf32>, memref<2x4xf32>
  %four = tile_host.alloc() : () -> memref<4xi32>
  %count = tile_host.alloc() : () -> memref<1xi32>
  tile_host.launch @conflict(%four, %count) : memref<4xi32>, memref<1xi32>
  tile_host.launch @overflow(%four, %n) : memref<4xi32>, i32
  tile_host.launch @asserts()
  %half = tile_host.alloc() : () -> memref<2x4xf32>
  tile_host.launch @incomplete(%x, %half) : memref<6xf32>, memref<2x4xf32>
  return
}
