// An array of 2^31 + 4096 bytes: its end is reached by one 64-bit offset and by 32-bit ones that add
// up, and nothing near its start is touched by an offset that lost its upper half.
//
// The CPU touches few of its pages. Needs 2 GiB of address space there, of memory on the GPU.
//
// RUN: tile-run %s --target=cpu --repeat=1 | FileCheck %s
// RUN: %if hardware %{ tile-run %s --target=gpu --repeat=1 | FileCheck %s %}
// CHECK: far

tile.func @far(%x: !tile.ptr<i8>, %n: i64) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %lane = tile.arange : tensor<1024xi32>
  %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %last = arith.constant 1024 : i64
  %from = arith.subi %n, %last : i64
  %base = tile.splat %from : i64 -> tensor<1024xi64>
  %offs = arith.addi %base, %wide : tensor<1024xi64>
  %end = tile.splat %n : i64 -> tensor<1024xi64>
  %in = arith.cmpi slt, %offs, %end : tensor<1024xi64>
  %xs = tile.splat %x : !tile.ptr<i8> -> tensor<1024x!tile.ptr<i8>>
  %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<i8>>, tensor<1024xi64>
  %one = arith.constant dense<1> : tensor<1024xi32>
  %number = arith.addi %lane, %one : tensor<1024xi32>
  %byte = arith.trunci %number : tensor<1024xi32> to tensor<1024xi8>
  tile.store %xp, %byte, %in : tensor<1024x!tile.ptr<i8>>

  // 2^30 + 2^30 + lane: reads nothing but zeros, and leaves 7 there.
  %giga = arith.constant 1073741824 : i32
  %p1 = tile.addptr %x, %giga : !tile.ptr<i8>, i32
  %p2 = tile.addptr %p1, %giga : !tile.ptr<i8>, i32
  %ps = tile.splat %p2 : !tile.ptr<i8> -> tensor<1024x!tile.ptr<i8>>
  %pp = tile.addptr %ps, %lane : tensor<1024x!tile.ptr<i8>>, tensor<1024xi32>
  %seven = arith.constant dense<7> : tensor<1024xi8>
  %was = tile.load %pp : tensor<1024x!tile.ptr<i8>>
  %now = arith.addi %was, %seven : tensor<1024xi8>
  tile.store %pp, %now : tensor<1024x!tile.ptr<i8>>
  tile.return
}

func.func @main() -> i32 {
  %n = arith.constant 2147487744 : index
  %n64 = arith.constant 2147487744 : i64
  %x = tile_host.alloc(%n) : (index) -> memref<?xi8>
  tile_host.launch @far(%x, %n64) : memref<?xi8>, i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 1024 : index
  %giga2 = arith.constant 2147483648 : index
  %tail = arith.constant 2147486720 : index
  %head = arith.constant 8192 : index
  %zero = arith.constant 0 : i8
  %seven = arith.constant 7 : i8
  %none = arith.constant 0 : i32
  %wrong = scf.for %i = %c0 to %count step %c1 iter_args(%w = %none) -> i32 {
    %at = arith.addi %tail, %i : index
    %v = memref.load %x[%at] : memref<?xi8>
    %i1 = arith.addi %i, %c1 : index
    %want = arith.index_cast %i1 : index to i8
    %bad0 = arith.cmpi ne, %v, %want : i8
    %at2 = arith.addi %giga2, %i : index
    %u = memref.load %x[%at2] : memref<?xi8>
    %bad1 = arith.cmpi ne, %u, %seven : i8
    %bad = arith.ori %bad0, %bad1 : i1
    %one = arith.extui %bad : i1 to i32
    %next = arith.addi %w, %one : i32
    scf.yield %next : i32
  }
  %all = scf.for %i = %c0 to %head step %c1 iter_args(%w = %wrong) -> i32 {
    %v = memref.load %x[%i] : memref<?xi8>
    %bad = arith.cmpi ne, %v, %zero : i8
    %one = arith.extui %bad : i1 to i32
    %next = arith.addi %w, %one : i32
    scf.yield %next : i32
  }
  return %all : i32
}
