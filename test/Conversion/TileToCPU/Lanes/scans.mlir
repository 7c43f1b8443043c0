// Scans along the last dimension chunk by chunk, of lengths that vectors do not divide, forwards and backwards, of pairs whose
// order matters, against the host's own.
//
// RUN: tile-opt %s --convert-tile-to-cpu=vector-bits=256 | FileCheck %s --check-prefix=CODE
// RUN: tile-run %s --target=cpu --repeat 1 --args 5 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 --args 5 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 3 comparisons

// Lanes are combined at distances of 1, 2 and 4, and with the last of the chunk before.
// CODE-LABEL: func.func @sums
// CODE: llvm.load volatile
// CODE-COUNT-3: arith.cmpi slt, %{{.*}} : vector<8xi32>
// CODE-COUNT-3: vector.shuffle
// CODE: scf.for
// CODE-COUNT-4: vector.shuffle
// CODE: llvm.intr.masked.load
// CODE: return
tile.func @sums(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) {
  tile.grid = 5
  %at = tile.expr program_id(x) * 53 + arange(53)
  %from = tile.expr %x + %at
  %v = tile.load %from : tensor<53x!tile.ptr<i32>>
  %sums = tile.scan add %v axis 0 : tensor<53xi32> -> tensor<53xi32>
  %to = tile.expr %y + %at
  tile.store %to, %sums : tensor<53x!tile.ptr<i32>>
  tile.return
}

tile.func @backwards(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) {
  tile.grid = 5
  %at = tile.expr program_id(x) * 48 + arange(48)
  %from = tile.expr %x + %at
  %v = tile.load %from : tensor<48x!tile.ptr<i32>>
  %sums = tile.scan add %v axis 0 {reverse} : tensor<48xi32> -> tensor<48xi32>
  %to = tile.expr %y + %at
  tile.store %to, %sums : tensor<48x!tile.ptr<i32>>
  tile.return
}

// x[i] = a[i] * x[i - 1] + b[i]: of (a, b) and (c, d) in that order, (a c, b c + d).
tile.func @recurrence(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) {
  tile.grid = 4
  %at = tile.expr program_id(x) * 64 + arange(64)
  %from = tile.expr %x + %at
  %v = tile.load %from : tensor<64x!tile.ptr<i32>>
  %three = tile.expr %v * 0 + 3
  %p, %s = tile.scan %three, %v axis 0 : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>, tensor<64xi32> {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %ac = arith.muli %a, %c : i32
    %bc = arith.muli %b, %c : i32
    %e = arith.addi %bc, %d : i32
    tile.yield %ac, %e : i32, i32
  }
  %to = tile.expr %y + %at
  tile.store %to, %s : tensor<64x!tile.ptr<i32>>
  tile.return
}

func.func @main(%n: i32) {
  %size = arith.constant 265 : i32
  %x = tile_host.random(%size) seed 1 : (i32) -> memref<?xi32>
  %a = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wa = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %b = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wb = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %c = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  %wc = tile_host.alloc(%size) : (i32) -> memref<?xi32>
  tile_host.launch @sums(%x, %a) : memref<?xi32>, memref<?xi32>
  tile_host.launch @backwards(%x, %b) : memref<?xi32>, memref<?xi32>
  tile_host.launch @recurrence(%x, %c) : memref<?xi32>, memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c47 = arith.constant 47 : index
  %c48 = arith.constant 48 : index
  %c53 = arith.constant 53 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  scf.for %p = %c0 to %c5 step %c1 {
    %first = arith.muli %p, %c53 : index
    %all = scf.for %i = %c0 to %c53 step %c1 iter_args(%sum = %zero) -> i32 {
      %k = arith.addi %first, %i : index
      %v = memref.load %x[%k] : memref<?xi32>
      %next = arith.addi %sum, %v : i32
      memref.store %next, %wa[%k] : memref<?xi32>
      scf.yield %next : i32
    }
    %begin = arith.muli %p, %c48 : index
    %end = arith.addi %begin, %c47 : index
    %back = scf.for %i = %c0 to %c48 step %c1 iter_args(%sum = %zero) -> i32 {
      %k = arith.subi %end, %i : index
      %v = memref.load %x[%k] : memref<?xi32>
      %next = arith.addi %sum, %v : i32
      memref.store %next, %wb[%k] : memref<?xi32>
      scf.yield %next : i32
    }
  }
  scf.for %p = %c0 to %c4 step %c1 {
    %first = arith.muli %p, %c64 : index
    %all = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %zero) -> i32 {
      %k = arith.addi %first, %i : index
      %v = memref.load %x[%k] : memref<?xi32>
      %times = arith.muli %sum, %three : i32
      %next = arith.addi %times, %v : i32
      memref.store %next, %wc[%k] : memref<?xi32>
      scf.yield %next : i32
    }
  }
  tile_host.expect_close %a, %wa : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %b, %wb : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %c, %wc : memref<?xi32>, memref<?xi32>
  return
}
