// Floats as integers of 8 and 16 bits: beyond the range its end, NaN 0 (docs/dialect.md). What is expected
// is written by hand: 8 bits signed and unsigned, then 16.
// RUN: tile-run %s --target=cpu --repeat 1 | FileCheck %s
// RUN: %if gpu %{ tile-run %s --target=gpu --repeat 1 | FileCheck %s %}
// CHECK: largest error 0, relative 0, in 1 comparison

// What is converted, as bits, and what is to come of it.
tile.func @fill(%x: !tile.ptr<i32>, %want: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %n = tile.arange : tensor<32xi32>
  %bits = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0x00000000, 0x80000000, 0x3F7D70A4, 0xBF7D70A4, 0x42FE0000, 0x42FFCCCD, 0x43000000, 0xC3000000, 0xC300E666, 0xC3010000, 0x437F0000, 0x437FE666, 0x43800000, 0xBF800000, 0xBFC00000, 0x46FFFE00, 0x47000080, 0xC7000000, 0xC7000100, 0x477FFF00, 0x47800000, 0x7F61B1E6, 0xFF61B1E6, 0x42C90000, 0xC2C90000, 0x43484000, 0x471C4000, 0x000116C2, 0xC0F80000]> : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %n : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  tile.store %xp, %bits : tensor<32x!tile.ptr<i32>>
  %m = tile.arange : tensor<128xi32>
  %expected = arith.constant dense<[0, 127, -128, 0, 0, 0, 0, 127, 127, 127, -128, -128, -128, 127, 127, 127, -1, -1, 127, 127, -128, -128, 127, 127, 127, -128, 100, -100, 127, 127, 0, -7, 0, 255, 0, 0, 0, 0, 0, 127, 127, 128, 0, 0, 0, 255, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 100, 0, 200, 255, 0, 0, 0, 32767, -32768, 0, 0, 0, 0, 127, 127, 128, -128, -128, -129, 255, 255, 256, -1, -1, 32767, 32767, -32768, -32768, 32767, 32767, 32767, -32768, 100, -100, 200, 32767, 0, -7, 0, 65535, 0, 0, 0, 0, 0, 127, 127, 128, 0, 0, 0, 255, 255, 256, 0, 0, 32767, 32768, 0, 0, 65535, 65535, 65535, 0, 100, 0, 200, 40000, 0, 0]> : tensor<128xi32>
  %ws = tile.splat %want : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>>
  %wp = tile.addptr %ws, %m : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %wp, %expected : tensor<128x!tile.ptr<i32>>
  tile.return
}

tile.func @convert(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) {
  tile.grid() {
    %one = arith.constant 1 : i32
    tile.yield %one : i32
  }
  %n = tile.arange : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %n : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %loaded = tile.load %xp : tensor<32x!tile.ptr<i32>>
  %v = arith.bitcast %loaded : tensor<32xi32> to tensor<32xf32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %c0 = arith.constant dense<0> : tensor<32xi32>
  %at0 = arith.addi %n, %c0 : tensor<32xi32>
  %p0 = tile.addptr %ys, %at0 : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %i0 = arith.fptosi %v : tensor<32xf32> to tensor<32xi8>
  %w0 = arith.extsi %i0 : tensor<32xi8> to tensor<32xi32>
  tile.store %p0, %w0 : tensor<32x!tile.ptr<i32>>
  %c1 = arith.constant dense<32> : tensor<32xi32>
  %at1 = arith.addi %n, %c1 : tensor<32xi32>
  %p1 = tile.addptr %ys, %at1 : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %i1 = arith.fptoui %v : tensor<32xf32> to tensor<32xi8>
  %w1 = arith.extui %i1 : tensor<32xi8> to tensor<32xi32>
  tile.store %p1, %w1 : tensor<32x!tile.ptr<i32>>
  %c2 = arith.constant dense<64> : tensor<32xi32>
  %at2 = arith.addi %n, %c2 : tensor<32xi32>
  %p2 = tile.addptr %ys, %at2 : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %i2 = arith.fptosi %v : tensor<32xf32> to tensor<32xi16>
  %w2 = arith.extsi %i2 : tensor<32xi16> to tensor<32xi32>
  tile.store %p2, %w2 : tensor<32x!tile.ptr<i32>>
  %c3 = arith.constant dense<96> : tensor<32xi32>
  %at3 = arith.addi %n, %c3 : tensor<32xi32>
  %p3 = tile.addptr %ys, %at3 : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %i3 = arith.fptoui %v : tensor<32xf32> to tensor<32xi16>
  %w3 = arith.extui %i3 : tensor<32xi16> to tensor<32xi32>
  tile.store %p3, %w3 : tensor<32x!tile.ptr<i32>>
  tile.return
}

func.func @main() {
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %x = tile_host.alloc(%c32) : (index) -> memref<?xi32>
  %y = tile_host.alloc(%c128) : (index) -> memref<?xi32>
  %want = tile_host.alloc(%c128) : (index) -> memref<?xi32>
  tile_host.launch @fill(%x, %want) : memref<?xi32>, memref<?xi32>
  tile_host.launch @convert(%x, %y) : memref<?xi32>, memref<?xi32>
  tile_host.expect_close %y, %want : memref<?xi32>, memref<?xi32>
  return
}
